import type { Context } from "../../context.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { InFlight } from "../../lib/in-flight.ts";
import { pressOf } from "../../messages/record/choices.ts";
import { handOverRun } from "../hand-over/hand-over-run.ts";
import { guardUnasked } from "../hand-over/loop-guards.ts";
import { claimRuns, moveRun, type BotRun } from "../thread/run-store.ts";
import { countBotMessages, isTalk } from "../thread/talk-store.ts";
import { Superseded, type BotTalk } from "../thread/who-answers.ts";
import { asksOutside, waits, type Flow } from "../../wire/flow.ts";
import { outsideAt, type FlowEvent } from "./run-flow.ts";
import {
  LATER_MS,
  FLOW_LEASE_MS,
  MINUTE_MS,
  flowPlace,
  readFlowOf,
  storeFlowTurn,
  worldOf,
  type Entered,
} from "./store-turn.ts";
import { doOutside, type Taken } from "./do-outside.ts";

/** What it remembers of a step that a worker does again because the one before was lost. */
const TWICE = "twice";
/** A place for a call: what `InFlight.take` gives. */
type Place = NonNullable<ReturnType<InFlight["take"]>>;

/** Calls under way at once in this process, and of one workspace: a slow system leaves room for others. */
const AT_ONCE = { most: 64, perKey: 8 } as const;
/** Calls, answers and classifications of one run. */
const MOST_CALLS = 20;
/** How often the outcome of a call is stored on what the customer wrote meanwhile. */
const MOST_TRIES = 5;
const DAY_MS = 86_400_000;

/** Takes the turns of flows. Calls go on between rounds, so that a slow system delays no other run. */
export interface FlowRunner {
  /** Takes one turn of each due run, up to `limit`, and starts their calls. Gives how many runs there were. */
  work(limit: number): Promise<number>;
  /** Calls that are not settled yet. */
  readonly inFlight: ReadonlySet<Promise<void>>;
}

/**
 * Makes the runner of a process. A turn is the steps until one waits, with their messages, in one transaction. A step that asks
 * another system or a model is entered in one turn (`calling`), done outside of any transaction, and its outcome begins the
 * next one under the same claim. A run whose turn fails by an error of ours is taken again when its claim ends, and handed over
 * when it does not go on for two minutes.
 */
export function createFlowRunner(context: Context): FlowRunner {
  const calls = new InFlight(AT_ONCE);
  const guarded = async (run: BotRun, work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      const facts = { workspaceId: run.workspaceId, runId: run.id, ...describeForLog(error) };
      context.log.error(facts, "a flow's turn failed");
    }
  };
  return {
    inFlight: calls.running,
    async work(limit) {
      const now = context.clock.now();
      const leaseUntil = new Date(now.getTime() + FLOW_LEASE_MS);
      const processId = context.life.id;
      const { places } = calls;
      const callers = true;
      const claim = { kind: "flow", processId, now, leaseUntil, limit, places, callers } as const;
      // Those that wait for a free call have theirs before others, which may come to a call now.
      const runs = (await claimRuns(context.db, claim)).map((run) => ({
        run,
        place: run.state === "calling" ? calls.take(run.workspaceId) : null,
      }));
      await Promise.all(
        runs.map(({ run, place }) => guarded(run, takeTurn(context, calls, guarded, run, place))),
      );
      return runs.length;
    },
  };
}

/** The same with the calls: gives how many runs there were when all of it is over. */
export async function workFlows(context: Context, limit: number): Promise<number> {
  const runner = createFlowRunner(context);
  const count = await runner.work(limit);
  await Promise.all(runner.inFlight);
  return count;
}

async function takeTurn(
  context: Context,
  calls: InFlight,
  guarded: (run: BotRun, work: Promise<void>) => Promise<void>,
  run: BotRun,
  taken: Place | null,
): Promise<void> {
  let place = taken;
  let called: Entered | null = null;
  try {
    const reading = await readFlowOf(context, run);
    if (!reading) return;
    const event = eventOf(reading.flow, run, reading.talk);
    if (event === null) {
      // It was woken without a new message: it waits on.
      const dueAt = waitsUntil(context, reading.flow, run);
      await moveRun(context.db, run, { state: "waiting", dueAt });
      return;
    }
    if (event.kind === "due" || (event.kind === "go" && run.step !== null)) {
      const summary = await whyNotAlone(context, run, reading.talk);
      if (summary !== null) return await handOverRun(context, run, { reason: "loop", summary });
    }
    place ??= calls.take(run.workspaceId);
    if (event.kind !== "lost")
      called = await storeFlowTurn(context, run, reading, { event, room: place !== null });
    else if (place) called = await enterAgain(context, run, reading.flow);
    // It waits as it was, for a free call.
    else await moveRun(context.db, run, {});
  } catch (error) {
    // A person or the customer was faster: what the customer wrote has a turn of its own, at once.
    if (!(error instanceof Superseded)) throw error;
    await moveRun(context.db, run, {});
    context.wake.nudge("runs");
  } finally {
    if (!called) place?.();
  }
  if (called) place?.(guarded(run, callOn(context, called)));
}

