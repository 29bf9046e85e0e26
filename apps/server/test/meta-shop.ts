import { AGENT } from "./actors.ts";
import { OPERATOR } from "../src/actor.ts";
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import {
  createInstagramEmulator,
  createMessengerEmulator,
  type PageEmulator,
} from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { createKey } from "../src/api-keys/create-key.ts";
import { connectAccount } from "../src/channels/connect-account.ts";
import { sql } from "../src/db/sql.ts";
import { buildHttp } from "../src/http/server.ts";
import { uploadMedia } from "../src/media/upload-media.ts";
import { acceptMessage } from "../src/messages/accept/accept-message.ts";
import { createWorkspace } from "../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "./harness.ts";

export interface Stored {
  readonly status: string;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly provider_message_id: string | null;
  readonly type: string;
  readonly text: string | null;
  readonly source: string;
  readonly part_count: number | null;
}

/** Our server over real HTTP beside an emulated Messenger or Instagram. */
export class MetaStand implements AsyncDisposable {
  readonly t: TestApp;
  readonly server: FastifyInstance;
  readonly base: string;
  readonly meta: PageEmulator;
  readonly type: "MESSENGER" | "INSTAGRAM";
  #pages = 0;
  constructor(
    t: TestApp,
    server: FastifyInstance,
    base: string,
    meta: PageEmulator,
    type: "MESSENGER" | "INSTAGRAM",
  ) {
    this.t = t;
    this.server = server;
    this.base = base;
    this.meta = meta;
    this.type = type;
  }

  static async start(type: "MESSENGER" | "INSTAGRAM"): Promise<MetaStand> {
    const t = await startTestApp();
    const server = await buildHttp(t.app);
    const base = await server.listen({ host: "127.0.0.1", port: 0 });
    // Instagram fetches our files from there.
    Object.assign(t.app.config, { publicUrl: base });
    const create = type === "MESSENGER" ? createMessengerEmulator : createInstagramEmulator;
    const meta = await create({ delivery: "manual", clock: t.clock });
    return new MetaStand(t, server, base, meta, type);
  }

  /** A workspace with one connected account, `subscribed` by the connect alone. */
  async openShop(pageId = `17841400000${String(1000 + ++this.#pages)}`): Promise<MetaShop> {
    const { t, meta, type } = this;
    const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
      name: "Shop",
      plan: "business",
    });
    const account = { accessToken: `EAAB${pageId}`, appSecret: "app-secret-1" };
    if (!meta.pages.has(pageId)) meta.addPage({ id: pageId, ...account, subscribed: false });
    const common = { name: "Shop", ...account, verifyToken: "verify-1", apiUrl: meta.apiUrl };
    const channel = await connectAccount(
      OPERATOR,
      t.app,
      workspaceId,
      type === "MESSENGER"
        ? { type: "MESSENGER", pageId, ...common }
        : { type: "INSTAGRAM", accountId: pageId, ...common },
    );
    assert.equal(channel.status, "connected");
    const url = `${this.base}/hooks/${type.toLowerCase()}/${channel.id}`;
    const fields = meta.subscription(pageId);
    meta.addPage({ id: pageId, ...account, webhook: { url, verifyToken: "verify-1" } });
    meta.subscribe(pageId, fields);
    const { bearer } = await createKey(OPERATOR, t.app, workspaceId);
    return new MetaShop(this, workspaceId, channel.id, pageId, bearer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.meta.close();
    await this.server.close();
    await this.t[Symbol.asyncDispose]();
  }
}

export class MetaShop {
  readonly stand: MetaStand;
  readonly workspaceId: string;
  readonly channelId: string;
  readonly pageId: string;
  readonly bearer: string;
  constructor(
    stand: MetaStand,
    workspaceId: string,
    channelId: string,
    pageId: string,
    bearer: string,
  ) {
    this.stand = stand;
    this.workspaceId = workspaceId;
    this.channelId = channelId;
    this.pageId = pageId;
    this.bearer = bearer;
  }

  /** The customer writes; gives the conversation. */
  async hears(from: string, text = "hello"): Promise<string> {
    this.stand.meta.inbound({ pageId: this.pageId, from, text });
    await this.stand.meta.flush();
    const rows = await this.stand.t.app.db.query<{ id: string }>(
      sql`select id from conversation where workspace_id = ${this.workspaceId} and external_id = ${from}`,
    );
    assert.equal(rows.length, 1);
    return rows[0]?.id ?? "";
  }

  async replies(conversationId: string, text: string): Promise<{ id: string; status: string }> {
    const answer = await fetch(`${this.stand.base}/api/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ conversationId, text }),
    });
    assert.equal(answer.status, 201);
    return (await answer.json()) as { id: string; status: string };
  }

  /** A person answers with a file, and perhaps words. */
  async repliesWith(
    conversationId: string,
    file: { readonly bytes: Buffer; readonly mimeType: string; readonly fileName: string },
    text: string | null = null,
  ): Promise<{ id: string; mediaId: string }> {
    const { app } = this.stand.t;
    const { mimeType, fileName, bytes } = file;
    const media = await uploadMedia(OPERATOR, app, this.workspaceId, {
      fileName,
      mimeType,
      body: Readable.from([bytes]),
    });
    const { id } = await acceptMessage(AGENT, app, this.workspaceId, {
      conversationId,
      text,
      attachments: [media.id],
    });
    return { id, mediaId: media.id };
  }

  async stored(id: string): Promise<Stored> {
    const rows = await this.stand.t.app.db.query<Stored>(
      sql`select * from message where workspace_id = ${this.workspaceId} and id = ${id}`,
    );
    return rows[0] ?? assert.fail("no such message");
  }
  /** All messages of the workspace, oldest first. */
  all(
    direction: "inbound" | "outbound",
  ): Promise<(Stored & { id: string; attachments: unknown })[]> {
    return this.stand.t.app.db.query(
      sql`select * from message where workspace_id = ${this.workspaceId} and direction = ${direction} order by id`,
    );
  }
  parts(
    id: string,
  ): Promise<
    { number: number; status: string; text: string; provider_message_id: string | null }[]
  > {
    return this.stand.t.app.db.query(
      sql`select * from message_part where workspace_id = ${this.workspaceId} and message_id = ${id} order by number`,
    );
  }
  async moves(id: string): Promise<string[]> {
    const rows = await this.stand.t.app.db.query<{ body: string }>(
      sql`select body from event where workspace_id = ${this.workspaceId} and type = 'message.status' order by sequence`,
    );
    return rows
      .map((row) => (JSON.parse(row.body) as { data: Record<string, unknown> }).data)
      .filter((data) => data["messageId"] === id)
      .map((data) => `${String(data["previousStatus"])}>${String(data["status"])}`);
  }
  async outbox(): Promise<string[]> {
    const rows = await this.stand.t.app.db.query<{ state: string }>(
      sql`select state from message_outbox where workspace_id = ${this.workspaceId}`,
    );
    return rows.map((row) => row.state);
  }
}
