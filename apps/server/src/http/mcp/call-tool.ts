import { createHash } from "node:crypto";
import {
  uncountSending,
  recordReads,
  countSending,
  missingReads,
} from "../../api-keys/assistant-marks.ts";
import { keyActor, type ApiKey, type Principal } from "../../api-keys/api-key.ts";
import { findKey } from "../../api-keys/list-keys.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { findSuggestion } from "../../inbox/suggest-reply.ts";
import { foreignLinks, wordsIn } from "../../inbox/links.ts";
import { unknownNameWords } from "../../lib/fault-words.ts";
import { isId } from "../../lib/ids.ts";
import { opens } from "../../policies.ts";
import { errorAnswer } from "../edge/errors.ts";
import {
  answerAgain,
  answerOnce,
  readIdempotencyKey,
  storing,
  type Answer,
  type IdempotentCall,
  type Keeper,
} from "../edge/idempotency.ts";
import { bodyCheck, faultless, queryCheck } from "../edge/validation.ts";
import type { Route } from "../v1/route.ts";
import { proposeSend } from "./propose-send.ts";
import { namesIn, ONCE, PAGE, scopesOf, SIZES, TOOLS, type AssistantTool } from "./tools.ts";
import { idsIn, shown } from "./untrusted.ts";

/** Who calls: a proven key. */
export interface AssistantCaller {
  readonly context: Context;
  readonly principal: Principal;
  /** Counts a request and proves the key again, where one proof serves many requests (stdio). */
  readonly prove?: () => Promise<Principal>;
}

export type Input = Readonly<Record<string, unknown>>;
export type ToolAnswer = Readonly<Record<string, unknown>>;

/** What the person at the assistant is asked, and what ties the answer to this call. */
interface Question {
  readonly text: string;
  readonly state: string;
}
/** The outcome of a call: an answer, or a question to the person first. */
export type Outcome = { readonly answer: ToolAnswer } | { readonly question: Question };

/** The person's answer to the question of an earlier try, as the client brings it. */
export interface Reply {
  readonly state: string | undefined;
  /** Null: the client brings no answer. */
  readonly action: "accept" | "decline" | "cancel" | null;
  /** Whether the person ticked that it is to be sent. */
  readonly send: boolean;
}

/** JSON of an answer in bytes: it goes out twice, as text and as structured content, in 20 kB. */
const MOST_BYTES = 9_000;
/** Longer texts of one member are cut. */
const LONGEST = 2_000;
/** The most items that a page of the API has. */
const LARGEST_PAGE = 200;
/** How long a person may take to answer. */
const STATE_MS = 10 * 60_000;

/**
 * Calls a tool with the rights of the key. A read is the route's answer, with what customers wrote within `untrusted`. What
 * changes something concerns only records that the key read shortly before, and holds no links to foreign hosts. What
 * customers see goes the way that the key's `sends` names; `canAsk` says whether a person can be asked. Throws the errors
 * of the route, MISSING_SCOPE, NOT_FOUND for an unknown tool, NOT_ALLOWED_IN_STATE for a consent that is stale or was given
 * for another content, RATE_LIMITED.
 */
export async function callTool(
  caller: AssistantCaller,
  name: string,
  said: Input,
  canAsk: boolean,
  reply: Reply,
): Promise<Outcome> {
  const tool = TOOLS.get(name);
  if (!tool) throw new AppError("NOT_FOUND", { explanation: `there is no tool ${name}` });
  const { scopes } = caller.principal;
  const [first] = scopesOf(tool);
  if (first && !scopesOf(tool).some((one) => opens(scopes, one)))
    throw new AppError(`MISSING_SCOPE:${first}`);
  checkNames(tool, said);
  const { [ONCE]: named, ...given } = said;
  const key = named === undefined ? undefined : readKey(named);
  // Before a person is asked, or a member sees it.
  readInput(tool, given);
  if (tool.class === "read") return { answer: await readByTool(caller, tool, given) };
  // What was done is done, whatever limits, reads and consents say now.
  const before = key === undefined ? null : await doneBefore(caller, tool, given, key);
  if (before) return { answer: before };
  await checkReach(caller, tool, given);
  await checkLinks(caller, given);
  if (tool.class === "draft") return { answer: (await runOnce(caller, tool, given, key)).answer };
  return send(caller, tool, given, key, canAsk, reply);
}

