import type { Actor } from "../../actor.ts";
import { actorName } from "../../actor.ts";
import { findContacts } from "../../contacts/identity/find-contact.ts";
import { updateContact } from "../../contacts/record/update-contact.ts";
import type { Context } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { replyRefusal } from "../../conversations/reply-window.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { updateWithin } from "../../conversations/update-conversation.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { isOpen, nextOpening } from "../../hours/hours.ts";
import { readHours } from "../../hours/read-hours.ts";
import { insertWithin } from "../../inbox/write-note.ts";
import { acceptMessages } from "../../messages/accept/accept-message.ts";
import { countReplies } from "../../messages/send/count-replies.ts";
import { pressOf } from "../../messages/record/choices.ts";
import { handOver } from "../hand-over/hand-over.ts";
import { botVersion } from "../record/live-bot.ts";
import { finishRun } from "../thread/finish-run.ts";
import { claimRuns, moveRun, type BotRun, type RunStep } from "../thread/run-store.ts";
import { compareThread, Superseded, threadForBot, type BotTalk } from "../thread/who-answers.ts";
import { waits, type Flow } from "../../wire/flow.ts";
import type { FlowLocale } from "./fill.ts";
import { readFlow } from "./read-flow.ts";
import {
  runFlow,
  type FlowEffect,
  type FlowEvent,
  type FlowPlace,
  type FlowTurn,
} from "./run-flow.ts";

/** A claim that is not settled by then is another worker's: the turn before it stored nothing. */
const LEASE_MS = 30_000;
const MINUTE_MS = 60_000;
/** What a run remembers of a step that asked again. */
const AGAIN = /^again (\d)$/;

/**
 * Takes one turn of each due run of a flow, up to `limit`: its steps until one waits, and their messages, in one
 * transaction each. A run whose turn fails by an error of ours is taken again when its claim ends, and handed over when it
 * does not go on for two minutes. Gives how many runs there were.
 */
export async function workFlows(context: Context, limit: number): Promise<number> {
  const now = context.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const runs = await claimRuns(context.db, { kind: "flow", now, leaseUntil, limit });
  await Promise.all(
    runs.map(async (run) => {
      try {
        await takeTurn(context, run);
      } catch (error) {
        const facts = { workspaceId: run.workspaceId, runId: run.id, ...describeForLog(error) };
        context.log.error(facts, "a flow's turn failed");
      }
    }),
  );
  return runs.length;
}

async function takeTurn(context: Context, run: BotRun): Promise<void> {
  const { workspaceId, conversationId } = run;
  const [talk, version] = await Promise.all([
    threadForBot(context.db, workspaceId, conversationId),
    botVersion(context.db, workspaceId, run.botId, run.version),
  ]);
  if (talk?.runId !== run.id || !version) return;
  const flow = readFlow(version.document);
  const event = eventOf(flow, run, talk);
  if (event === null) {
    // It was woken without a new message: it waits on.
    await moveRun(context.db, run, { state: "waiting", dueAt: waitsUntil(context, flow, run) });
    return;
  }
  const { world, contact } = await worldOf(context, run, talk);
  const turn = runFlow(flow, placeOf(run), event, world);
  await change(context, run, contact, turn.effects);
  try {
    await store(context, run, talk, turn);
  } catch (error) {
    // A person or the customer was faster. The customer's newer message has a turn of its own.
    if (error instanceof Superseded) return;
    if (!(error instanceof AppError)) throw error;
    // The plan's messages are used up, or the workspace is suspended.
    await context.db.transaction((tx) =>
      handOver(context, tx, { workspaceId, conversationId, reason: "limit_reached" }),
    );
  }
}

/** What moves a run; null: nothing did. */
function eventOf(flow: Flow, run: BotRun, { messages }: BotTalk): FlowEvent | null {
  const step = run.step === null ? undefined : flow.steps[run.step];
  if (!step || !waits(step)) return { kind: "go" };
  const last = messages.at(-1);
  if (last?.from === "customer")
    return { kind: "said", text: last.text, press: pressOf(last.attachments) };
  return run.state === "waiting" ? { kind: "due" } : null;
}

function waitsUntil({ clock }: Pick<Context, "clock">, flow: Flow, { step }: BotRun): Date | null {
  const at = step === null ? undefined : flow.steps[step];
  const minutes =
    at?.type === "wait" ? at.minutes : at && "timeout" in at ? (at.timeout?.minutes ?? null) : null;
  return minutes === null ? null : new Date(clock.now().getTime() + minutes * MINUTE_MS);
}

function placeOf({ step, variables, steps }: BotRun): FlowPlace {
  const [, again = "0"] = AGAIN.exec(steps.at(-1)?.detail ?? "") ?? [];
  return { step, variables, again: Number(again) };
}

/** What the flow knows: who writes, where, in which language, and whether somebody is there. */
async function worldOf(context: Context, run: BotRun, { messages }: BotTalk) {
  const { workspaceId, conversationId } = run;
  const conversation = await findConversation(context, workspaceId, conversationId);
  const [[contact], hours] = await Promise.all([
    findContacts(context.db, workspaceId, [conversation?.contactId ?? ""]),
    readHours(context.db, workspaceId),
  ]);
  const now = context.clock.now().getTime();
  const written = messages.findLast(
    ({ from, text }) => from === "customer" && /\p{L}/u.test(text ?? ""),
  );
  const language = contact?.attributes["language"];
  const locale: FlowLocale = written
    ? /\p{Script=Arabic}/u.test(written.text ?? "")
      ? "ar"
      : "en"
    : language === "ar"
      ? "ar"
      : "en";
  const open = isOpen(hours, now);
  const opening = open ? null : nextOpening(hours, now);
  return {
    contact: contact ?? null,
    world: {
      locale,
      channelType: conversation?.channelType ?? "",
      firstName: contact?.name?.trim().split(/\s+/u)[0] ?? "",
      tags: contact?.tags ?? [],
      open,
      nextOpening: opening === null ? "" : momentText(opening, hours.zone, locale),
    },
  };
}

