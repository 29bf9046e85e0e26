import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { AppError } from "../../errors.ts";
import { sayChanged } from "../../inbox/suggest-reply.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { InFlight } from "../../lib/in-flight.ts";
import { recordUse } from "../../knowledge/list-sources.ts";
import { recordGap } from "../../knowledge/record-gap.ts";
import type { FoundModel } from "../../models/find-model.ts";
import type { GapReason } from "../../wire/knowledge.ts";
import type { HandOverReason } from "../../wire/words.ts";
import { handOverRun } from "../hand-over/hand-over-run.ts";
import { textIn } from "../hand-over/hand-over-words.ts";
import { lookUpIn } from "../lookup/look-up.ts";
import { botVersion, type LiveBot } from "../record/live-bot.ts";
import { claimRuns, moveRun, type BotRun } from "../thread/run-store.ts";
import { customerWaits } from "../thread/talk-store.ts";
import { compareThread, Superseded, threadForBot, type BotTalk } from "../thread/who-answers.ts";
import { readAi } from "./ai-document.ts";
import { beginProcedure, proceduresFor, type BegunProcedure } from "./procedures.ts";
import { beginTurn, endWithoutText, endWithText, TURN_LEASE_MS } from "./settle-turn.ts";
import { isWithheld, suggestWithheld } from "./suggest-withheld.ts";
import { heldFor, modelFor, type Caps } from "./spending.ts";
import { lastWords, think, type Thought } from "./think.ts";
import { turnsSince } from "./turn-store.ts";
import { asksForPerson } from "./way-out.ts";

/** A turn takes this long at most: then people answer. */
export const TURN_MS = 45_000;
const TURNS_A_DAY = 20;
const DAY_MS = 86_400_000;

/** Turns under way at once in this process, and of one workspace: a provider that hangs leaves room for others. */
const AT_ONCE = { most: 64, perKey: 8 } as const;

/** Takes the turns of AI bots. Turns go on between rounds, so that a slow model delays no other workspace. */
export interface TurnRunner {
  /** Claims due runs while there is room, up to `limit`, and starts their turns. Gives how many. */
  claim(limit?: number): Promise<number>;
  /** Turns that are not over yet. */
  readonly inFlight: ReadonlySet<Promise<void>>;
}

/** Makes the runner of a process. Claims and fences keep processes apart. */
export function createTurnRunner(context: Context): TurnRunner {
  const turns = new InFlight(AT_ONCE);
  const turn = async (run: BotRun) => {
    try {
      await runTurn(context, run);
    } catch (error) {
      const { workspaceId, conversationId } = run;
      // The lease ends, and another try is made; after two minutes people answer.
      context.log.error(
        { workspaceId, conversationId, ...describeForLog(error) },
        "a bot's turn failed",
      );
    }
  };
  return {
    inFlight: turns.running,
    async claim(limit = AT_ONCE.most) {
      const now = context.clock.now();
      const leaseUntil = new Date(now.getTime() + TURN_LEASE_MS);
      const room = Math.min(limit, turns.room);
      if (room === 0) return 0;
      const processId = context.life.id;
      const claim = {
        kind: "ai",
        processId,
        now,
        leaseUntil,
        limit: room,
        places: turns.places,
      } as const;
      let begun = 0;
      for (const run of await claimRuns(context.db, claim)) {
        const place = turns.take(run.workspaceId);
        // It waits as it was: after two minutes without a turn people answer.
        if (!place) await moveRun(context.db, run, {});
        else {
          place(turn(run));
          begun++;
        }
      }
      return begun;
    },
  };
}

/** Takes the turns that are due, up to `limit`, and waits for all of them. Gives how many. */
export async function runTurns(context: Context, limit: number): Promise<number> {
  const runner = createTurnRunner(context);
  for (let done = 0; ;) {
    const begun = await runner.claim(limit - done);
    await Promise.all(runner.inFlight);
    done += begun;
    if (begun === 0 || done >= limit) return done;
  }
}

