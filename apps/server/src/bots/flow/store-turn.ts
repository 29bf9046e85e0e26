import type { Actor } from "../../actor.ts";
import { firstNameOf } from "../../chat/first-name.ts";
import { attributeReader } from "../../contacts/attributes/define-attribute.ts";
import { findContacts } from "../../contacts/identity/find-contact.ts";
import { updateContact } from "../../contacts/record/update-contact.ts";
import type { Context } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { updateConversation } from "../../conversations/update-conversation.ts";
import { AppError } from "../../errors.ts";
import { isOpen, nextOpening } from "../../hours/hours.ts";
import { readHours } from "../../hours/read-hours.ts";
import { localeOf, openingIn, textIn } from "../hand-over/hand-over-words.ts";
import { storeBotAnswer, type BotAnswer } from "../hand-over/store-bot-answer.ts";
import { botVersion, type NamedSegments } from "../record/live-bot.ts";
import { knownSegments } from "../record/segment-bots.ts";
import { followedBy, type BotRun, type RunPatch, type RunStep } from "../thread/run-store.ts";
import { endProcedure, sayFirst } from "../turn/procedures.ts";
import { NEWEST } from "../thread/talk-store.ts";
import { threadForBot, type BotTalk } from "../thread/who-answers.ts";
import { segmentsOfContact } from "../../segments/segments-of-contact.ts";
import { MOST_SEGMENTS, segmentsIn, type Flow } from "../../wire/flow.ts";
import { readFlow } from "./read-flow.ts";
import { memberFor } from "./who-gets-it.ts";
import {
  runFlow,
  type FlowEffect,
  type FlowEvent,
  type FlowPlace,
  type FlowTurn,
  type Outside,
  type OutsideOutcome,
} from "./run-flow.ts";

/** A claim that is not settled by then is another worker's: the turn before it stored nothing. */
export const FLOW_LEASE_MS = 30_000;
/** A step whose answer a newer message overtook begins again after this. */
export const LATER_MS = 1_000;
export const MINUTE_MS = 60_000;
/** What a run remembers of a step that asked again. */
const AGAIN = /^again (\d)$/;

/** A run that a worker has, with what it reads of it. */
export interface Reading {
  readonly flow: Flow;
  /** The ids of the segments that it names. */
  readonly segments: NamedSegments;
  readonly talk: BotTalk;
  /** What the AI bot that began the flow has not said of itself yet; absent: nothing. */
  readonly disclosure?: unknown;
}

/** Reads the talk and the flow of a run; null: it is not the conversation's any more. */
export async function readFlowOf(context: Context, run: BotRun): Promise<Reading | null> {
  const { workspaceId, conversationId } = run;
  const followed = followedBy(run);
  const [talk, version] = await Promise.all([
    threadForBot(context.db, workspaceId, conversationId),
    botVersion(context.db, workspaceId, followed.botId, followed.version),
  ]);
  if (talk?.runId !== run.id || !version) return null;
  const reading = { flow: readFlow(version.document), segments: version.segments, talk };
  if (run.flowId === null || run.turns > 0) return reading;
  const begunBy = await botVersion(context.db, workspaceId, run.botId, run.version);
  return { ...reading, disclosure: begunBy?.document["disclosure"] };
}

/** A run at a step that has to be done outside of the flow. It is committed that this begins. */
export interface Entered {
  readonly run: BotRun;
  readonly outside: Outside;
  readonly talk: BotTalk;
}

/**
 * Takes a turn and stores it: what it does, in one transaction. Gives the step to do outside of the flow, where the turn ends at
 * one and there is room for it. Throws Superseded, and nothing is stored.
 */
