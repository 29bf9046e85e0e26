import { faultAccepts, magicKey, type Fault } from "../core/fault.ts";
import type { Answer, Call, Handled } from "../core/server.ts";
import { refusal, success, TikTokRefusal } from "./answer.ts";
import type { TikTokEmulator } from "./emulator.ts";
import { tiktokMagicOf } from "./magic.ts";
import type { TikTokBusiness } from "./options.ts";
import { parseObject, string, validateSend } from "./validate.ts";

const ROOT = "/open_api/v1.3";
const SEND = `${ROOT}/business/message/send/`;

/** Answers one call below `/open_api/v1.3`: HTTP 200 whatever happens, the code in the body. */
export async function handleApi(emulator: TikTokEmulator, call: Call): Promise<Handled> {
  const send = call.path === SEND;
  const outcome: { fault: Fault | null } = {
    fault: emulator.faults.take(send ? "send" : "media", send ? customerOf(emulator, call) : null),
  };
  const { fault } = outcome;
  const at = emulator.clock.now();
  let answer: Answer;
  try {
    const refused = new TikTokRefusal(fault?.code ?? 50000, fault?.details, fault?.status);
    if (fault?.kind === "code" && !fault.accepted) throw refused;
    const takes = fault === null || faultAccepts(fault);
    answer = takes ? await route(emulator, call, outcome) : success(at, {});
    if (fault?.kind === "code") throw refused;
  } catch (error) {
    if (!(error instanceof TikTokRefusal)) throw error;
    answer = refusal(at, error, fault?.headers);
  }
  emulator.noteRequest({
    at,
    method: call.method,
    path: call.path,
    body: call.body.toString("utf8"),
    status: answer.status,
    fault: outcome.fault?.kind ?? null,
  });
  return { answer, fault: outcome.fault };
}

/** Whom a send is for, so that a fault can choose; null when the body does not say. */
function customerOf(emulator: TikTokEmulator, call: Call): string | null {
  try {
    const { recipient } = parseObject(call.body);
    return emulator.conversations.find(String(recipient))?.customer.id ?? null;
  } catch {
    return null;
  }
}

async function route(
  emulator: TikTokEmulator,
  call: Call,
  outcome: { fault: Fault | null },
): Promise<Answer> {
  const at = emulator.clock.now();
  const path = call.path.startsWith(ROOT) ? call.path.slice(ROOT.length) : "";
  switch (`${call.method} ${path}`) {
    case "POST /business/message/send/":
      return send(emulator, call, outcome);
    case "GET /business/message/conversation/list/": {
      const business = owner(emulator, call, call.query.get("business_id"));
      if (!["STRANGER", "SINGLE"].includes(call.query.get("conversation_type") ?? ""))
        throw new TikTokRefusal(40002, "conversation_type: must be STRANGER or SINGLE.");
      const limit = Number(call.query.get("limit") ?? "20");
      const conversations = emulator.conversations
        .of(business.businessId)
        .slice(0, limit)
        .map(({ id, lastInboundAt }) => ({ conversation_id: id, update_time: lastInboundAt }));
      return success(at, { conversations, cursor: conversations.length, has_more: false });
    }
    // The app's own calls: its secret stands in the body.
    case "POST /business/webhook/update/": {
      const body = parseObject(call.body);
      const url = string(body["callback_url"], "callback_url");
      if (body["event_type"] !== "DIRECT_MESSAGE")
        throw new TikTokRefusal(40002, "event_type: must be DIRECT_MESSAGE.");
      if (!URL.canParse(url)) throw new TikTokRefusal(40002, "callback_url: must be an address.");
      const app = { appId: string(body["app_id"], "app_id"), secret: body["secret"] };
      if (!emulator.setWebhook(app.appId, string(app.secret, "secret"), url))
        throw new TikTokRefusal(40001, "The app id and the secret do not belong together.");
      return success(at, { app_id: app.appId, event_type: "DIRECT_MESSAGE", callback_url: url });
    }
    default:
      return { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found" };
  }
}

/** The business that the token and the call name, which must be the same. */
function owner(emulator: TikTokEmulator, call: Call, businessId: unknown): TikTokBusiness {
  const token = call.headers["access-token"];
  if (typeof token !== "string" || token === "") throw new TikTokRefusal(40104);
  const business = [...emulator.businesses.values()].find((one) => one.accessToken === token);
  if (business === undefined) throw new TikTokRefusal(40105);
  const at = emulator.clock.now();
  if (business.tokenExpiresAt !== undefined && at >= business.tokenExpiresAt)
    throw new TikTokRefusal(40102);
  if (business.businessId !== string(businessId, "business_id")) throw new TikTokRefusal(40001);
  if (!emulator.turns.take(business.businessId, at)) throw new TikTokRefusal(40100);
  return business;
}

async function send(
  emulator: TikTokEmulator,
  call: Call,
  outcome: { fault: Fault | null },
): Promise<Answer> {
  const body = parseObject(call.body);
  const business = owner(emulator, call, body["business_id"]);
  const wanted = validateSend(body);
  const conversation = emulator.conversations.find(wanted.conversationId);
  if (conversation?.businessId !== business.businessId) throw new TikTokRefusal(40007);
  const at = emulator.clock.now();
  // An action is no message, and its id is empty.
  if (wanted.type === "SENDER_ACTION") return success(at, { message: { message_id: "" } });
  const key = magicKey(outcome.fault, emulator.options.magic, conversation.customer.id);
  const magic = key === null ? null : tiktokMagicOf(key);
  if (magic?.kind === "refuse") throw new TikTokRefusal(magic.code);
  if (magic?.kind === "connection") {
    outcome.fault = { kind: magic.hang ? "hang" : "drop", accepted: magic.accepted };
    if (!magic.accepted) return success(at, {});
  }
  if (magic?.kind === "slow") outcome.fault = { kind: "delay", delayMs: magic.delayMs };
  const closed = emulator.closedBy(conversation);
  // Neither code nor words are TikTok's: they are documented nowhere.
  if (closed !== null) throw new TikTokRefusal(40002, `(synthetic) ${closed}`);
  const message = await emulator.accept(
    conversation,
    wanted,
    magic?.kind === "events" ? magic : null,
  );
  return success(at, { message: { message_id: message.id } });
}
