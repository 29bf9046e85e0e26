import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createServer, type Server } from "node:net";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, mock, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { OPERATOR } from "../src/actor.ts";
import { storeBackupMade } from "../src/db/backup-made.ts";
import { sql } from "../src/db/sql.ts";
import { buildHttp } from "../src/http/server.ts";
import { systemClock } from "../src/lib/clock.ts";
import { HttpFailure } from "../src/lib/http.ts";
import { createEndpoint } from "../src/webhooks/create-endpoint.ts";
import { Cable } from "./cable.ts";
import { freePort } from "./free-port.ts";
import { createTestDatabase, startTestApp, type TestApp } from "./harness.ts";
import { Desk, FakeGraph } from "./messaging.ts";
import { bad, emitSome, startReceiver, type Receiver } from "./webhook-receiver.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const RULES = path.join(ROOT, "deploy/prometheus/alerts.yml");
const rules = fs.readFileSync(RULES, "utf8");
const promtool = spawnSync("promtool", ["--version"]).status === 0;
const skip = promtool ? false : "promtool is not installed (Debian: the package prometheus)";

const HOUR = 3_600_000;
const RULE = { limit: 100, windowMs: 60_000 };

/** A server that speaks as much of Redis's protocol as a count needs. */
class Redis {
  lets = true;
  #server: Server | null = null;
  #port = 0;
  async begin(): Promise<string> {
    // The same after a restart.
    if (this.#port === 0) this.#port = await freePort();
    const server = createServer((socket) => {
      socket.on("error", () => {});
      server.once("over", () => socket.destroy());
      socket.on("data", (data) => {
        for (const [word] of String(data).matchAll(/\r\n(?:eval|hello|info|ping|client)\r\n/gi))
          socket.write(
            /eval/i.test(word) ? `*3\r\n:${this.lets ? 1 : 0}\r\n:7\r\n:60000\r\n` : "+PONG\r\n",
          );
      });
    });
    server.setMaxListeners(0);
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#server = server;
    return `redis://127.0.0.1:${this.#port}`;
  }
  async end(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#server?.emit("over");
    await closed;
  }
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let cable: Cable;
let t: TestApp;
let http: FastifyInstance;
let desk: Desk;
let receiver: Receiver;
const graph = new FakeGraph();
const redis = new Redis();

before(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
  cable = await Cable.lay(database.url);
  const redisUrl = await redis.begin();
  t = await startTestApp({
    config: { databaseUrl: cable.url, redisUrl },
    overrides: { providerHttp: graph },
  });
  await t.app.life.begin();
  http = await buildHttp(t.app);
  desk = await Desk.open({ t, graph, [Symbol.asyncDispose]: async () => {} });
  await storeBackupMade(t.app.db, { at: t.clock.now(), rows: 1, files: 0 });
  await http.inject({ url: "/healthz" });
  await t.app.drain();
});
after(async () => {
  await http.close();
  await t[Symbol.asyncDispose]();
  await redis.end();
  receiver.close();
  await cable[Symbol.asyncDispose]();
  await database.drop().catch(() => {});
});

/** What `/metrics` answers: each line's value by its name with labels, and the type of each family. */
interface Scrape {
  readonly text: string;
  readonly values: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, string>;
}

async function scrape(): Promise<Scrape> {
  const { statusCode, body: text } = await http.inject({
    url: "/metrics",
    headers: { host: "127.0.0.1" },
  });
  assert.equal(statusCode, 200);
  const values = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, family = "", type = ""] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (family !== "") types.set(family, type);
    const [, series, value] = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    if (series !== undefined) values.set(series, Number(value));
  }
  return { text, values, types };
}

const valueOf = async (series: string): Promise<number> =>
  (await scrape()).values.get(series) ?? NaN;

/** Scrapes until a line has a value; what happens in the server is awaited, no time. */
async function reaches(series: string, enough: (value: number) => boolean): Promise<void> {
  while (!enough(await valueOf(series))) await sleep(50);
}

