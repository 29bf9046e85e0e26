import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { load } from "../load.ts";
import { median, type Row } from "../rounds.ts";
import { idAt } from "../seed.ts";
import { BIG, HOT, SMALL } from "../world.ts";
import type { Case } from "./case.ts";

const plain = { floor: null, product: null, ratio: null, p99Ms: null };
const ROOT = path.join(import.meta.dirname, "../..");

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** Milliseconds from the command to `/readyz`; stopped again. */
async function startOnce(folder: string): Promise<number> {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [path.join(ROOT, "scripts/run.cjs"), path.join(ROOT, "apps/server/src/main.ts")],
    {
      stdio: "ignore",
      env: {
        ...process.env,
        DATABASE_URL: "",
        PARLEY_DATA_DIR: folder,
        PORT: String(port),
        HOST: "127.0.0.1",
      },
    },
  );
  const ended = once(child, "exit");
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) break;
    if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}`);
    if (performance.now() - begun > 60_000)
      throw new Error("the product is not ready after a minute");
    await sleep(10);
  }
  const ms = performance.now() - begun;
  child.kill("SIGTERM");
  await ended;
  return ms;
}

export const startTime: Case = {
  name: "start",
  async run(world, tell): Promise<Row[]> {
    const folder = path.join(mkdtempSync(path.join(os.tmpdir(), "parley-start-")), "data");
    try {
      tell("first start, which makes the data folder");
      const first = await startOnce(folder);
      const times: number[] = [];
      for (let round = 1; round <= world.size.rounds; round++) {
        tell(`round ${round} of ${world.size.rounds}`);
        times.push(await startOnce(folder));
      }
      const seconds = median(times) / 1_000;
      const note = `${seconds.toFixed(2)} s; the first ever ${(first / 1_000).toFixed(1)} s`;
      return [
        { ...plain, name: "start on an existing folder", goal: "≤ 3 s", met: seconds <= 3, note },
      ];
    } finally {
      rmSync(path.dirname(folder), { recursive: true, force: true });
    }
  },
};

/** A fresh process after lists, new contacts and replies at full speed. */
export const memory: Case = {
  name: "memory",
  async run(world, tell): Promise<Row[]> {
    await world.freshProduct();
    let turn = 0;
    tell("serves");
    for (const kind of [0, 1, 2])
      await load(world.origin, {
        clients: 64,
        seconds: world.size.seconds,
        next() {
          const at = turn++;
          const number = kind === 2 ? HOT : BIG;
          const headers = { authorization: world.keys.next(number) };
          if (kind === 0) return { method: "GET", path: "/api/v1/contacts", headers };
          if (kind === 1)
            return {
              method: "POST",
              path: "/api/v1/contacts",
              headers,
              body: `{"phone":"2010${at}"}`,
            };
          const conversationId = idAt(HOT, (at % SMALL.contacts) + 1);
          return {
            method: "POST",
            path: "/api/v1/messages",
            headers,
            body: JSON.stringify({ conversationId, text: "Hi" }),
          };
        },
      });
    const { rss = 0, peak = 0 } = await world.product.ask("memory");
    const [now, most] = [rss, peak].map((bytes) => Math.round(bytes / 1_048_576));
    return [
      {
        ...plain,
        name: "memory, serving",
        goal: "≤ 250 MB",
        met: (most ?? 0) <= 250,
        note: `${now} MB, at most ${most} MB`,
      },
    ];
  },
};