/** A read, in pages that fit an answer. What was read may be written to for ten minutes. */
export async function readByTool(
  caller: AssistantCaller,
  tool: AssistantTool,
  given: Input,
): Promise<ToolAnswer> {
  const named = SIZES.find((name) => name in tool.input);
  const most = Math.min(Number((named && given[named]) ?? PAGE), LARGEST_PAGE);
  for (let size = most; ; size = smaller(named, most, size)) {
    const answer = await runRoute(caller, tool, { ...given, ...pageOf(named, given, most, size) });
    const small = cut(answer);
    const fits = Buffer.byteLength(JSON.stringify(small)) <= MOST_BYTES;
    if (!fits && named && size > 1) continue;
    const whole = fits ? small : fewer(small);
    await recordReads(caller.context, caller.principal, [
      ...idsIn(whole),
      // The record that was asked for. A filter's id proves nothing: it may be out of a customer's text.
      ...namesIn(tool.route.path)
        .map((name) => textOf(given[name]))
        .filter(isId),
    ]);
    return whole;
  }
}

type Size = (typeof SIZES)[number] | undefined;

/** The next smaller page. A numbered one is a part of the page that was asked for, so that none between is left out. */
function smaller(named: Size, most: number, size: number): number {
  let next = Math.floor(size / 2);
  if (named === "pageSize") while (most % next !== 0) next--;
  return next;
}

/** The page of this size that begins where the one asked for does. */
function pageOf(named: Size, given: Input, most: number, size: number): Input {
  if (!named) return {};
  if (named === "limit") return { limit: size };
  return { pageSize: size, page: (Number(given["page"] ?? 1) - 1) * (most / size) + 1 };
}

/** Cuts long texts. */
function cut(value: ToolAnswer): ToolAnswer {
  const text = JSON.stringify(value, (_name, one: unknown) =>
    typeof one === "string" && one.length > LONGEST
      ? `${one.slice(0, LONGEST).toWellFormed()}…`
      : one,
  );
  const small: ToolAnswer = JSON.parse(text);
  return small;
}

/** An answer without pages, with as many items of its longest list as fit; `cut` says so. */
function fewer(value: ToolAnswer): ToolAnswer {
  const [name, list] =
    Object.entries(value)
      .flatMap(([member, one]) => (Array.isArray(one) ? [[member, one] as const] : []))
      .sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  if (name === undefined || list === undefined || list.length === 0)
    throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "the answer is larger than 20 kB" });
  for (let most = list.length; most > 0; most = Math.floor(most / 2)) {
    const part = { ...value, [name]: list.slice(0, most), cut: true };
    if (Buffer.byteLength(JSON.stringify(part)) <= MOST_BYTES) return part;
  }
  throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "the answer is larger than 20 kB" });
}

function checkNames({ input, required }: AssistantTool, given: Input): void {
  const known = Object.keys(input);
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw invalid(name, unknownNameWords(name, known));
  for (const name of required) if (given[name] === undefined) throw invalid(name, "is required");
}

function readKey(named: unknown): string {
  if (typeof named !== "string") throw invalid(ONCE, "must be a text");
  return readIdempotencyKey(named) ?? "";
}

/** What the route of a tool is given. Throws VALIDATION_FAILED with every fault. */
function readInput(
  { route }: Pick<AssistantTool, "route">,
  given: Input,
): Pick<Parameters<Route["handler"]>[0], "params" | "query" | "body"> {
  const named = namesIn(route.path);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !named.includes(name)));
  return {
    params: Object.fromEntries(named.map((name) => [name, textOf(given[name])])),
    query: route.query
      ? faultless(
          queryCheck(route.query)({
            values: new Map(Object.entries(rest).map(([name, one]) => [name, textOf(one)])),
            repeated: new Map(),
            faults: [],
          }),
        )
      : {},
    body: route.body ? faultless(bodyCheck(route.body, route.furtherFaults)(rest)) : {},
  };
}

/** Runs the route behind a tool, as its request would. */
export const runRoute = async (
  caller: AssistantCaller,
  tool: Pick<AssistantTool, "route">,
  given: Input,
): Promise<ToolAnswer> => (await runOnce(caller, tool, given, undefined)).answer;

