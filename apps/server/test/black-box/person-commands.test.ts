import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { createTestDatabase } from "../harness.ts";
import { startSession, type Session } from "./command-session.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let session: Session;
let folder: string;
let of: string[];
let contactId: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-person-"));
  database = await createTestDatabase();
  session = startSession({
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DATA_DIR: path.join(folder, "data"),
    PARLEY_DEMO: "off",
  });
  const { id } = JSON.parse(await said("workspace", "create", "--name", "A", "--json")) as {
    id: string;
  };
  of = ["--workspace", id];
  const file = path.join(folder, "people.csv");
  await writeFile(file, "name,phone,city\nSara,96550000001,Kuwait\n");
  await said("contacts", "import", file, ...of, "--map", "city=attribute.city");
  await said("contacts", "opt-out", ...of, "--phone", "96550000001");
  const entries = JSON.parse(
    await said("contacts", "consent", ...of, "--phone", "96550000001", "--json"),
  ) as { entries: { contactId: string }[] };
  contactId = entries.entries[0]?.contactId ?? "";
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function said(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await session.run(...words);
  assert.equal(code, 0, stderr);
  return stdout;
}
async function refused(words: string[], expected: RegExp): Promise<void> {
  const { code, stderr } = await session.run(...words);
  assert.equal(code, 2);
  assert.match(stderr, expected);
  assert.equal(stderr.trimEnd().split("\n").length, 1);
}

test("a timeline reads as lines and as pages of JSON", async () => {
  const lines = (await said("contacts", "timeline", contactId, ...of)).trimEnd().split("\n");
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? "", /^\S+Z {2}opted_out +source="cli"/);
  assert.match(lines[1] ?? "", /created .*by="record"/);
  const page = JSON.parse(
    await said("contacts", "timeline", contactId, ...of, "--limit", "1", "--json"),
  ) as { items: { kind: string }[]; next: string };
  assert.deepEqual(
    page.items.map((item) => item.kind),
    ["opted_out"],
  );
  const rest = await said("contacts", "timeline", contactId, ...of, "--after", page.next);
  assert.match(rest, /^\S+ {2}created/);
  await refused(["contacts", "timeline", contactId, ...of, "--after", "x"], /after/);
  await refused(["contacts", "timeline", contactId, ...of, "--limit", "201"], /limit.*1 to 200/);
  await refused(["contacts", "timeline", "nobody", ...of], /no such contact/);
});

test("an export is a folder for its owner alone, or the document", async () => {
  const out = path.join(folder, "sara");
  const told = JSON.parse(
    await said("contacts", "export-person", contactId, ...of, "--out", out, "--json"),
  ) as Record<string, unknown>;
  assert.deepEqual([told["files"], told["missing"]], [0, []]);
  assert.deepEqual((await readdir(out)).toSorted(), ["files", "person.json"]);
  const document = await readFile(path.join(out, "person.json"), "utf8");
  const { contact } = JSON.parse(document) as { contact: { attributes: object } };
  assert.deepEqual(contact.attributes, { city: "Kuwait" });
  const printed = await said("contacts", "export-person", contactId, ...of);
  assert.deepEqual(
    Object.keys(JSON.parse(printed) as object),
    Object.keys(JSON.parse(document) as object),
  );
  await refused(["contacts", "export-person", contactId, ...of, "--out", out], /exists already/);
  await refused(
    ["contacts", "export-person", "nobody", ...of, "--out", `${out}2`],
    /no such contact/,
  );
  assert.ok(!(await readdir(folder)).includes("sara2"), "nothing is written for nobody");
});

test("erasing asks for --yes, ends, is listed, and the opt-out holds for the number's next holder", async () => {
  await refused(["contacts", "erase", contactId, ...of], /--yes/);
  const erase = ["contacts", "erase", contactId, ...of, "--yes", "--json"];
  const done = JSON.parse(await said(...erase)) as Record<string, unknown>;
  assert.deepEqual([done["state"], done["contactId"], done["alike"]], ["done", contactId, []]);
  assert.equal((JSON.parse(await said(...erase)) as { id: string }).id, done["id"]);
  const list = JSON.parse(await said("contacts", "erasures", ...of, "--json")) as { id: string }[];
  assert.deepEqual(
    list.map((one) => one.id),
    [done["id"]],
  );
  await refused(["contacts", "timeline", contactId, ...of], /no such contact/);
  const file = path.join(folder, "again.csv");
  await writeFile(file, "name,phone\nSara again,96550000001\n");
  await said("contacts", "import", file, ...of);
  assert.match(await said("contacts", "export", ...of), /Sara again.*true/);
});