/** Makes the fault that an alert is for, and gives what ends it. */
const FAULTS: Readonly<Record<string, () => Promise<() => unknown>>> = {
  async ParleyQueueOld() {
    await desk.replies(await desk.hears("20100200300"));
    t.clock.advance(10 * 60_000);
    return () => t.app.drain();
  },
  async ParleyProviderFailing() {
    graph.answer = () => Promise.reject(new HttpFailure("timeout", true, "no answer"));
    for (const from of ["20100200301", "20100200302", "20100200303"])
      await desk.replies(await desk.hears(from));
    await t.app.drain();
    return () => (graph.answer = () => graph.accepted());
  },
  async ParleyWebhooksFailing() {
    const url = `${receiver.base}/broken`;
    receiver.answers.set("/broken", bad);
    for (let n = 0; n < 3; n++)
      await createEndpoint(OPERATOR, t.app, desk.workspaceId, { url, events: ["usage.threshold"] });
    await emitSome(t, desk.workspaceId);
    await t.app.drain();
    return () => t.app.db.query(sql`update endpoint set disabled_at = created_at`);
  },
  async ParleyDatabaseAway() {
    cable.fallSilent();
    return () => cable.speak();
  },
  async ParleyPoolFull() {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const callers = Array.from({ length: 8 }, () => t.app.db.transaction(() => over));
    return async () => {
      resolve();
      await Promise.all(callers);
    };
  },
  async ParleyRedisAway() {
    await redis.end();
    await t.app.rateLimits.take("key:1", RULE);
    return async () => {
      await redis.begin();
      await reaches("parley_rate_limits_fallback", (value) => value === 0);
    };
  },
  async ParleyDiskFull() {
    const full = mock.method(fs.promises, "statfs", async () => ({
      bsize: 4096,
      blocks: 1000,
      bavail: 50,
    }));
    syncBuiltinESMExports();
    return () => {
      full.mock.restore();
      syncBuiltinESMExports();
    };
  },
  async ParleyClockOff() {
    const ahead = mock.method(systemClock, "now", () => new Date(Date.now() + 60_000));
    return () => ahead.mock.restore();
  },
  async ParleyBackupOld() {
    const { db, clock } = t.app;
    await storeBackupMade(db, {
      at: new Date(clock.now().getTime() - 72 * HOUR),
      rows: 1,
      files: 0,
    });
    return () => storeBackupMade(db, { at: clock.now(), rows: 1, files: 0 });
  },
  async ParleyLeasesLost() {
    const series = 'parley_leases_lost_total{kind="session"}';
    const lost = await valueOf(series);
    await t.app.db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'parley life'`);
    await reaches(series, (value) => value > lost);
    await reaches('parley_processes{role="all"}', (value) => value > 0);
    return () => {};
  },
  async ParleyLimiterRefusing() {
    redis.lets = false;
    for (let n = 0; n < 100; n++) await t.app.rateLimits.take("key:1", RULE);
    return () => (redis.lets = true);
  },
  async ParleyServerErrors() {
    await t.app.db.query(sql`alter table channel rename to channel_away`);
    const url = `/hooks/telegram/${desk.account.channelId}`;
    for (let n = 0; n < 5; n++)
      assert.equal((await http.inject({ method: "POST", url, payload: "{}" })).statusCode, 503);
    return () => t.app.db.query(sql`alter table channel_away rename to channel`);
  },
  async ParleyMemoryHigh() {
    const limit = Math.round(process.memoryUsage.rss() * 1.02);
    const limited = mock.method(process, "constrainedMemory", () => limit);
    return () => limited.mock.restore();
  },
  async ParleyWorkerStopped() {
    await t.app.life.close();
    // The session that was cut before would be shown as a process for ten seconds.
    await t.app.db.query(sql`update process set seen_at = seen_at - interval '10 s'`);
    return () => {};
  },
};

/** The names of series in a text of PromQL, with the labels that a matcher beside each names. */
function seriesIn(text: string): { readonly name: string; readonly labels: readonly string[] }[] {
  return [...text.matchAll(/\b((?:parley|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(
    ([, name = "", matchers = ""]) => ({
      name,
      labels: [...matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
    }),
  );
}

/** The samples of a minute each: 20 minutes as before the fault, then an hour in which it lasts. */
function samplesOf(type: string | undefined, was: number | undefined, is: number | undefined) {
  const first = was === undefined ? "_x21" : `${was}+0x20`;
  if (is === undefined) return `${first} _x60`;
  // While a fault lasts, each minute adds what its first one added.
  const step = type === "counter" || type === "histogram" ? is - (was ?? 0) : 0;
  return `${first} ${is}+${step}x60`;
}

/** What promtool is given for one fault: the series of the rules as they were scraped, and which alerts may fire. */
function ruleTest(name: string, from: Scrape, to: Scrape, firing: readonly string[]): object {
  const used = new Set(seriesIn(rules).map((one) => one.name));
  const series = [...new Set([...from.values.keys(), ...to.values.keys()])].filter((one) =>
    used.has(one.replace(/\{.*/, "")),
  );
  const labelled = (one: string) => {
    const [, family = "", labels = ""] = /^([a-z_]+)(?:\{(.*)\})?$/.exec(one) ?? [];
    return `${family}{${[labels, 'job="parley",instance="a:3000"'].filter(Boolean).join(",")}}`;
  };
  const typeOf = (one: string) => {
    const family = one.replace(/\{.*/, "");
    return to.types.get(family) ?? to.types.get(family.replace(/_(?:bucket|sum|count)$/, ""));
  };
  return {
    name,
    interval: "1m",
    input_series: [
      {
        series: 'up{job="parley",instance="a:3000"}',
        values: to.values.size === 0 ? "1x20 0x60" : "1x80",
      },
      ...series.map((one) => ({
        series: labelled(one),
        values: samplesOf(typeOf(one), from.values.get(one), to.values.get(one)),
      })),
    ],
    promql_expr_test: [
      {
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: "75m",
        exp_samples: firing.map((alert) => ({
          labels: `{alertname="${alert}"}`,
          value: 1,
        })),
      },
    ],
  };
}

const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
const NOTHING: Scrape = { text: "", values: new Map(), types: new Map() };

test("promtool takes the alerts, and what /metrics answers", { skip }, async () => {
  const checked = spawnSync("promtool", ["check", "rules", RULES], { encoding: "utf8" });
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  const { text } = await scrape();
  const lint = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  // The families of Node's own process do not follow the naming that it asks for.
  const ours = `${lint.stdout}${lint.stderr}`.split("\n").filter((line) => /parley_/.test(line));
  assert.deepEqual(ours, []);
  assert.ok(lint.status === 0 || lint.status === 3, lint.stderr);
});

test("the alerts and the dashboard name only families that /metrics has, with labels that these have", async () => {
  const dashboard = fs.readFileSync(path.join(ROOT, "deploy/grafana/parley.json"), "utf8");
  const queries = [...dashboard.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
    text.replaceAll('\\"', '"'),
  );
  assert.ok(queries.length > 15);
  const { text, values, types } = await scrape();
  const labelsOf = new Map<string, Set<string>>();
  for (const series of values.keys()) {
    const name = series.replace(/\{.*/, "");
    const own = labelsOf.get(name) ?? new Set(["job", "instance"]);
    for (const [, label = ""] of series.matchAll(/([a-z_]+)="/g)) own.add(label);
    labelsOf.set(name, own);
  }
  const wrong = [rules, ...queries].flatMap(seriesIn).flatMap(({ name, labels }) => {
    const family = name.replace(/_(?:bucket|sum|count)$/, "");
    if (!types.has(name) && types.get(family) !== "histogram") return [`no family ${name}`];
    const own = labelsOf.get(name);
    // A family whose labels are not known before something happened has no line yet.
    if (!own) return text.includes(`# TYPE ${name} `) ? [] : [`no line ${name}`];
    return labels.filter((label) => !own.has(label)).map((label) => `${name} has no ${label}`);
  });
  assert.deepEqual(wrong, []);
});

