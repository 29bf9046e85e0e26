import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { availableParallelism, loadavg } from "node:os";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { buildApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { sql } from "../../src/db/sql.ts";
import { LONG } from "../group.ts";
import { createTestDatabase } from "../harness.ts";
import { WebShop } from "../web-shop.ts";
import { flood, type Ask, type Flooded } from "./flood.ts";
import { launch, privateFolder } from "./launch.ts";

/** The first calls all arrive at once and find an empty room; after this the room is as large as it can serve quickly. */
const ONSET_MS = 3_000;
/** Each is asked in turn, so that none uses up its 120 requests a minute. */
const KEYS = 800;
const SECONDS = 15;
const VISITORS = 20;
const TIMES = 10;

/** The resident memory of the server, MB, and what it refused, as its probe says it. It answers also under a flood. */
async function probe(base: string): Promise<{ readonly mb: number; readonly refused: string }> {
  const text = await (await fetch(`${base}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes (\d+)/m.exec(text)?.[1];
  const refused = text.match(/^parley_requests_refused_total\{.*$/gm) ?? [];
  return { mb: Number(bytes) / 2 ** 20, refused: refused.join(" ") };
}

const percentile = (times: readonly number[], part: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0);

/**
 * Its figures are judged on a quiet machine only; that nothing is lost and no visitor refused, on any.
 * `http/edge/request-room.test.ts` holds the order of refusal.
 */
test(
  "ten times more than it can: what is admitted is quick and kept, memory stays, visitors are served",
  { skip: !LONG, timeout: 600_000 },
  async (t) => {
    using folder = privateFolder();
    const isBusy = (loadavg()[0] ?? 0) > availableParallelism();
    const database = await createTestDatabase();
    const masterKey = randomBytes(32);
    const environment = {
      DATABASE_URL: database.url,
      PARLEY_MASTER_KEY: masterKey.toString("base64"),
      PARLEY_DATA_DIR: folder.path,
      LOG_LEVEL: "warn",
    };
    const settings = Object.entries(environment).map(
      ([name, text]) => [name, { text, base: folder.path }] as const,
    );
    const app = await buildApp(parseConfig(new Map(settings)), { masterKey });
    const server = launch("main.ts", [], {
      ...environment,
      LOG_LEVEL: "info",
      PARLEY_ROLE: "api",
      // As `scripts/run.cjs` starts it, as far as a variable may say it.
      NODE_OPTIONS: "--max-semi-space-size=8",
    });
    try {
      const base = await server.serves;
      const shop = await WebShop.open(app, base);
      const bearers: string[] = [];
      for (let n = 0; n < KEYS; n++)
        bearers.push((await createKey(OPERATOR, app, shop.workspaceId)).bearer);
      const visitors = [];
      for (let n = 0; n < VISITORS; n++) visitors.push(await shop.visitor("hello"));

      let made = 0;
      const next = (turn: number): Ask => {
        const bearer = bearers[turn % KEYS] ?? "";
        if (turn % 4 === 0) return { method: "GET", path: "/api/v1/contacts?pageSize=25", bearer };
        if (turn % 4 === 1) return { method: "GET", path: "/api/v1/me", bearer };
        const body = JSON.stringify({ phone: `+9655${10_000_000 + made++}` });
        return { method: "POST", path: "/api/v1/contacts", bearer, body };
      };
      // What the server can, and warm: as fast as 32 lines are answered.
      let served = 0;
      const kept: string[] = [];
      const keep = ({ status, ask }: Flooded) => {
        if (status === 201)
          kept.push(String((JSON.parse(ask.body ?? "") as { phone: string }).phone));
      };
      const answered = (answer: Flooded) => {
        assert.ok(answer.status < 300, `${answer.ask.path} answered ${answer.status}`);
        served++;
        keep(answer);
      };
      await flood(base, { lines: 32, seconds: SECONDS, next, answered });
      const capacity = served / SECONDS;

      const before = await probe(base);
      let peak = before.mb;
      const onset: number[] = [];
      const times: number[] = [];
      const statuses = new Map<string, number>();
      let over = false;
      const watching = (async () => {
        while (!over) {
          peak = Math.max(peak, (await probe(base)).mb);
          await sleep(250);
        }
      })();
      const spoken: number[] = [];
      const visitorStatuses = new Set<number>();
      const speaking = (async () => {
        for (let n = 0; !over && n < VISITORS * 15; n++) {
          const begun = performance.now();
          const answer = await visitors[n % VISITORS]?.say(`word ${n}`, `w${n}`);
          visitorStatuses.add(answer?.status ?? 0);
          spoken.push(performance.now() - begun);
          await sleep(60);
        }
      })();
      const began = performance.now();
      await flood(base, {
        lines: 1_000,
        seconds: SECONDS,
        rate: capacity * TIMES,
        next,
        answered: (answer) => {
          const kind = `${answer.ask.method} ${answer.ask.path.split("?")[0]} ${answer.status}`;
          statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
          if (answer.status < 300)
            (performance.now() - began < ONSET_MS ? onset : times).push(answer.ms);
          keep(answer);
        },
      });
      over = true;
      await Promise.all([watching, speaking]);

      const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
      t.diagnostic(
        `capacity ${Math.round(capacity)}/s; offered ${Math.round(total / SECONDS)}/s, admitted ${Math.round((times.length + onset.length) / SECONDS)}/s, ` +
          `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms, in the first ${ONSET_MS / 1_000} s ${percentile(onset, 0.99)} ms; visitors p99 ${percentile(spoken, 0.99)} ms of ${spoken.length}; ` +
          `memory ${Math.round(before.mb)} MB, at most ${Math.round(peak)} MB`,
      );
      t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
      t.diagnostic((await probe(base)).refused);
      const odd = [...statuses.keys()].filter((kind) => !/ (?:200|201|503)$/.test(kind));
      assert.deepEqual(odd, []);
      assert.deepEqual([...visitorStatuses], [201]);
      const rows = await app.db.query<{ phone: string }>(
        sql`select phone from contact where workspace_id = ${shop.workspaceId} and phone is not null`,
      );
      // Nothing accepted is lost, and nothing refused had an effect.
      assert.deepEqual(
        rows.map(({ phone }) => phone.replace(/^\+?/, "+")).toSorted(),
        kept.toSorted(),
      );
      assert.ok((statuses.get("POST /api/v1/contacts 503") ?? 0) > 0, "it was no flood");
      if (isBusy) {
        t.diagnostic("other work ran beside it: milliseconds and memory are not judged");
        return;
      }
      // A thousand connections with a request each are a good part of it.
      assert.ok(peak - before.mb <= 80, `memory grew by ${Math.round(peak - before.mb)} MB`);
      assert.ok(percentile(times, 0.99) <= 250, `p99 is ${percentile(times, 0.99)} ms`);
    } finally {
      server.child.kill("SIGKILL");
      await server.ended;
      await app[Symbol.asyncDispose]();
      await database.drop();
    }
  },
);
