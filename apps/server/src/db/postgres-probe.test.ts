import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { lastFault } from "./postgres-probe.ts";

test("the reason why PostgreSQL ended is its own fault, not that it refused our probes meanwhile", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-probe-"));
  try {
    const file = path.join(folder, "postgres.log");
    const full = 'PANIC:  could not write to file "pg_wal/xlogtemp.9": No space left on device';
    writeFileSync(
      file,
      `${[
        full,
        "LOG:  all server processes terminated; reinitializing",
        "FATAL:  the database system is in recovery mode",
        ...Array<string>(40).fill("FATAL:  the database system is not yet accepting connections"),
        "LOG:  database system is shut down",
      ].join("\n")}\n`,
    );
    assert.equal(lastFault(file), `${full} (the disk is full)`);
    const half =
      'running bootstrap script ... FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes';
    const hint = "HINT:  Check free disk space.";
    const after = "PANIC:  cannot abort transaction 1, it was already committed";
    writeFileSync(file, `${[half, hint, after, "Aborted"].join("\n")}\n`);
    assert.equal(lastFault(file), `${half} (the disk is full)`);
    const other = "FATAL:  could not map anonymous shared memory";
    writeFileSync(file, `${[other, "HINT:  Reduce it.", "LOG:  done"].join("\n")}\n`);
    assert.equal(lastFault(file), other);
    assert.equal(
      lastFault(file, readFileSync(file).length),
      `it wrote nothing to its log; the last line before: ${other}`,
    );
    assert.equal(lastFault(path.join(folder, "none")), "no log was written");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
