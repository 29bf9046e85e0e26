import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const SOURCE = path.join(import.meta.dirname, "../src");

/** Exported names that more than one file may declare, with the reason. */
const SHARED: Readonly<Record<string, string>> = {
  Call: "a request of any principal, and of a key",
  Route: "a route of any principal, and of a key",
  ContactQuery: "what a list of contacts takes, and its form in an address",
};

/**
 * Verbs that once stood for many things, with the words to use instead. A name may begin with one only when it is listed
 * as an exception.
 */
const RETIRED: Readonly<Record<string, string>> = {
  note: "record, store or publish; a note is a message between agents",
  take: "claim, lock, count or receive",
  hold: "lock; on hold is a disabled endpoint",
  keep: "store or retain",
  tell: "emit, publish or describe",
  hear: "receive",
  hide: "hash or erase",
  who: "identify",
};
const EXCEPTIONS: readonly string[] = ["takePlaces", "takeWaiting"];

/** To settle is to store the outcome of a call and what follows from it. */
const SETTLES: readonly string[] = [
  "settleBatch",
  "settleDeliveries",
  "settleMessages",
  "settleOtpReceipts",
  "settleOutcomes",
  "settleParts",
  "settleProfile",
  "settleReplies",
];

/** A lane sends the deliveries of one endpoint: no other folder has one. */
const LANES = /^(webhooks\/|workers\/deliver-webhooks\.ts$|db\/)/;

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .map((file) => file.split(path.sep).join("/"))
  .filter((file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file));
const textOf = (file: string): string => readFileSync(path.join(SOURCE, file), "utf8");

const DECLARATION =
  /^export (?:declare |abstract |async )*(const|let|function\*?|class|type|interface|enum) (\w+)/gm;

interface Exported {
  readonly name: string;
  readonly kind: string;
  readonly file: string;
}

const exported: readonly Exported[] = files.flatMap((file) => {
  // A type and a value of one name in one file are one thing: a closed list and its members.
  const names = new Map<string, Exported>();
  for (const [, kind = "", name = ""] of textOf(file).matchAll(DECLARATION))
    names.set(name, { name, kind, file });
  return [...names.values()];
});

test("an exported name has one meaning: one file declares it", () => {
  const places = Map.groupBy(exported, ({ name }) => name);
  const shared = [...places].filter(([, all]) => all.length > 1);
  const listed = Object.keys(SHARED);
  assert.deepEqual(
    shared
      .filter(([name]) => !listed.includes(name))
      .map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(", ")}`),
    [],
  );
  const names = new Set(shared.map(([name]) => name));
  assert.deepEqual(
    listed.filter((name) => !names.has(name)),
    [],
    "listed without need",
  );
});

test("a function's name begins with a verb of the field, not with note, take, hold, keep …", () => {
  const pattern = new RegExp(`^(${Object.keys(RETIRED).join("|")})[A-Z]`);
  const functions = exported.filter(
    ({ kind, name }) => kind.startsWith("function") && pattern.test(name),
  );
  assert.deepEqual(
    functions
      .filter(({ name }) => !EXCEPTIONS.includes(name))
      .map(({ name, file }) => `${file}: ${name}`),
    [],
  );
  const found = new Set(functions.map(({ name }) => name));
  assert.deepEqual(
    EXCEPTIONS.filter((name) => !found.has(name)),
    [],
    "listed without need",
  );
});

test("only what stores the outcome of a call settles", () => {
  const settle = exported.filter(
    ({ kind, name }) => kind.startsWith("function") && /^settle[A-Z]/.test(name),
  );
  assert.deepEqual([...new Set(settle.map(({ name }) => name))].sort(), [...SETTLES].sort());
});

test("only webhooks have lanes", () => {
  const strangers = files.filter(
    (file) => !LANES.test(file) && /\blanes?\b|Lane/i.test(textOf(file)),
  );
  assert.deepEqual(strangers, []);
});
