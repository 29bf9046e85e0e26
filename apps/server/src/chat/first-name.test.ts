import assert from "node:assert/strict";
import { test } from "node:test";
import { firstNameOf } from "./first-name.ts";

test("visitors read a first name: without a title, with both halves of a compound, never an address", () => {
  const cases: readonly (readonly [name: string, first: string | null])[] = [
    ["Sara Khaled", "Sara"],
    ["  Sara  ", "Sara"],
    ["Dr. Omar Aziz", "Omar"],
    ["Abdul Rahman Saleh", "Abdul Rahman"],
    ["عبد الله السالم", "عبد الله"],
    ["د. ليلى حسن", "ليلى"],
    ["أبو بكر", "أبو بكر"],
    ["sara.khaled@shop.example", "sara.khaled"],
    ["Abu", "Abu"],
    ["", null],
  ];
  for (const [name, first] of cases) assert.equal(firstNameOf(name), first, name);
});
