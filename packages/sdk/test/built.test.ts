import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { buildSdk, DIST } from "../build.ts";
import { methodName, readDocument, type Schema } from "../document.ts";
import { generate, GENERATED } from "../generate.ts";
import { PhpTypes } from "../php-types.ts";
import { PythonTypes } from "../python-types.ts";
import { typeOf } from "../schema-type.ts";

const PACKAGE = path.join(import.meta.dirname, "../package.json");

function filesOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    files.toSorted().map((file) => [path.relative(folder, file), readFileSync(file, "utf8")]),
  );
}

function assertSame(found: Map<string, string>, wanted: ReadonlyMap<string, string>): void {
  assert.deepEqual([...found.keys()], [...wanted.keys()].toSorted());
  for (const [name, text] of wanted)
    assert.ok(found.get(name) === text, `${name} is stale: run \`npm run sdk\``);
}

test("the committed types and methods are what the committed document gives (`npm run sdk`)", () => {
  const wanted = generate();
  for (const [file, text] of wanted)
    assert.ok(
      existsSync(file) && readFileSync(file, "utf8") === text,
      `${file} is stale: run \`npm run sdk\``,
    );
  assert.deepEqual(
    [...filesOf(GENERATED).keys()].map((name) => wanted.has(path.join(GENERATED, name))),
    [true, true],
  );
});

test("the committed package is what the sources build (`npm run sdk`)", async () => {
  assertSame(filesOf(DIST), await buildSdk());
});

test("the script is under 13 kB on the wire, needs no package and imports nothing", () => {
  const code = readFileSync(path.join(DIST, "index.js"), "utf8");
  assert.ok(gzipSync(code).length < 13_000, `${gzipSync(code).length} bytes`);
  assert.ok(gzipSync(readFileSync(path.join(DIST, "index.cjs"))).length < 13_000);
  assert.deepEqual(code.match(/^import .*|\brequire\(|["']node:|\bBuffer\b|\beval\(/gm) ?? [], []);
  const manifest = JSON.parse(readFileSync(PACKAGE, "utf8")) as Record<string, unknown>;
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies"])
    assert.equal(manifest[kind], undefined);
});

test("an operation is a method of its tag, without the tag's own name", () => {
  const names = [
    ["listContacts", "contacts", "list"],
    ["createContact", "contacts", "create"],
    ["getUsage", "usage", "get"],
    ["sendOtp", "otp", "send"],
    ["listMessages", "conversations", "listMessages"],
    ["listConversationMessages", "conversations", "listMessages"],
    ["listContactsheets", "contacts", "listContactsheets"],
  ] as const;
  for (const [id, tag, name] of names) assert.equal(methodName({ id, tag }), name);
});

test("an object whose member names are free has the type of what each holds, in every language", () => {
  const texts = { type: "object", patternProperties: { "^.*$": { type: "string" } } };
  const refs = { type: "object", additionalProperties: { type: ["string", "null"] } };
  const anything = { type: "object", patternProperties: { "^.*$": {} } };
  const typesOf = (schema: Schema) => [
    typeOf(schema, "", false),
    new PythonTypes().of(schema, "Name"),
    new PhpTypes(readDocument()).of(schema),
  ];
  assert.deepEqual(typesOf(texts), [
    "Record<string, string>",
    "Mapping[str, str]",
    "array<string, string>",
  ]);
  assert.deepEqual(typesOf(refs), [
    "Record<string, string | null>",
    "Mapping[str, Optional[str]]",
    "array<string, string|null>",
  ]);
  assert.deepEqual(typesOf(anything), [
    "Record<string, unknown>",
    "Dict[str, Any]",
    "array<string, mixed>",
  ]);
});
