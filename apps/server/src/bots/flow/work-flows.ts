import type { Actor } from "../../actor.ts";
import { firstNameOf } from "../../chat/first-name.ts";
import { findContacts } from "../../contacts/identity/find-contact.ts";
import { updateContact } from "../../contacts/record/update-contact.ts";
import type { Context } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { updateConversation } from "../../conversations/update-conversation.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { isOpen, nextOpening } from "../../hours/hours.ts";
import { readHours } from "../../hours/read-hours.ts";
import { pressOf } from "../../messages/record/choices.ts";
import { localeOf, openingIn } from "../hand-over/hand-over-words.ts";
import { storeBotAnswer, type BotAnswer } from "../hand-over/store-bot-answer.ts";
import { botVersion } from "../record/live-bot.ts";
import { claimRuns, moveRun, type BotRun, type RunStep } from "../thread/run-store.ts";
import { Superseded, threadForBot, type BotTalk } from "../thread/who-answers.ts";
import { waits, type Flow } from "../../wire/flow.ts";
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
    const seen = { version: talk.version, seen: talk.ids };
    await storeBotAnswer(context, run, seen, answerOf(context, run, turn));
  } catch (error) {
    // A person or the customer was faster. The customer's newer message has a turn of its own.
    if (error instanceof Superseded) return;
    throw error;
  }
  if (turn.goesOn) context.wake.nudge("bots");
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
  const language = contact?.attributes["language"];
  const locale = localeOf(messages, language === "ar" ? "ar" : "en");
  const open = isOpen(hours, now);
  const opening = open ? null : nextOpening(hours, now);
  return {
    contact: contact ?? null,
    world: {
      locale,
      channelType: conversation?.channelType ?? "",
      firstName: contact?.name ? (firstNameOf(contact.name) ?? "") : "",
      tags: contact?.tags ?? [],
      open,
      nextOpening: opening === null ? "" : openingIn(locale, hours.zone, opening),
    },
  };
}

const actorOf = ({ botId }: BotRun): Actor => ({ kind: "bot", botId });

/** Tags and labels, before the turn is stored: each may be done twice without a difference. */
async function change(
  context: Context,
  run: BotRun,
  contact: { readonly id: string } | null,
  effects: readonly FlowEffect[],
): Promise<void> {
  const { workspaceId, conversationId } = run;
  for (const effect of effects) {
    if (effect.kind === "tag" && contact) {
      const { add: addTags, remove: removeTags } = effect;
      await updateContact(actorOf(run), context, workspaceId, contact.id, { addTags, removeTags });
    }
    if (effect.kind === "label") {
      const { add: addLabels, remove: removeLabels } = effect;
      const patch = { addLabels, removeLabels };
      await updateConversation(actorOf(run), context, workspaceId, conversationId, patch);
    }
  }
}

/** What a turn does to the conversation. What the flow said before a farewell is part of it. */
function answerOf(context: Context, run: BotRun, turn: FlowTurn): BotAnswer {
  const { effects, ends, place } = turn;
  const says = effects.flatMap((one) => (one.kind === "say" ? [one] : []));
  const farewell = ends?.kind === "hand_over" && ends.text !== null ? [{ text: ends.text }] : [];
  return {
    patch: patchOf(context, run, turn),
    messages: [
      ...says.map(({ text, choices }) => ({ text, ...(choices.length > 0 && { choices }) })),
      ...farewell,
    ],
    notes: effects.flatMap((one) => (one.kind === "note" && one.text !== "" ? [one.text] : [])),
    ...(ends?.kind === "hand_over" && {
      ends: { reason: ends.reason, summary: ends.summary, collected: place.variables },
    }),
    ...(ends && ends.kind !== "hand_over" && { ends: "done" as const }),
  };
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
