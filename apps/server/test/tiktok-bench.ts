import { OPERATOR } from "../src/actor.ts";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createTikTokEmulator, type TikTokBusiness, type TikTokEmulator } from "@parley/emulators";
import { createKey } from "../src/api-keys/create-key.ts";
import { connectAccount } from "../src/channels/connect-account.ts";
import { findChannel } from "../src/channels/list-channels.ts";
import { sql } from "../src/db/sql.ts";
import { buildHttp } from "../src/http/server.ts";
import { createWorkspace } from "../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "./harness.ts";

export const CUSTOMER = "a1B2-user";
export const HOUR = 3_600_000;

export interface TikTokShop {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly businessId: string;
  reply(text: string): Promise<{ id: string; status: string; errorCode: string | null }>;
}

export interface StoredReply {
  status: string;
  error_code: string | null;
  provider_message_id: string | null;
}

/** The whole way over real HTTP: our server, the emulated TikTok, and a customer's webhook endpoint. */
export interface TikTokBench extends AsyncDisposable {
  readonly t: TestApp;
  readonly base: string;
  readonly tiktok: TikTokEmulator;
  /** What the endpoint at `receiverUrl` was told. */
  readonly received: { type: string; data: Record<string, unknown> }[];
  readonly receiverUrl: string;
  /** How many accounts were opened. */
  shops: number;
  accountOf(n: number): TikTokBusiness & { readonly appId: string };
  openShop(more?: { readonly refreshToken?: string }): Promise<TikTokShop>;
  conversationOf(workspaceId: string): Promise<string>;
  write(shop: TikTokShop, text?: string, from?: string): Promise<void>;
  /** Sends what waits and takes in what the platform says of it. */
  settle(): Promise<void>;
  stored(shop: TikTokShop, id: string): Promise<StoredReply | undefined>;
  messagesOf(shop: TikTokShop): Promise<string[]>;
  statusOf(shop: TikTokShop): Promise<string>;
  /** Each test in a second of its own: replies count from the time of the customer's message. */
  clear(): void;
}

export async function startTikTokBench(): Promise<TikTokBench> {
  const received: TikTokBench["received"] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const event = JSON.parse(Buffer.concat(chunks).toString("utf8")) as (typeof received)[number];
      received.push({ type: event.type, data: event.data });
      response.end("ok");
    });
  });
  const t = await startTestApp();
  const server = await buildHttp(t.app);
  const base = await server.listen({ host: "127.0.0.1", port: 0 });
  const tiktok = await createTikTokEmulator({ delivery: "manual", clock: t.clock });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const bench: TikTokBench = {
    t,
    base,
    tiktok,
    received,
    receiverUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`,
    shops: 0,
    accountOf: (n) => ({
      businessId: `-000biz+${n}`,
      accessToken: `act.token-${n}`,
      appId: String(7_300_000_000_000_000_000n + BigInt(n)),
      appSecret: `tt-secret-${n}`,
    }),
    async openShop(more = {}) {
      const account = { ...bench.accountOf(++bench.shops), ...more };
      const { businessId } = account;
      const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
        name: "Shop",
        plan: "business",
      });
      tiktok.addBusiness(account);
      const channel = await connectAccount(OPERATOR, t.app, workspaceId, {
        type: "TIKTOK",
        name: "Shop",
        ...account,
        apiUrl: tiktok.url,
      });
      assert.equal(channel.status, "connected");
      // The test's server listens on a port of its own.
      const webhookUrl = `${base}/hooks/tiktok/${channel.id}`;
      tiktok.addBusiness({ ...account, webhookUrl });
      const { bearer } = await createKey(OPERATOR, t.app, workspaceId);
      return {
        workspaceId,
        channelId: channel.id,
        businessId,
        async reply(text) {
          const conversationId = await bench.conversationOf(workspaceId);
          const answer = await fetch(`${base}/api/v1/messages`, {
            method: "POST",
            headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
            body: JSON.stringify({ conversationId, text }),
          });
          assert.equal(answer.status, 201);
          const { id, status } = (await answer.json()) as { id: string; status: string };
          const rows = await t.app.db.query<{ error_code: string | null }>(
            sql`select error_code from message where workspace_id = ${workspaceId} and id = ${id}`,
          );
          return { id, status, errorCode: rows[0]?.error_code ?? null };
        },
      };
    },
    async conversationOf(workspaceId) {
      const rows = await t.app.db.query<{ id: string }>(
        sql`select id from conversation where workspace_id = ${workspaceId}`,
      );
      assert.equal(rows.length, 1);
      return rows[0]?.id ?? "";
    },
    async write(shop, text = "hello", from = CUSTOMER) {
      tiktok.inbound({ businessId: shop.businessId, from, name: "mona", text });
      await tiktok.flush();
    },
    async settle() {
      await t.app.drain();
      await tiktok.flush();
      await t.app.drain();
    },
    async stored(shop, id) {
      const rows = await t.app.db
        .query<StoredReply>(sql`select status, error_code, provider_message_id
        from message where workspace_id = ${shop.workspaceId} and id = ${id}`);
      return rows[0];
    },
    async messagesOf(shop) {
      const rows = await t.app.db.query<{ line: string }>(sql`
        select direction || ' ' || source || ' ' || text as line from message
        where workspace_id = ${shop.workspaceId} order by id`);
      return rows.map(({ line }) => line);
    },
    statusOf: async (shop) => (await findChannel(t.app, shop.workspaceId, shop.channelId)).status,
    clear() {
      received.length = 0;
      tiktok.clear();
      t.clock.advance(1000);
    },
    async [Symbol.asyncDispose]() {
      await tiktok.close();
      await server.close();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
      await t[Symbol.asyncDispose]();
    },
  };
  return bench;
}