/** The same, at most once for a key, as under an `Idempotency-Key` of the API. Throws as `answerOnce` does. */
async function runOnce(
  caller: AssistantCaller,
  { route }: Pick<AssistantTool, "route">,
  given: Input,
  key: string | undefined,
): Promise<{ readonly answer: ToolAnswer; readonly replayed: boolean }> {
  const { context, principal } = caller;
  const input = readInput({ route }, given);
  const run = async (keeper: Keeper | null) =>
    String(
      await route.handler({
        context,
        principal,
        actor: keyActor(principal),
        ...input,
        setHeader: () => {},
        ...storing(keeper),
      }),
    );
  if (key === undefined) return { answer: answerOf(route, await run(null)), replayed: false };
  const answer = await answerOnce(context, { ...onceOf(caller, { route }, given, key), run });
  return { answer: answerOf(route, accepted(answer)), replayed: answer.replayed };
}

/** What makes two calls of a tool the same. */
const onceOf = (
  { context, principal }: AssistantCaller,
  { route }: Pick<AssistantTool, "route">,
  given: Input,
  key: string,
): Omit<IdempotentCall, "run"> => ({
  call: { workspaceId: principal.workspaceId, callerId: principal.keyId, key },
  request: ["TOOL", route.path, Buffer.from(inOrder(given))],
  status: route.success.status,
  secret: route.secret === true,
  recover: async (recordId) => (await route.recover?.(context, principal, recordId)) ?? null,
  presentError: errorAnswer,
});

/** The body of an answer. Throws NOT_ALLOWED_IN_STATE for that of an earlier call which was refused. */
function accepted({ status, body }: Answer): string {
  if (status >= 400)
    throw new AppError("NOT_ALLOWED_IN_STATE", {
      explanation: `the first call under this key was refused: ${body}`,
    });
  return body;
}

/** An answer with what customers wrote within `untrusted`. */
function answerOf({ success }: AssistantTool["route"], text: string): ToolAnswer {
  const answer = shown(JSON.parse(text), success.schema);
  if (Array.isArray(answer)) return { items: answer };
  return typeof answer === "object" && answer !== null ? { ...answer } : { value: answer };
}

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : Array.isArray(value)
      ? value.join(",")
      : JSON.stringify(value);

/** Throws NOT_ALLOWED_IN_STATE for a person or conversation that the key has not read within ten minutes. */
async function checkReach(
  { context, principal }: AssistantCaller,
  tool: AssistantTool,
  given: Input,
) {
  const ids = (tool.reaches ?? []).map((name) => String(given[name]));
  const unread = await missingReads(context, principal, ids.filter(isId));
  const strange = ids.filter((id) => !isId(id) || unread.includes(id));
  if (strange.length > 0)
    throw new AppError("NOT_ALLOWED_IN_STATE", {
      explanation: `read ${strange.map((one) => JSON.stringify(one)).join(", ")} with this key first: an assistant acts only on what it read within ten minutes`,
    });
}

/** Throws VALIDATION_FAILED for a link to a host that the team did not write itself. */
async function checkLinks({ context, principal }: AssistantCaller, given: Input): Promise<void> {
  const texts = wordsIn(given).filter((one) => !isId(one));
  const foreign = await foreignLinks(context, principal.workspaceId, texts);
  if (foreign.length > 0)
    throw invalid(
      "text",
      `links to ${foreign.join(", ")}; an assistant may link only to hosts in the team's saved replies and approved templates`,
    );
}

/** What a person alone may decide, where it is no message: who is reached at which address, and a campaign's start. */
const needsPerson = ({ name }: AssistantTool, given: Input): boolean =>
  name === "pause_broadcast"
    ? false
    : name !== "update_contact" ||
      ["phone", "email", "optedOut"].some((member) => given[member] !== undefined);

async function send(
  caller: AssistantCaller,
  tool: AssistantTool,
  given: Input,
  key: string | undefined,
  canAsk: boolean,
  reply: Reply,
): Promise<Outcome> {
  const { context, principal } = caller;
  const sends = await sendsOf(caller);
  if (sends === "free" || !needsPerson(tool, given))
    return { answer: await doOnce(caller, tool, given, key, context.ids.next()) };
  if (sends === "approve" || !canAsk) return { answer: await suggest(caller, tool, given, key) };
  if (reply.action === null) {
    const { describe } = await proposeSend(caller, tool, given);
    return { question: { text: describe, state: sealState(caller, tool, given) } };
  }
  const consent = openState(context, principal, reply.state);
  if (
    !consent ||
    consent.hash !== hashOf(tool, given) ||
    consent.until < context.clock.now().getTime()
  )
    throw new AppError("NOT_ALLOWED_IN_STATE", {
      explanation: "nothing was sent: the person was asked something else, or too long ago",
    });
  if (reply.action !== "accept" || !reply.send) return { answer: { outcome: "declined" } };
  return { answer: await doOnce(caller, tool, given, key, consent.number) };
}