/** Why the flow must not go on without a word of the customer; null: it may. */
async function whyNotAlone(
  context: Context,
  { workspaceId, conversationId }: BotRun,
  { messages }: BotTalk,
): Promise<string | null> {
  const now = context.clock.now();
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const today = await countBotMessages(context.db, { workspaceId, conversationId }, dayAgo);
  return guardUnasked({ now, messages, today });
}

/** Does the step outside of the flow, and takes the turn that follows, until no such step follows. */
async function callOn(context: Context, first: Entered): Promise<void> {
  let entered: Entered | null = first;
  while (entered) {
    const { run, outside, talk }: Entered = entered;
    const taken: Taken =
      callsOf(run) > MOST_CALLS
        ? { outcome: { kind: "failed", why: "too many calls" } }
        : await doOutside(context, run, outside, talk);
    entered = taken.superseded
      ? await storeAnswer(context, run, talk, taken, taken.superseded)
      : await storeOutcome(context, run, taken);
  }
}

const callsOf = ({ steps }: BotRun): number =>
  steps.filter(({ type }) => type === "call" || type === "ai" || type === "classify").length;

/** What was called was called: its outcome counts whatever the customer wrote meanwhile, unless a person has the talk. */
async function storeOutcome(
  context: Context,
  run: BotRun,
  { outcome, within }: Taken,
): Promise<Entered | null> {
  for (let tries = 1; ; tries++) {
    const reading = await readFlowOf(context, run);
    if (!reading) return null;
    const event = { kind: "called", outcome } as const;
    try {
      return await storeFlowTurn(context, run, reading, { event, room: true, within });
    } catch (error) {
      if (!(error instanceof Superseded) || tries === MOST_TRIES) throw error;
    }
  }
}

/** An answer counts only for what it was made of: after a newer message the step begins again. */
async function storeAnswer(
  context: Context,
  run: BotRun,
  talk: BotTalk,
  { outcome, within, stored }: Taken,
  superseded: () => Promise<void>,
): Promise<Entered | null> {
  const reading = await readFlowOf(context, run);
  try {
    if (!reading) throw new Superseded("somebody else answers");
    const given = { event: { kind: "called", outcome }, room: true, within } as const;
    const next = await storeFlowTurn(context, run, { ...reading, talk }, given);
    await stored?.();
    return next;
  } catch (error) {
    await superseded();
    if (!(error instanceof Superseded)) throw error;
    const dueAt = new Date(context.clock.now().getTime() + LATER_MS);
    await moveRun(context.db, run, { state: "ready", steps: run.steps.slice(0, -1), dueAt });
    return null;
  }
}

/** The worker that did a step was lost. It is done once more where that is safe; else it failed. */
async function enterAgain(context: Context, run: BotRun, flow: Flow): Promise<Entered | null> {
  const reading = await readFlowOf(context, run);
  if (!reading) return null;
  const { talk } = reading;
  const { world } = await worldOf(context, run, reading);
  const outside = outsideAt(flow, flowPlace(run), world);
  const last = run.steps.at(-1);
  const safe = outside?.step.type !== "call" || outside.step.idempotent === true;
  if (!outside || !last || !safe || last.detail === TWICE)
    return storeOutcome(context, run, {
      outcome: { kind: "failed", why: "it is not known whether it was done" },
    });
  const steps = [...run.steps.slice(0, -1), { ...last, detail: TWICE }];
  const lease = new Date(context.clock.now().getTime() + FLOW_LEASE_MS);
  const patch = { state: "calling", steps, dueAt: lease, leaseUntil: lease } as const;
  if (!(await moveRun(context.db, run, patch))) return null;
  return { run: { ...run, steps }, outside, talk };
}

/** What moves a run; null: nothing did; `lost`: the worker that did its step outside of the flow. */
function eventOf(
  flow: Flow,
  run: BotRun,
  { messages }: BotTalk,
): Exclude<FlowEvent, { kind: "called" }> | { readonly kind: "lost" } | null {
  const step = run.step === null ? undefined : flow.steps[run.step];
  // A turn may end before a step: then the last one that was taken is another.
  if (!step || run.steps.at(-1)?.step !== run.step) return { kind: "go" };
  if (asksOutside(step)) return { kind: "lost" };
  if (!waits(step)) return { kind: "go" };
  const last = messages.findLast(isTalk);
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
