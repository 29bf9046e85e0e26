import { seen } from "../core/emulator.ts";
import { faultAccepts, magicKey, type Fault, type Operation } from "../core/fault.ts";
import type { Answer, Call, Handled } from "../core/server.ts";
import { refusal, success, TikTokRefusal } from "./answer.ts";
import { appCall } from "./app-calls.ts";
import type { TikTokEmulator } from "./emulator.ts";
import { readPicture } from "./files.ts";
import { tiktokMagicOf } from "./magic.ts";
import type { TikTokBusiness } from "./options.ts";
import { parseObject, string, validateSend } from "./validate.ts";

const ROOT = "/open_api/v1.3";
const SEND = `${ROOT}/business/message/send/`;

function operationOf(path: string): Operation {
  if (path === SEND) return "send";
  if (path.startsWith("/files/")) return "download";
  if (path.endsWith("/media/upload/")) return "upload";
  return path.endsWith("/media/download/") ? "media" : "account";
}

/** Answers one call below `/open_api/v1.3`: always HTTP 200, with the code in the body. */
export async function handleApi(emulator: TikTokEmulator, call: Call): Promise<Handled> {
  const operation = operationOf(call.path);
  const to = operation === "send" ? customerOf(emulator, call) : null;
  const outcome: { fault: Fault | null } = { fault: emulator.faults.take(operation, to) };
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
  emulator.noteRequest(seen(emulator, call, answer, outcome.fault));
  return { answer, fault: outcome.fault };
}

/** The recipient of a send, so that a fault can choose; null when the body does not say. */
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
  if (call.method === "GET" && call.path.startsWith("/files/"))
    return emulator.files.serve(call, (token) => emulator.tokens.ownerOf(token, at), at);
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
    case "POST /business/message/media/upload/": {
      const { businessId, file } = await readPicture(call);
      const business = owner(emulator, call, businessId);
      const mediaId = `tos-useast2a-v-${emulator.newId()}`;
      emulator.files.upload(business.businessId, mediaId, file, at);
      return success(at, { media_id: mediaId });
    }
    case "POST /business/message/media/download/":
      return mediaLink(emulator, call);
    default:
      return (
        appCall(emulator, call, `${call.method} ${path}`) ?? {
          status: 404,
          headers: { "content-type": "text/plain" },
          body: "404 page not found",
        }
      );
  }
}

/** The business that the token and the call name, which must be the same. */
function owner(emulator: TikTokEmulator, call: Call, businessId: unknown): TikTokBusiness {
  const at = emulator.clock.now();
  const business = emulator.business(emulator.tokens.ownerOf(call.headers["access-token"], at));
  if (business.businessId !== string(businessId, "business_id")) throw new TikTokRefusal(40001);
  if (!emulator.turns.take(business.businessId, emulator.options.callsPerSecond ?? null))
    throw new TikTokRefusal(40100);
  return business;
}

/** The address of a file for a day; only with all ids that belong together. */
function mediaLink(emulator: TikTokEmulator, call: Call): Answer {
  const body = parseObject(call.body);
  const { businessId } = owner(emulator, call, body["business_id"]);
  const type = string(body["media_type"], "media_type");
  if (type !== "IMAGE" && type !== "VIDEO")
    throw new TikTokRefusal(40002, "media_type: must be IMAGE or VIDEO.");
  const place = {
    businessId,
    conversationId: string(body["conversation_id"], "conversation_id"),
    messageId: string(body["message_id"], "message_id"),
    mediaId: string(body["media_id"], "media_id"),
  };
  const at = emulator.clock.now();
  return success(at, { download_url: emulator.url + emulator.files.linkTo(place, type, at) });
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
  const file =
    wanted.mediaId === undefined
      ? undefined
      : emulator.files.uploaded(business.businessId, wanted.mediaId, at);
  // An action is not a message, and its id is empty.
  if (wanted.type === "SENDER_ACTION") return success(at, { message: { message_id: "" } });
  const key = magicKey(outcome.fault, emulator.magic, conversation.customer.id);
  const magic = key === null ? null : tiktokMagicOf(key);
  if (magic?.kind === "refuse") throw new TikTokRefusal(magic.code);
  if (magic?.kind === "connection") {
    outcome.fault = { kind: magic.hang ? "hang" : "drop", accepted: magic.accepted };
    if (!magic.accepted) return success(at, {});
  }
  if (magic?.kind === "slow") outcome.fault = { kind: "delay", delayMs: magic.delayMs };
  const closed = emulator.closedBy(conversation);
  // Neither code nor text are TikTok's: neither is documented.
  if (closed !== null) throw new TikTokRefusal(40002, `(synthetic) ${closed}`);
  const message = await emulator.accept(
    conversation,
    wanted,
    magic?.kind === "events" ? magic : null,
    file,
  );
  return success(at, { message: { message_id: message.id } });
}
