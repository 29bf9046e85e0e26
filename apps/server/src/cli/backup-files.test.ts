import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { FileWriter, removeFiles } from "./backup-files.ts";

test("a file of a backup goes to its place or nowhere, whatever its mark says; nor is anything removed elsewhere", async () => {
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