test("docs/operations.md names every family of our own, and has the runbook of every alert", async () => {
  const docs = fs.readFileSync(path.join(ROOT, "docs/operations.md"), "utf8");
  const { types } = await scrape();
  const ours = [...types.keys()].filter((name) => name.startsWith("parley_"));
  assert.deepEqual(
    ours.filter((name) => !docs.includes(`\`${name}\``)),
    [],
  );
  const anchors = new Set(
    [...docs.matchAll(/^#+ (.*)$/gm)].map(([, words = ""]) =>
      words
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
  const links = [...rules.matchAll(/runbook: docs\/operations\.md#(\S+)/g)].map(
    ([, link = ""]) => link,
  );
  assert.equal(links.length, alerts.length);
  assert.deepEqual(
    links.filter((link) => !anchors.has(link)),
    [],
  );
});

test(
  "each alert fires under its fault, and no other does",
  { skip, timeout: 300_000 },
  async () => {
    assert.deepEqual([...Object.keys(FAULTS), "ParleyDown"].toSorted(), alerts.toSorted());
    const well = await scrape();
    const tests = [
      ruleTest("all is well", well, well, []),
      ruleTest("a process is killed", well, NOTHING, ["ParleyDown"]),
    ];
    for (const [alert, begin] of Object.entries(FAULTS)) {
      const from = await scrape();
      const end = await begin();
      const to = await scrape();
      await end();
      tests.push(ruleTest(alert, from, to, [alert]));
    }
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-alerts-"));
    try {
      const file = path.join(folder, "faults.json");
      // JSON is YAML.
      const given = { rule_files: [RULES], evaluation_interval: "1m", tests };
      fs.writeFileSync(file, JSON.stringify(given));
      const ran = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
      assert.equal(ran.status, 0, ran.stdout + ran.stderr);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  },
);
