import { firstNameOf } from "../../chat/first-name.ts";
import { findContacts } from "../../contacts/identity/find-contact.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import type { Context } from "../../context.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { TURN_SECONDS, type BotTurnCall } from "../../wire/external-bot.ts";
import { InFlight } from "../../lib/in-flight.ts";
import { pressOf } from "../../messages/record/choices.ts";
import { handOverRun } from "../hand-over/hand-over-run.ts";
import { localeOf } from "../hand-over/hand-over-words.ts";
import { botVersion } from "../record/live-bot.ts";
import { claimRuns, moveRun, type BotRun, type RunClaim } from "../thread/run-store.ts";
import { Superseded, threadForBot, type BotTalk, type SeenThread } from "../thread/who-answers.ts";
import { askExternal, type ExternalBot } from "./ask-external.ts";
import { secretOf } from "./bot-secret.ts";
import { putCall } from "./call-store.ts";
import { applyAnswer } from "./apply-answer.ts";
import { turnToken } from "./turn-token.ts";

/** Calls under way at once in this process, and of one workspace: a slow bot leaves room for others. */
const AT_ONCE = { most: 32, perKey: 8 } as const;
/** Between the claim of a run and the commit that its call begins. */
const LEASE_MS = 30_000;

/** Calls external bots. Calls go on between rounds, so that a slow bot delays no other. */
export interface ExternalRunner {
  /** Claims due runs while there is room, and starts their calls. Gives how many. */
  claim(): Promise<number>;
  /** Calls that are not settled yet. */
  readonly inFlight: ReadonlySet<Promise<void>>;
}

/** Makes the runner of a process. Claims and fences keep processes apart. */
export function createExternalRunner(context: Context): ExternalRunner {
  const calls = new InFlight(AT_ONCE);
  const turn = async (run: BotRun) => {
    try {
      await takeTurn(context, run);
    } catch (error) {
      // The run stays claimed, or its call runs out: it is handed over then.
      const facts = { workspaceId: run.workspaceId, runId: run.id, ...describeForLog(error) };
      context.log.error(facts, "an external bot's turn failed");
    }
  };
  return {
    inFlight: calls.running,
    async claim() {
      if (calls.room === 0) return 0;
      const now = context.clock.now();
      const leaseUntil = new Date(now.getTime() + LEASE_MS);
      const limit = calls.room;
      const processId = context.life.id;
      const claim = {
        kind: "external",
        processId,
        now,
        leaseUntil,
        limit,
        places: calls.places,
      } as const;
      let begun = 0;
      for (const run of await claimRuns(context.db, claim)) {
        const place = calls.take(run.workspaceId);
        // It waits as it was: after two minutes without a call people answer.
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

/** One turn: the call is committed, made, and its answer stored. A turn without an answer in time is handed over. */
async function takeTurn(context: Context, run: BotRun): Promise<void> {
  if (run.state === "calling")
    return giveUp(context, run, `no answer within ${TURN_SECONDS} seconds`);
  const begun = await beginTurn(context, run);
  if (!begun) return;
  const { bot, call, seen } = begun;
  const outcome = await askExternal(context, bot, `${run.id}-${run.fence}`, call);
  if (outcome.kind === "later") return;
  if (outcome.kind === "failed") return giveUp(context, run, outcome.why);
  try {
    await applyAnswer(context, run, seen, outcome.answer);
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    await beginAgain(context, run);
  }
}

/** A person or the customer was faster: what the customer wrote has a turn of its own, at once. */
export async function beginAgain(
  context: Pick<Context, "db" | "clock" | "wake">,
  run: RunClaim,
): Promise<void> {
  await moveRun(context.db, run, { state: "ready", dueAt: context.clock.now() });
  context.wake.nudge("runs");
}

/** The bot does not answer: people do. */
const giveUp = (context: Context, run: BotRun, summary: string): Promise<void> =>
  handOverRun(context, run, { reason: "model_unavailable", summary });

interface BegunTurn {
  readonly bot: ExternalBot;
  readonly call: BotTurnCall;
  readonly seen: SeenThread;
}

/** Commits that the call begins; null: there is nothing to ask, or no one to call. */
async function beginTurn(context: Context, run: BotRun): Promise<BegunTurn | null> {
  const { workspaceId, conversationId } = run;
  const [talk, version, secret] = await Promise.all([
    threadForBot(context.db, workspaceId, conversationId),
    botVersion(context.db, workspaceId, run.botId, run.version),
    secretOf(context, context.db, workspaceId, run.botId),
  ]);
  if (talk?.runId !== run.id) return null;
  const { url, waitSeconds } = version?.document ?? {};
  if (typeof url !== "string" || secret === null) {
    await giveUp(context, run, "the bot has no address or no secret");
    return null;
  }
  const call = await callOf(context, run, talk);
  if (!call) return null;
  const now = context.clock.now();
  const seen = { version: talk.version, seen: talk.ids };
  const dueAt = new Date(now.getTime() + TURN_SECONDS * 1_000);
  const begun = await context.db.transaction(async (tx) => {
    if (!(await moveRun(tx, run, { state: "calling", dueAt }))) return false;
    await putCall(tx, run, seen, now);
    return true;
  });
  const waits = typeof waitSeconds === "number" ? waitSeconds : undefined;
  return begun ? { bot: { url, secret, waitSeconds: waits }, call, seen } : null;
}

/** What the bot is asked; null: the conversation was deleted. */
async function callOf(context: Context, run: BotRun, talk: BotTalk): Promise<BotTurnCall | null> {
  const { workspaceId, conversationId } = run;
  const conversation = await findConversation(context, workspaceId, conversationId);
  if (!conversation) return null;
  const [contact] = await findContacts(context.db, workspaceId, [conversation.contactId]);
  return {
    type: "bot.turn",
    token: turnToken(context, run),
    conversationId,
    contact: {
      id: conversation.contactId,
      firstName: contact?.name ? firstNameOf(contact.name) : null,
      language: localeOf(talk.messages),
    },
    messages: talk.messages.map(({ id, from, type, text, at, attachments }) => ({
      id,
      from,
      type,
      text,
      pressed: pressOf(attachments),
      at: at.toISOString(),
    })),
    variables: { ...run.variables },
  };
}
