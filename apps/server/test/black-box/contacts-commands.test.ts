import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { createTestDatabase } from "../harness.ts";
import { startSession, type Session } from "./command-session.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let session: Session;
let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-contacts-"));
  database = await createTestDatabase();
  session = startSession({
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DEMO: "off",
  });
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function json(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await session.run(...words, "--json");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}
async function refused(words: string[], expected: RegExp): Promise<void> {
  const { code, stderr } = await session.run(...words);
  assert.equal(code, 2);
  assert.match(stderr, expected);
  assert.equal(stderr.trimEnd().split("\n").length, 1);
}
const workspace = async () => String((await json("workspace", "create", "--name", "A"))["id"]);
const member = (found: Record<string, unknown>, ...names: string[]) =>
  names.map((name) => found[name]);

test("a file is tried, imported by a mapping, its refused rows written, mended and imported", async () => {
  const of = ["--workspace", await workspace()];
  const [people, rejects] = [path.join(folder, "people.csv"), path.join(folder, "rejects.csv")];
  await writeFile(people, "Full name|Tel. no|Age\nSara|1|33\nAhmed|x|34\nNoor|3|old\n");
  await json("contacts", "attribute", "define", "age", ...of, "--type", "number");
  const words = ["contacts", "import", people, ...of, "--map", "Age=attribute.age"];
  await refused(words, /"Tel\. no" is not known/);
  const full = [...words, "--map", "tel no=phone", "--match", "phone", "--rejects", rejects];
  const tried = await json(...full, "--dry-run");
  assert.deepEqual(member(tried, "dryRun", "created", "refused"), [true, 1, 2]);
  const trial = await readFile(rejects, "utf8");
  const done = await json(...full);
  assert.deepEqual(member(done, "created", "refused", "resumedAt", "encoding"), [1, 2, 0, "utf-8"]);
  assert.deepEqual(done["refusedRows"], [
    { line: 3, reason: "phone: must be 1 to 40 digits" },
    { line: 4, reason: "attribute.age: must be a number, like 1250 or -3.5" },
  ]);
  const left = await readFile(rejects, "utf8");
  assert.equal(left, trial, "a trial refuses what the import refuses");
  const again = await session.run("contacts", "rejects", String(done["importId"]), ...of);
  assert.equal(again.stdout, left);
  await writeFile(people, left.replace(",x,", ",2,").replace(",old,", ",35,"));
  assert.equal((await json(...full))["created"], 2);
  const list: unknown = await json("contacts", "imports", ...of);
  assert.ok(Array.isArray(list) && list.length === 2);
  await refused(["contacts", "import", people, ...of, "--map", "Age"], /COLUMN=FIELD/);
  await refused(["contacts", "import", people, ...of, "--delimiter", "x"], /comma, semicolon/);
  await refused(["contacts", "rejects", "nonsense", ...of], /no such import/);
});

test("a file of Google is imported without its other columns; of lines of JSON the refused ones are written as such, in a trial too", async () => {
  const of = ["--workspace", await workspace()];
  const google = path.join(folder, "google.csv");
  await writeFile(
    google,
    "First Name,Last Name,Photo,Labels,Phone 1 - Label,Phone 1 - Value\nSara,Ahmed,,VIP ::: * myContacts,Mobile,+965 5000 0001\n",
  );
  await refused(["contacts", "import", google, ...of], /"Photo", "Phone 1 - Label" are not known/);
  const made = await json("contacts", "import", google, ...of, "--map", "*=ignore");
  assert.equal(made["created"], 1);
  const [people, rejects] = [path.join(folder, "people.jsonl"), path.join(folder, "left.jsonl")];
  await writeFile(people, '{"phone":96550000002}\n{"phone":"x"}\n');
  const words = ["contacts", "import", people, ...of, "--rejects", rejects];
  await json(...words, "--dry-run");
  const trial = await readFile(rejects, "utf8");
  assert.equal(
    trial,
    '{"phone":"x","import line":2,"import reason":"phone: must be 1 to 40 digits"}\n',
  );
  const done = await json(...words);
  assert.equal(await readFile(rejects, "utf8"), trial);
  const again = await session.run("contacts", "rejects", String(done["importId"]), ...of);
  assert.equal(again.stdout, trial);
  const { stdout } = await session.run("contacts", "export", ...of);
  assert.match(stdout, /,Sara Ahmed,,96550000001,/);
});

