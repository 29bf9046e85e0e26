import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startEmbedded } from "./embedded.ts";

test("for a data folder that cannot be written the error names the setting, and the folder stays free", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-unwritable-"));
  try {
    mkdirSync(path.join(dataDir, "instance.json.new"));
    const log = { info() {}, warn() {}, error() {} };
    for (let turn = 0; turn < 2; turn++)
      await assert.rejects(
        startEmbedded({ dataDir, kind: "command", log }),
        /^Error: PARLEY_DATA_DIR takes a folder that can be written; \/.*instance.json cannot be \(EISDIR\)$/,
      );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("a data folder of another PostgreSQL is refused with both versions and the way out, and stays free", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-older-"));
  try {
    const cluster = path.join(dataDir, "postgres");
    mkdirSync(cluster);
    writeFileSync(path.join(cluster, "PG_VERSION"), "15\n");
    const log = { info() {}, warn() {}, error() {} };
    // Twice: the first try must have freed the folder.
    for (let turn = 0; turn < 2; turn++)
      await assert.rejects(
        startEmbedded({ dataDir, kind: "command", log }),
        (error) =>
          error instanceof Error &&
          /^\/.*\/postgres was made by PostgreSQL 15, and this Parley brings \d\d: back up with/.test(
            error.message,
          ),
      );
    assert.ok(!existsSync(path.join(dataDir, "postgres.log")), "nothing was started");
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("the reason of a failed start is from this start, and names the folder itself", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-bare-"));
  try {
    const cluster = path.join(dataDir, "postgres");
    mkdirSync(cluster);
    writeFileSync(path.join(cluster, "PG_VERSION"), "18\n");
    const log = path.join(dataDir, "postgres.log");
    const before =
      "PANIC:  could not write to file: No space left on device\nFATAL:  of yesterday\n";
    writeFileSync(log, before);
    const silent = { info() {}, warn() {}, error() {} };
    const told = `could not access the server configuration file "${cluster}/postgresql.conf": No such file or directory`;
    await assert.rejects(startEmbedded({ dataDir, kind: "command", log: silent }), {
      message: `embedded PostgreSQL did not start: postgres: ${told} (see ${log})`,
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
