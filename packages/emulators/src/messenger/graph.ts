import { createHmac } from "node:crypto";
import { seen } from "../core/emulator.ts";
import { effective, json, type Answer, type Call, type Handled } from "../core/server.ts";
import { magicKey, type Fault, type Operation } from "../core/fault.ts";
import type { PageEmulator } from "./emulator.ts";
import { isThrottled, PageRefusal, refusalAnswer } from "./errors.ts";
import { pageMagicOf } from "./magic.ts";
import { readFile, uploadAttachment } from "./attachments.ts";
import { checkTokenAge, customerNode, refreshToken } from "./customer-node.ts";
import { FILES_PATH } from "./files.ts";
import type { PageOptions } from "./options.ts";
import { readBody, type PageBody } from "./read-body.ts";
import { validatePageSend, type PageSend } from "./validate.ts";

type Loose = Readonly<Record<string, unknown>>;

/** Answers one call to the Graph API: any /vNN.N/ prefix, or none. */
export async function handlePage(emulator: PageEmulator, call: Call): Promise<Handled> {
  const path = call.path.replace(/^\/v\d+\.\d+(?=\/)/, "");
  const body = await readBody(call);
  const fault = emulator.faults.take(operationOf(path, call), addressOf(body.fields));
  const outcome: { fault: Fault | null } = { fault };
  let answer: Answer;
  let percent = 1;
  try {
    if (fault?.kind === "code" && !fault.accepted) throw refusalOf(fault);
    answer = effective(fault)
      ? await route(emulator, path, call, body, outcome)
      : json(200, { success: true });
    if (fault?.kind === "code") throw refusalOf(fault);
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error;
    answer = refusalAnswer(error, fault?.status);
    if (isThrottled(error.code)) percent = 100;
  }
  const usage = usageHeaders(emulator, path, percent);
  answer = { ...answer, headers: { ...usage, ...answer.headers, ...fault?.headers } };
  emulator.noteRequest(seen(emulator, call, answer, outcome.fault));
  return { answer, fault: outcome.fault };
}

const refusalOf = ({ code, subcode, details }: Fault): PageRefusal =>
  new PageRefusal(code ?? 1, subcode, details);

/** Rate limits give percentages of the page's allowance, never a Retry-After. */
function usageHeaders(
  { pages, dialect, options }: PageEmulator,
  path: string,
  percent: number,
): Record<string, string> {
  const used = { call_count: percent, total_cputime: 1, total_time: 1 };
  const [, called = ""] = path.split("/");
  const page = pages.get(called) ?? pages.values().next().value;
  const minutes = percent >= 100 ? (options.regainMinutes ?? 0) : 0;
  const use = { type: dialect.name, ...used, estimated_time_to_regain_access: minutes };
  return {
    "x-app-usage": JSON.stringify(used),
    "x-business-use-case-usage": JSON.stringify({ [page?.id ?? "0"]: [use] }),
  };
}

function operationOf(path: string, call: Call): Operation {
  if (path.endsWith("/messages")) return "send";
  if (path.endsWith("/message_attachments")) return "upload";
  if (path.startsWith(FILES_PATH)) return "download";
  if (path === "/refresh_access_token") return "account";
  return call.method === "GET" && /^\/\d+$/.test(path) ? "profile" : "media";
}

function addressOf(body: Loose | null): string | null {
  const recipient = body?.["recipient"];
  return typeof recipient === "object" && recipient !== null && "id" in recipient
    ? String(recipient.id)
    : null;
}

function authorise(emulator: PageEmulator, call: Call): PageOptions {
  const bearer = /^Bearer (.+)$/i.exec(call.headers.authorization ?? "")?.[1];
  const token = bearer ?? call.query.get("access_token");
  if (token === null) throw new PageRefusal(104);
  const page = emulator.pageOfToken(token);
  if (page === undefined) throw new PageRefusal(190);
  // Checked whenever it is given, whether the app requires it or not.
  const proof = call.query.get("appsecret_proof");
  if (proof !== null && createHmac("sha256", page.appSecret).update(token).digest("hex") !== proof)
    throw new PageRefusal(100, undefined, "Invalid appsecret_proof provided in the API argument");
  return page;
}

