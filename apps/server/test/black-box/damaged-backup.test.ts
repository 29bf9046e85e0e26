import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { openBackup, readParts } from "../../src/cli/backup-reader.ts";
import { createSealer, masterKeyMark } from "../../src/lib/seal.ts";
import { Cable } from "../cable.ts";
import { createTestDatabase } from "../harness.ts";
import { startSession, type Session } from "./command-session.ts";

/** Backups that are damaged, or were written by hand. */
let source: Awaited<ReturnType<typeof createTestDatabase>>;
let target: Awaited<ReturnType<typeof createTestDatabase>>;
let session: Session;
let lines: string[];
let whole: Buffer;
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-damaged-"));
const dataDir = path.join(folder, "data");
const env = { PARLEY_MASTER_KEY: randomBytes(32).toString("base64") };
const MARK = masterKeyMark(Buffer.from(env.PARLEY_MASTER_KEY, "base64"));

before(async () => {
  [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const from = startSession({
    ...env,
    DATABASE_URL: source.url,
    PARLEY_DATA_DIR: path.join(folder, "source"),
  });
  const made = await from.run("workspace", "create", "--name", "A", "--json");
  const { id } = JSON.parse(made.stdout) as { id: string };
  await from.run("key", "create", "--workspace", id, "--json");
  const file = path.join(folder, "whole.gz");
  assert.equal((await from.run("backup", file)).code, 0);
  await from[Symbol.asyncDispose]();
  whole = readFileSync(file);
  const sealer = createSealer(Buffer.from(env.PARLEY_MASTER_KEY, "base64"));
  const { header: { salt: _salt, ...head }, lines: read } = await openBackup({ sealer }, file); // oxfmt-ignore
  // As backups were before they had a seal: what the seal would refuse is tried without it.
  lines = [JSON.stringify({ ...head, format: 2 })];
  for await (const line of read) lines.push(line);
  session = startSession({ ...env, DATABASE_URL: target.url, PARLEY_DATA_DIR: dataDir });
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await Promise.all([source.drop(), target.drop()]);
  rmSync(folder, { recursive: true, force: true });
});

const zip = (all: readonly string[]) => gzipSync(`${all.join("\n")}\n`);
const header = (change: (header: Record<string, unknown>) => unknown) => {
  const changed = change(JSON.parse(lines[0] ?? "") as Record<string, unknown>);
  return zip([JSON.stringify(changed), ...lines.slice(1)]);
};
const instead = (at: number, ...text: readonly string[]) => zip(lines.toSpliced(at, 1, ...text));
const lineOf = (start: string) => lines.findIndex((line) => line.startsWith(start));
const ID = "01a1fe4e-0000-7000-8000-000000000001";
const fileMark = (file: unknown) => zip([...lines.slice(0, -1), JSON.stringify({ file })]);

/** What the refusal of another version names as this one. */
const NEWEST = readdirSync(path.join(import.meta.dirname, "../../migrations"))
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
  .at(-1);

/** What is wrong, the bytes of the file, and what is said of it, without its name. */
const FAULTS: readonly (readonly [what: string, bytes: () => Buffer, said: string])[] = [
  ["nothing", () => Buffer.alloc(0), "is no backup of Parley"],
  ["no gzip", () => Buffer.from("hello"), "is no backup of Parley"],
  ["nothing in it", () => gzipSync(""), "is no backup of Parley: it is empty"],
  ["null", () => gzipSync("null"), "is no backup of Parley"],
  ["null and a line", () => gzipSync("null\n"), "is no backup of Parley"],
  ["an empty object", () => gzipSync("{}\n"), "is no backup of Parley"],
  ["no end", () => zip(lines.slice(0, -1)), "is damaged: its end is missing"],
  ["only a header", () => zip(lines.slice(0, 1)), "is damaged: its end is missing"],
  [
    "an older format",
    () => header((h) => ({ ...h, format: 1 })),
    "is a backup of another version: restore it with that one, then upgrade",
  ],
  [
    "a newer format",
    () => header((h) => ({ ...h, format: 3 })),
    "is a backup of another version: restore it with that one, then upgrade",
  ],
  [
    "no format",
    () => header((h) => ({ ...h, format: undefined })),
    "is damaged: its header names no format",
  ],
  [
    "no migrations",
    () => header((h) => ({ ...h, migrations: undefined })),
    "is damaged: its header names no version",
  ],
  [
    "migrations null",
    () => header((h) => ({ ...h, migrations: null })),
    "is damaged: its header names no version",
  ],
  [
    "migrations a text",
    () => header((h) => ({ ...h, migrations: "0001_core.sql" })),
    "is damaged: its header names no version",
  ],
  [
    "other migrations",
    () => header((h) => ({ ...h, migrations: ["0001_core.sql", "0002_x.sql"] })),
    `the backup is of a newer version (0002_x.sql, this is ${NEWEST}): restore it with that one`,
  ],
  [
    "no key",
    () => header((h) => ({ ...h, key: undefined })),
    "is damaged: its header names no master key",
  ],
  [
    "another key",
    () => header((h) => ({ ...h, key: "AAAA" })),
    `the backup was sealed with another master key (mark unknown; the one in use has ${MARK}): put that one into the data folder or PARLEY_MASTER_KEY`,
  ],
  [
    "the key of before a rotation",
    () => header((h) => ({ ...h, key: "0123456789abcdef" })),
    `the backup was sealed with another master key (mark 0123456789abcdef; the one in use has ${MARK}): put that one into the data folder or PARLEY_MASTER_KEY`,
  ],
  [
    "no time",
    () => header((h) => ({ ...h, createdAt: undefined })),
    "is damaged: its header names no time",
  ],
  [
    "time a number",
    () => header((h) => ({ ...h, createdAt: 7 })),
    "is damaged: its header names no time",
  ],
  [
    "an unknown table",
    () => instead(lineOf('{"table":"api_key"'), '{"table":"nothing","columns":["id"]}'),
    "does not fit this version: table nothing",
  ],
  [
    "other columns",
    () => instead(lineOf('{"table":"api_key"'), '{"table":"api_key","columns":["id"]}'),
    "does not fit this version: table api_key",
  ],
  [
    "columns a number",
    () => instead(lineOf('{"table":"api_key"'), '{"table":"api_key","columns":7}'),
    "is damaged: the line where a table begins cannot be read",
  ],
  [
    "a table's name a number",
    () => instead(lineOf('{"table":"api_key"'), '{"table":7}'),
    "is damaged: the line where a table begins cannot be read",
  ],
  [
    "a mark that is no JSON",
    () => instead(lineOf('{"table":"api_key"'), '{"table":'),
    "is damaged: the line where a table begins cannot be read",
  ],
  [
    "a row before any table",
    () => zip([lines[0] ?? "", "{}", ...lines.slice(1)]),
    "is damaged: a row of it belongs to no table",
  ],
  [
    "a row that is no JSON",
    () => instead(lineOf('{"table":"api_key"') + 1, "nonsense"),
    "is damaged: a row of table api_key does not fit (22P02)",
  ],
  [
    "a row null",
    () => instead(lineOf('{"table":"api_key"') + 1, "null"),
    "is damaged: a row of table api_key does not fit (22023)",
  ],
  [
    "a row that is two",
    () => instead(lineOf('{"table":"api_key"') + 1, "{},{}"),
    "is damaged: a row of table api_key does not fit (23502)",
  ],
  [
    "a row without its values",
    () => instead(lineOf('{"table":"api_key"') + 1, "{}"),
    "is damaged: a row of table api_key does not fit (23502)",
  ],
  [
    "a row of wrong type",
    () => instead(lineOf('{"table":"api_key"') + 1, '{"id":"no id"}'),
    "is damaged: a row of table api_key does not fit (22P02)",
  ],
  [
    "a row twice",
    () =>
      instead(
        lineOf('{"table":"api_key"') + 1,
        ...Array.from({ length: 2 }, () => lines[lineOf('{"table":"api_key"') + 1] ?? ""),
      ),
    "is damaged: a row of table api_key does not fit (23505)",
  ],
  [
    "a table twice",
    () => instead(lineOf('{"end"'), ...lines.slice(1)),
    "is damaged: a row of table workspace does not fit (23505)",
  ],
  [
    "a blank line",
    () => instead(lineOf('{"end"'), "", lines.at(-1) ?? ""),
    "is damaged: a row of table usage_month does not make exactly one row",
  ],
  [
    "counts missing",
    () => instead(lineOf('{"end"'), '{"end":true}'),
    "is damaged: the line where it ends cannot be read",
  ],
  [
    "other counts",
    () => instead(lineOf('{"end"'), '{"end":true,"rows":1,"files":0}'),
    "is damaged: it lacks rows or files",
  ],
  ["rows after the end", () => zip([...lines, "{}"]), "is damaged: something follows its end"],
  [
    "a table after the end",
    () => zip([...lines, ...lines.slice(1)]),
    "is damaged: something follows its end",
  ],
  ["a file null", () => fileMark(null), "is damaged: a file in it has no id"],
  ["a file without ids", () => fileMark({}), "is damaged: a file in it has no id"],
  [
    "a file outside",
    () => fileMark({ workspaceId: "../..", id: "x", sha256: "00" }),
    "the backup is damaged: a file has no id",
  ],
  [
    "a file without a hash",
    () => fileMark({ workspaceId: ID, id: ID }),
    "is damaged: file 01a1fe4e-0000-7000-8000-000000000001 in it has no hash",
  ],
  [
    "a file that breaks off",
    () => fileMark({ workspaceId: ID, id: ID, sha256: "00" }),
    "is damaged: its end is missing",
  ],
  [
    "a file of other bytes",
    () =>
      zip([
        ...lines.slice(0, -1),
        JSON.stringify({ file: { workspaceId: ID, id: ID, sha256: "00" } }),
        "AAAA",
        JSON.stringify({ end: true, rows: 3, files: 1 }),
      ]),
    `the backup is damaged: file ${ID} is not what it was`,
  ],
];

async function contents(url = target.url, dataFolder = dataDir): Promise<object> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(`select
    (select count(*) from workspace) || '/' || (select count(*) from api_key) || '/' || (select count(*) from audit_entry) as n`);
  await client.end();
  const uploads = path.join(dataFolder, "uploads");
  const files = existsSync(uploads)
    ? readdirSync(uploads, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    : [];
  return { rows: rows[0]?.n, files: files.length };
}

for (const [what, bytes, said] of FAULTS)
  test(`a backup with ${what} is refused in one sentence and changes nothing`, async () => {
    const file = path.join(folder, "odd.gz");
    writeFileSync(file, bytes());
    const { code, stdout, stderr } = await session.run("restore", "--unsealed", file);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^parley: [^\n]+\n$/);
    assert.equal(stderr.slice("parley: ".length).replace(`${file} `, "").trimEnd(), said);
    assert.deepEqual(await contents(), { rows: "0/0/0", files: 0 });
  });

