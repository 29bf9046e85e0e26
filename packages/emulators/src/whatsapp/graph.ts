import { createHmac } from "node:crypto";
import { seen } from "../core/emulator.ts";
import { json, effective, type Answer, type Call, type Handled } from "../core/server.ts";
import { magicKey, type Fault, type Operation } from "../core/fault.ts";
import type { BusinessNumber } from "./changes.ts";
import {
  accountEdge,
  accountNode,
  isAccountEdge,
  noSuchField,
  numberNode,
} from "./account-routes.ts";
import type { WhatsAppEmulator } from "./emulator.ts";
import { GraphRefusal, graphError } from "./errors.ts";
import { parseObject } from "./graph-body.ts";
import { magicOf } from "./magic.ts";
import { download, faultOfMedia, FILES_PATH, mediaNode, upload } from "./media-routes.ts";
import { refuse, trace, usageHeaders } from "./refusal.ts";
import { appNode, beginSample, receiveSample } from "./sample-routes.ts";
import { edit, templates, unpause } from "./template-routes.ts";
import { checkParameters } from "./templates.ts";
import { validateSend } from "./validate.ts";

type Loose = Readonly<Record<string, unknown>>;

/** Answers one call to the Graph API: any /vNN.N/ prefix, or none. */
export async function handleGraph(emulator: WhatsAppEmulator, call: Call): Promise<Handled> {
  const path = call.path.replace(/^\/v\d+\.\d+(?=\/)/, "");
  const operation = operationOf(emulator, path, call.method);
  const fault = emulator.faults.take(operation, operation === "send" ? addressOf(call) : null);
  const outcome: { fault: Fault | null } = { fault };
  let answer: Answer;
  try {
    if (fault?.kind === "code" && !fault.accepted) throw refusalOf(fault);
    answer = effective(fault)
      ? await route(emulator, path, call, outcome)
      : json(200, { success: true });
    if (fault?.kind === "code") throw refusalOf(fault);
  } catch (error) {
    if (!(error instanceof GraphRefusal)) throw error;
    answer = refuse(emulator, path, error, fault);
  }
  if (!outcome.fault && !answer.headers?.["x-app-usage"])
    answer = { ...answer, headers: { ...answer.headers, ...usageHeaders(emulator, path, 1) } };
  emulator.noteRequest(seen(emulator, call, answer, outcome.fault));
  return { answer, fault: outcome.fault };
}

const refusalOf = ({ code, details, subcode }: Fault): GraphRefusal =>
  new GraphRefusal(code ?? 131000, details, subcode === undefined ? {} : { subcode });

function operationOf(emulator: WhatsAppEmulator, path: string, method: string): Operation {
  const [, id = "", part = ""] = path.split("/");
  if (isAccountEdge(part) || (part === "" && emulator.isAccount(id))) return "account";
  if (path.endsWith("/messages")) return "send";
  if (path.endsWith("/message_templates")) return "templates";
  if (part === "" && method === "POST" && !path.startsWith("/upload:")) return "templates";
  if (path === FILES_PATH) return "download";
  return path.endsWith("/media") && method === "POST" ? "upload" : "media";
}

function addressOf(call: Call): string | null {
  try {
    const body: unknown = JSON.parse(call.body.toString("utf8"));
    const to = typeof body === "object" && body !== null && "to" in body ? body.to : null;
    return typeof to === "string" ? to.replaceAll(/\D/g, "") : null;
  } catch {
    return null;
  }
}

function authorise(emulator: WhatsAppEmulator, call: Call): string {
  const header = call.headers.authorization ?? "";
  const token = /^(?:Bearer|OAuth) (.+)$/i.exec(header)?.[1] ?? call.query.get("access_token");
  if (token === null) throw new GraphRefusal(104);
  const ofToken = [...emulator.numbers.values()].filter((one) => one.accessToken === token);
  if (ofToken.length === 0) throw new GraphRefusal(190);
  // Checked whenever it is given, whether the app requires it or not.
  const proof = call.query.get("appsecret_proof");
  const proves = ({ appSecret }: BusinessNumber): boolean =>
    createHmac("sha256", appSecret).update(token).digest("hex") === proof;
  if (proof !== null && !ofToken.some(proves))
    throw new GraphRefusal(100, undefined, {
      text: "Invalid appsecret_proof provided in the API argument",
      type: "GraphMethodException",
    });
  return token;
}

function unknownObject(id: string, method: string): never {
  throw new GraphRefusal(100, undefined, {
    subcode: 33,
    text: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
  });
}

