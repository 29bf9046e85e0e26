import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../../context.ts";
import type { RunClaim } from "../thread/run-store.ts";

const FORM = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([0-9]{1,9})\.([A-Za-z0-9_-]{43})$/;

/**
 * Names one turn of an external bot, and proves that we made it: nothing else opens `POST /bot-turns/{token}`. It holds
 * the run's fence, so a turn that was answered, ended or begun again is not answered by it.
 */
export function turnToken(context: Pick<Context, "sealer">, claim: RunClaim): string {
  const named = `${claim.workspaceId}.${claim.id}.${claim.fence}`;
  return `${named}.${proofWith(context.sealer.derive("bot-turn"), named)}`;
}

/** The turn that a token names; null: we did not make it. */
export function readTurnToken(context: Pick<Context, "sealer">, token: string): RunClaim | null {
  const [, workspaceId = "", id = "", fence = "", proof = ""] = FORM.exec(token) ?? [];
  const given = Buffer.from(proof);
  const isOurs = context.sealer.accepted("bot-turn").some((key) => {
    const right = Buffer.from(proofWith(key, `${workspaceId}.${id}.${fence}`));
    return right.length === given.length && timingSafeEqual(right, given);
  });
  if (!isOurs) return null;
  return { workspaceId, id, fence: Number(fence) };
}

const proofWith = (key: Buffer, named: string): string =>
  createHmac("sha256", key).update(named).digest("base64url");

/** An HMAC of an answer to a turn: answers that say the same in JSON have the same. */
export function answerMac(
  context: Pick<Context, "sealer">,
  claim: RunClaim,
  answer: unknown,
): Buffer {
  return macWith(context.sealer.derive("bot-turn"), claim, answer);
}

/** Whether the turn was given this answer, under the key of now or one that was rotated. */
export function isAnswerOf(
  context: Pick<Context, "sealer">,
  claim: RunClaim,
  answer: unknown,
  mac: Buffer,
): boolean {
  return context.sealer
    .accepted("bot-turn")
    .some((key) => timingSafeEqual(macWith(key, claim, answer), mac));
}

const macWith = (key: Buffer, { workspaceId, id, fence }: RunClaim, answer: unknown): Buffer =>
  createHmac("sha256", key)
    .update(`answer ${workspaceId}.${id}.${fence}\n${JSON.stringify(answer)}`)
    .digest();