test("what cannot be written or would overwrite the file is refused before anything is stored; a column without a name can be passed over", async () => {
  const of = ["--workspace", await workspace()];
  const people = path.join(folder, "excel.csv");
  const content = ",name,phone,\n1,Sara,96550000001.0,\n2,Ahmed,x,\n";
  await writeFile(people, content);
  const words = ["contacts", "import", people, ...of, "--map", "=ignore"];
  await refused(words.slice(0, -2), /the column "" is not known/);
  await refused([...words, "--rejects", people], /another file/);
  await refused([...words, "--rejects", path.join(folder, "left.jsonl")], /must end in \.csv/);
  await refused([...words, "--rejects", path.join(folder, "no", "left.csv")], /ENOENT/);
  assert.equal(await readFile(people, "utf8"), content);
  assert.deepEqual(await json("contacts", "imports", ...of), []);
  assert.deepEqual(member(await json(...words), "created", "refused"), [1, 1]);
  const { stdout } = await session.run("contacts", "export", ...of);
  assert.match(stdout, /,96550000001,/, "the spreadsheet's decimal is no digit");
});

test("many contacts are tagged, given an attribute, opted in with a reason, and deleted by segment", async () => {
  const of = ["--workspace", await workspace()];
  const people = path.join(folder, "many.csv");
  await writeFile(people, "phone,tags\n1,vip\n2,\n3,vip\n");
  await json("contacts", "import", people, ...of);
  const rule = JSON.stringify({ match: "all", rules: [{ field: "tag", op: "eq", value: "vip" }] });
  const made = await json("segment", "create", ...of, "--name", "VIPs", "--definition", rule);
  const segment = ["--segment", String(made["id"])];
  const state = (job: Record<string, unknown>) => member(job, "state", "matched", "changed");
  const run = async (...words: string[]) =>
    state(await json("contacts", ...words, ...of, ...segment));
  assert.deepEqual(await run("tag", "gold", "silver"), ["done", 2, 2]);
  assert.deepEqual(await run("untag", "silver"), ["done", 2, 2]);
  assert.deepEqual(await run("set-attribute", "level", "3"), ["done", 2, 2]);
  // Digits that are defined as text are text.
  await json("contacts", "attribute", "define", "zip", ...of, "--type", "text");
  assert.deepEqual(await run("set-attribute", "zip", "12345"), ["done", 2, 2]);
  assert.deepEqual(await run("opt-out-all"), ["done", 2, 2]);
  await refused(["contacts", "opt-in-all", ...of, ...segment], /--reason/);
  await refused(["contacts", "tag", "x", ...of], /give --segment or --id/);
  const waiting = await json("contacts", "tag", "later", ...of, ...segment, "--background");
  assert.equal(waiting["state"], "running");
  const job = async (move: string) =>
    (await json("contacts", "job", move, String(waiting["id"]), ...of))["state"];
  assert.deepEqual(
    [await job("pause"), await job("resume"), await job("cancel")],
    ["paused", "running", "cancelled"],
  );
  await refused(["contacts", "job", "resume", String(waiting["id"]), ...of], /is cancelled/);
  const csv = (await session.run("contacts", "export", ...of, ...segment)).stdout;
  assert.equal(
    csv.match(/"?vip;gold"?,"\{""level"":3,""zip"":""12345""\}",,,true/g)?.length,
    2,
    csv,
  );
  assert.deepEqual(await run("delete"), ["done", 2, 2]);
  assert.deepEqual(await json("segment", "preview", ...of, "--definition", rule), {
    count: 0,
    exact: true,
  });
  const updated = await json("segment", "update", String(made["id"]), ...of, "--name", "Best");
  assert.equal(updated["name"], "Best");
  assert.deepEqual(await json("segment", "delete", String(made["id"]), ...of), {
    id: made["id"],
    deleted: true,
  });
});