export async function storeFlowTurn(
  context: Context,
  run: BotRun,
  reading: Reading,
  {
    event,
    room,
    within,
  }: {
    readonly event: FlowEvent;
    readonly room: boolean;
    readonly within?: BotAnswer["within"] | undefined;
  },
): Promise<Entered | null> {
  const { flow, talk, disclosure } = reading;
  const { world, contact } = await worldOf(context, run, reading);
  const turn = runFlow(flow, flowPlace(run), event, world);
  const refused = await change(context, run, contact, turn.effects);
  const begins = turn.outside !== null && room;
  const returns = run.flowId !== null && turn.ends?.kind === "end";
  const moved = patchOf(context, run, turn, { event, begins, refused });
  const patch = returns ? endProcedure(context, moved, turn, talk) : moved;
  const given = await answerOf(context, run, returns ? { ...turn, ends: null } : turn, patch);
  const messages = sayFirst(textIn(disclosure, world.locale), given.messages);
  const answer = { ...given, messages };
  const seen = { version: talk.version, seen: talk.ids };
  let own: readonly string[] = [];
  const isStored = await storeBotAnswer(context, run, seen, {
    ...answer,
    within: async (tx, sent) => {
      own = sent.map(({ id }) => id);
      await within?.(tx, sent);
    },
  });
  if (isStored && returns) context.wake.nudge("runs");
  if (!isStored || turn.ends) return null;
  if (turn.goesOn) context.wake.nudge("runs");
  if (!turn.outside || !begins) return null;
  // What was said on the way to the step is part of what its outcome is compared with.
  const ids = [...talk.ids, ...own].slice(-NEWEST);
  const { step, variables } = turn.place;
  const after = { ...run, step, variables, turns: run.turns + (patch.turns ?? 0) };
  return {
    run: { ...after, steps: patch.steps ?? run.steps },
    outside: turn.outside,
    talk: { ...talk, ids },
  };
}

/** Where the run is in its flow. */
export function flowPlace({ step, variables, steps }: BotRun): FlowPlace {
  const [, again = "0"] = AGAIN.exec(steps.at(-1)?.detail ?? "") ?? [];
  return { step, variables, again: Number(again) };
}

/** What the flow knows: who writes, where, in which language, and whether somebody is there. */
export async function worldOf(
  context: Context,
  run: BotRun,
  { flow, segments: ids, talk: { messages } }: Reading,
) {
  const { workspaceId, conversationId } = run;
  const [[conversation, contact], hours] = await Promise.all([
    findConversation(context, workspaceId, conversationId).then(async (found) => {
      const [one] = await findContacts(context.db, workspaceId, [found?.contactId ?? ""]);
      return [found, one] as const;
    }),
    readHours(context.db, workspaceId),
  ]);
  const now = context.clock.now().getTime();
  const language = contact?.attributes["language"];
  const locale = localeOf(messages, language === "ar" ? "ar" : "en");
  const open = isOpen(hours, now);
  const opening = open ? null : nextOpening(hours, now);
  const named = knownSegments(segmentsIn(flow).slice(0, MOST_SEGMENTS), ids);
  const segments = contact ? await segmentsOfContact(context, workspaceId, contact.id, named) : [];
  return {
    contact: contact ?? null,
    world: {
      locale,
      channelType: conversation?.channelType ?? "",
      firstName: contact?.name ? (firstNameOf(contact.name) ?? "") : "",
      tags: contact?.tags ?? [],
      segments,
      open,
      nextOpening: opening === null ? "" : openingIn(locale, hours.zone, opening),
    },
  };
}

const actorOf = ({ botId }: BotRun): Actor => ({ kind: "bot", botId });

/**
 * Tags, labels and what the contact keeps, before the turn is stored: each may be done twice without a difference. Gives the
 * code of why the contact could not keep an answer; null: nothing was refused.
 */
