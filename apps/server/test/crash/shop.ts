import { OPERATOR } from "../../src/actor.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import { createKey } from "../../src/api-keys/create-key.ts";
import type { App } from "../../src/app.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { createContacts } from "../../src/contacts/record/create-contact.ts";
import type { ContactInput } from "../../src/contacts/record/contact.ts";
import { sql } from "../../src/db/sql.ts";
import { createSegment } from "../../src/segments/create-segment.ts";
import { syncTemplates } from "../../src/templates/sync-templates.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { RealServer } from "./real-server.ts";
import { VerifyingReceiver, type Inbox } from "./verifying-receiver.ts";

const WABA = "102290129340398";
const PHONE_NUMBER = "106540352242922";
const AUDIENCE_PREFIX = "96555";
export const CUSTOMER_PREFIX = "96566";
/** What the platform signs its calls with. */
export const APP_SECRET = "secret";

/** Contacts of the campaign that are no recipients: no phone, and a phone that another has. */
export const UNREACHABLE = 10;
export const REPEATED = 20;

const SECONDS = 1_000;

export interface ShopOptions {
  readonly seed: number;
  readonly conversations: number;
  readonly keys: number;
  readonly audience: number;
  readonly ratePerMinute: number;
  /** Default true: two webhook endpoints get its events. */
  readonly receivers?: boolean;
}

/** Parley as a shop uses it: one process (`RealServer`), or several with a cluster of databases (`test/cluster/`). */
export interface ShopServer extends AsyncDisposable {
  /** Of several processes with the API: each of them by turns. */
  readonly base: string;
  /** One statement on a connection of its own. */
  query<Row extends object>(text: string): Promise<Row[]>;
  /** The operations in this process, on the server's database. */
  open(): Promise<App>;
  /** Kills Parley, does this while only its database runs, and starts Parley again. */
  whileDown(work: () => Promise<void>): Promise<void>;
}

/**
 * A workspace at work: the server in its process; the platform, the customer's receivers and whoever asks in this
 * one, which no kill touches.
 */
export class Shop<Server extends ShopServer = RealServer> implements AsyncDisposable {
  readonly server: Server;
  readonly meta: WhatsAppEmulator;
  readonly receiver: VerifyingReceiver;
  workspaceId = "";
  broadcastId = "";
  conversations: string[] = [];
  bearers: string[] = [];
  /** What the endpoints got; `kinds` is what each asked for, none meaning all. */
  inboxes: { readonly kinds: readonly string[]; readonly inbox: Inbox }[] = [];
  /** The last event before the endpoints were there. */
  sequenceBefore = 0;

  private constructor(server: Server, meta: WhatsAppEmulator, receiver: VerifyingReceiver) {
    this.server = server;
    this.meta = meta;
    this.receiver = receiver;
  }

  static async open(options: ShopOptions): Promise<Shop> {
    // First: when it fails, nothing else keeps the process alive.
    return Shop.on(await RealServer.start(), options);
  }

  /** On a server that runs, and that the shop ends with itself. */
  static async on<Server extends ShopServer>(
    server: Server,
    options: ShopOptions,
  ): Promise<Shop<Server>> {
    const meta = await createWhatsAppEmulator({
      seed: options.seed,
      magic: false,
      limits: { messagesPerSecond: null, pairIntervalMs: null },
      statuses: { readChance: 0.3, shuffleChance: 0.1, duplicateChance: 0.05 },
      // The platform tries for days; here it is to be soon after the restart.
      webhook: {
        retryDelaysMs: Array.from({ length: 200 }, (_, n) => Math.min(500 * (n + 1), 3_000)),
        batchSize: 20,
      },
      journalSize: 10,
      // Each one's statuses are compared in the end: twenty rounds of the cluster's faults send 35,000.
      messagesKept: 200_000,
    });
    const shop = new Shop(server, meta, await VerifyingReceiver.start());
    try {
      await using app = await server.open();
      await shop.#furnish(app, options);
    } catch (error) {
      await shop[Symbol.asyncDispose]();
      throw error;
    }
    return shop;
  }

