import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { botOperations } from "../../operations/bots.ts";
import type { BotTurnCall, TestCallJson } from "../../wire/external-bot.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { perform } from "../../write.ts";
import { lockLiving } from "../record/bots.ts";
import type { Bot } from "../record/bot-store.ts";
import { askExternal, type TurnOutcome } from "./ask-external.ts";
import { secretOf } from "./bot-secret.ts";
import { turnToken } from "./turn-token.ts";

/** A test waits this long at most: a member looks on. */
const TEST_SECONDS = 10;

/**
 * Posts one signed turn to the address of the draft, as if a customer said hello, and says what the answer was. No
 * customer gets it, and its token answers nothing. Throws NOT_FOUND; NOT_ALLOWED_IN_STATE for another kind of bot or an
 * archived one.
 */
export const testExternalBot = perform(
  botOperations.testExternalBot,
  async (actor, context: Context, workspaceId, { id }, { keep }) => {
    const [bot, secret] = await context.db.transaction(async (tx) => {
      const locked = await lockLiving(tx, workspaceId, id);
      if (locked.kind !== "external")
        throw new AppError("NOT_ALLOWED_IN_STATE", {
          explanation: "only an external bot is called",
        });
      await audit(actor, context, tx, workspaceId, { action: "bot.tested", subject: id });
      return [locked, await secretOf(context, tx, workspaceId, id)];
    });
    const answer = await callOnce(context, bot, secret);
    return context.db.transaction((tx) => keep(tx, answer));
  },
);

async function callOnce(
  context: Context,
  { workspaceId, draft }: Bot,
  secret: string | null,
): Promise<TestCallJson> {
  const { url, waitSeconds } = draft;
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  if (typeof url !== "string" || !address?.protocol.startsWith("http"))
    return { state: "failed", ms: 0, code: "NO_ADDRESS", value: null, answer: null };
  if (secret === null)
    return { state: "failed", ms: 0, code: "NO_SECRET", value: null, answer: null };
  const turnId = context.ids.next();
  const begun = performance.now();
  const seconds = typeof waitSeconds === "number" ? Math.min(waitSeconds, TEST_SECONDS) : undefined;
  const outcome = await askExternal(
    context,
    { url, secret, waitSeconds: seconds },
    turnId,
    helloFrom(context, workspaceId, turnId),
    { once: true },
  );
  return { ms: Math.round(performance.now() - begun), ...presentOutcome(outcome) };
}

/** A turn of a customer who is not there. */
function helloFrom(context: Context, workspaceId: string, turnId: string): BotTurnCall {
  const at = context.clock.now().toISOString();
  return {
    type: "bot.turn",
    token: turnToken(context, { workspaceId, id: turnId, fence: 0 }),
    conversationId: context.ids.next(),
    contact: { id: context.ids.next(), firstName: "Test", language: "en" },
    messages: [
      { id: context.ids.next(), from: "customer", type: "text", text: "Hello", pressed: null, at },
    ],
    variables: {},
  };
}

function presentOutcome(outcome: TurnOutcome): Omit<TestCallJson, "ms"> {
  switch (outcome.kind) {
    case "answered":
      return { state: "answered", code: null, value: null, answer: outcome.answer };
    case "later":
      return { state: "later", code: null, value: null, answer: null };
    case "failed":
      return { state: "failed", code: outcome.code, value: outcome.value, answer: null };
  }
}