/** What the seal refuses. */
const CHANGES: readonly (readonly [what: string, bytes: () => Buffer, said: string])[] = [
  ["half of it", () => whole.subarray(0, whole.length >> 1), "is damaged: its end is missing"],
  ["its last bytes missing", () => whole.subarray(0, -6), "is damaged: its end is missing"],
  [
    "bytes behind it",
    () => Buffer.concat([whole, Buffer.from("more")]),
    "is damaged: something follows its end",
  ],
  ["a byte changed", () => flipped(whole.length - 8), "is damaged: it is not what was written"],
  [
    "another time in its first line",
    () =>
      Buffer.from(whole.toString("latin1").replace(/"createdAt":"20/, '"createdAt":"19'), "latin1"),
    "is damaged: it is not what was written",
  ],
  [
    "no seal",
    () => zip(lines),
    "has no seal, as backups of older versions: it cannot be said whether it was changed. Restore it with --unsealed if you trust the place where it was kept",
  ],
];
const flipped = (at: number) => Buffer.from(whole.map((b, i) => (i === at ? b ^ 255 : b)));

for (const [what, bytes, said] of CHANGES)
  test(`a backup with ${what} is refused by restore and by verify`, async () => {
    const file = path.join(folder, "changed.gz");
    writeFileSync(file, bytes());
    for (const command of [["restore"], ["backup", "verify"]]) {
      const { code, stdout, stderr } = await session.run(...command, file);
      assert.deepEqual([code, stdout, stderr], [2, "", `parley: ${file} ${said}\n`]);
    }
    assert.deepEqual(await contents(), { rows: "0/0/0", files: 0 });
  });

test("no byte of a backup can be changed, none of its words can be read without the master key", async () => {
  const sealer = createSealer(Buffer.from(env.PARLEY_MASTER_KEY, "base64"));
  const file = path.join(folder, "flipped.gz");
  const begins = whole.indexOf("\n");
  for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 300)) {
    writeFileSync(file, flipped(at));
    const reading = async () => {
      const { lines: read } = await openBackup({ sealer }, file);
      for await (const _part of readParts(file, read));
    };
    await assert.rejects(reading, { message: /is damaged|no backup|another master key/ }, `${at}`);
  }
  const sealed = whole.subarray(begins + 1);
  // The last is how gzip begins: four bytes, because two of them occur in any cipher by chance.
  for (const word of ["audit_entry", "workspace", "api_key", "\u001f\u008b\b\0"])
    assert.equal(sealed.includes(Buffer.from(word, "latin1")), false, word);
});