  async #furnish(app: App, options: ShopOptions): Promise<void> {
    const { id } = await createWorkspace(OPERATOR, app, { name: "Shop", plan: "business" });
    this.workspaceId = id;
    const account = {
      phoneNumberId: PHONE_NUMBER,
      wabaId: WABA,
      accessToken: "token",
      appSecret: APP_SECRET,
    };
    const channel = await connectChannel(OPERATOR, app, id, {
      type: "WHATSAPP",
      name: "Shop",
      ...account,
      verifyToken: "verify",
      apiUrl: this.meta.apiUrl,
    });
    const url = `${this.server.base}/hooks/whatsapp/${channel.id}`;
    this.meta.addNumber({ ...account, webhook: { url, verifyToken: "verify" } });
    const components = [{ type: "BODY", text: "Hello {{1}}" }];
    this.meta.addTemplate(WABA, { name: "news", language: "en", components });
    await syncTemplates(OPERATOR, app, id, channel.id);
    const [template] = await app.db.query<{ id: string }>(
      sql`select id from template where workspace_id = ${id}`,
    );

    await this.#audience(app, options.audience);
    const segment = await createSegment(OPERATOR, app, id, {
      name: "Audience",
      definition: { match: "all", rules: [{ field: "tag", op: "eq", value: "audience" }] },
    });
    const broadcast = await createBroadcast(OPERATOR, app, id, {
      name: "News",
      kind: "WHATSAPP_TEMPLATE",
      channelId: channel.id,
      templateId: template?.id ?? "",
      segmentId: segment.id,
      variables: { "1": "{{first_name}}" },
      rateLimitPerMinute: options.ratePerMinute,
    });
    this.broadcastId = broadcast.id;
    for (let number = 0; number < options.keys; number++)
      this.bearers.push((await createKey(OPERATOR, app, id)).bearer);

    for (let number = 0; number < options.conversations; number++) this.customerWrites(number);
    this.conversations = await eventually("the conversations", 180 * SECONDS, async () => {
      const rows = await app.db.query<{ id: string }>(
        sql`select id from conversation where workspace_id = ${id} order by id`,
      );
      return rows.length === options.conversations ? rows.map((row) => row.id) : null;
    });

