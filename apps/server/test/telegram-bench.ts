import { OPERATOR } from "../src/actor.ts";
import assert from "node:assert/strict";
import { createTelegramEmulator, type TelegramEmulator } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { createKey } from "../src/api-keys/create-key.ts";
import type { ConnectTelegram } from "../src/channels/account-form.ts";
import type { Channel } from "../src/channels/channel.ts";
import { connectAccount } from "../src/channels/connect-account.ts";
import { findChannel } from "../src/channels/list-channels.ts";
import { sql } from "../src/db/sql.ts";
import { AppError } from "../src/errors.ts";
import { buildHttp } from "../src/http/server.ts";
import { createWorkspace } from "../src/workspaces/create-workspace.ts";
import { faultsOfCall } from "./bot-api-schema.ts";
import { freePort } from "./free-port.ts";
import { startTestApp, type TestApp } from "./harness.ts";

/** In every token of these tests: nothing that is stored or logged may hold it. */
export const SECRET = "AAEverySecretPartOfTokens";

export interface Shop {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly botId: string;
  readonly token: string;
  readonly bearer: string;
}

export interface Stored {
  id: string;
  status: string;
  direction: string;
  type: string;
  text: string | null;
  error_code: string | null;
  provider_message_id: string | null;
  attachments: Record<string, unknown>[];
}

/** The whole way over real HTTP: our server at an address of its own and the emulated Bot API. */
export interface TelegramBench extends AsyncDisposable {
  readonly t: TestApp;
  readonly base: string;
  readonly bots: TelegramEmulator;
  /** Every log line so far, with no redaction: nothing may depend on that. */
  logged(): string;
  openShop(more?: Partial<ConnectTelegram>): Promise<Shop>;
  /** Somebody new, whose id ends so. */
  stranger(ending?: string): number;
  /** Writes and gives the conversation. */
  write(shop: Shop, from: number, text?: string): Promise<string>;
  conversationOf(shop: Shop, from: number): Promise<string>;
  reply(shop: Shop, conversationId: string, text: string): Promise<string>;
  messages(shop: Shop): Promise<Stored[]>;
  outbound(shop: Shop): Promise<Stored[]>;
  events(shop: Shop): Promise<{ type: string; data: Record<string, unknown> }[]>;
  kinds(shop: Shop): Promise<string[]>;
  channelOf(shop: Shop): Promise<Channel>;
  webhookOf(shop: Shop): string | null;
  /**
   * Forgets the platform's journals, after every call in them was held against the published description of the Bot
   * API: an unknown parameter, a missing one or one of another type fails the test.
   */
  checkAndClear(): void;
}

export async function startTelegramBench(): Promise<TelegramBench> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  let logged = "";
  const log = pino({ level: "trace" }, { write: (line: string) => void (logged += line) });
  const t = await startTestApp({ config: { publicUrl: base }, overrides: { log } });
  const server: FastifyInstance = await buildHttp(t.app);
  await server.listen({ host: "127.0.0.1", port });
  const bots = await createTelegramEmulator({ delivery: "manual", clock: t.clock });
  let shops = 0;
  let people = 5_000_000_000;
  const bench: TelegramBench = {
    t,
    base,
    bots,
    logged: () => logged,
    async openShop(more = {}) {
      const botId = String(700_000_000 + ++shops);
      const token = `${botId}:${SECRET}${shops}`;
      bots.addBot({ token });
      const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
        name: "Shop",
        plan: "business",
      });
      const input = telegramAccount(bots, token, more);
      const channel = await connectAccount(OPERATOR, t.app, workspaceId, input);
      const { bearer } = await createKey(OPERATOR, t.app, workspaceId);
      return { workspaceId, channelId: channel.id, botId, token, bearer };
    },
    stranger: (ending = "7777") => Number(`999${String((people += 10_000)).slice(3, -4)}${ending}`),
    async write(shop, from, text = "hello") {
      bots.inbound({ botId: shop.botId, from, name: "Sara", text });
      await bots.flush();
      return bench.conversationOf(shop, from);
    },
    async conversationOf(shop, from) {
      const rows = await t.app.db.query<{ id: string }>(sql`select id from conversation
        where workspace_id = ${shop.workspaceId} and external_id = ${String(from)}`);
      assert.equal(rows.length, 1);
      return rows[0]?.id ?? "";
    },
    async reply(shop, conversationId, text) {
      const answer = await fetch(`${base}/api/v1/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${shop.bearer}`, "content-type": "application/json" },
        body: JSON.stringify({ conversationId, text }),
      });
      const accepted = (await answer.json()) as { id: string; status: string };
      assert.deepEqual([answer.status, accepted.status], [201, "sent"]);
      return accepted.id;
    },
    messages: (shop) =>
      t.app.db.query<Stored>(sql`select id, status, direction, type, text, error_code,
        provider_message_id, attachments from message where workspace_id = ${shop.workspaceId} order by id`),
    outbound: async (shop) =>
      (await bench.messages(shop)).filter(({ direction }) => direction === "outbound"),
    async events(shop) {
      const rows = await t.app.db.query<{ body: string }>(
        sql`select body from event where workspace_id = ${shop.workspaceId} order by sequence`,
      );
      return rows.map(
        ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
      );
    },
    kinds: async (shop) => (await bench.events(shop)).map(({ type }) => type),
    channelOf: (shop) => findChannel(t.app, shop.workspaceId, shop.channelId),
    webhookOf: (shop) => bots.bot(shop.botId).updates.webhook?.url ?? null,
    checkAndClear() {
      const faults = bots.requests().flatMap((call) => faultsOfCall(call));
      bots.clear();
      assert.deepEqual(faults, []);
    },
    async [Symbol.asyncDispose]() {
      await bots.close();
      await server.close();
      await t[Symbol.asyncDispose]();
    },
  };
  return bench;
}

export const telegramAccount = (
  bots: Pick<TelegramEmulator, "url">,
  botToken: string,
  more: Partial<ConnectTelegram> = {},
): ConnectTelegram => ({ type: "TELEGRAM", name: "Shop", botToken, apiUrl: bots.url, ...more });

/** Refused with that code, and no secret in what is said. */
export const refusedWith = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code && !JSON.stringify(error).includes(SECRET);
