import { createHmac } from "node:crypto";
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { cancelBroadcast } from "../../apps/server/src/broadcasts/record/change-broadcast.ts";
import { connectChannel } from "../../apps/server/src/channels/connect-channel.ts";
import { OPERATOR } from "../../apps/server/src/actor.ts";
import { sql } from "../../apps/server/src/db/sql.ts";
import { Child } from "../child.ts";
import { cpuTimes } from "../cpu.ts";
import { load } from "../load.ts";
import { inTurn, judge, type Row } from "../rounds.ts";
import { idAt, idText, seedConversations, seedWorkspaces, WORKSPACE } from "../seed.ts";
import type { Answer, Ask } from "../server.ts";
import { Sql } from "../../apps/server/src/db/sql.ts";
import { APP_SECRET, CAMPAIGN, certificateOf, CHANNEL, type World } from "../world.ts";
import { start as startCampaign } from "./campaign.ts";
import type { Case } from "./case.ts";
import { callOf } from "./inbound.ts";

/** A workspace of its own, with an inbox as a busy shop has it. */
const INBOX = 300;
const CONVERSATIONS = 20_000;
/** The door lets a member ask 600 times a minute. */
const MEMBERS = 500;
const CLIENTS = 8;
const LISTS_PER_SECOND = 50;
const STREAMS = 500;
const CHANGES = 50;
const STREAM_SECONDS = 10;

const workspaceId = idAt(INBOX, WORKSPACE);
const tokenOf = (member: number): string => `t${String(member % MEMBERS).padStart(42, "0")}`;
const cookieOf = (member: number) => ({ cookie: `parley=${tokenOf(member)}` });

/** The list as a screen shows it, one conversation with its thread, and the streams of many open pages. */
export const inbox: Case = {
  name: "inbox",
  async run(world, tell): Promise<Row[]> {
    tell("seeds the inbox");
    await seedInbox(world);
    const { seconds, rounds } = world.size;
    const rows: Row[] = [];
    let turn = 0;
    for (const [name, pathOf, least] of [
      ["inbox, the list of 25", () => "/api/app/conversations?view=all&limit=25", 1_500],
      [
        "inbox, one conversation",
        () => `/api/app/conversations/${idAt(INBOX, (turn % CONVERSATIONS) + 1)}`,
        2_000,
      ],
    ] as const) {
      const ask = () =>
        load(world.origin, {
          clients: CLIENTS,
          seconds,
          next: () => ({ method: "GET", path: pathOf(), headers: cookieOf(turn++) }),
        });
      tell("warms up");
      await ask();
      let p50 = 0;
      const compared = await inTurn(
        rounds,
        null,
        async () => {
          const one = await ask();
          p50 = one.p50Ms;
          return one;
        },
        tell,
        world.cpu,
      );
      rows.push({
        ...judge(name, compared, {}),
        goal: `≥ ${least} a second`,
        met: compared.product >= least,
        note: `p50 ${p50.toFixed(1)} ms`,
      });
    }
    rows.push(await besideCampaign(world, tell));
    rows.push(await streams(world, tell));
    return rows;
  },
};

/** How long a member waits for the list while the same process sends a campaign at 100 messages a second. */
async function besideCampaign(world: World, tell: (line: string) => void): Promise<Row> {
  tell("the list beside a campaign");
  await world.freshProduct("working");
  await world.sinks.ask("reset");
  const id = await startCampaign(world, CAMPAIGN, 6_000);
  while ((await world.sinks.ask("sink")).count === 0) await sleep(5);
  let turn = 0;
  const seen = await load(world.origin, {
    clients: CLIENTS,
    seconds: world.size.seconds * world.size.rounds,
    rate: LISTS_PER_SECOND,
    next: () => ({
      method: "GET",
      path: "/api/app/conversations?view=all&limit=25",
      headers: cookieOf(turn++),
    }),
  });
  await cancelBroadcast(OPERATOR, world.app, idAt(CAMPAIGN, WORKSPACE), id);
  await world.freshProduct();
  return {
    name: `inbox, the list ${LISTS_PER_SECOND} times a second beside a campaign`,
    floor: null,
    product: seen.perSecond,
    ratio: null,
    p99Ms: seen.p99Ms,
    goal: "p99 ≤ 100 ms",
    met: seen.p99Ms <= 100,
    note: `p50 ${seen.p50Ms.toFixed(1)} ms`,
  };
}

/** Open pages on two processes, while customers write: what the streams cost, and how late they are. */
async function streams(world: World, tell: (line: string) => void): Promise<Row> {
  const [second, ready] = await Child.start<Ask, Answer, Answer>(
    "server.ts",
    [world.databaseUrl, "api"],
    certificateOf(world.sinksReady),
  );
  const pids = [world.product.pid, second.pid];
  const spent = async (open: number) => {
    const late: number[] = [];
    const ends: (() => void)[] = [];
    for (let n = 0; n < open; n += 20)
      ends.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(20, open - n) }, (_, i) =>
            openStream(
              (n + i) % 2 === 0 ? world.origin : (ready.origin ?? ""),
              n + i,
              n === 0 ? late : null,
            ),
          ),
        )),
      );
    await sleep(2_000);
    const before = pids.map((pid) => cpuTimes(world.target.directory, pid));
    await write(world);
    const after = pids.map((pid) => cpuTimes(world.target.directory, pid));
    for (const end of ends) end();
    const of = (which: "product" | "postgres", at: number) =>
      (after[at]?.[which] ?? 0) - (before[at]?.[which] ?? 0);
    late.sort((a, b) => a - b);
    return { node: of("product", 0) + of("product", 1), postgres: of("postgres", 0), late };
  };
  tell("without streams");
  const bare = await spent(0);
  tell(`${STREAMS} streams`);
  const full = await spent(STREAMS);
  await second.ask("end");
  await second[Symbol.asyncDispose]();
  const share = (ms: number) => (ms / (STREAM_SECONDS * 10)).toFixed(1);
  const [node, postgres] = [full.node - bare.node, full.postgres - bare.postgres];
  const at = (part: number) =>
    (full.late[Math.floor(full.late.length * part)] ?? Number.NaN).toFixed(0);
  return {
    name: `inbox, ${STREAMS} streams, two processes, ${CHANGES} changes a second`,
    floor: null,
    product: null,
    ratio: null,
    p99Ms: null,
    goal: "≤ 15 % of a core",
    met: node + postgres <= STREAM_SECONDS * 150,
    note: `servers ${share(node)} %, PostgreSQL ${share(postgres)} %; late p50 ${at(0.5)} p95 ${at(0.95)} ms`,
  };
}

