import { OPERATOR } from "../src/actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { IN_FRONT } from "../src/open-context.ts";
import { replyWaits } from "../src/broadcasts/send/replies-first-store.ts";
import { visitorProfiles } from "../src/chat/erase-visitors.ts";
import { readFiles } from "../src/cli/backup-files.ts";
import { createContacts } from "../src/contacts/record/create-contact.ts";
import { importContacts } from "../src/contacts/import/import-contacts.ts";
import { findPerson } from "../src/contacts/record/person.ts";
import { pageConversations } from "../src/conversations/page-conversations.ts";
import type { Db } from "../src/db/database.ts";
import { Sql, sql } from "../src/db/sql.ts";
import { createDispatcher } from "../src/messages/send/dispatch-replies.ts";
import { atOnce } from "../src/messages/send/at-once.fixture.ts";
import { eraseFailures } from "../src/messages/record/erase-messages.ts";
import { receiveEvents } from "../src/messages/receive/receive-events.ts";
import { Desk, startMessaging, type Messaging } from "./messaging.ts";

/** In each flow. */
const BATCH = 32;
const plain = (db: Db, text: string) => db.query(new Sql([text], []));
const CONNECTIONS = IN_FRONT.poolSize;
/** On each connection of the pool: each is kept until all have it, so that none is asked twice however slow they are. */
async function onEach(db: Db, call: string): Promise<void> {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  const one = () =>
    db.transaction(async (tx) => {
      await tx.query(new Sql([`select ${call}`], []));
      if (++asked === CONNECTIONS) all.resolve();
      await all.promise;
    });
  const every = Array.from({ length: CONNECTIONS }, one);
  for (const asking of every) asking.catch(all.reject);
  await Promise.all(every);
}

interface Reads {
  /** Of the table and its indexes, in memory or not. */
  readonly pages: number;
  /** Rows that were met by going through the table. */
  readonly rows: number;
}

/** What was read of each table so far. */
async function readsOf(db: Db): Promise<Map<string, Reads>> {
  await onEach(db, "pg_stat_force_next_flush()");
  const tables = await db.query<Reads & { name: string }>(sql`
    select relname as name, t.seq_tup_read as rows,
      heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0) as pages
    from pg_statio_user_tables join pg_stat_user_tables t using (relid, relname)`);
  return new Map(tables.map((table) => [table.name, table]));
}

/** People `from` to `to` with all that may lie about them, in the workspace and the channel. */
async function fill(desk: Desk, from: number, to: number): Promise<void> {
  const w = `'${desk.workspaceId}'::uuid`;
  const c = `'${desk.account.channelId}'::uuid`;
  const id = "lpad(to_hex(i), 32, '0')::uuid";
  const phone = "(96500000000 + i)::text";
  const rows: Record<string, string> = {
    "contact (workspace_id, id, name, phone, channel_type, external_id, search, created_at, updated_at)": `${w}, ${id}, 'A', ${phone}, 'WHATSAPP', ${phone}, '', now(), now()`,
    "contact_identity (workspace_id, channel_id, external_id, contact_id, is_number, created_at)": `${w}, ${c}, ${phone}, ${id}, true, now()`,
    "conversation (workspace_id, id, contact_id, channel_id, channel_type, external_id, window_expires_at, created_at)": `${w}, ${id}, ${id}, ${c}, 'WHATSAPP', ${phone}, now() + interval '1 day', now()`,
    "message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, status, source, provider_message_id, created_at, sent_at)": `${w}, ${id}, ${id}, ${id}, ${c}, 'outbound', 'text', 'read', 'api', 'old.' || i, now(), now()`,
    "message_outbox (workspace_id, message_id, conversation_id, channel_id, available_at)": `${w}, ${id}, gen_random_uuid(), ${c}, now() + interval '1 year'`,
    "message_part (workspace_id, message_id, number, channel_id, text, provider_message_id)": `${w}, ${id}, 1, ${c}, '', 'part.' || i`,
    "early_status (workspace_id, channel_id, provider_message_id, status, occurred_at, received_at)": `${w}, ${c}, 'early.' || i, 'sent', now(), now()`,
    "early_change (workspace_id, channel_id, provider_message_id, kind, occurred_at, received_at)": `${w}, ${c}, 'early.' || i, 'edited', now(), now()`,
    "opted_out_phone (workspace_id, phone, since)": `${w}, (96400000000 + i)::text, now()`,
    "contact_alias (workspace_id, id, contact_id, document, merged_at)": `${w}, gen_random_uuid(), ${id}, '{}', now()`,
    "usage_day (workspace_id, day, channel_id)": `${id}, current_date, ${id}`,
    "usage_month (workspace_id, month)": `${id}, date_trunc('month', current_date)`,
    "event_sequence (workspace_id, last)": `${id}, 1`,
  };
  for (const [into, values] of Object.entries(rows))
    await plain(
      desk.t.app.db,
      `insert into ${into} select ${values} from generate_series(${from}, ${to}) i`,
    );
}

