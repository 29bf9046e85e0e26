import type { Context } from "../../context.ts";
import type { AiDocument } from "../../wire/bot.ts";
import { storeBotAnswer } from "../hand-over/store-bot-answer.ts";
import { liveFlows } from "../record/live-bot.ts";
import type { BotRun, RunPatch } from "../thread/run-store.ts";
import { customerWaits } from "../thread/talk-store.ts";
import { Superseded, type BotTalk } from "../thread/who-answers.ts";
import type { FlowTurn } from "../flow/run-flow.ts";
import { endWithoutText } from "./settle-turn.ts";
import type { Thought } from "./think.ts";

/*
 * A procedure is a flow that an AI bot begins in its own run. There is one run and one handler throughout: the run's `kind`
 * becomes `flow`, so that the workers of flows move it, and it names the flow and its version; when the flow ends, the AI bot
 * has the run again. A hand-over, a take-over and the sweep end the run as ever.
 */

/** Procedures of one run: more are a talk that goes in a circle. */
const MOST = 10;

/**
 * The procedures that a run may begin now: those whose flow is live. None where the customer has not written since a flow had
 * the run (an AI bot and a flow must not call each other in turn), and none after ten.
 */
export async function proceduresFor(
  { db }: Pick<Context, "db">,
  { workspaceId, askedAt, steps }: BotRun,
  { procedures = [] }: Pick<AiDocument, "procedures">,
): Promise<NonNullable<AiDocument["procedures"]>> {
  const begun = steps.filter(({ type }) => type === "procedure").length;
  if (procedures.length === 0 || askedAt === null || begun >= MOST) return [];
  const live = await liveFlows(db, workspaceId);
  return procedures.filter(({ flow }) => live.has(flow));
}

/** A turn whose thought begins a flow. */
export interface BegunProcedure {
  readonly talk: BotTalk;
  readonly thought: Thought;
  readonly turnId: string;
}

/**
 * Gives a run to the flow that the thought names, under the compare, with the end of the turn, whose AI reply is given back.
 * `unknown`: no such flow is live, and nothing was done;
 * `refused`: the channel or the plan takes no message, and people have the conversation. Throws Superseded.
 */
export async function beginProcedure(
  context: Context,
  run: BotRun,
  { talk, thought, turnId }: BegunProcedure,
): Promise<"begun" | "unknown" | "refused"> {
  const { workspaceId } = run;
  const name = thought.procedure ?? "";
  const flow = (await liveFlows(context.db, workspaceId)).get(name);
  if (!flow) return "unknown";
  const now = context.clock.now();
  const step = { at: now.toISOString(), step: name, type: "procedure" } as const;
  const patch: RunPatch = {
    flow: { id: flow.id, version: flow.version },
    state: "ready",
    step: null,
    variables: {},
    steps: [...run.steps, step],
    dueAt: now,
    ...(thought.topic !== null && { topic: thought.topic }),
  };
  const stored = await storeBotAnswer(
    context,
    run,
    { version: talk.version, seen: talk.ids },
    {
      patch,
      // The flow speaks first; what the AI bot says of itself is put before that (`sayFirst`).
      messages: [],
      within: async (tx) => {
        const end = { status: "began", thought } as const;
        if (!(await endWithoutText(context, tx, workspaceId, turnId, end)))
          throw new Superseded("the turn took too long");
      },
    },
  );
  if (stored) context.wake.nudge("runs");
  return stored ? "begun" : "refused";
}

/**
 * What a bot says of itself before its first words in a conversation; texts with buttons are kept short for the channels, and
 * get it as a message of its own.
 */
export function sayFirst<
  M extends { readonly text: string; readonly choices?: readonly unknown[] },
>(disclosure: string | null, messages: readonly M[]): readonly (M | { readonly text: string })[] {
  const [first, ...more] = messages;
  if (disclosure === null || !first) return messages;
  if (first.choices) return [{ text: disclosure }, ...messages];
  return [{ ...first, text: `${disclosure}\n\n${first.text}` }, ...more];
}

/**
 * Where a run is when its procedure ends: the AI bot has it again. It waits for the customer, but answers at once where the
 * flow left their message without a word.
 */
export function endProcedure(
  { clock }: Pick<Context, "clock">,
  moved: RunPatch,
  { effects }: FlowTurn,
  { messages }: BotTalk,
): RunPatch {
  const says = effects.some(({ kind }) => kind === "say");
  const waits = says || !customerWaits(messages);
  const name = moved.steps?.findLast(({ type }) => type === "procedure")?.step ?? "";
  const step = { at: clock.now().toISOString(), step: name, type: "procedure_done" } as const;
  return {
    ...moved,
    flow: null,
    step: null,
    state: waits ? "waiting" : "ready",
    dueAt: waits ? null : clock.now(),
    steps: [...(moved.steps ?? []), step],
  };
}