async function runTurn(context: Context, run: BotRun): Promise<void> {
  const { workspaceId, conversationId } = run;
  const [talk, bot] = await Promise.all([
    threadForBot(context.db, workspaceId, conversationId),
    botVersion(context.db, workspaceId, run.botId, run.version),
  ]);
  if (!talk || !bot || !customerWaits(talk.messages)) return rest(context, run);
  const document = readAi(bot);
  const asked = lastWords(talk.messages);
  if (asksForPerson(asked, document.handOver?.words))
    return leave(context, run, talk, "asked", null);
  const stop = await beforeTurn(context, run, bot);
  if ("reason" in stop) return leave(context, run, talk, stop.reason, null);
  const turnId = context.ids.next();
  const begun = await context.db.transaction(async (tx) => {
    const [, isMine] = await Promise.all([
      lockConversations(tx, [{ workspaceId, id: conversationId }]),
      moveRun(tx, run, { state: "calling", leaseUntil: leaseFrom(context) }),
    ]);
    if (!isMine) return null;
    const { id: botId, version } = bot;
    const held = heldFor(stop.model, document);
    const start = { workspaceId, id: turnId, botId, version, conversationId, runId: run.id, held };
    return beginTurn(context, tx, start, stop.caps);
  });
  if (begun === null) return;
  if (!begun.granted) return leave(context, run, talk, begun.why, null);
  const thought = await think(context, workspaceId, {
    document,
    profile: stop.model.profile,
    messages: talk.messages,
    withinMs: TURN_MS,
    turnId,
    lookUp: lookUpIn(context, { ...run, messages: talk.messages }),
    procedures: await proceduresFor(context, run, document),
  });
  if (thought.stops) return leave(context, run, talk, thought.stops, thought, turnId);
  if (thought.procedure !== null) return begin(context, run, talk, { thought, turnId });
  if (thought.text === "") return stay(context, run, talk, { thought, turnId });
  await answer(context, run, talk, { thought, turnId, document });
}

/** Until when a worker has a turn. */
export const leaseFrom = ({ clock }: Pick<Context, "clock">): Date =>
  new Date(clock.now().getTime() + TURN_LEASE_MS);

/** The model that answers for an AI bot in a conversation, and what it may cost; or why none may be asked. */
export async function beforeTurn(
  context: Context,
  run: Pick<BotRun, "workspaceId" | "conversationId">,
  bot: LiveBot,
): Promise<
  { readonly model: FoundModel; readonly caps: Caps } | { readonly reason: HandOverReason }
> {
  const { workspaceId, conversationId } = run;
  const { limits, model: named } = readAi(bot);
  const now = context.clock.now();
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const [turns, model] = await Promise.all([
    turnsSince(context.db, workspaceId, conversationId, dayAgo),
    modelFor(context, workspaceId, conversationId, named),
  ]);
  if (turns >= (limits?.turnsPerConversation ?? TURNS_A_DAY)) return { reason: "limit_reached" };
  if (!model) return { reason: "model_unavailable" };
  return { model, caps: { of: model, bot: { botId: bot.id, costPerDay: limits?.costPerDay } } };
}

/** Nothing to answer: the run waits for the customer, unless one wrote meanwhile. */
async function rest(context: Context, run: BotRun): Promise<void> {
  const { workspaceId, conversationId } = run;
  await context.db.transaction(async (tx) => {
    await lockConversations(tx, [{ workspaceId, id: conversationId }]);
    const talk = await threadForBot(tx, workspaceId, conversationId);
    const asks = customerWaits(talk?.messages ?? []);
    await moveRun(tx, run, asks ? {} : WAITS);
  });
}

/** What the run is about: the topic of its last question that had one. */
const topicOf = ({ topic }: Thought) => (topic === null ? {} : { topic });

const WAITS = { state: "waiting", dueAt: null, askedAt: null } as const;

/** Nothing has to be said, as after thanks. */
async function stay(
  context: Context,
  run: BotRun,
  talk: BotTalk,
  { thought, turnId }: { readonly thought: Thought; readonly turnId: string },
): Promise<void> {
  const { workspaceId, conversationId } = run;
  try {
    await context.db.transaction(async (tx) => {
      await lockConversations(tx, [{ workspaceId, id: conversationId }]);
      await compareThread(tx, workspaceId, conversationId, {
        version: talk.version,
        seen: talk.ids,
      });
      await moveRun(tx, run, { ...WAITS, ...topicOf(thought) });
      await endWithoutText(context, tx, workspaceId, turnId, { status: "failed", thought });
    });
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    await startAgain(context, run, thought, turnId);
  }
}

/** What a hand-over says of the knowledge: the question is kept, for a member to answer. */
const GAPS: Readonly<Partial<Record<HandOverReason, GapReason>>> = {
  no_source: "no_source",
  checks_failed: "check_failed",
  asked: "asked",
};

/**
 * People answer from now on. The turn ends first: its AI reply is given back whether or not the hand-over works. What failed
 * its checks is left to them as a suggestion, which is one AI reply.
 */
