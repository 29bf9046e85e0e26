import { createHmac, timingSafeEqual } from "node:crypto";
import * as store from "../../api-keys/kept-answers.ts";
import {
  answerPlace,
  ANSWERS_KEPT_MS,
  CameSecond,
  SEALED_ANSWER,
  type KeyOfCall,
  type StoredCall,
} from "../../api-keys/kept-answers.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { isPassingFault } from "../../db/passing-fault.ts";
import { AppError, invalid, keyReused, type ErrorCode } from "../../errors.ts";
import { statusOf, toAppError, type errorAnswer } from "./errors.ts";
import { HashedBody } from "./hashed-body.ts";
import type { Call } from "./route.ts";

/** A call that has not ended after this time counts as crashed. */
const GIVEN_UP_MS = 60_000;

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly replayed: boolean;
}

/** With this a route's handler can store its answer together with its effect. */
export interface Keeper {
  /**
   * In the transaction of the effect, before its commit. Throws to undo it when another call was first. An operation that
   * acts outside the database keeps what began, and after that how it ended: the second answer replaces the first.
   */
  keep(tx: Tx, body: string): Promise<void>;
  /** In the transaction that creates the record of an effect outside the database. */
  begin(tx: Tx, recordId: string): Promise<void>;
}

/** How the operation of a POST stores its answer with its effect; without a key (null) it does not. */
export const storing = (keeper: Keeper | null): Pick<Call<unknown>, "once" | "begun"> => ({
  once: (present) => (keeper ? { within: (tx, result) => keeper.keep(tx, present(result)) } : {}),
  begun: () => (keeper ? { within: (tx, record) => keeper.begin(tx, record.id) } : {}),
});

export interface IdempotentCall {
  readonly call: KeyOfCall;
  /** Makes two calls the same: method, path and body bytes. */
  readonly request: readonly [method: string, path: string, body: Uint8Array | HashedBody];
  /** The status of a success, perhaps one that its answer decides. Read after `run`. */
  readonly status: number | ((body: string) => number);
  run(keeper: Keeper): Promise<string>;
  recover(recordId: string): Promise<string | null>;
  /** The answer holds a secret: it is stored sealed. */
  readonly secret?: boolean;
  /** Makes the answer of a refusal that is kept. */
  readonly presentError: typeof errorAnswer;
}

// The running calls of this process. Between processes the lock and the primary key decide.
const running = new WeakMap<Context["db"], Set<string>>();

/** `Idempotency-Key` as sent: 1 to 255 characters. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = Array.isArray(header) ? header.join(", ") : header;
  if (key.length < 1 || key.length > 255 || key.includes("\0"))
    throw invalid("Idempotency-Key", "must have 1 to 255 characters");
  return key;
}

/**
 * Runs a POST at most once for its key and gives the stored answer from then on. The answer is stored in the
 * transaction of the effect when the handler can do that (`Keeper`), and else right after it. A refusal for the state of
 * things (404, 400) is stored after it. The refusal of a streamed body is not: the handler may have read only its
 * beginning, so its fingerprint is unknown. Not stored are undecided calls (5xx) and refusals that the caller can cure without changing the request (402, 403, 429). Throws
 * IDEMPOTENCY_KEY_REUSED for another request with the key, IDEMPOTENCY_IN_PROGRESS while the first one runs.
 */
export async function answerOnce(
  context: Pick<Context, "db" | "clock" | "sealer">,
  once: IdempotentCall,
): Promise<Answer> {
  const { call } = once;
  let underWay = running.get(context.db);
  if (!underWay) running.set(context.db, (underWay = new Set()));
  const callKey = `${call.callerId}:${call.key}`;
  // While the first one runs, its stored answer may not be its last (`Keeper.keep`).
  if (underWay.has(callKey)) throw inProgress();
  const stored = await find(context, call);
  if (underWay.has(callKey)) throw inProgress();
  if (stored) return replay(context, once, stored);
  underWay.add(callKey);
  try {
    return await runFirst(context, once);
  } finally {
    underWay.delete(callKey);
  }
}

/** The answer of an earlier call under the key; null: there is none. Throws as `answerOnce` does. */
export async function answerAgain(
  context: Pick<Context, "db" | "clock" | "sealer">,
  once: Omit<IdempotentCall, "run">,
): Promise<Answer | null> {
  const stored = await find(context, once.call);
  return stored ? replay(context, once, stored) : null;
}

