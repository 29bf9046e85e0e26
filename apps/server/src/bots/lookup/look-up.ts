import type { Context } from "../../context.ts";
import {
  LOOKUPS_A_TURN,
  type BotLookup,
  type Lookup,
  type LookupDone,
  type LookupFault,
  type LookupValues,
} from "../../wire/lookup.ts";
import { askSystem } from "../external/ask-system.ts";
import { secretOf } from "../external/bot-secret.ts";
import { subjectOf } from "../external/call-subject.ts";
import type { BotMessage } from "../thread/talk-store.ts";
import { answerText } from "./answer-text.ts";
import { readArguments } from "./read-arguments.ts";

/** A look-up takes this long at most, and leaves this much of the turn for the model. */
const CALL_MS = 10_000;
const LEFT_MS = 5_000;

/** What a model asks for. */
export interface LookupCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Posts one look-up. `id` is the same for a call that is made again. */
export type LookUp = (asked: {
  readonly id: string;
  readonly lookup: Lookup;
  readonly values: LookupValues;
  readonly withinMs: number;
}) => Promise<
  { readonly answer: unknown } | { readonly fault: LookupFault; readonly detail: string }
>;

type LookUpContext = Pick<Context, "db" | "clock" | "sealer" | "guardedHttp">;
type Bot = { readonly workspaceId: string; readonly botId: string };
type Subject = Omit<BotLookup, "type" | "lookup" | "arguments">;

/** Looks up for a conversation. Who the customer is is read from the database, whatever a model or a customer says. */
export const lookUpIn = (
  context: LookUpContext,
  {
    messages,
    ...bot
  }: Bot & { readonly conversationId: string; readonly messages: readonly BotMessage[] },
): LookUp => posting(context, bot, () => subjectOf(context, bot, messages));

/** Looks up while a member tries the bot: for no customer. */
export const lookUpAlone = (context: LookUpContext, { workspaceId, botId }: Bot): LookUp =>
  posting(context, { workspaceId, botId }, () =>
    Promise.resolve({
      workspaceId,
      botId,
      conversationId: null,
      channelType: null,
      contact: null,
    }),
  );

const posting =
  (
    context: LookUpContext,
    { workspaceId, botId }: Bot,
    subjectNow: () => Promise<Subject | null>,
  ): LookUp =>
  async ({ id, lookup, values, withinMs }) => {
    const [subject, secret] = await Promise.all([
      subjectNow(),
      secretOf(context, context.db, workspaceId, botId),
    ]);
    if (!subject) return { fault: "not_set_up", detail: "the conversation was deleted" };
    if (secret === null) return { fault: "not_set_up", detail: "the bot has no secret" };
    const body: BotLookup = {
      type: "bot.lookup",
      ...subject,
      lookup: lookup.name,
      arguments: values,
    };
    const answer = await askSystem(context, {
      id,
      url: lookup.url,
      secret,
      body: JSON.stringify(body),
      twice: false,
      withinMs,
    });
    if (answer.kind === "answered") return { answer: answer.value };
    return { fault: answer.fault, detail: answer.why };
  };

/** The look-ups of one turn. */
export interface Looking {
  readonly lookUp: LookUp;
  readonly declared: readonly Lookup[];
  /** Begins the ids of the calls: another for each turn. */
  readonly turnId: string;
  readonly done: readonly LookupDone[];
  /** What is left of the turn, in milliseconds. */
  readonly left: number;
}

/** Whether a turn may look up once more. */
export const mayLookUp = ({ done, left }: Pick<Looking, "done" | "left">): boolean =>
  done.length < LOOKUPS_A_TURN && left > 2 * LEFT_MS;

/**
 * Does what a model asks for, as far as the turn has look-ups left, all at once. Each has an outcome: what a system does wrong,
 * a name that no look-up has and arguments of another type are outcomes too. Never throws for them.
 */
export function doLookups(calls: readonly LookupCall[], looking: Looking): Promise<LookupDone[]> {
  const most = LOOKUPS_A_TURN - looking.done.length;
  return Promise.all(
    calls
      .slice(0, most)
      .map((call, index) => doOne(call, `t${looking.done.length + index + 1}`, looking)),
  );
}

async function doOne(
  call: LookupCall,
  id: string,
  { lookUp, declared, turnId, left }: Looking,
): Promise<LookupDone> {
  const begun = performance.now();
  const end = (answer: string, fault: LookupFault | null, detail = ""): LookupDone => ({
    id,
    name: call.name.replaceAll(/[^\w .-]/g, " ").slice(0, 80),
    arguments: keptArguments(call.arguments),
    answer,
    fault,
    detail: detail.slice(0, 200),
    ms: Math.round(performance.now() - begun),
  });
  const lookup = declared.find(({ name }) => name === call.name);
  if (!lookup) return end("", "unknown", "the bot has no such look-up");
  const read = readArguments(lookup, call.arguments);
  if ("wrong" in read) return end("", "arguments", read.wrong);
  const withinMs = Math.min(CALL_MS, Math.max(1, left - LEFT_MS));
  const made = await lookUp({ id: `${turnId}-${id}`, lookup, values: read.values, withinMs });
  return "fault" in made ? end("", made.fault, made.detail) : end(answerText(made.answer), null);
}

const KEPT = 2_000;

/** What is kept of what a model filled: a model may write anything. */
function keptArguments(given: LookupCall["arguments"]): LookupCall["arguments"] {
  const named = Object.entries(given).filter(([name]) => /^\w{1,40}$/.test(name));
  const kept = Object.fromEntries(
    named.map(([name, value]) => [
      name,
      typeof value === "string" ? value.slice(0, KEPT).toWellFormed() : value,
    ]),
  );
  return JSON.stringify(kept).length <= KEPT ? kept : {};
}
