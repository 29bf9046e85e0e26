import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BACKGROUND_NICE } from "../lib/priority.ts";
import { lowerAutovacuum } from "./lower-autovacuum.ts";

/** A process with this title, in a session of its own as PostgreSQL's are. */
async function named(title: string): Promise<{ pid: number } & AsyncDisposable> {
  const child = spawn("sleep", ["60"], { argv0: title, detached: true, stdio: "ignore" });
  await once(child, "spawn");
  const { pid } = child;
  assert.ok(pid);
  return {
    pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test(
  "PostgreSQL's autovacuum gives way, and its other processes keep their priority",
  { skip: process.platform !== "linux" },
  async () => {
    await using clearing = await named("postgres: autovacuum worker parley");
    await using writing = await named("postgres: walwriter");
    await using starting = await named("/usr/bin/postgres -D data");
    let seen = lowerAutovacuum(process.pid, new Set());
    // Of all ordinary users together Linux takes ten changes of a session's priority a second; a refused one is repeated.
    for (let look = 0; look < 100 && !seen.has(clearing.pid); look++) {
      await sleep(100);
      seen = lowerAutovacuum(process.pid, seen);
    }
    assert.equal(os.getPriority(clearing.pid), BACKGROUND_NICE);
    // They keep what they inherited.
    assert.equal(os.getPriority(writing.pid), os.getPriority());
    assert.equal(os.getPriority(starting.pid), os.getPriority());
    assert.deepEqual(
      [clearing, writing, starting].map(({ pid }) => seen.has(pid)),
      [true, true, false],
    );
    // A process that ended is forgotten: another process may get its number.
    assert.deepEqual(
      [...lowerAutovacuum(process.pid, new Set([2 ** 30, writing.pid]))].filter(
        (pid) => pid === 2 ** 30,
      ),
      [],
    );
  },
);