interface Flow {
  /** Pages for one of the batch, beyond what is seen today by half. */
  readonly most: number;
  readonly prepare?: () => Promise<unknown>;
  readonly run: () => Promise<unknown>;
}

function flowsOf(m: Messaging, desk: Desk): Record<string, Flow> {
  const { app } = m.t;
  const w = desk.workspaceId;
  const phone = (n: number) => String(96_500_000_000 + n);
  const known = Array.from({ length: BATCH }, (_, index) => phone(index + 1));
  let turn = 1_000_000;
  const strangers = () => known.map(() => phone(++turn));
  const hear = (people: readonly string[], text: string) =>
    receiveEvents(
      app,
      people.map((from) => desk.message(from, text)),
    );
  async function* file(lines: readonly string[]) {
    yield Buffer.from(["name,phone", ...lines].join("\n"));
  }
  const take = (lines: readonly string[]) => importContacts(app, w, file(lines), { format: "csv" });
  const report = (idOf: (index: number) => string) =>
    receiveEvents(
      app,
      known.map((_, index) => desk.status({ externalMessageId: idOf(index) })),
    );
  let threads: readonly { id: string }[] = [];
  const dispatcher = createDispatcher(app, atOnce);
  return {
    "messages of known customers": { most: 110, run: () => hear(known, "hello") },
    "messages of strangers": { most: 185, run: () => hear(strangers(), "hello") },
    "stop words": { most: 215, run: () => hear(known, ++turn % 2 ? "STOP" : "START") },
    replies: {
      // On a busy machine they come in more and smaller batches: 45 pages were seen.
      most: 60,
      async prepare() {
        threads = await app.db.query(sql`select id from conversation
          where workspace_id = ${w} and external_id = any(${known}::text[])`);
      },
      run: () => Promise.all(threads.map(({ id }) => desk.replies(id))),
    },
    dispatch: {
      most: 120,
      async run() {
        while ((await dispatcher.claim()) > 0) await Promise.all(dispatcher.inFlight);
      },
    },
    "reports of what was sent": {
      most: 55,
      run: () => report((index) => `wamid.${m.graph.sent.length - index}`),
    },
    "reports of what nobody knows": { most: 25, run: () => report(() => `wamid.x${++turn}`) },
    watermarks: {
      most: 75,
      run: () =>
        receiveEvents(
          app,
          known.map((customerExternalId) => ({
            account: desk.account,
            event: {
              kind: "watermark",
              accountExternalId: "1",
              customerExternalId,
              status: "read",
              occurredAt: m.t.clock.now(),
              externalMessageId: null,
            },
          })),
        ),
    },
    "new contacts": {
      most: 45,
      run: () =>
        Promise.all(
          strangers().map((number) =>
            app.groupCommit.submit(createContacts, {
              actor: OPERATOR,
              workspaceId: w,
              contact: { phone: number },
            }),
          ),
        ),
    },
    "import of strangers": { most: 45, run: () => take(strangers().map((one) => `A,${one}`)) },
    "import of people we know": {
      most: 60,
      run: () => take(known.map((one) => `${++turn},${one}`)),
    },
    "a page of conversations": {
      most: 10,
      run: () => pageConversations(app, w, {}, { limit: BATCH }),
    },
    "a page of a channel": {
      most: 25,
      run: () => pageConversations(app, w, { channelId: desk.account.channelId }, { limit: BATCH }),
    },
  };
}