async function runFirst(
  context: Pick<Context, "db" | "clock" | "sealer">,
  once: IdempotentCall,
): Promise<Answer> {
  const { call } = once;
  const createdAt = context.clock.now();
  const since = new Date(createdAt.getTime() - ANSWERS_KEPT_MS);
  const insert = async (tx: Tx, status: number | null, body: string) => {
    const fingerprint = await fingerprintOf(context, once.request);
    const stored = { fingerprint, status, body, createdAt };
    if (!(await store.insertLocked(tx, call, stored, since))) throw new CameSecond();
  };
  let begun = false;
  let kept = false;
  const keeper: Keeper = {
    async keep(tx, body) {
      const stored = once.secret ? sealed(context, call, body) : body;
      if (kept)
        return store.replaceAnswer(tx, call, { status: successOf(once, body), body: stored });
      await insert(tx, successOf(once, body), stored);
      tx.afterCommit(() => (kept = true));
    },
    async begin(tx, recordId) {
      await insert(tx, null, recordId);
      tx.afterCommit(() => (begun = true));
    },
  };
  let answer: { readonly status: number; readonly body: string };
  let refusal: unknown;
  try {
    const body = await once.run(keeper);
    answer = { status: successOf(once, body), body };
  } catch (error) {
    if (error instanceof CameSecond) return replayFirst(context, once, inProgress());
    const fault = toAppError(error);
    if (once.request[2] instanceof HashedBody) throw error;
    if (!isKept(fault)) {
      // A call that has begun keeps its open row: its record will know the outcome.
      if (begun || kept || statusOf(fault.code) >= 500) throw error;
      // What refuses this one may be that the same call, in another process, was done meanwhile.
      return replayFirst(context, once, error);
    }
    answer = once.presentError(fault);
    refusal = error;
  }
  // The effect took place. If the database is away the row stays open, and a repeat with the key reads the outcome
  // from the record.
  if (begun)
    await store.storeAnswer(context.db, call, answer).catch((error: unknown) => {
      if (!isPassingFault(error)) throw error;
    });
  else if (refusal !== undefined) {
    const fingerprint = await fingerprintOf(context, once.request);
    const stored = { ...answer, fingerprint, createdAt };
    if (!(await store.insertCall(context.db, call, stored, since)))
      return replayFirst(context, once, refusal);
  } else if (!kept) {
    const fingerprint = await fingerprintOf(context, once.request);
    const body = once.secret ? sealed(context, call, answer.body) : answer.body;
    const stored = { status: answer.status, body, fingerprint, createdAt };
    // The effect took place: it is answered although the database went away after it.
    await store.insertCall(context.db, call, stored, since).catch((error: unknown) => {
      if (!isPassingFault(error)) throw error;
    });
  }
  if (refusal !== undefined) throw refusal;
  return { ...answer, replayed: false };
}

const successOf = ({ status }: Pick<IdempotentCall, "status">, body: string): number =>
  typeof status === "function" ? status(body) : status;

const MENDED_ELSEWHERE: readonly number[] = [402, 403, 429];

/**
 * True for a refusal that answers this request by the state of things. A 5xx decided nothing. An allowance, a
 * suspension, a scope or a rate can be cured without changing the request (contract §5, Idempotency). Missing
 * input can be added under the same key.
 */
function isKept({ code }: AppError): boolean {
  const status = statusOf(code);
  return status < 500 && !MENDED_ELSEWHERE.includes(status) && !OPEN.includes(code);
}

const OPEN: readonly ErrorCode[] = [
  "IDEMPOTENCY_IN_PROGRESS",
  "VALIDATION_FAILED",
  "CONTACT_NEEDS_IDENTITY",
  "UNSENT_FILES_FULL",
  "TEMPLATE_NOT_APPROVED",
  "TEMPLATE_PARAMETERS",
  "CHANNEL_NEEDED",
  "ATTACHMENT_REFUSED",
  "NOT_SUPPORTED_HERE",
  "NOT_FETCHED",
];

/** The answer of the call that committed first; `otherwise` when its row is gone again. */
async function replayFirst(
  context: Pick<Context, "db" | "clock" | "sealer">,
  once: IdempotentCall,
  otherwise: unknown,
): Promise<Answer> {
  const first = await find(context, once.call);
  if (!first) throw otherwise;
  return replay(context, once, first);
}

function find(context: Pick<Context, "db" | "clock">, call: KeyOfCall): Promise<StoredCall | null> {
  const since = new Date(context.clock.now().getTime() - ANSWERS_KEPT_MS);
  return store.findCall(context.db, call, since);
}

async function replay(
  context: Pick<Context, "db" | "clock" | "sealer">,
  once: Omit<IdempotentCall, "run">,
  stored: StoredCall,
): Promise<Answer> {
  const body = await bytesOf(once.request);
  const isSame = context.sealer
    .accepted("idempotency")
    .some((key) => timingSafeEqual(stored.fingerprint, fingerprintWith(key, once.request, body)));
  if (!isSame) throw keyReused("Idempotency-Key");
  if (stored.status !== null)
    return {
      status: stored.status,
      body: opened(context, once.call, stored.body),
      replayed: true,
    };
  const age = context.clock.now().getTime() - stored.createdAt.getTime();
  const recovered = age < GIVEN_UP_MS ? null : await once.recover(stored.body);
  if (recovered === null) throw inProgress();
  const status = successOf(once, recovered);
  await store.storeAnswer(context.db, once.call, { status, body: recovered });
  return { status, body: recovered, replayed: true };
}

/** An answer with a secret, as it is stored. Unlike others it names no contact, so an erasure need not read it. */
function sealed({ sealer }: Pick<Context, "sealer">, call: KeyOfCall, body: string): string {
  return SEALED_ANSWER + sealer.seal(body, answerPlace(call)).toString("base64");
}

function opened({ sealer }: Pick<Context, "sealer">, call: KeyOfCall, body: string): string {
  if (!body.startsWith(SEALED_ANSWER)) return body;
  return sealer.open(Buffer.from(body.slice(SEALED_ANSWER.length), "base64"), answerPlace(call));
}

function inProgress(): AppError {
  return new AppError("IDEMPOTENCY_IN_PROGRESS", { retryAfterSeconds: 1 });
}

/** An HMAC under a key that is not in the database: a six-digit passcode could be guessed from a plain hash. */
async function fingerprintOf(
  context: Pick<Context, "sealer">,
  request: IdempotentCall["request"],
): Promise<Buffer> {
  return fingerprintWith(context.sealer.derive("idempotency"), request, await bytesOf(request));
}

const bytesOf = async ([, , body]: IdempotentCall["request"]): Promise<Uint8Array> =>
  body instanceof HashedBody ? body.digest() : body;

const fingerprintWith = (
  key: Buffer,
  [method, path]: IdempotentCall["request"],
  body: Uint8Array,
): Buffer => createHmac("sha256", key).update(`${method} ${path}\n`).update(body).digest();
