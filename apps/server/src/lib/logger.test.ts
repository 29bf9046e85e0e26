import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, closeSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

const LOGGER = path.join(import.meta.dirname, "logger.ts");

test(
  "when the log's disk is full, lines are lost and the process goes on",
  { skip: !existsSync("/dev/full") },
  async () => {
    const full = openSync("/dev/full", "w");
    const program = `
      const { createLogger } = await import(${JSON.stringify(LOGGER)});
      const log = createLogger("info");
      for (let line = 0; line < 300; line++) {
        log.info({ filling: "x".repeat(50_000) }, "never written");
        await new Promise((resolve) => setImmediate(resolve));
      }
      process.stderr.write(String(process.memoryUsage().rss < 200_000_000));`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    assert.ok(child.stderr);
    const [words, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    assert.deepEqual([words, code], ["true", 0]);
  },
);

test("when nobody reads the log for a while, its lines wait and the process goes on", async () => {
  const program = `
    const { createLogger } = await import(${JSON.stringify(LOGGER)});
    const log = createLogger("info");
    for (let line = 0; line < 12; line++) {
      log.info({ line, filling: "x".repeat(50_000) });
      await new Promise((resolve) => setImmediate(resolve));
    }
    process.stderr.write("went on");
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  const late = setTimeout(() => child.kill("SIGKILL"), 120_000);
  const [went] = (await Promise.race([
    once(child.stderr, "data"),
    once(child, "exit"),
  ])) as unknown[];
  assert.equal(String(went), "went on");
  child.stdin.end();
  const [words, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  clearTimeout(late);
  const lines = words.trimEnd().split("\n");
  const numbers = lines.map((line) => (JSON.parse(line) as { line: number }).line);
  assert.deepEqual([numbers, code], [Array.from({ length: 12 }, (_, line) => line), 0]);
});
