import { OPERATOR } from "../../src/actor.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import type { Shop } from "../../src/broadcasts/record/campaign.fixture.ts";
import type { NewBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { sql } from "../../src/db/sql.ts";
import { HttpFailure, type HttpRequest, type HttpResponse } from "../../src/lib/http.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { FakeGraph, json } from "../messaging.ts";

export interface ProviderCall {
  /** The mark that the campaign's text carries. */
  readonly mark: string;
  readonly address: string;
  readonly text: string;
  /** WhatsApp's correlation: our message id. */
  readonly correlation: string | null;
}

/** The platforms of all kinds of campaigns in the process, and what they were asked to send. */
export class Platforms extends FakeGraph {
  readonly calls: ProviderCall[] = [];
  /** While true nothing is reached: nothing leaves, and that is certain. */
  down = false;
  #ids = 0;

  override async request(request: HttpRequest): Promise<HttpResponse> {
    const { url } = request;
    const body = typeof request.body === "string" ? request.body : "";
    if (url.includes("/bot") && !url.endsWith("/sendMessage"))
      return json(200, { ok: true, result: this.#botAnswer(url) });
    const sms = url.endsWith("/Messages.json");
    if (!sms && !url.endsWith("/sendMessage") && !url.endsWith("/messages"))
      return super.request(request);
    if (this.down) throw new HttpFailure("connect", false, "refused");
    const id = ++this.#ids;
    if (sms) {
      const form = new URLSearchParams(body);
      this.#note(form.get("To") ?? "", form.get("Body") ?? "", null);
      return json(201, { sid: `SM${id}`, status: "queued" });
    }
    const sent = JSON.parse(body) as Record<string, unknown>;
    if (url.endsWith("/sendMessage")) {
      this.#note(String(sent["chat_id"]), String(sent["text"]), null);
      return json(200, { ok: true, result: { message_id: id, chat: { id: sent["chat_id"] } } });
    }
    this.#note(String(sent["to"]), body, String(sent["biz_opaque_callback_data"]));
    return super.request(request);
  }

  /** A bot that has heard nothing. */
  #botAnswer(url: string): unknown {
    if (url.endsWith("/getMe")) return { id: 7001, is_bot: true };
    if (url.endsWith("/getWebhookInfo")) return { url: "" };
    return url.endsWith("/getUpdates") ? [] : true;
  }

  #note(address: string, text: string, correlation: string | null): void {
    const mark = /campaign (\w+)/.exec(text)?.[1] ?? "none";
    this.calls.push({ mark, address: address.replace(/^\+/, ""), text, correlation });
  }
}

export const KINDS = ["WHATSAPP_TEMPLATE", "TELEGRAM", "SMS", "SPLIT"] as const;
export type Kind = (typeof KINDS)[number];

/** A shop that can send campaigns of the kind; gives how each is made, with a mark of its own. */
export async function equip(
  shop: Shop,
  kind: Kind,
  people: readonly string[],
): Promise<(mark: string) => Partial<NewBroadcast> & Pick<NewBroadcast, "kind">> {
  switch (kind) {
    case "WHATSAPP_TEMPLATE":
      return (mark) => ({ kind, variables: { "1": "{{name}}", "2": `campaign ${mark}` } });
    case "TELEGRAM": {
      const { id: channelId } = await connectChannel(OPERATOR, shop.app, shop.id, {
        type: "TELEGRAM",
        name: "Bot",
        botToken: `7001:${"a".repeat(35)}`,
        polling: true,
      });
      await shop.app.db.query(sql`
        insert into contact_identity (workspace_id, channel_id, external_id, contact_id, created_at)
        select ${shop.id}, ${channelId}, (5000 + n)::text, id, ${shop.ground.t.clock.now()}
        from unnest(${[...people]}::uuid[]) with ordinality as p (id, n)`);
      const common = { kind: "TEXT" as const, channelId, ...NO_TEMPLATE };
      return (mark) => ({ ...common, body: `campaign ${mark} for {{name}}` });
    }
    case "SMS":
    case "SPLIT": {
      await setProvider(OPERATOR, shop.app, shop.id, {
        provider: "twilio",
        accountSid: "AC1",
        authToken: "token",
        from: "+15551234567",
      });
      await testProvider(OPERATOR, shop.app, shop.id, "96550000001");
      const common = { kind: "SMS" as const, channelId: null, ...NO_TEMPLATE };
      if (kind === "SMS") return (mark) => ({ ...common, body: `campaign ${mark} for {{name}}` });
      const variants = (mark: string) => [
        { name: "A", share: 0.5, body: `campaign ${mark} first` },
        { name: "B", share: 0.5, body: `campaign ${mark} second` },
      ];
      return (mark) => ({ ...common, variants: variants(mark) });
    }
  }
}

const NO_TEMPLATE = { templateId: null, variables: {} } as const;