async function leave(
  context: Context,
  run: BotRun,
  talk: BotTalk,
  reason: HandOverReason,
  thought: Thought | null,
  turnId?: string,
): Promise<void> {
  const { workspaceId, conversationId } = run;
  const ends = (status: "handed_over" | "superseded") =>
    turnId === undefined
      ? Promise.resolve(false)
      : context.db.transaction((tx) =>
          endWithoutText(context, tx, workspaceId, turnId, { status, thought }),
        );
  const withheld =
    turnId !== undefined && thought !== null && isWithheld(thought) && reason === "checks_failed"
      ? { botId: run.botId, turnId, thought }
      : null;
  if (!withheld) await ends("handed_over");
  const question = lastWords(talk.messages);
  const why = GAPS[reason];
  const given = { reason, summary: question.slice(0, 500) || null };
  try {
    await handOverRun(context, run, given, async (tx, conversation) => {
      if (thought?.topic) await moveRun(tx, run, topicOf(thought));
      const gap = { question, contactId: conversation.contactId, conversationId, botId: run.botId };
      if (why) await recordGap(context, tx, workspaceId, { ...gap, why });
      if (withheld) await suggestWithheld(context, tx, conversation, withheld);
    });
  } finally {
    // A person has the conversation already: nothing is suggested. After a suggestion the turn is not open any more.
    if (withheld) await ends("superseded");
  }
  if (withheld) await sayChanged(context, workspaceId, conversationId);
}

/** A flow has the run from now on. It was archived meanwhile, or the channel takes no message: people answer. */
async function begin(
  context: Context,
  run: BotRun,
  talk: BotTalk,
  given: Omit<BegunProcedure, "talk">,
): Promise<void> {
  const { thought, turnId } = given;
  try {
    const outcome = await beginProcedure(context, run, { ...given, talk });
    if (outcome === "unknown") await leave(context, run, talk, "no_source", thought, turnId);
    if (outcome === "refused")
      await context.db.transaction((tx) =>
        endWithoutText(context, tx, run.workspaceId, turnId, { status: "handed_over", thought }),
      );
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    await startAgain(context, run, thought, turnId);
  }
}

/** The window is closed or the channel cannot send: a message that fails at once is none. */
class Unsendable extends Error {}

/** Sends an answer, unless somebody wrote or took the conversation meanwhile: compared under its lock. */
async function answer(
  context: Context,
  run: BotRun,
  talk: BotTalk,
  {
    thought,
    turnId,
    document,
  }: {
    readonly thought: Thought;
    readonly turnId: string;
    readonly document: ReturnType<typeof readAi>;
  },
): Promise<void> {
  const { workspaceId, conversationId } = run;
  const actor: Actor = { kind: "bot", botId: run.botId };
  const disclosure = run.turns === 0 ? textIn(document.disclosure, thought.locale) : null;
  const text = disclosure === null ? thought.text : `${disclosure}\n\n${thought.text}`;
  try {
    await acceptMessage(
      actor,
      context,
      workspaceId,
      { conversationId, text, byModel: thought.byModel },
      {
        within: async (tx, message) => {
          if (message.status === "failed") throw new Unsendable();
          const seen = { version: talk.version, seen: talk.ids, own: [message.id] };
          await compareThread(tx, workspaceId, conversationId, seen);
          const { id: messageId, channelId } = message;
          const end = { status: "sent", thought, messageId, channelId } as const;
          const moved = await moveRun(tx, run, { ...WAITS, ...topicOf(thought), turns: 1 });
          if (!moved || !(await endWithText(context, tx, workspaceId, turnId, end)))
            throw new Superseded("another worker has the turn");
        },
      },
    );
    await recordUse(context, workspaceId, thought.sourceIds);
  } catch (error) {
    if (error instanceof Superseded) return startAgain(context, run, thought, turnId);
    // As of flows and external bots: no slot is left, or the channel takes no reply now (`takesNoText`).
    if (error instanceof AppError || error instanceof Unsendable)
      return leave(context, run, talk, "limit_reached", thought, turnId);
    throw error;
  }
}

/** Somebody wrote while the model thought: what they wrote has made the run due again, or somebody else has it. */
async function startAgain(
  context: Context,
  run: BotRun,
  thought: Thought,
  turnId: string,
): Promise<void> {
  const { workspaceId } = run;
  await context.db.transaction(async (tx) => {
    await moveRun(tx, run, {});
    await endWithoutText(context, tx, workspaceId, turnId, { status: "superseded", thought });
  });
  context.wake.nudge("runs");
}
