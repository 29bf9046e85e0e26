import { OPERATOR } from "../actor.ts";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import type { InboundMedia, MediaSource } from "../channels/adapter.ts";
import { outcomeOfNoAnswer } from "../channels/adapters/no-answer.ts";
import { connectChannel } from "../channels/connect-channel.ts";
import type { Config } from "../config.ts";
import { sql } from "../db/sql.ts";
import { receiveEvents, type InboundAccount } from "../messages/receive/receive-events.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { createFetcher, type FetcherOptions } from "./fetch-media.ts";
import { settleAttachment } from "../messages/record/settle-attachment.ts";

export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A platform's file store over real HTTP, and a workspace with customers who send files. */
export class MediaGround implements AsyncDisposable {
  readonly t: TestApp;
  readonly account: InboundAccount;
  readonly base: string;
  readonly asked: string[] = [];
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    response.end(PNG);
  readonly #close: () => Promise<void>;
  #messages = 0;

  constructor(t: TestApp, account: InboundAccount, base: string, close: () => Promise<void>) {
    this.t = t;
    this.account = account;
    this.base = base;
    this.#close = close;
  }

  static async open(config: Partial<Config> = {}): Promise<MediaGround> {
    let ground: MediaGround | undefined;
    const server = createServer((request, response) => {
      if (request.method === "GET") request.resume();
      ground?.asked.push(request.url ?? "");
      ground?.answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const t = await startTestApp({ config: { outboundAllow: [], ...config } });
    const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
      name: "A",
      plan: "business",
    });
    const { id: channelId } = await connectChannel(OPERATOR, t.app, workspaceId, {
      type: "WHATSAPP",
      name: "Shop",
      phoneNumberId: "1001",
      wabaId: "5467",
      accessToken: "token",
      appSecret: "secret",
      verifyToken: "verify",
      apiUrl: base,
    });
    ground = new MediaGround(
      t,
      { workspaceId, channelId, channelType: "WHATSAPP" },
      base,
      async () => {
        server.closeAllConnections();
        server.close();
        await t[Symbol.asyncDispose]();
      },
    );
    return ground;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  /** A customer sends a file that lies at `url`. */
  async receives(url: string, more: Partial<InboundMedia> = {}): Promise<string> {
    const externalMessageId = `in.${++this.#messages}`;
    const media: InboundMedia = {
      attachment: 0,
      kind: "image",
      source: { url },
      mimeType: "image/png",
      fileName: null,
      size: null,
      ...more,
    };
    await receiveEvents(this.t.app, [
      {
        account: this.account,
        event: {
          kind: "message",
          accountExternalId: "1001",
          externalMessageId,
          from: { externalId: "96550000001", phone: "96550000001", name: "Mona" },
          occurredAt: this.t.clock.now(),
          content: { type: "image", text: null, attachments: [{ type: "image" }], media: [media] },
          opensWindow: true,
        },
      },
    ]);
    return externalMessageId;
  }

  /** What the inbox shows of a message's file. */
  async attachment(externalMessageId: string): Promise<Record<string, unknown>> {
    const [row] = await this.t.app.db.query<{ attachments: Record<string, unknown>[] }>(sql`
      select attachments from message where workspace_id = ${this.account.workspaceId}
        and provider_message_id = ${externalMessageId}`);
    return row?.attachments[0] ?? {};
  }

  /** Fetches every file that is due now, to the end. */
  async fetch(options: FetcherOptions = {}): Promise<void> {
    const fetcher = createFetcher(this.t.app, settleAttachment, {
      sourceFor: () => bareSource,
      ...options,
    });
    while ((await fetcher.claim()) > 0 || fetcher.inFlight.size > 0)
      await Promise.all(fetcher.inFlight);
  }

  /** Every file below the data folder's uploads, by its path there. */
  async files(): Promise<string[]> {
    const folder = path.join(this.t.app.config.dataDir, "uploads");
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .toSorted();
  }
}

/** A platform that keeps its files at plain addresses. */
export const bareSource: MediaSource = {
  async open(http, _account, media) {
    const url = "url" in media.source ? media.source.url : media.source.id;
    try {
      const { status, headers, body } = await http.stream({
        method: "GET",
        url,
        timeoutMs: 300_000,
      });
      if (status === 200) {
        const length = headers["content-length"];
        const size = length === undefined ? null : Number(length);
        return { ok: true, body, mimeType: headers["content-type"] ?? null, fileName: null, size };
      }
      for await (const _ of body) break;
      const base = { ok: false, code: String(status), detail: "no file" } as const;
      if (status === 429) return { ...base, reason: "throttled", retryAfterMs: 60_000 };
      if (status === 401) return { ...base, reason: "misconfigured" };
      return { ...base, reason: status >= 500 ? "unreachable" : "rejected" };
    } catch (error) {
      return outcomeOfNoAnswer(error);
    }
  },
};
