import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { storageKey } from "../media/media.ts";
import { uploadMedia } from "../media/upload-media.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { FileWriter, readFiles, removeFiles } from "./backup-files.ts";

test("a file of a backup is written to its place or nowhere, whatever its mark says, and nothing is removed elsewhere", async () => {
  await using t = await startTestApp();
  const { dataDir } = t.app.config;
  const bytes = Buffer.from("#!/bin/sh");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const workspaceId = t.app.ids.next();
  const id = t.app.ids.next();
  mkdirSync(path.join(dataDir, "uploads/spool"), { recursive: true });
  const precious = path.join(dataDir, "precious");
  writeFileSync(precious, "kept");
  const write = async (mark: { workspaceId: string; id: string }) => {
    const file = new FileWriter(t.app, { ...mark, sha256 });
    await file.write(bytes.toString("base64"));
    await file.end();
  };
  for (const mark of [
    { workspaceId: "../..", id },
    { workspaceId, id: "../../../precious" },
    { workspaceId, id: "/../../../precious" },
    { workspaceId: "", id: "" },
  ]) {
    await assert.rejects(write(mark), /the backup is damaged: a file has no id/);
    await removeFiles(t.app, [{ ...mark, sha256 }]);
    assert.equal(readFileSync(precious, "utf8"), "kept");
  }
  const place = path.join(dataDir, "uploads", workspaceId, id.slice(-2), id);
  await write({ workspaceId, id });
  assert.equal(readFileSync(place, "utf8"), "#!/bin/sh");
  await removeFiles(t.app, [{ workspaceId, id, sha256 }]);
  assert.equal(existsSync(place), false);
});

test("a disk that takes no more ends the restore at once: the rest of the file is not gathered in memory", async () => {
  await using t = await startTestApp();
  const [workspaceId, id] = [t.app.ids.next(), t.app.ids.next()];
  const place = path.join(t.app.config.dataDir, "uploads/spool", `${id}.restore`);
  mkdirSync(place, { recursive: true });
  const file = new FileWriter(t.app, { workspaceId, id, sha256: "" });
  const line = Buffer.alloc(48 * 1024).toString("base64");
  const fill = async () => {
    for (let n = 0; n < 50; n++) await file.write(line);
  };
  await assert.rejects(fill(), { code: "EISDIR" });
  await file.abandon();
});

test("a file that was cut is left out of a backup, because no restore would take it", async () => {
  await using t = await startTestApp();
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "A",
    plan: "business",
  });
  const upload = (text: string) =>
    uploadMedia(OPERATOR, t.app, workspaceId, {
      fileName: "a.txt",
      body: (async function* () {
        yield Buffer.from(text);
      })(),
    });
  const [cut, whole] = [await upload("one"), await upload("two")];
  truncateSync(path.join(t.app.config.dataDir, "uploads", storageKey(cut)), 2);
  const lines: string[] = [];
  await t.app.db.transaction(async (tx) => {
    for await (const line of readFiles(t.app, tx)) lines.push(line);
  });
  const { id, sha256 } = whole;
  assert.deepEqual(lines, [
    `${JSON.stringify({ file: { workspaceId, id, sha256 } })}\n`,
    `${Buffer.from("two").toString("base64")}\n`,
  ]);
});