/** Leaves it to members, once for a key: else a repeat would propose again what a member has sent or discarded. */
async function suggest(
  caller: AssistantCaller,
  tool: AssistantTool,
  given: Input,
  key: string | undefined,
): Promise<ToolAnswer> {
  const { suggest: propose } = await proposeSend(caller, tool, given);
  if (key === undefined) return { outcome: "suggested", record: await propose() };
  const { body } = await answerOnce(caller.context, {
    ...onceOf(caller, tool, given, key),
    run: async () => {
      const { id } = await propose();
      // The id alone: an erasure does not look for texts here.
      return JSON.stringify({ [SUGGESTED]: id });
    },
  });
  return doneAs(caller, tool, body);
}

/** The member of a kept answer that names a suggestion. */
const SUGGESTED = "suggestionId";

/** What an earlier call under the key did; null: there was none. A suggestion is given as it is now. */
async function doneBefore(
  caller: AssistantCaller,
  tool: AssistantTool,
  given: Input,
  key: string,
): Promise<ToolAnswer | null> {
  const answer = await answerAgain(caller.context, onceOf(caller, tool, given, key));
  return answer && doneAs(caller, tool, accepted(answer));
}

async function doneAs(
  { context, principal }: AssistantCaller,
  tool: AssistantTool,
  body: string,
): Promise<ToolAnswer> {
  const answer: ToolAnswer = JSON.parse(body);
  const id = answer[SUGGESTED];
  if (typeof id === "string") {
    const found = await findSuggestion(context, principal.workspaceId, id);
    return { outcome: "suggested", record: found ?? { id } };
  }
  const record = answerOf(tool.route, body);
  return tool.class === "draft" ? record : { outcome: "done", record };
}

/** Does it, counted in the key's hour or day. What failed is not counted. */
async function doOnce(
  caller: AssistantCaller,
  tool: AssistantTool,
  given: Input,
  key: string | undefined,
  number: string,
): Promise<ToolAnswer> {
  const { context, principal } = caller;
  const kind = LIMITED[tool.name];
  if (kind) await countSending(context, principal, kind, number);
  try {
    const { answer, replayed } = await runOnce(caller, tool, given, key);
    if (kind && replayed) await uncountSending(context, principal, kind, number);
    return { outcome: "done", record: answer };
  } catch (error) {
    // A refusal sent nothing. After another failure it may have been sent.
    if (kind && error instanceof AppError) await uncountSending(context, principal, kind, number);
    throw error;
  }
}

const LIMITED: Readonly<Record<string, "send" | "start">> = {
  send_reply: "send",
  send_template: "send",
  start_broadcast: "start",
};

/** The key's setting now: a change counts at once. */
async function sendsOf({ context, principal }: AssistantCaller): Promise<ApiKey["sends"]> {
  const key = await findKey(context, principal.workspaceId, principal.keyId);
  return key?.sends ?? "approve";
}

interface Consent {
  readonly hash: string;
  /** The number under which it is counted, so that one consent sends once. */
  readonly number: string;
  readonly until: number;
}

function sealState(
  { context, principal }: AssistantCaller,
  tool: AssistantTool,
  given: Input,
): string {
  const consent: Consent = {
    hash: hashOf(tool, given),
    number: context.ids.next(),
    until: context.clock.now().getTime() + STATE_MS,
  };
  return context.sealer.seal(JSON.stringify(consent), placeOf(principal)).toString("base64url");
}

/** Null: it was not made here, or for another key. */
function openState(
  { sealer }: Pick<Context, "sealer">,
  principal: Principal,
  state: string | undefined,
): Consent | null {
  if (state === undefined) return null;
  try {
    const opened = sealer.open(Buffer.from(state, "base64url"), placeOf(principal));
    const consent: Consent = JSON.parse(opened);
    return consent;
  } catch {
    return null;
  }
}

const placeOf = ({ keyId }: Principal): string => `mcp-consent:${keyId}`;

/** The hash of what is to be done; the order of the members does not count. */
const hashOf = ({ name }: AssistantTool, given: Input): string =>
  createHash("sha256")
    .update(inOrder([name, given]))
    .digest("base64url");

/** JSON with the members of each object in the order of their names. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
