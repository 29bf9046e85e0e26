import assert from "node:assert/strict";
import { test } from "node:test";
import { aiDocumentExample } from "../../wire/bot.ts";
import { faultsOf } from "./document-faults.ts";

const codes = (change: object) =>
  faultsOf({ ...aiDocumentExample, ...change }).map(({ path, code }) => `${path} ${code}`);

test("a document without faults has none; what it must say is named by its member", () => {
  assert.deepEqual(codes({}), []);
  assert.deepEqual(codes({ scope: "Orders." }), ["scope SCOPE_SHORT"]);
  // It speaks Arabic somewhere, so it says everything in Arabic.
  assert.deepEqual(codes({ disclosure: { en: "I am an automatic assistant." } }), [
    "disclosure.ar DISCLOSURE_MISSING",
  ]);
  assert.deepEqual(codes({ handOver: {} }), [
    "handOver.text.en HAND_OVER_MISSING",
    "handOver.text.ar HAND_OVER_MISSING",
  ]);
  assert.deepEqual(codes({ tone: "rude" }), ["tone SHAPE"]);
});

test("a member that a document does not have is named with those that it has", () => {
  const faults = faultsOf({ format: 1, kind: "external", name: "Orders", address: "" });
  const message = faults.find(({ path }) => path === "address")?.message ?? "";
  assert.match(message, /^is unknown; known are .*\burl\b/);
});

test("look-ups and procedures have names that tell them apart", () => {
  assert.deepEqual(codes({ topics: [], lookups: [], procedures: [] }), []);
  const lookup = { name: "order", description: "Orders.", url: "https://shop.example" };
  const procedure = { flow: "Returns", when: "The customer sends something back." };
  assert.deepEqual(codes({ lookups: [lookup], procedures: [procedure] }), []);
  assert.deepEqual(
    codes({ lookups: [lookup, lookup], procedures: [procedure, { ...procedure, flow: "none" }] }),
    ["lookups.1.name NAME_TWICE", "procedures.1.flow NAME"],
  );
});

test("topics have names that tell them apart", () => {
  assert.deepEqual(codes({ topics: [{ name: "Medicine", never: true }, { name: "Returns" }] }), []);
  assert.deepEqual(
    codes({ topics: [{ name: "A" }, { name: "A " }, { name: "none" }, { name: "" }] }),
    ["topics.1.name NAME_TWICE", "topics.2.name NAME", "topics.3.name NAME"],
  );
});