/** Customers write at a pace; each text names its moment. */
async function write(world: World): Promise<void> {
  let turn = 0;
  const run = Date.now().toString(36);
  await load(world.origin, {
    clients: 8,
    seconds: STREAM_SECONDS,
    rate: CHANGES,
    next() {
      const at = turn++;
      const body = callOf(
        INBOX,
        String(96_500_000_000 + (at % 5_000) + 1),
        `wamid.${run}${at}`,
      ).replace("Where is my order?", `at ${Date.now()}`);
      const signature = createHmac("sha256", APP_SECRET).update(body).digest("hex");
      return {
        method: "POST",
        path: `/hooks/whatsapp/${idAt(INBOX, CHANNEL)}`,
        headers: { "x-hub-signature-256": `sha256=${signature}` },
        body,
      };
    },
  });
}

function openStream(origin: string, member: number, late: number[] | null): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const request = get(
      `${origin}/api/app/stream`,
      { headers: cookieOf(member), agent: false },
      (response) => {
        if (response.statusCode !== 200)
          reject(new Error(`a stream was refused: ${response.statusCode}`));
        response.on("data", (chunk: Buffer) => {
          if (late === null) return;
          const now = Date.now();
          for (const [, sent] of chunk.toString("latin1").matchAll(/"preview":"at (\d+)"/g))
            late.push(now - Number(sent));
        });
        response.on("error", () => {});
        resolve(() => request.destroy());
      },
    );
    request.on("error", reject);
  });
}

async function seedInbox(world: World): Promise<void> {
  const { app } = world;
  const { db } = app;
  const text = (raw: string) => new Sql([raw], []);
  const id = (index: string) => text(idText(String(INBOX), index));
  await seedWorkspaces(
    db,
    { first: INBOX, last: INBOX, contacts: CONVERSATIONS, keys: 1 },
    () => {},
  );
  const ids = { next: () => idAt(INBOX, CHANNEL) };
  await connectChannel(OPERATOR, { ...app, ids, operator: true }, workspaceId, {
    type: "WHATSAPP",
    name: "Inbox",
    phoneNumberId: String(1_000_000 + INBOX),
    wabaId: String(2_000_000 + INBOX),
    accessToken: "token",
    appSecret: APP_SECRET,
    verifyToken: "verify",
  });
  await db.query(
    sql`update channel set api_url = ${world.sinksReady.apiUrl}, sync_due_at = null where workspace_id = ${workspaceId}`,
  );
  await seedConversations(db, INBOX, INBOX, CONVERSATIONS);
  await db.query(sql`
    insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
      source, created_at)
    select ${id("0")}, uuidv7(), ${id("i")}, ${id("i")}, ${idAt(INBOX, CHANNEL)}::uuid, 'inbound', 'text',
      'Where is my order number ' || n || '?', 'received', 'channel', now()
    from generate_series(1, ${CONVERSATIONS}::int) i, generate_series(1, 5) n`);
  await db.query(sql`
    insert into desk_conversation (workspace_id, conversation_id, channel_id, status, desk_at, waiting_since, window_expires_at,
      last_inbound_id, preview, inbound_count, change)
    select ${id("0")}, ${id("i")}, ${idAt(INBOX, CHANNEL)}::uuid, 'open', now() - i * interval '1 minute',
      now() - i * interval '1 minute', now() + interval '30 days', ${id("i")}, 'Where is my order number 5?', 5, i
    from generate_series(1, ${CONVERSATIONS}::int) i`);
  await db.query(sql`insert into event_sequence (workspace_id, last, desk) values (${workspaceId}, 0, ${CONVERSATIONS})
    on conflict (workspace_id) do update set desk = excluded.desk`);
  await db.query(sql`
    insert into login (id, email, created_at)
    select ${id("i")}, 'agent' || i || '@bench.example', now() from generate_series(0, ${MEMBERS - 1}::int) i`);
  await db.query(sql`
    insert into member (workspace_id, id, email, name, role, created_at, login_id)
    select ${workspaceId}::uuid, ${id("i")}, 'agent' || i || '@bench.example', 'Agent ' || i, 'agent', now(), ${id("i")}
    from generate_series(0, ${MEMBERS - 1}::int) i`);
  await db.query(sql`
    insert into session (token_hash, workspace_id, member_id, id, created_at, seen_at, expires_at, proven_at, ip, agent)
    select sha256(convert_to('t' || lpad(i::text, 42, '0'), 'UTF8')), ${workspaceId}::uuid, ${id("i")}, ${id("i")}, now(), now(),
      now() + interval '1 day', now(), '', ''
    from generate_series(0, ${MEMBERS - 1}::int) i`);
  await db.query(text("vacuum analyze"));
}