async function change(
  context: Context,
  run: BotRun,
  contact: { readonly id: string } | null,
  effects: readonly FlowEffect[],
): Promise<string | null> {
  const { workspaceId, conversationId } = run;
  let refused: string | null = null;
  for (const effect of effects) {
    if (effect.kind === "keep" && contact)
      refused = await keepAnswer(context, run, contact.id, effect);
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
  return refused;
}

/**
 * The contact keeps an answer as a field or an attribute. The flow goes on with its variable also where that is refused,
 * as for a choice that the attribute does not have: then it gives the code of why.
 */
async function keepAnswer(
  context: Context,
  run: BotRun,
  contactId: string,
  { field, attribute, value }: Extract<FlowEffect, { kind: "keep" }>,
): Promise<string | null> {
  const { workspaceId } = run;
  try {
    const read = await attributeReader(context, workspaceId);
    await updateContact(actorOf(run), context, workspaceId, contactId, {
      ...(field && { [field]: String(value) }),
      ...(attribute !== null && { setAttributes: { [attribute]: read(attribute, value) } }),
    });
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** What a turn does to the conversation. What the flow said before a farewell is part of it. */
async function answerOf(
  context: Context,
  run: BotRun,
  { effects, ends, place }: FlowTurn,
  patch: BotAnswer["patch"],
): Promise<BotAnswer> {
  const says = effects.flatMap((one) => (one.kind === "say" ? [one] : []));
  const given = ends?.kind === "hand_over" ? ends : null;
  const farewell = given && given.text !== null ? [{ text: given.text }] : [];
  const to = given?.to && { to: await memberFor(context.db, run.workspaceId, given.to) };
  return {
    patch,
    messages: [
      ...says.map(({ text, choices, byModel }) => ({
        text,
        ...(choices.length > 0 && { choices }),
        ...(byModel && { byModel }),
      })),
      ...farewell,
    ],
    notes: effects.flatMap((one) => (one.kind === "note" && one.text !== "" ? [one.text] : [])),
    ...(given && {
      ends: { reason: given.reason, summary: given.summary, collected: place.variables, ...to },
    }),
    ...(ends && !given && { ends: "done" as const }),
  };
}

function patchOf(
  { clock }: Pick<Context, "clock">,
  run: BotRun,
  { taken, place, waitMinutes, goesOn, outside, effects }: FlowTurn,
  {
    event,
    begins,
    refused,
  }: { readonly event: FlowEvent; readonly begins: boolean; readonly refused: string | null },
): RunPatch {
  const now = clock.now();
  const later = (ms: number) => new Date(now.getTime() + ms);
  const steps = taken.map(({ step, type }, index): RunStep => {
    const again = place.again > 0 && index === taken.length - 1;
    return { at: now.toISOString(), step, type, ...(again && { detail: `again ${place.again}` }) };
  });
  const ended =
    event.kind === "called"
      ? detailOf(event.outcome)
      : refused !== null
        ? `not kept: ${refused}`
        : null;
  const before = ended === null ? run.steps : withDetail(run.steps, ended);
  const turns = effects.some(({ kind }) => kind === "say") ? 1 : 0;
  const at = { step: place.step, variables: place.variables, askedAt: null, turns };
  if (outside && begins) {
    const lease = later(FLOW_LEASE_MS);
    const held = { state: "calling", dueAt: lease, leaseUntil: lease } as const;
    return { ...at, ...held, steps: [...before, ...steps] };
  }
  // The step was not entered: without a lease the run waits for a free call, in the order in which runs were due.
  if (outside) return { ...at, state: "calling", steps: [...before, ...steps.slice(0, -1)] };
  const dueAt = waitMinutes === null ? null : later(waitMinutes * MINUTE_MS);
  const state = goesOn ? "ready" : "waiting";
  return { ...at, state, steps: [...before, ...steps], dueAt: goesOn ? now : dueAt };
}

/** How the step that was waited for ended, for members. */
function withDetail(steps: readonly RunStep[], detail: string): readonly RunStep[] {
  const last = steps.at(-1);
  return last ? [...steps.slice(0, -1), { ...last, detail }] : steps;
}

function detailOf(outcome: OutsideOutcome): string {
  switch (outcome.kind) {
    case "ok":
      return "answered";
    case "topic":
      return `topic ${outcome.topic}`;
    case "failed":
      return `failed: ${outcome.why}`.slice(0, 200);
  }
}