test("duplicates are listed and merged", async () => {
  const of = ["--workspace", await workspace()];
  const [one, two] = [path.join(folder, "one.csv"), path.join(folder, "two.csv")];
  await writeFile(one, "name,phone\nSara,5\n");
  await writeFile(two, "externalId,phone\nE,5\n");
  await json("contacts", "import", one, ...of);
  await json("contacts", "import", two, ...of, "--match", "externalId");
  const page = await json("contacts", "duplicates", ...of);
  assert.ok(Array.isArray(page["groups"]) && page["groups"].length === 1);
  const ids = page["groups"][0].contacts.map((contact: { id: string }) => contact.id);
  const kept = await json("contacts", "merge", ids[0], ids[1], ...of);
  assert.deepEqual(member(kept, "id", "name", "externalId"), [ids[0], "Sara", "E"]);
  assert.deepEqual((await json("contacts", "duplicates", ...of))["groups"], []);
});

test("refusals are summed up by reason, the first ten shown; a local number gets the workspace's country", async () => {
  const { id } = await json("workspace", "create", "--name", "Kuwait", "--country", "kw");
  const of = ["--workspace", String(id)];
  const people = path.join(folder, "dirty.csv");
  const bad = Array.from({ length: 30 }, (_, at) => `B${at},,${at % 3 === 0 ? "x" : "12345"}`);
  await writeFile(
    people,
    ["name,email,phone", "Sara,not an address,5000 0001", "Mona,m@b.co,N/A", ...bad, ""].join("\n"),
  );
  const { code, stdout } = await session.run("contacts", "import", people, ...of, "--dry-run");
  assert.equal(code, 0);
  assert.equal(stdout.match(/^line \d+: /gm)?.length, 10);
  assert.match(stdout, /^and 21 more lines like these$/m);
  assert.match(stdout, /^line 2: taken without its e-mail/m);
  assert.match(stdout, /^ +20 {2}phone: is no number of KW/m);
  assert.match(stdout, /^ +10 {2}phone: must be 1 to 40 digits$/m);
  assert.match(stdout, /--rejects FILE writes all of them/);
  const done = await json("contacts", "import", people, ...of);
  assert.deepEqual(
    member(done, "created", "refused", "phonesCompleted", "emailsLeftOut"),
    [2, 30, 1, 1],
  );
  assert.deepEqual(
    (done["reasons"] as { rows: number }[]).map((one) => one.rows),
    [20, 10],
  );
  // Another country for one file, and none in the workspace any more.
  await json("workspace", "update", String(id), "--country", "none");
  await writeFile(people, "phone\n0100 123 4567\n");
  assert.equal(
    (await json("contacts", "import", people, ...of, "--country", "EG"))["phonesCompleted"],
    1,
  );
  await refused(["contacts", "import", people, ...of, "--country", "Egypt"], /two letters/);
  await refused(["workspace", "create", "--name", "X", "--country", "QQ"], /two letters/);
});

test("a contact made by command gets the workspace's country code, and standard error says so", async () => {
  const { id } = await json("workspace", "create", "--name", "Kuwait", "--country", "KW");
  const words = ["contact", "create", "--workspace", String(id), "--phone"];
  const { code, stdout, stderr } = await session.run(...words, "5000 0001", "--json");
  assert.deepEqual([code, stderr], [0, "parley: the number of KW is completed to 96550000001\n"]);
  assert.equal((JSON.parse(stdout) as { phone: string }).phone, "96550000001");
  assert.equal((await session.run(...words, "+965 5000 0002", "--json")).stderr, "");
  await refused([...words, "12345"], /is no number of KW/);
});
