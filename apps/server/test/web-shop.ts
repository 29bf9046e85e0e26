import { AGENT } from "./actors.ts";
import { OPERATOR } from "../src/actor.ts";
import { createHmac } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { createKey } from "../src/api-keys/create-key.ts";
import type { App } from "../src/app.ts";
import { connectChannel } from "../src/channels/connect-channel.ts";
import { allowedOrigins, type ConnectWeb } from "../src/channels/web-form.ts";
import { sql } from "../src/db/sql.ts";
import { buildHttp } from "../src/http/server.ts";
import { acceptMessage } from "../src/messages/accept/accept-message.ts";
import { createWorkspace } from "../src/workspaces/create-workspace.ts";
import { ChatClient } from "./chat-client.ts";

const IDENTITY_SECRET = "parley-identity-secret";
export const identityHash = (id: string): string =>
  createHmac("sha256", IDENTITY_SECRET).update(id).digest("hex");
export const proven = (id: string, more: Record<string, string> = {}) => ({
  user: { id, hash: identityHash(id), ...more },
});

export interface Served {
  readonly base: string;
  readonly server: FastifyInstance;
}

/** An app's HTTP side at an address of its own. */
export async function serve(app: App): Promise<Served> {
  const server = await buildHttp(app);
  await server.listen({ host: "127.0.0.1", port: 0 });
  return { server, base: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

/** A workspace with a web channel that https://shop.example may show. */
export class WebShop {
  readonly app: App;
  readonly base: string;
  readonly workspaceId: string;
  readonly channelId: string;
  readonly bearer: string;
  constructor(app: App, base: string, ids: Record<"workspaceId" | "channelId" | "bearer", string>) {
    this.app = app;
    this.base = base;
    this.workspaceId = ids.workspaceId;
    this.channelId = ids.channelId;
    this.bearer = ids.bearer;
  }

  static async open(app: App, base: string, more: Partial<ConnectWeb> = {}): Promise<WebShop> {
    const { id: workspaceId } = await createWorkspace(OPERATOR, app, {
      name: "Shop",
      plan: "business",
    });
    const channel = await connectChannel(OPERATOR, app, workspaceId, {
      type: "WEB",
      name: "Shop",
      allowedOrigins: allowedOrigins(["https://shop.example"]),
      identitySecret: IDENTITY_SECRET,
      ...more,
    });
    const { bearer } = await createKey(OPERATOR, app, workspaceId);
    return new WebShop(app, base, { workspaceId, channelId: channel.id, bearer });
  }

  client(base = this.base): ChatClient {
    return new ChatClient(base, this.channelId);
  }

  /** A visitor with a session, and a message when there are words. */
  async visitor(words?: string): Promise<ChatClient> {
    const client = this.client();
    await client.session();
    if (words !== undefined) await client.say(words, "first");
    return client;
  }

  /** By the domain's own road; the API's is in the flow test. */
  async reply(conversationId: string, text: string): Promise<string> {
    const input = { conversationId, text } as const;
    return (await acceptMessage(AGENT, this.app, this.workspaceId, input)).id;
  }

  conversations(): Promise<{ id: string; contact_id: string; unread_count: number }[]> {
    return this.app.db.query(sql`select id, contact_id, unread_count from conversation
      where workspace_id = ${this.workspaceId} order by id`);
  }

  async conversation(): Promise<string> {
    const all = await this.conversations();
    if (all.length !== 1) throw new Error(`${all.length} conversations`);
    return all[0]?.id ?? "";
  }

  contacts(): Promise<{ id: string; name: string | null; attributes: Record<string, unknown> }[]> {
    return this.app.db.query(sql`select id, name, attributes from contact
      where workspace_id = ${this.workspaceId} order by id`);
  }

  async events(type: string): Promise<Record<string, unknown>[]> {
    const rows = await this.app.db.query<{ body: string }>(sql`
      select body from event where workspace_id = ${this.workspaceId} and type = ${type} order by sequence`);
    return rows.map((row) => (JSON.parse(row.body) as { data: Record<string, unknown> }).data);
  }
}