/** "Sunday 09:00" by the clock of the workspace. */
const momentText = (at: number, timeZone: string, locale: FlowLocale): string =>
  new Intl.DateTimeFormat(locale === "ar" ? "ar-u-nu-latn" : "en-GB", {
    timeZone,
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(at));

const actorOf = ({ botId }: BotRun): Actor => ({ kind: "bot", botId });

/** Tags and labels, before the turn is stored: each may be done twice without a difference. */
async function change(
  context: Context,
  run: BotRun,
  contact: { readonly id: string; readonly tags: readonly string[] } | null,
  effects: readonly FlowEffect[],
): Promise<void> {
  const { workspaceId, conversationId } = run;
  for (const effect of effects) {
    if (effect.kind === "tag" && contact) {
      const tags = new Set(contact.tags.filter((one) => !effect.remove.includes(one)));
      for (const one of effect.add) tags.add(one);
      await updateContact(actorOf(run), context, workspaceId, contact.id, { tags: [...tags] });
    }
    if (effect.kind === "label") {
      const { add: addLabels, remove: removeLabels } = effect;
      await context.db.transaction((tx) =>
        updateWithin(actorOf(run), context, tx, workspaceId, conversationId, {
          addLabels,
          removeLabels,
        }),
      );
    }
  }
}

/**
 * Stores a turn in one transaction: where the run is now, its notes, its messages, its end. Throws Superseded when the
 * conversation is not the bot's any more, or somebody wrote meanwhile: then nothing is stored.
 */
async function store(context: Context, run: BotRun, talk: BotTalk, turn: FlowTurn): Promise<void> {
  const { workspaceId, conversationId } = run;
  await context.db.transaction(async (tx) => {
    const [conversation] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
    if (!conversation) throw new Superseded("the conversation was deleted");
    const seen = { version: talk.version, seen: talk.ids };
    await compareThread(tx, workspaceId, conversationId, seen);
    if (!(await moveRun(tx, run, patchOf(context, run, turn))))
      throw new Superseded("another worker has the run");
    const sent = (await countReplies(tx, [conversation])).get(conversationId) ?? 0;
    const says = turn.effects.filter((one) => one.kind === "say");
    const refusal = replyRefusal(conversation, sent, context.clock.now(), false);
    const refused = refusal !== null || conversation.channelStatus !== "connected";
    for (const effect of turn.effects)
      if (effect.kind === "note") await note(context, tx, run, effect.text);
    if (refused && says.length > 0)
      return handOver(context, tx, {
        workspaceId,
        conversationId,
        reason: "limit_reached",
        text: null,
      });
    if (turn.ends?.kind === "hand_over") return leave(context, tx, run, turn);
    const events = turn.ends ? await finishRun(context, tx, conversation) : [];
    return acceptAll(context, tx, run, says, events);
  });
  if (turn.goesOn) context.wake.nudge("bots");
}

async function acceptAll(
  context: Context,
  tx: Tx,
  run: BotRun,
  says: readonly Extract<FlowEffect, { kind: "say" }>[],
  events: Parameters<typeof acceptMessages>[3],
): Promise<void> {
  const { workspaceId, conversationId } = run;
  const replies = says.map(({ text, choices }) => ({
    actor: actorOf(run),
    workspaceId,
    conversationId,
    text,
    ...(choices.length > 0 && { choices }),
  }));
  for (const one of await acceptMessages(context, tx, replies, events))
    if (!one.ok) throw one.error;
}

/** Hands over. What the flow said in this turn goes first, in one message with its farewell. */
async function leave(context: Context, tx: Tx, run: BotRun, turn: FlowTurn): Promise<void> {
  const { workspaceId, conversationId } = run;
  if (turn.ends?.kind !== "hand_over") return;
  const { reason, text, summary } = turn.ends;
  const before = turn.effects.flatMap((one) => (one.kind === "say" ? [one.text] : []));
  const words = [...before, ...(text === null ? [] : [text])].join("\n\n");
  await handOver(context, tx, {
    workspaceId,
    conversationId,
    reason,
    summary,
    collected: turn.place.variables,
    // Without words the customer gets the text of the bot's document.
    ...(words !== "" && { text: words }),
  });
}

async function note(context: Context, tx: Tx, run: BotRun, text: string): Promise<void> {
  if (text === "") return;
  const version = await botVersion(tx, run.workspaceId, run.botId, run.version);
  const by = {
    memberId: null,
    author: actorName(actorOf(run)),
    authorName: version?.name ?? null,
  };
  await insertWithin(context, tx, run.workspaceId, run.conversationId, by, { text });
}

function patchOf(
  { clock }: Pick<Context, "clock">,
  run: BotRun,
  { taken, place, waitMinutes, goesOn, effects }: FlowTurn,
): Parameters<typeof moveRun>[2] {
  const now = clock.now();
  const steps = taken.map(({ step, type }, index): RunStep => {
    const again = place.again > 0 && index === taken.length - 1;
    return { at: now.toISOString(), step, type, ...(again && { detail: `again ${place.again}` }) };
  });
  const dueAt = waitMinutes === null ? null : new Date(now.getTime() + waitMinutes * MINUTE_MS);
  return {
    state: goesOn ? "ready" : "waiting",
    step: place.step,
    variables: place.variables,
    steps: [...run.steps, ...steps],
    dueAt: goesOn ? now : dueAt,
    askedAt: null,
    turns: effects.some(({ kind }) => kind === "say") ? 1 : 0,
  };
}
