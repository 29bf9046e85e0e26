import { OPERATOR } from "../src/actor.ts";
import { KEY } from "./actors.ts";
import type { InboundEvent } from "../src/channels/adapter.ts";
import { connectChannel } from "../src/channels/connect-channel.ts";
import { sql } from "../src/db/sql.ts";
import type { HttpRequest, HttpResponse, HttpStream, StreamingHttp } from "../src/lib/http.ts";
import { acceptMessage } from "../src/messages/accept/accept-message.ts";
import type { Message } from "../src/messages/record/message.ts";
import { receiveEvents, type InboundAccount } from "../src/messages/receive/receive-events.ts";
import type { Plan } from "../src/wire/words.ts";
import { createWorkspace } from "../src/workspaces/create-workspace.ts";
import { updateWorkspace } from "../src/workspaces/update-workspace.ts";
import { startTestApp, type TestApp } from "./harness.ts";
import { streaming, textOf } from "./streaming.ts";

/** What the platform answers to a send; the default accepts it with the next id. */
export type Answer = (request: HttpRequest, body: SentBody) => HttpResponse | Promise<HttpResponse>;
export interface SentBody {
  readonly to: string;
  /** WhatsApp: in place of `to`, of a customer who shows no number. */
  readonly recipient?: string;
  readonly text?: { readonly body: string };
  readonly biz_opaque_callback_data: string;
}

export const json = (status: number, value: unknown): HttpResponse => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(value)),
});
export const graphError = (status: number, code: number): HttpResponse =>
  json(status, { error: { code, message: `error ${code}`, type: "OAuthException" } });

/** A Graph API in the process: keeps what was sent to it. */
export class FakeGraph implements StreamingHttp {
  readonly sent: SentBody[] = [];
  answer: Answer = () => this.accepted();
  #next = 0;
  accepted(): HttpResponse {
    return json(200, { messages: [{ id: `wamid.${++this.#next}` }] });
  }
  async request(request: HttpRequest): Promise<HttpResponse> {
    if (!request.url.endsWith("/messages")) return this.#account(new URL(request.url));
    const body = JSON.parse(textOf(request)) as SentBody;
    this.sent.push(body);
    return this.answer(request, body);
  }
  stream(request: HttpRequest): Promise<HttpStream> {
    return streaming({ request: (sent) => this.request(sent) }).stream(request);
  }
  /** Every number is there, every account lists all of them and is subscribed, files are taken; there are no templates. */
  readonly #numbers = new Set<string>();
  #account({ pathname }: URL): HttpResponse {
    const id = pathname.split("/").at(-1) ?? "";
    if (/^\d+$/.test(id)) {
      this.#numbers.add(id);
      return json(200, { id });
    }
    if (id === "media") return json(200, { id: "700100" });
    const listed = ["phone_numbers", "subscribed_apps"].includes(id);
    return json(200, { data: listed ? [...this.#numbers].map((one) => ({ id: one })) : [] });
  }
}

export interface Messaging extends AsyncDisposable {
  readonly t: TestApp;
  readonly graph: FakeGraph;
}

export async function startMessaging(): Promise<Messaging> {
  const graph = new FakeGraph();
  const t = await startTestApp({ overrides: { providerHttp: graph } });
  return { t, graph, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

let numbers = 0;

/** A workspace with a WhatsApp channel, and its customers. */
export class Desk {
  readonly t: TestApp;
  readonly workspaceId: string;
  readonly account: InboundAccount;
  #inbound = 0;
  constructor(t: TestApp, account: InboundAccount) {
    this.t = t;
    this.workspaceId = account.workspaceId;
    this.account = account;
  }

  static async open(
    { t }: Messaging,
    options: { plan?: Plan; messages?: number | null } = {},
  ): Promise<Desk> {
    const { id } = await createWorkspace(OPERATOR, t.app, {
      name: "A",
      plan: options.plan ?? "business",
    });
    if (options.messages !== undefined)
      await updateWorkspace(OPERATOR, t.app, id, { limits: { messages: options.messages } });
    const channel = await connectChannel(OPERATOR, t.app, id, {
      type: "WHATSAPP",
      name: "Shop",
      phoneNumberId: `${1000 + ++numbers}`,
      wabaId: "5467",
      accessToken: "token",
      appSecret: "secret",
      verifyToken: "verify",
    });
    return new Desk(t, { workspaceId: id, channelId: channel.id, channelType: "WHATSAPP" });
  }

  message(
    from: string,
    text: string,
    more: Partial<Extract<InboundEvent, { kind: "message" }>> = {},
  ): { account: InboundAccount; event: Extract<InboundEvent, { kind: "message" }> } {
    return {
      account: this.account,
      event: {
        kind: "message",
        accountExternalId: "1",
        externalMessageId: `in.${this.workspaceId}.${++this.#inbound}`,
        from: { externalId: from, phone: from, name: "Mona" },
        occurredAt: this.t.clock.now(),
        content: { type: "text", text, attachments: [] },
        opensWindow: true,
        ...more,
      },
    };
  }

  /** A customer writes; gives the conversation's id. */
  async hears(from: string, text = "hello"): Promise<string> {
    await receiveEvents(this.t.app, [this.message(from, text)]);
    const [row] = await this.t.app.db.query<{ id: string }>(sql`
      select id from conversation where workspace_id = ${this.workspaceId} and external_id = ${from}`);
    if (!row) throw new Error("no conversation");
    return row.id;
  }

  replies(conversationId: string, text = "hi"): Promise<Message> {
    return acceptMessage(KEY, this.t.app, this.workspaceId, { conversationId, text });
  }

  status(more: Partial<Extract<InboundEvent, { kind: "status" }>>): {
    account: InboundAccount;
    event: Extract<InboundEvent, { kind: "status" }>;
  } {
    return {
      account: this.account,
      event: {
        kind: "status",
        accountExternalId: "1",
        externalMessageId: "wamid.none",
        correlationId: null,
        status: "delivered",
        occurredAt: this.t.clock.now(),
        errorCode: null,
        errorDetail: null,
        ...more,
      },
    };
  }

  async events(type: string): Promise<Record<string, unknown>[]> {
    const rows = await this.t.app.db.query<{ body: string }>(sql`
      select body from event where workspace_id = ${this.workspaceId} and type = ${type} order by sequence`);
    return rows.map((row) => (JSON.parse(row.body) as { data: Record<string, unknown> }).data);
  }

  async moves(): Promise<string[]> {
    return (await this.events("message.status")).map(
      (data) => `${String(data["previousStatus"])}>${String(data["status"])}`,
    );
  }

  async outbox(): Promise<{ message_id: string; state: string }[]> {
    return this.t.app.db.query(sql`
      select message_id, state from message_outbox where workspace_id = ${this.workspaceId} order by message_id`);
  }
}
