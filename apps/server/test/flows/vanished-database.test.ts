import { KEY } from "../actors.ts";
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { openDatabase } from "../../src/db/database.ts";
import { Doubt } from "../../src/db/lend.ts";
import { createProcessLife } from "../../src/db/process-life.ts";
import { sql } from "../../src/db/sql.ts";
import { createIds } from "../../src/lib/ids.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { ANSWER_MS } from "../../src/db/time-limit.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { startLoops } from "../../src/workers/loop.ts";
import { Cable } from "../cable.ts";
import { createTestDatabase, startTestApp } from "../harness.ts";
import { Desk, FakeGraph } from "../messaging.ts";
import { ownTime } from "../processor-time.ts";

/** A server with its workers on the database that `url` leads to, and a customer to answer. */
async function startShop(url: string, answerMs = ANSWER_MS) {
  const graph = new FakeGraph();
  const t = await startTestApp({
    config: { databaseUrl: url },
    overrides: {
      providerHttp: graph,
      answerMs,
      requestLimits: { answerMs: answerMs.step, waitMs: 500 },
    },
  });
  const desk = await Desk.open({ t, graph, [Symbol.asyncDispose]: async () => {} });
  const asked = { ...t.app, ...t.app.forRequests };
  const loops = startLoops(t.app, t.app.workers);
  const conversationId = await desk.hears("96551000001");
  /** Milliseconds of this process from the acceptance of a reply to its call. */
  const answers = async (text: string): Promise<number> => {
    const begun = performance.now();
    using time = ownTime();
    const accepted = async () => {
      try {
        return await acceptMessage(KEY, asked, desk.workspaceId, {
          conversationId,
          text,
        });
      } catch {
        return null;
      }
    };
    while ((await accepted()) === null) await sleep(20);
    while (!graph.sent.some((sent) => sent.text?.body === text)) {
      assert.ok(performance.now() - begun < 180_000, "the reply never left");
      await sleep(20);
    }
    return time.ms;
  };
  const stop = async () => {
    await loops.stop();
    await t[Symbol.asyncDispose]();
  };
  return { app: t.app, answers, stop };
}

test("the database's machine vanishes without a word: replies go on at once when another one writes", async () => {
  const database = await createTestDatabase();
  const cable = await Cable.lay(database.url);
  const shop = await startShop(cable.url, { step: 1_000, piece: 2_000 });
  try {
    await shop.answers("before");
    cable.vanish();
    const took = await shop.answers("after");
    // Every loop of the process finds out by itself, at the same time.
    assert.ok(took < ANSWER_MS.step, `${took} ms`);
    assert.ok((await shop.answers("later")) < ANSWER_MS.step);
  } finally {
    await shop.stop();
    await cable[Symbol.asyncDispose]();
    await database.drop();
  }
});

test("a process whose own session fell silent takes new connections for requests before one of them has waited", async () => {
  const database = await createTestDatabase();
  const cable = await Cable.lay(database.url);
  const doubt = new Doubt();
  const db = openDatabase({ connectionString: cable.url, doubt });
  const lost = Promise.withResolvers<void>();
  const life = createProcessLife({
    connectionString: cable.url,
    db,
    ids: createIds({ now: () => new Date() }),
    log: createLogger("silent"),
    lost: (askedAt) => {
      doubt.raise(askedAt);
      lost.resolve();
    },
  });
  try {
    await life.begin();
    const look = () => db.within(1_000).query(sql`select pg_sleep(0.05)`);
    await Promise.all([look(), look(), look()]);
    cable.vanish();
    await lost.promise;
    await Promise.all([look(), look(), look()]);
  } finally {
    await life.close();
    await db.close();
    await cable[Symbol.asyncDispose]();
    await database.drop();
  }
});

/** A machine of its own, as the network sees it, on which PostgreSQL is reached. */
class Machine implements AsyncDisposable {
  readonly #name: string;
  readonly #link: string;
  readonly #forwarder: ReturnType<typeof spawn>;
  readonly address: string;

  private constructor(name: string, link: string, address: string, socket: string) {
    this.#name = name;
    this.#link = link;
    this.address = address;
    const forward = `require("net").createServer((one) => {
      const other = require("net").connect(process.argv[1]);
      for (const end of [one, other]) end.on("error", () => {}).on("close", () => (one.destroy(), other.destroy()));
      one.pipe(other).pipe(one);
    }).listen(5432, () => console.log("listens"))`;
    const inside = ["netns", "exec", name, process.execPath, "-e", forward, socket];
    this.#forwarder = spawn("ip", inside, { stdio: ["ignore", "pipe", "inherit"] });
  }

  static async start(number: number, socket: string): Promise<Machine> {
    const name = `parley${process.pid}-${number}`;
    const [outer, inner] = [`p${process.pid}o${number}`, `p${process.pid}i${number}`];
    const [here, there] = [1, 2].map((end) => `10.213.${process.pid % 250}.${number * 4 + end}`);
    ip(`netns add ${name}`);
    ip(`link add ${outer} type veth peer name ${inner} netns ${name}`);
    ip(`addr add ${here}/30 dev ${outer}`);
    ip(`link set ${outer} up`);
    ip(`-n ${name} addr add ${there}/30 dev ${inner}`);
    ip(`-n ${name} link set ${inner} up`);
    const machine = new Machine(name, inner, there ?? "", socket);
    await once(machine.#forwarder.stdout ?? machine.#forwarder, "data");
    return machine;
  }

  /** Its link is down: what is sent to it is dropped, and what it does is heard by nobody. */
  async loseLink(): Promise<void> {
    ip(`-n ${this.#name} link set ${this.#link} down`);
    await this.#end();
  }

  async #end(): Promise<void> {
    if (this.#forwarder.exitCode !== null || this.#forwarder.signalCode !== null) return;
    this.#forwarder.kill("SIGKILL");
    await once(this.#forwarder, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    ip(`netns del ${this.#name}`);
  }
}

function ip(command: string): void {
  execFileSync("ip", command.split(" "), { stdio: "pipe" });
}

/** Why this system has no namespaces for us; false: it has. */
function noNamespaces(): string | false {
  try {
    ip(`netns add parley${process.pid}`);
    ip(`netns del parley${process.pid}`);
    return false;
  } catch {
    return "network namespaces take root, Linux and iproute2";
  }
}

test(
  "packets to the leader are dropped: replies go on over the next host of DATABASE_URL",
  { skip: noNamespaces() },
  async () => {
    const database = await createTestDatabase();
    const { pathname, searchParams } = new URL(database.url.replace("@/", "@socket/"));
    const socket = `${searchParams.get("host")}/.s.PGSQL.5432`;
    await using first = await Machine.start(1, socket);
    await using second = await Machine.start(2, socket);
    const shop = await startShop(
      `postgres://postgres@${first.address}:5432,${second.address}:5432${pathname}?target_session_attrs=read-write`,
      { step: 3_000, piece: 5_000 },
    );
    try {
      await shop.answers("before");
      await first.loseLink();
      const took = await shop.answers("after");
      assert.ok(took < 10_000, `${took} ms`);
      assert.ok((await shop.answers("later")) < 10_000);
    } finally {
      await shop.stop();
      await database.drop();
    }
  },
);
