import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemberJson } from "../../api/shapes.ts";
import { atWord, matchingMembers, mentionsIn } from "./mentions.ts";

const member = (id: string, name: string, disabled = false): MemberJson => ({
  id,
  name,
  email: `${id}@shop.example`,
  role: "agent",
  disabled,
  availability: "online",
});
const MEMBERS = [
  member("1", "Sara"),
  member("2", "Sara Ali"),
  member("3", "أحمد العتيبي"),
  member("4", "Old Sara", true),
  member("5", "فاطمة"),
];
const names = (word: string) => matchingMembers(MEMBERS, word).map(({ id }) => id);

test("an @ at the start or after a blank begins a name; within an address it does not", () => {
  assert.equal(atWord("@", 1), "");
  assert.equal(atWord("ask @Sara Al", 12), "Sara Al");
  assert.equal(atWord("a@b.example", 11), null);
  assert.equal(atWord("@Sara\nnext", 10), null);
  assert.equal(atWord("see @Om please", 7), "Om");
});

test("members are found by the beginning of any word of their name, in Arabic without its signs and forms", () => {
  assert.deepEqual(names("sa"), ["1", "2"]);
  assert.deepEqual(names("ali"), ["2"]);
  assert.deepEqual(names("احم"), ["3"]);
  assert.deepEqual(names("عتيبي"), ["3"]);
  assert.deepEqual(names("فاطمه"), ["5"]);
  assert.deepEqual(names("nobody"), []);
  assert.deepEqual(names("Sara Ali please"), []);
});

test("a note mentions the members that it names: the longest name wins, and former members are not mentioned", () => {
  assert.deepEqual(mentionsIn("@Sara Ali and @أحمد العتيبي: look", MEMBERS), {
    mentions: ["2", "3"],
  });
  assert.deepEqual(mentionsIn("@Sara, look", MEMBERS), { mentions: ["1"] });
  assert.deepEqual(mentionsIn("@Sarah @Old Sara a@Sarab", MEMBERS), {});
});