test("what one operation reads does not grow with tables that were small when they were last analysed", async (t) => {
  const still = performance.now();
  t.mock.method(performance, "now", () => still);
  await using m = await startMessaging();
  const { db } = m.t.app;
  const desk = await Desk.open(m);
  const flows = Object.entries(flowsOf(m, desk));
  const plans = (mode: string) => onEach(db, `set_config('plan_cache_mode', '${mode}', false)`);
  let last = await readsOf(db);
  const each = async (flow: Flow, what: keyof Reads) => {
    await flow.prepare?.();
    const before = flow.prepare ? await readsOf(db) : last;
    await flow.run();
    last = await readsOf(db);
    const moved = [...last]
      .map(([table, now]) => ({
        table,
        n: (now[what] - (before.get(table)?.[what] ?? 0)) / BATCH,
      }))
      .toSorted((a, b) => b.n - a.n);
    const facts = moved.slice(0, 4).map(({ table, n }) => `${table} ${n.toFixed(1)}`);
    return { sum: moved.reduce((all, { n }) => all + n, 0), facts: facts.join(", ") };
  };

  await plans("force_generic_plan");
  await fill(desk, 1, 40);
  await plain(db, "vacuum analyze");
  for (const [, { prepare, run }] of flows) {
    await prepare?.();
    await run();
  }
  await fill(desk, 41, 2_000);
  last = await readsOf(db);
  // The plans are those of the small tables, and none is made anew while the clock stands.
  for (const [name, flow] of flows) {
    const { sum, facts } = await each(flow, "rows");
    assert.ok(sum <= 20, `${name}: went through ${sum.toFixed(1)} rows for one, of ${facts}`);
  }
  await plans("force_custom_plan");
  for (const [name, flow] of flows) {
    const { sum, facts } = await each(flow, "pages");
    assert.ok(sum <= flow.most, `${name}: ${sum.toFixed(1)} pages for one, of ${facts}`);
  }
});

test("what is seldom asked is asked of its own rows: a person, the next files of a backup, replies that wait", async () => {
  await using m = await startMessaging();
  const { app } = m.t;
  const { db } = app;
  const desk = await Desk.open(m);
  const { workspaceId, account } = desk;
  const [w, c] = [`'${workspaceId}'::uuid`, `'${account.channelId}'::uuid`];
  const id = "lpad(to_hex(i), 32, '0')::uuid";
  await fill(desk, 1, 2_000);
  for (const [into, values] of Object.entries({
    "contact_identity (workspace_id, channel_id, external_id, contact_id, created_at)": `${w}, ${c}, 'user:' || i, ${id}, now()`,
    "chat_visitor (workspace_id, channel_id, id, user_id, updated_at)": `${w}, ${c}, 'browser' || i, i, now()`,
    "media (workspace_id, id, direction, kind, state, created_at)": `${id}, ${id}, 'outbound', 'image', 'stored', now()`,
    // of everybody's, waiting since yesterday
    "message_outbox (workspace_id, message_id, conversation_id, channel_id, available_at)": `${id}, ${id}, ${id}, ${id}, now() - interval '1 day'`,
    "inbound_failure (id, workspace_id, channel_id, body, error, received_at)": `${id}, ${id}, ${id}, '', '', now()`,
    "broadcast (workspace_id, id, name, channel_id, channel_type, kind, status, rate_limit_per_minute, created_at)": `${w}, ${id}, '', ${c}, 'WHATSAPP', 'TEXT', 'RUNNING', 10, now()`,
  }))
    await plain(db, `insert into ${into} select ${values} from generate_series(1, 2000) i`);
  await plain(db, "vacuum analyze");
  const one = `${"0".repeat(8)}-0000-0000-0000-${"1".padStart(12, "0")}`;
  const channel = { channelId: account.channelId, channelType: "WEB" } as const;
  const seldom: Record<string, readonly [most: number, () => Promise<unknown>]> = {
    "a person who signed in on a site": [100, () => findPerson(db, workspaceId, one)],
    "the browsers of a user": [
      20,
      () => visitorProfiles(db, workspaceId, [{ ...channel, externalId: "user:1" }]),
    ],
    "calls that name a person": [
      20,
      () => db.transaction((tx) => eraseFailures(tx, workspaceId, ["96500000001"])),
    ],
    "the next files of a backup": [
      600,
      () => db.transaction(async (tx) => void (await readFiles(app, tx).next())),
    ],
    // Two ways down the index: replies, and what goes after them.
    "whether a reply waits": [
      40,
      () => db.transaction((tx) => replyWaits(tx, { workspaceId, id: one }, new Date())),
    ],
  };
  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    await onEach(db, `set_config('plan_cache_mode', '${mode}', false)`);
    for (const [name, [most, run]] of Object.entries(seldom)) {
      const before = await readsOf(db);
      await run();
      const after = await readsOf(db);
      const moved = (what: keyof Reads) =>
        [...after].reduce(
          (sum, [table, now]) => sum + now[what] - (before.get(table)?.[what] ?? 0),
          0,
        );
      assert.ok(moved("pages") <= most, `${name}, ${mode}: ${moved("pages")} pages`);
      assert.ok(moved("rows") <= 50, `${name}, ${mode}: went through ${moved("rows")} rows`);
    }
  }
});
