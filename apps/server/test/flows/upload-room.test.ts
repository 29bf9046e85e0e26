import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../src/actor.ts";
import { sql } from "../../src/db/sql.ts";
import { openBrowsers, type Browsers } from "../../src/http/dashboard/people.fixture.ts";
import { uploadsFolder } from "../../src/media/spool.ts";
import { sweepMedia } from "../../src/media/sweep-media.ts";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { serve, WebShop, type Served } from "../web-shop.ts";

/** How much room uploads may take that no message carries, and what happens on a full disk. */
const KIB = 1024;
const DAY = 24 * 60 * 60_000;
const dataDir = mkdtempSync(path.join(tmpdir(), "parley-room-"));
let t: TestApp;
let one: Served;
let browsers: Browsers;
before(async () => {
  // An author may fill 256 KiB of the workspace's 512: the share grows to the largest file.
  const config = { dataDir, mediaMaxBytes: 256 * KIB, unsentMaxBytes: 512 * KIB };
  t = await startTestApp({ config });
  one = await serve(t.app);
  browsers = await openBrowsers(t.app);
});
after(async () => {
  await browsers[Symbol.asyncDispose]();
  await one.server.close();
  await t[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The names of all files of the uploads folder, or of one folder in it. */
const namesIn = (folder = ""): string[] =>
  readdirSync(path.join(uploadsFolder(dataDir), folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();

const text = (bytes: number) => Buffer.alloc(bytes, "a");
const PLAIN = { "content-type": "text/plain" };

interface Told {
  readonly id: string;
  readonly message: string;
}

/** A workspace whose members upload files for replies. */
async function openOffice() {
  const input = { name: "Office", plan: "business" } as const;
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, input);
  const join = async (role: "agent" | "owner", name: string) => {
    const person = await browsers.signIn(workspaceId, role, name);
    const upload = async (bytes: number) => {
      const { status, json } = await person.ask<Told>(
        "POST",
        "/files?name=a.txt",
        text(bytes),
        PLAIN,
      );
      return { status, code: json.message, id: json.id };
    };
    return { ...person, upload };
  };
  return { workspaceId, join };
}

test("a member's files that no message carries have a bound, and the workspace's have one; a day later there is room", async () => {
  const { join } = await openOffice();
  const sara = await join("agent", "Sara");
  const full = { status: 409, code: "UNSENT_FILES_FULL", id: undefined };
  assert.equal((await sara.upload(200 * KIB)).status, 201);
  assert.deepEqual(await sara.upload(10 * KIB), full, "a small file counts as 64 KiB");
  const omar = await join("agent", "Omar");
  assert.equal((await omar.upload(200 * KIB)).status, 201, "each member has a share");
  const noor = await join("agent", "Noor");
  assert.deepEqual(await noor.upload(150 * KIB), full, "and all together the workspace's room");
  assert.equal((await noor.upload(10 * KIB)).status, 201);
  const elsewhere = await (await openOffice()).join("agent", "Lina");
  assert.equal((await elsewhere.upload(200 * KIB)).status, 201, "another workspace has its own");
  t.clock.advance(DAY);
  while ((await sweepMedia(t.app)) > 0);
  assert.deepEqual(namesIn(), []);
});

test("uploads at once do not pass the bound together, and refused bytes leave the disk", async () => {
  const { workspaceId, join } = await openOffice();
  const sara = await join("agent", "Sara");
  const answers = await Promise.all(Array.from({ length: 40 }, () => sara.upload(60 * KIB)));
  const stored = answers.filter(({ status }) => status === 201).map(({ id }) => id);
  assert.ok(stored.length >= 1 && stored.length <= 4, `${stored.length} of 256 KiB`);
  for (const { status, code } of answers.filter(({ id }) => !stored.includes(id)))
    assert.deepEqual([status, code], [409, "UNSENT_FILES_FULL"]);
  assert.deepEqual(namesIn(workspaceId), stored.toSorted());
  assert.deepEqual(namesIn("spool"), []);
});

test("a saved reply frees the bound of its file, and saved replies have the same bound", async () => {
  const { join } = await openOffice();
  const sara = await join("agent", "Sara");
  const save = async (shortcut: string, media: string) =>
    sara.ask<Told>("POST", "/saved-replies", {
      shortcut,
      title: shortcut,
      text: "Here",
      shared: false,
      media: [media],
    });
  const first = await sara.upload(200 * KIB);
  assert.equal((await save("one", first.id)).status, 201);
  const second = await sara.upload(200 * KIB);
  assert.equal(second.status, 201, "a saved reply keeps the first");
  const refused = await save("two", second.id);
  assert.deepEqual([refused.status, refused.json.message], [409, "UNSENT_FILES_FULL"]);
  const stored = await t.app.db.query(sql`select shortcut from saved_reply`);
  assert.deepEqual(stored, [{ shortcut: "one" }], "nothing of the second is stored");
});

test("visitors of web chat share a part of the room, and members keep theirs", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const said: number[] = [];
  for (let n = 0; n < 5; n++) {
    const visitor = await shop.visitor();
    said.push((await visitor.post("files?name=a.txt", text(60 * KIB), PLAIN)).status);
  }
  assert.deepEqual(said, [201, 201, 201, 201, 409]);
  const agent = await browsers.signIn(shop.workspaceId, "agent", "Sara");
  const mine = await agent.ask("POST", "/files?name=a.txt", text(200 * KIB), PLAIN);
  assert.equal(mine.status, 201);
});

test("every upload is refused by name while too little of the disk is free, and leaves no trace", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  const owner = await browsers.signIn(shop.workspaceId, "owner", "Noor");
  const before = namesIn();
  // More than any disk has.
  const config = Object.assign(t.app.config, { diskReserve: Number.MAX_SAFE_INTEGER });
  try {
    const ways: Record<string, () => Promise<{ readonly status: number; readonly code: string }>> =
      {
        "a reply, a template or a campaign": async () => {
          const told = await owner.ask<Told>("POST", "/files?name=a.txt", text(5), PLAIN);
          return { status: told.status, code: told.json.message };
        },
        "an import": async () => {
          const csv = { "content-type": "text/csv" };
          const told = await owner.ask<Told>(
            "POST",
            "/imports?name=a.csv",
            Buffer.from("name"),
            csv,
          );
          return { status: told.status, code: told.json.message };
        },
        "a visitor": async () => {
          const told = await visitor.post<Told>("files?name=a.txt", text(5), PLAIN);
          return { status: told.status, code: told.body.message };
        },
        "the command line": async () => {
          const input = { fileName: "a.txt", body: Readable.from([text(5)]) };
          return uploadMedia(OPERATOR, t.app, shop.workspaceId, input).then(
            () => ({ status: 201, code: "stored" }),
            (error: { readonly code: string }) => ({ status: 507, code: error.code }),
          );
        },
      };
    for (const [way, upload] of Object.entries(ways))
      assert.deepEqual(await upload(), { status: 507, code: "STORAGE_FULL" }, way);
  } finally {
    Object.assign(config, { diskReserve: undefined });
  }
  assert.deepEqual(namesIn(), before);
});
