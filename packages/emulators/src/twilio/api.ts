import { seen } from "../core/emulator.ts";
import { faultAccepts, magicKey, type Fault } from "../core/fault.ts";
import { json, type Answer, type Call, type Handled } from "../core/server.ts";
import type { TwilioEmulator } from "./emulator.ts";
import { TwilioRefusal, twilioError } from "./errors.ts";
import { senderMagic, smsMagicOf, testNumber } from "./magic.ts";
import type { SmsMessage, TwilioAccount } from "./options.ts";
import { countParts } from "./segments.ts";

const E164 = /^\+[1-9]\d{6,14}$/;

/** Answers one call to the REST API of 2010-04-01. */
export async function handleApi(emulator: TwilioEmulator, call: Call): Promise<Handled> {
  const form = new URLSearchParams(call.body.toString("utf8"));
  const send = call.method === "POST" && call.path.endsWith("/Messages.json");
  const to = (form.get("To") ?? "").replaceAll(/\D/g, "");
  const outcome: { fault: Fault | null } = {
    fault: emulator.faults.take(send ? "send" : "media", send ? to : null),
  };
  const { fault } = outcome;
  let answer: Answer;
  try {
    const refusal = new TwilioRefusal(fault?.code ?? 20500, fault?.details, fault?.status);
    if (fault?.kind === "code" && !fault.accepted) throw refusal;
    answer =
      fault === null || faultAccepts(fault)
        ? await route(emulator, call, form, outcome)
        : json(200, {});
    if (fault?.kind === "code") throw refusal;
  } catch (error) {
    if (!(error instanceof TwilioRefusal)) throw error;
    answer = twilioError(error, fault?.headers);
  }
  emulator.noteRequest(seen(emulator, call, answer, outcome.fault));
  return { answer, fault: outcome.fault };
}

function authorise(emulator: TwilioEmulator, call: Call, sid: string): TwilioAccount {
  const basic = /^Basic (.+)$/i.exec(call.headers.authorization ?? "")?.[1] ?? "";
  const [user = "", ...rest] = Buffer.from(basic, "base64").toString("utf8").split(":");
  const password = rest.join(":");
  const account = emulator.accounts.get(sid);
  const good =
    account !== undefined &&
    ((user === sid && password === account.authToken) || account.apiKeys?.[user] === password);
  if (!good) throw new TwilioRefusal(20003);
  return account;
}

async function route(
  emulator: TwilioEmulator,
  call: Call,
  form: URLSearchParams,
  outcome: { fault: Fault | null },
): Promise<Answer> {
  const match =
    /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})(\/Messages)?(\/SM[0-9a-f]{32})?\.json$/.exec(
      call.path,
    );
  if (!match) throw new TwilioRefusal(20404, `The requested resource ${call.path} was not found`);
  const [, sid = "", messages, id] = match;
  const account = authorise(emulator, call, sid);
  if (!messages && !id)
    return json(200, { sid, status: "active", type: "Full", friendly_name: "Emulated" });
  if (call.method === "POST" && !id) return create(emulator, account, form, outcome);
  if (id) {
    const message = emulator.message(id.slice(1));
    if (message?.accountSid !== sid)
      throw new TwilioRefusal(20404, `The requested resource ${call.path} was not found`);
    return json(200, document(message));
  }
  const own = emulator
    .messages()
    .filter((m) => m.accountSid === sid)
    .toReversed();
  return json(200, {
    messages: own.slice(0, 50).map(document),
    page: 0,
    page_size: 50,
    next_page_uri: null,
  });
}

async function create(
  emulator: TwilioEmulator,
  account: TwilioAccount,
  form: URLSearchParams,
  outcome: { fault: Fault | null },
): Promise<Answer> {
  if (!emulator.takeTurn()) throw new TwilioRefusal(20429);
  const to = form.get("To") ?? "";
  if (to === "") throw new TwilioRefusal(21604);
  const key = magicKey(outcome.fault, emulator.magic, to);
  const magic = key === null ? testNumber(emulator.magic, to) : smsMagicOf(key);
  if (!E164.test(to))
    throw new TwilioRefusal(21211, `The 'To' number ${to} is not a valid phone number.`);
  const from = sender(account, form);
  const body = form.get("Body") ?? "";
  if (body === "" && !form.get("ContentSid") && !form.get("MediaUrl"))
    throw new TwilioRefusal(21602);
  if (body.length > 1600) throw new TwilioRefusal(21617);
  const statusCallback = form.get("StatusCallback") || null;
  if (statusCallback !== null && !(URL.canParse(statusCallback) && /^https?:/.test(statusCallback)))
    throw new TwilioRefusal(21609, `The StatusCallback URL ${statusCallback} is not a valid URL.`);
  const validity = form.get("ValidityPeriod");
  if (validity !== null && !(Number(validity) >= 1 && Number(validity) <= 36_000))
    throw new TwilioRefusal(21624, "The ValidityPeriod is not between 1 and 36000.");
  if (magic?.kind === "refuse") throw new TwilioRefusal(magic.code);
  if (from !== null && emulator.hasStopped(from, to)) throw new TwilioRefusal(21610);
  if (magic?.kind === "connection") {
    outcome.fault = { kind: magic.hang ? "hang" : "drop", accepted: magic.accepted };
    if (!magic.accepted) return json(201, {});
  }
  if (magic?.kind === "slow") outcome.fault = { kind: "delay", delayMs: magic.delayMs };
  const message: SmsMessage = {
    sid: `SM${emulator.random.hex(16)}`,
    accountSid: account.accountSid,
    from,
    messagingServiceSid: form.get("MessagingServiceSid"),
    to,
    body,
    numSegments: countParts(body),
    statusCallback,
    createdAt: emulator.clock.now(),
    status: from === null ? "accepted" : "queued",
    errorCode: null,
  };
  const answer = json(201, document(message));
  await emulator.accept(message, magic);
  return answer;
}

/** The sending number, or null when a messaging service will choose it. */
function sender(account: TwilioAccount, form: URLSearchParams): string | null {
  const from = form.get("From") ?? "";
  const service = form.get("MessagingServiceSid");
  if (from === "") {
    if (!service) throw new TwilioRefusal(21603);
    if (!account.messagingServices?.includes(service)) throw new TwilioRefusal(21701);
    return null;
  }
  const magic = senderMagic(from);
  if (magic === null) return from;
  if (magic !== undefined) throw new TwilioRefusal(magic);
  if (!account.numbers.some((n) => n.number === from))
    throw new TwilioRefusal(
      21606,
      `The 'From' phone number provided (${from}) is not a valid, message-capable Twilio phone number for this destination.`,
    );
  return from;
}

function document(message: SmsMessage): object {
  const uri = `/2010-04-01/Accounts/${message.accountSid}/Messages/${message.sid}`;
  const date = new Date(message.createdAt).toUTCString().replace("GMT", "+0000");
  return {
    account_sid: message.accountSid,
    api_version: "2010-04-01",
    body: message.body,
    date_created: date,
    date_sent: ["queued", "accepted"].includes(message.status) ? null : date,
    date_updated: date,
    direction: "outbound-api",
    error_code: message.errorCode,
    error_message: null,
    from: message.from,
    messaging_service_sid: message.messagingServiceSid,
    num_media: "0",
    // Through a Messaging Service no sender is chosen yet, and the number of parts depends on it: "initially 0".
    num_segments: message.from === null ? "0" : String(message.numSegments),
    price: null,
    price_unit: null,
    sid: message.sid,
    status: message.status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: message.to,
    uri: `${uri}.json`,
  };
}