test("verify reads the whole backup and says what it holds", async () => {
  const file = path.join(folder, "whole.gz");
  const { code, stdout } = await session.run("backup", "verify", file, "--json");
  assert.equal(code, 0);
  const { backupOf, ...said } = JSON.parse(stdout) as { backupOf: string };
  assert.ok(Date.parse(backupOf) > 0);
  assert.deepEqual(said, {
    file,
    rows: lines.length - 2 - tablesIn(),
    files: 0,
    thisVersionRestoresIt: true,
  });
});
const tablesIn = () => lines.filter((line) => line.startsWith('{"table":')).length;

test("the backup itself is restored", async () => {
  const file = path.join(folder, "whole.gz");
  assert.equal((await session.run("restore", file)).code, 0);
  assert.deepEqual(await contents(), { rows: "1/1/2", files: 0 });
});

test("the files of a restore whose commit got no answer stay: the rows that name them are there", async () => {
  const database = await createTestDatabase();
  const cable = await Cable.lay(database.url);
  const lost = path.join(folder, "lost");
  const over = startSession({ ...env, DATABASE_URL: cable.url, PARLEY_DATA_DIR: lost });
  try {
    const bytes = Buffer.from("a picture");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const { rows } = JSON.parse(lines.at(-1) ?? "") as { rows: number };
    const file = path.join(folder, "lost.gz");
    writeFileSync(
      file,
      zip([
        ...lines.slice(0, -1),
        JSON.stringify({ file: { workspaceId: ID, id: ID, sha256 } }),
        bytes.toString("base64"),
        JSON.stringify({ end: true, rows, files: 1 }),
      ]),
    );
    cable.cutAtCommit = true;
    const { stderr } = await over.run("restore", "--unsealed", file);
    assert.equal(cable.cuts, 1);
    assert.deepEqual(await contents(database.url, lost), { rows: "1/1/2", files: 1 });
    assert.match(stderr, /^parley: [^\n]*the backup may or may not be restored[^\n]*\n$/);
    assert.match(
      (await over.run("restore", "--unsealed", file)).stderr,
      /the database is not empty/,
    );
  } finally {
    await over[Symbol.asyncDispose]();
    await cable[Symbol.asyncDispose]();
    await database.drop();
  }
});