    if (options.receivers !== false) await this.#listen(app);
    const [row] = await app.db.query<{ last: number }>(
      sql`select last from event_sequence where workspace_id = ${id}`,
    );
    this.sequenceBefore = row?.last ?? 0;
  }

  async #listen(app: App): Promise<void> {
    // Two: an endpoint that a killed process held rests until its lease ends, each for itself.
    for (const [path, kinds] of [
      ["/all", []],
      ["/some", ["broadcast.status", "conversation.created"]],
    ] as const) {
      const url = this.receiver.base + path;
      const { secret } = await createEndpoint(OPERATOR, app, this.workspaceId, {
        url,
        events: kinds,
      });
      this.inboxes.push({ kinds, inbox: this.receiver.expect(path, secret) });
    }
  }

  async #audience(app: App, size: number): Promise<void> {
    const tags = ["audience"];
    const people: ContactInput[] = [];
    const phone = (number: number) => AUDIENCE_PREFIX + String(number).padStart(6, "0");
    for (let number = 0; number < size; number++)
      people.push({ name: `Sara ${number}`, phone: phone(number), tags });
    for (let number = 0; number < REPEATED; number++)
      people.push({ name: "Twin", phone: phone(number), tags });
    for (let number = 0; number < UNREACHABLE; number++)
      people.push({ name: "Nobody", email: `n${number}@example.com`, tags });
    const { workspaceId } = this;
    for (let from = 0; from < people.length; from += 500) {
      const items = people
        .slice(from, from + 500)
        .map((contact) => ({ actor: OPERATOR, workspaceId, contact }));
      await app.db.transaction((tx) => createContacts(app, tx, items));
    }
  }

  /** A customer writes to the shop; gives the platform's id of the message. */
  customerWrites(number: number): string {
    const from = CUSTOMER_PREFIX + String(number).padStart(6, "0");
    return this.meta.inbound({ phoneNumberId: PHONE_NUMBER, from, name: "Mona", text: "hello" });
  }

  /** Was that address of the campaign's audience? */
  isRecipient(address: string): boolean {
    return address.startsWith(AUDIENCE_PREFIX);
  }

  call(
    path: string,
    init: Omit<RequestInit, "headers"> & { bearer?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const { bearer = this.bearers[0], ...rest } = init;
    return fetch(`${this.server.base}/api/v1${path}`, {
      signal: AbortSignal.timeout(60 * SECONDS),
      ...rest,
      headers: {
        authorization: `Bearer ${bearer}`,
        "content-type": "application/json",
        ...rest.headers,
      },
    });
  }

  /**
   * What would take a quarter of an hour: the server is killed, and while nobody works every deadline in the database
   * is moved back by 16 minutes. So leases end and lost answers are given up without waiting, and without a setting.
   */
  async passTime(): Promise<void> {
    await this.server.whileDown(async () => {
      for (const [table, columns] of Object.entries({
        message_outbox: ["available_at", "lease_until", "unknown_until"],
        broadcast_recipient: ["called_at"],
        broadcast_again: ["available_at"],
        broadcast_flight: ["called_at"],
        broadcast: ["throttled_until"],
        channel: ["throttled_until"],
        endpoint: ["busy_until"],
        delivery: ["next_attempt_at"],
      })) {
        const moved = columns.map((column) => `${column} = ${column} - interval '16 minutes'`);
        await this.server.query(`update ${table} set ${moved.join(", ")}`);
      }
    });
  }

  /** Waits until the platform has told everything and the server has taken on whatever it may. */
  async quiet(): Promise<void> {
    await this.#none(
      `select (select count(*) from message_outbox where state = 'waiting')::int as waiting,
         (select count(*) from broadcast_recipient where status = 'pending')::int as pending,
         (select count(*) from broadcast where status = 'QUEUED')::int as queued`,
    );
  }

  /** Waits until nothing is open: no reply, no recipient, no delivery, no word of the platform. */
  async finished(): Promise<void> {
    await this.#none(
      `select (select count(*) from message_outbox)::int as outbox,
         (select count(*) from broadcast_recipient where status in ('pending', 'sending'))::int as recipients,
         (select count(*) from broadcast where status in ('QUEUED', 'RUNNING'))::int as campaigns,
         (select count(*) from delivery where state <> 'delivered')::int as deliveries,
         (select count(*) from early_status)::int as early,
         (select count(*) from inbound_failure)::int as untaken`,
    );
  }

  /**
   * Waits until these counts and what waits at the platform are nothing, while they move on. Two looks in a row must find
   * nothing: between the two halves of one look work may pass from one to the other.
   */
  async #none(counts: string): Promise<void> {
    let idle = 0;
    for (let before = "", since = Date.now(); ; await sleep(200)) {
      const [open] = await this.server.query<Record<string, number>>(counts).catch(() => []);
      const left = { ...open, platform: this.meta.stats.queued };
      idle = open && Object.values(left).every((count) => count === 0) ? idle + 1 : 0;
      if (idle === 2) return;
      const now = JSON.stringify(left);
      if (now !== before) since = Date.now();
      before = now;
      // A slow machine takes longer; what is stuck does not move at all.
      if (Date.now() - since > 180 * SECONDS) throw new Error(`stuck with ${now} open`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.meta.close();
    await this.receiver[Symbol.asyncDispose]();
  }
}

/** Asks until there is an answer, within a bound. */
export async function eventually<T>(
  what: string,
  withinMs: number,
  ask: () => Promise<T | null>,
): Promise<T> {
  for (const deadline = Date.now() + withinMs; ; await sleep(100)) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`);
  }
}