async function route(
  emulator: PageEmulator,
  path: string,
  call: Call,
  body: PageBody,
  outcome: { fault: Fault | null },
): Promise<Answer> {
  if (path.startsWith(FILES_PATH)) return emulator.files.download(call);
  if (path === "/refresh_access_token" && emulator.dialect.name === "instagram")
    return refreshToken(emulator, call);
  const page = authorise(emulator, call);
  checkTokenAge(emulator, page);
  const [, id = "", part = "", ...rest] = path.split("/");
  const own = id === "me" || id === page.id;
  if (own && rest.length === 0) {
    if (part === "messages" && call.method === "POST") return send(emulator, page, body, outcome);
    if (part === "message_attachments" && call.method === "POST")
      return uploadAttachment(emulator, body);
    if (part === "subscribed_apps") return subscribedApps(emulator, page, call);
    if (part === "" && call.method === "GET") return json(200, { id: page.id, name: "Emulated" });
  }
  if (part === "" && call.method === "GET" && /^\d+$/.test(id))
    return customerNode(emulator, page, id, call);
  throw new PageRefusal(100, 33, `Unsupported request. Object with ID '${id}' does not exist.`);
}

function subscribedApps(emulator: PageEmulator, page: PageOptions, call: Call): Answer {
  if (call.method === "GET") {
    const fields = emulator.subscription(page.id);
    return json(200, { data: fields === null ? [] : [{ subscribed_fields: fields }] });
  }
  if (call.method === "DELETE") emulator.subscribe(page.id, null);
  else {
    const fields = (call.query.get("subscribed_fields") ?? "").split(",").filter(Boolean);
    if (fields.length === 0)
      throw new PageRefusal(100, undefined, "The parameter subscribed_fields is required.");
    emulator.subscribe(page.id, fields);
  }
  return json(200, { success: true });
}

async function send(
  emulator: PageEmulator,
  page: PageOptions,
  body: PageBody,
  outcome: { fault: Fault | null },
): Promise<Answer> {
  if (body.fields === null)
    throw new PageRefusal(100, undefined, "The body must be a JSON object or a form.");
  const message = validatePageSend(emulator.dialect, body.fields);
  const { to } = message;
  const key = magicKey(outcome.fault, emulator.magic, to);
  const magic = key === null ? null : pageMagicOf(key);
  if (magic?.kind === "refuse") throw new PageRefusal(magic.code, magic.subcode);
  if (!emulator.knows(page.id, to)) throw new PageRefusal(100, 2018001);
  if (message.kind === "action") {
    emulator.onAction?.({ pageId: page.id, to, action: message.action });
    return json(200, { recipient_id: to });
  }
  const isFilm = ["audio", "video"].includes(String(message.attachment?.["type"]));
  if (!emulator.takeRate(page.id, isFilm)) throw new PageRefusal(613);
  if (magic?.kind === "connection") {
    outcome.fault = { kind: magic.hang ? "hang" : "drop", accepted: magic.accepted };
    if (!magic.accepted) return json(200, {});
  }
  if (magic?.kind === "slow") outcome.fault = { kind: "delay", delayMs: magic.delayMs };
  checkWindow(emulator, page, message);
  const file =
    message.attachment === null ? null : await readFile(emulator, message.attachment, body.file);
  const plan = magic?.kind === "marks" ? magic.plan : null;
  const { id } = await emulator.accept(page, { ...message, file }, plan);
  return json(200, { recipient_id: to, message_id: id });
}

/** 24 hours from the customer's last act; 7 days with the tag for people's answers. */
function checkWindow(
  emulator: PageEmulator,
  page: PageOptions,
  message: Extract<PageSend, { kind: "message" }>,
): void {
  if (emulator.options.window === false) return;
  const hours = emulator.hoursSince(page.id, message.to);
  if (message.tag === "HUMAN_AGENT") {
    if (page.humanAgent === false)
      throw new PageRefusal(200, undefined, "Requires the human_agent permission.");
    if (hours < 7 * 24) return;
  } else if (hours < 24) return;
  throw new PageRefusal(10, emulator.dialect.name === "instagram" ? 2534022 : 2018278);
}