async function route(
  emulator: WhatsAppEmulator,
  path: string,
  call: Call,
  outcome: { fault: Fault | null },
): Promise<Answer> {
  if (path === FILES_PATH) return download(emulator, call);
  const token = authorise(emulator, call);
  if (path === "/app" && call.method === "GET") return appNode(emulator, token);
  // The session's address contains a query.
  if (path.startsWith("/upload:") && call.method === "POST")
    return receiveSample(emulator, `${path.slice(1)}?${call.query.toString()}`, call);
  const [, id = "", part = "", ...rest] = path.split("/");
  if (rest.length > 0) unknownObject(id, call.method);
  const number = emulator.numbers.get(id);
  if (number && number.accessToken === token) {
    if (part === "messages" && call.method === "POST")
      return messages(emulator, number, call, outcome);
    if (part === "media" && call.method === "POST") return upload(emulator, number, call);
    if (part === "" && call.method === "GET") return numberNode(number, call);
    if (isAccountEdge(part)) noSuchField(part, "WhatsAppBusinessPhoneNumber");
    if (["register", "deregister"].includes(part)) return json(200, { success: true });
  }
  const ofAccount = [...emulator.numbers.values()].filter(
    (n) => n.wabaId === id && n.accessToken === token,
  );
  if (ofAccount.length > 0) {
    if (part === "message_templates") return templates(emulator, id, token, call);
    if (isAccountEdge(part)) return accountEdge(emulator, ofAccount, part, call);
    if (part === "" && call.method === "GET") return accountNode(id, call);
    if (part !== "") noSuchField(part, "WhatsAppBusinessAccount");
  }
  const media = part === "" ? mediaNode(emulator, id, token, call) : null;
  if (media !== null) return media;
  if (part === "" && call.method === "POST") {
    const edited = edit(emulator, id, token, call);
    if (edited !== null) return edited;
  }
  if (part === "uploads" && call.method === "POST") {
    const begun = beginSample(emulator, id, token, call);
    if (begun !== null) return begun;
  }
  if (part === "unpause" && call.method === "POST" && unpause(emulator, id, token))
    return json(200, { success: true });
  return unknownObject(id, call.method);
}

async function messages(
  emulator: WhatsAppEmulator,
  number: BusinessNumber,
  call: Call,
  outcome: { fault: Fault | null },
): Promise<Answer> {
  const body = parseObject(call.body);
  if (body["status"] !== undefined) return markRead(emulator, number, body);
  const send = validateSend(body);
  if (send.waId !== null && send.waId === number.displayPhoneNumber) throw new GraphRefusal(131021);
  const user = emulator.user(send.waId ?? send.userId ?? "");
  const to = user.phone ?? user.userId;
  const key = magicKey(outcome.fault, emulator.magic, to);
  const magic = key === null ? null : magicOf(key);
  if (magic?.kind === "refuse") {
    const refusal = new GraphRefusal(magic.code);
    if (magic.status === undefined) throw refusal;
    return graphError(refusal, trace(), {
      status: magic.status,
      headers: usageHeaders(emulator, call.path, 100),
    });
  }
  if (send.template) {
    const template = emulator.templates.find(
      number.wabaId,
      send.template.name,
      send.template.language,
    );
    if (!template)
      throw new GraphRefusal(
        132001,
        `template name (${send.template.name}) does not exist in ${send.template.language}`,
      );
    // A passcode can only be sent to a number.
    if (send.userId !== null && template.category === "AUTHENTICATION")
      throw new GraphRefusal(131062);
    checkParameters(template, send.template.components, (mediaId) => {
      const owner = emulator.media.find(mediaId)?.phoneNumberId;
      return owner !== undefined && (owner ?? number.phoneNumberId) === number.phoneNumberId;
    });
  }
  const limited = emulator.limits.take(number.phoneNumberId, to);
  if (limited !== null) throw new GraphRefusal(limited);
  if (magic?.kind === "connection")
    outcome.fault = { kind: magic.hang ? "hang" : "drop", accepted: magic.accepted };
  if (magic?.kind === "connection" && !magic.accepted) return json(200, {});
  if (magic?.kind === "slow") outcome.fault = { kind: "delay", delayMs: magic.delayMs };
  let failure = magic?.kind === "fail" ? magic.code : null;
  const mode = emulator.options.window ?? "async";
  if (!send.template && mode !== "off" && !emulator.windowOpen(number.phoneNumberId, user)) {
    if (mode === "sync") throw new GraphRefusal(131047);
    failure ??= 131047;
  }
  const spoilt = await faultOfMedia(emulator, number, send);
  if (spoilt !== null) failure ??= 131053;
  const details = failure === 131053 ? (spoilt ?? undefined) : undefined;
  const plan = magic?.kind === "statuses" && failure === null ? magic.plan : null;
  const message = await emulator.accept(number, user, send, failure, plan, details);
  return json(200, {
    messaging_product: "whatsapp",
    contacts: [
      {
        input: send.input,
        ...(user.phone === null ? {} : { wa_id: user.phone }),
        user_id: user.userId,
      },
    ],
    messages: [{ id: message.id, ...(send.template ? { message_status: "accepted" } : {}) }],
  });
}

function markRead(emulator: WhatsAppEmulator, number: BusinessNumber, body: Loose): Answer {
  if (body["messaging_product"] !== "whatsapp")
    throw new GraphRefusal(100, "The parameter messaging_product is required.");
  if (body["status"] !== "read") throw new GraphRefusal(100, "Param status must be one of {READ}.");
  const id = body["message_id"];
  if (typeof id !== "string" || !emulator.knowsInbound(id))
    throw new GraphRefusal(
      100,
      "Param message_id is not the id of a message this number received.",
    );
  const typing = body["typing_indicator"] !== undefined;
  emulator.onRead?.({ phoneNumberId: number.phoneNumberId, messageId: id, typing });
  return json(200, { success: true });
}
