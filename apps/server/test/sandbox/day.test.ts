import assert from "node:assert/strict";
import { once } from "node:events";
import { get } from "node:http";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { OPERATOR } from "../../src/actor.ts";
import { makeLiveBot } from "../../src/bots/bot.fixture.ts";
import { sql } from "../../src/db/sql.ts";
import { addSnippet } from "../../src/knowledge/write-snippet.ts";
import { listTemplates } from "../../src/templates/list-templates.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { aiDocumentExample } from "../../src/wire/bot.ts";
import { createMember } from "../../src/workspaces/create-member.ts";
import { LONG } from "../group.ts";
import { startSandboxStand, type SandboxShop } from "../sandbox-stand.ts";
import { bad, good, startReceiver } from "../webhook-receiver.ts";

// A day of everything at once, hour by hour on the clock of the test. What a process holds after an hour it may hold
// after a day: memory, handles, queues and the tables of what is on its way.

const HOURS = LONG ? 24 : 1;
/** So many times an hour everything happens. */
const TIMES = LONG ? 20 : 6;
/** In these hours caches fill: what the process holds counts from then on. */
const WARM_HOURS = 6;
const MOST_GROWTH_MB = 12;
const CUSTOMERS = 40;
const PASSWORD = "correct horse battery";

interface Looked {
  readonly hour: number;
  readonly heapMb: number;
  /** Open sockets, servers and timers by their kinds. */
  readonly handles: number;
  /** Seconds by which the oldest work of each queue is late. */
  readonly late: Readonly<Record<string, number>>;
  /** Rows of the tables of what is on its way. */
  readonly rows: number;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

test(`${HOURS} hours of mixed load: memory, handles and queues stay as they are`, async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  await using stand = await startSandboxStand();
  const { app, clock } = stand.t;
  const shop = await stand.open("WHATSAPP");
  const answered = await stand.open("TELEGRAM");
  const texts = await stand.open("SMS");
  await stand.settle();
  await makeLiveBot(app, answered.workspaceId, aiDocumentExample);
  const parcels = {
    en: "We deliver parcels in Kuwait within two days.",
    ar: "نوصل الطرود خلال يومين.",
  };
  await addSnippet(OPERATOR, app, answered.workspaceId, {
    title: "Delivery",
    externalId: "delivery",
    texts: parcels,
  });
  await createEndpoint(OPERATOR, app, shop.workspaceId, {
    url: `${receiver.base}/day`,
    events: ["message.received", "message.status", "contact.updated", "broadcast.status"],
  });
  await createMember(OPERATOR, app, shop.workspaceId, {
    email: "mona@example.com",
    name: "Mona",
    role: "agent",
    password: PASSWORD,
  });
  const templates = await listTemplates(app, shop.workspaceId);
  const offer = templates.find((one) => one.name === "season_offer" && one.language === "en_US");
  assert.ok(offer);

  const did: Record<string, number> = {};
  const ask = async (from: SandboxShop, method: string, path: string, body?: object) => {
    const answer = await from.api(method, path, body);
    const kind = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "…").replace(/\?.*/, "")}`;
    assert.ok(answer.status < 300, `${kind}: ${answer.status} ${JSON.stringify(answer.body)}`);
    did[kind] = (did[kind] ?? 0) + 1;
    return answer.body;
  };

  const everything = async (n: number) => {
    receiver.clear();
    // One time of seven the receiver fails: its deliveries are tried again later.
    receiver.answers.set("/day", n % 7 === 0 ? bad : good);
    const customer = n % CUSTOMERS;
    const from = String(96_550_001_000 + customer);
    const { conversationId } = await shop.say({ from, name: "Sara", text: `Where is order ${n}?` });
    await ask(shop, "POST", "/messages", { conversationId, text: `Order ${n} is on its way.` });
    await answered.say({
      from: String(700_000_000 + customer),
      name: "Omar",
      text:
        n % 5 === 4 ? "I want to talk to a person" : "How fast do you deliver parcels in Kuwait?",
    });
    await ask(shop, "POST", "/template-messages", {
      to: `+${96_550_002_000 + (n % 200)}`,
      template: { name: "season_offer", language: "en_US" },
      body: ["Sara"],
    });
    await ask(shop, "POST", "/contacts/upsert", {
      match: ["phone"],
      phone: `+${96_550_002_000 + (n % 200)}`,
      setAttributes: { city: n % 2 ? "Cairo" : "Kuwait" },
    });
    await ask(shop, "GET", "/conversations?limit=25");
    await ask(shop, "GET", "/events?limit=10");
    if (n % 5 === 0) {
      await ask(texts, "POST", "/otp/send", {
        mobile: String(96_550_003_000 + (n % 200)),
        message: "Your code is 482913",
        lang: "E",
      });
      const { id } = await ask(texts, "POST", "/otp/verifications", {
        to: String(96_550_004_000 + n),
        locale: "en",
        purpose: "sign-in",
      });
      await ask(texts, "POST", `/otp/verifications/${String(id)}/cancel`);
    }
    if (n % 10 === 0) {
      await openAndClose(`${stand.base}/api/v1/events/stream`, shop.bearer);
      await signInAndLook(stand.base);
    }
    if (n % TIMES === 5) {
      const { id } = await ask(shop, "POST", "/broadcasts", {
        name: `Offer ${n}`,
        kind: "WHATSAPP_TEMPLATE",
        channelId: shop.added.id,
        templateId: offer.id,
        variables: { "1": "{{first_name|friend}}" },
      });
      await ask(shop, "POST", `/broadcasts/${String(id)}/start`);
    }
    await stand.settle();
  };

  const looks: Looked[] = [];
  for (let hour = 1; hour <= HOURS; hour++) {
    for (let time = 0; time < TIMES; time++) {
      await everything((hour - 1) * TIMES + time);
      clock.advance(3_600_000 / TIMES);
    }
    // The receiver is well again, and what it refused last comes due.
    receiver.answers.set("/day", good);
    await stand.settle();
    receiver.clear();
    looks.push(await look(hour));
    const last = looks.at(-1);
    t.diagnostic(
      `hour ${hour}: ${last?.heapMb.toFixed(1)} MB of heap, ${last?.handles} handles, ${last?.rows} rows on their way`,
    );
  }
  t.diagnostic(
    Object.entries(did)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", "),
  );

  for (const { hour, late, rows } of looks) {
    for (const [queue, seconds] of Object.entries(late))
      assert.ok(seconds <= 60, `hour ${hour}: ${queue} is ${seconds} s late`);
    assert.ok(rows <= 500, `hour ${hour}: ${rows} rows are on their way`);
  }
  const { length: sent } = await app.db.query(sql`
    select 1 from message where workspace_id = ${shop.workspaceId} and direction = 'outbound' and status = 'sent'
      and provider_message_id is null`);
  assert.equal(sent, 0, "each message that was accepted was sent");
  if (LONG) {
    const warm = looks.filter(({ hour }) => hour >= WARM_HOURS);
    const [first, last] = [warm.slice(0, 4), warm.slice(-4)].map(
      (part) => part.reduce((sum, { heapMb }) => sum + heapMb, 0) / part.length,
    );
    assert.ok(
      (last ?? 0) - (first ?? 0) <= MOST_GROWTH_MB,
      `the heap grew from ${first} to ${last} MB`,
    );
    const handles = warm.map((one) => one.handles);
    assert.ok(Math.max(...handles) - Math.min(...handles) <= 8, `handles: ${handles.join(", ")}`);
  }

  async function look(hour: number): Promise<Looked> {
    collect();
    const metrics = await (await fetch(`${stand.base}/metrics`)).text();
    const late: Record<string, number> = {};
    for (const [, queue = "", seconds] of metrics.matchAll(
      /^parley_queue_oldest_seconds\{queue="(\w+)"\} (\S+)$/gm,
    ))
      late[queue] = Number(seconds);
    assert.ok(Object.keys(late).length >= 11, "the queues are named");
    const rows = [...metrics.matchAll(/^parley_queue_rows\{[^}]*\} (\d+)$/gm)];
    return {
      hour,
      heapMb: process.memoryUsage().heapUsed / 2 ** 20,
      handles: process.getActiveResourcesInfo().length,
      late,
      rows: rows.reduce((sum, [, count]) => sum + Number(count), 0),
    };
  }
});

/** Opens a stream of events and goes away once it has begun. */
async function openAndClose(url: string, bearer: string): Promise<void> {
  const request = get(url, { headers: { authorization: `Bearer ${bearer}` } });
  const [response] = await once(request, "response");
  assert.equal(response.statusCode, 200);
  request.destroy();
  await once(request, "close");
}

/** A member signs in, looks at the inbox and signs out. */
async function signInAndLook(base: string): Promise<void> {
  const ours = { "x-parley": "1", "content-type": "application/json", origin: base };
  const body = JSON.stringify({ email: "mona@example.com", password: PASSWORD });
  const signedIn = await fetch(`${base}/api/app/sign-in`, { method: "POST", headers: ours, body });
  assert.equal(signedIn.status, 200, await signedIn.clone().text());
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const list = await fetch(`${base}/api/app/conversations?view=all&limit=25`, {
    headers: { cookie },
  });
  assert.equal(list.status, 200);
  await list.arrayBuffer();
  const out = await fetch(`${base}/api/app/sign-out`, {
    method: "POST",
    headers: { ...ours, cookie },
    body: "{}",
  });
  assert.ok(out.status < 300, await out.text());
}
