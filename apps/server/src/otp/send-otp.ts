import { write } from "../write.ts";
import { actorName, type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { isPassingFault } from "../db/passing-fault.ts";
import { AppError } from "../errors.ts";
import {
  callProvider,
  openGateway,
  storeOutcome,
  type CallDefect,
  type OpenGateway,
} from "../sending/call-provider.ts";
import { judgeOutcome, type Judgement } from "../sending/judge-outcome.ts";
import { settleOutcomes } from "../sending/settle-outcomes.ts";
import { popEarlyReports } from "../messages/receive/pop-early-reports.ts";
import { erasedNumber } from "../contacts/identity/erased-number.ts";
import { toDigits } from "../sms/mobile.ts";
import {
  SMS_ERROR_CODES,
  type SmsAccount,
  type SmsErrorCode,
  type SmsLines,
  type SmsOutcome,
} from "../sms/provider.ts";
import { smsProviderFor } from "../sms/registry.ts";
import { countSegments } from "../sms/segments.ts";
import { withoutEcho } from "../sms/without-echo.ts";
import { refundCredits, reserveCredits } from "../workspaces/credits.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import type { NewOtp, SmsResultJson } from "../wire/otp.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { notifyAdmins } from "../workspaces/notify-admins.ts";
import {
  LOST_CALL,
  OTP_MOVES,
  otpEvent,
  presentResult,
  type OtpRecord,
  type ToldOtpRecord,
} from "./otp-record.ts";
import {
  insertRecord,
  lockGatewayId,
  lockRecord,
  scheduleReceipt,
  updateRecord,
} from "./otp-store.ts";
import { describeForLog } from "../db/describe-for-log.ts";

/** Sends of a workspace in any 60 seconds (spec, Limits). */
const OTP_RATE = { limit: 60, windowMs: 60_000 };

/** The workspace's own limit for one number counts this long (contract §6, Passcodes). */
const NUMBER_WINDOW_MS = 600_000;

/** The caller waits for the answer, so a database that stays away gets about five seconds. */
const TRIES_TO_STORE = { whileAway: 7, otherwise: 1 } as const;

/** From the send to the first look-up, for a gateway that sends no receipts. */
const FIRST_LOOK_MS = 60_000;

export type OtpContext = Pick<
  Context,
  "db" | "clock" | "ids" | "sealer" | "config" | "rateLimits" | "wake" | "log"
> &
  SmsLines;

/**
 * Sends a passcode through the workspace's own gateway, before the call answers (spec, POST /v1/otp/send). The text is
 * stored and logged nowhere; when the gateway echoes it, it is taken out of `error`.
 * One credit per SMS segment is reserved before the call. The credits come back when the gateway rejects the message,
 * except for parts that it had taken before. When the answer is lost they stay spent, because the message may have
 * gone. A passcode spends no slot of the message quota: SMS has its own allowance, the credits.
 * The gateway's answer is the result, even when the database goes away meanwhile: a caller who were told otherwise
 * would send again. `within` runs in the transaction that stores the record. Errors, in this order:
 * SUBSCRIPTION_SUSPENDED, SMS_PROVIDER_NOT_VERIFIED, OTP_RATE_LIMITED (limit and usage in a minute,
 * or of the number in ten minutes),
 * INSUFFICIENT_CREDITS (limit: the balance, usage: the segments that this text needs). A refusal by the gateway is no
 * error but a result with `sent: false`.
 */
export const sendOtp = write("otp.send", sendPasscode);

/** As `sendOtp`, for an operation that has asked for the actor's rights. */
export async function sendPasscode(
  actor: Actor,
  context: OtpContext,
  workspaceId: string,
  input: Required<NewOtp>,
  options: { readonly within?: (tx: Tx, record: { readonly id: string }) => Promise<void> } = {},
): Promise<SmsResultJson> {
  const workspace = await findWorkspace(context, workspaceId);
  if (workspace?.suspendedAt) {
    throw new AppError("SUBSCRIPTION_SUSPENDED", { limit: workspace.smsCredits ?? 0, usage: 0 });
  }
  const gateway = await openGateway(context, workspaceId);
  if (gateway === null) throw new AppError("SMS_PROVIDER_NOT_VERIFIED");
  const { account } = gateway;
  const mobile = toDigits(input.mobile);
  await countPasscode(context, { id: workspaceId, otpPerNumber: null, ...workspace }, mobile);
  const record = newRecord(actor, context, account, mobile ?? input.mobile, input);
  await begin(context, record, mobile !== null, options.within);
  if (mobile === null) return presentResult({ ...record, ...REFUSED_HERE });
  const answer = await call(context, gateway, record, { ...input, mobile });
  return presentResult(await store(context, gateway, record, answer, input.message));
}

/** Counts a passcode to a number, of any road. Throws OTP_RATE_LIMITED, of the workspace or of the number. */
export async function countPasscode(
  context: Pick<Context, "rateLimits" | "sealer">,
  { id, otpPerNumber }: Pick<Workspace, "id" | "otpPerNumber">,
  mobile: string | null,
): Promise<void> {
  await takePlace(context, `otp:${id}`, OTP_RATE);
  if (mobile === null || otpPerNumber === null) return;
  // Limits live outside the tables that an erasure covers, so they get no number in digits.
  const key = `otp:${id}:${erasedNumber(context, id, mobile)}`;
  await takePlace(context, key, { limit: otpPerNumber, windowMs: NUMBER_WINDOW_MS });
}

/** Counts one send. Throws OTP_RATE_LIMITED with limit, usage and the time to wait. */
async function takePlace(
  context: Pick<Context, "rateLimits">,
  key: string,
  rule: { readonly limit: number; readonly windowMs: number },
): Promise<void> {
  const rate = await context.rateLimits.take(key, rule);
  if (rate.allowed) return;
  throw new AppError("OTP_RATE_LIMITED", {
    limit: rule.limit,
    usage: rule.limit - rate.remaining,
    retryAfterSeconds: Math.max(1, Math.ceil(rate.resetMs / 1_000)),
  });
}

// A text that is no phone number is refused without asking the gateway.
const REFUSED_HERE = {
  status: "failed",
  errorCode: "INVALID_NUMBER",
  error: "the mobile is not a phone number",
} as const satisfies Partial<OtpRecord> & { errorCode: SmsErrorCode };

function newRecord(
  actor: Actor,
  context: OtpContext,
  account: SmsAccount,
  mobile: string,
  { message, lang }: Required<NewOtp>,
): OtpRecord {
  const provider = smsProviderFor(account.provider);
  const ucs2 = lang === "A" && (provider.forcesUcs2?.(account) ?? false);
  const text = provider.clean?.(message) ?? message;
  return {
    id: context.ids.next(),
    author: actorName(actor),
    workspaceId: account.workspaceId,
    providerId: account.providerId,
    provider: account.provider,
    mobile,
    segments: countSegments(text, ucs2).segments,
    status: "calling",
    errorCode: null,
    error: null,
    providerMessageId: null,
    createdAt: context.clock.now(),
    settledAt: null,
  };
}

/** Commits the record and its credits before the first byte leaves. So a crash can lose nothing but the answer. */
async function begin(
  context: OtpContext,
  record: OtpRecord,
  callable: boolean,
  within: ((tx: Tx, record: { readonly id: string }) => Promise<void>) | undefined,
): Promise<void> {
  const { workspaceId, segments } = record;
  await context.db.transaction(async (tx) => {
    const refused = { ...record, ...REFUSED_HERE, settledAt: record.createdAt };
    await insertRecord(tx, callable ? record : refused);
    await within?.(tx, { id: record.id });
    if (callable) {
      const credits = await reserveCredits(tx, workspaceId, segments);
      if (!credits.ok) {
        throw new AppError("INSUFFICIENT_CREDITS", { limit: credits.balance, usage: segments });
      }
    } else await emitEvents(context, tx, [otpEvent(refused, "calling", record.createdAt)]);
  });
}

/** The gateway's answer and its judgement. */
interface Answer {
  readonly outcome: SmsOutcome | CallDefect;
  readonly judgement: Judgement;
}

const TOO_LATE: SmsOutcome = {
  ok: false,
  reason: "unreachable",
  code: "",
  detail: "the call began too late and was not made",
  smsCode: "GATEWAY_UNAVAILABLE",
};

async function call(
  context: OtpContext,
  gateway: OpenGateway,
  { id, createdAt: begunAt }: OtpRecord,
  { mobile: to, message: text, lang }: Required<NewOtp>,
): Promise<Answer> {
  const outcome =
    (await callProvider(
      context,
      { messageId: id, channelType: "SMS", road: "passcode", begunAt },
      () => gateway.send({ id, to, text, lang }),
    )) ?? TOO_LATE;
  return { outcome, judgement: judgeOutcome(outcome, { to, road: "passcode", calls: 1 }) };
}

/** Settles, and waits some seconds for a database that is away. When it stays away, gives what the gateway said. */
async function store(
  context: OtpContext,
  gateway: OpenGateway,
  begun: OtpRecord,
  answer: Answer,
  message: string,
): Promise<OtpRecord> {
  try {
    return await storeOutcome(
      () => settle(context, gateway, begun, answer, message),
      TRIES_TO_STORE,
    );
  } catch (error) {
    if (!isPassingFault(error)) throw error;
    const { workspaceId, id: requestId } = begun;
    context.log.error(
      { workspaceId, requestId, ...describeForLog(error) },
      "the outcome of a passcode could not be stored",
    );
    return { ...begun, ...saidBy(answer, message) };
  }
}

/** What a record keeps of the gateway's answer. */
function saidBy({ outcome, judgement: { message: judged } }: Answer, message: string) {
  // A passcode is never tried again: it would come too late.
  const status = judged.kind === "again" ? "failed" : judged.kind;
  const none = { status, errorCode: null, error: null } as const;
  if (outcome.ok) return { ...none, providerMessageId: outcome.externalId };
  const words = withoutEcho(`${outcome.code} ${outcome.detail}`.trim(), message).slice(0, 300);
  const errorCode = "smsCode" in outcome ? outcome.smsCode : LOST_CALL.errorCode;
  return { status, errorCode, error: words, providerMessageId: null };
}

/** Writes the gateway's answer, unless a receipt came before it and knows better. Gives the record as it is then. */
async function settle(
  context: OtpContext,
  { account }: OpenGateway,
  begun: OtpRecord,
  answer: Answer,
  message: string,
): Promise<OtpRecord> {
  const { workspaceId, mobile: phone } = begun;
  const { judgement } = answer;
  const call = {
    workspaceId,
    recipient: { phone },
    channelId: null,
    channelType: "SMS",
    secretsSince: null,
  };
  return context.db.transaction(async (tx) => {
    let record = begun;
    const events = await settleOutcomes(context, tx, [{ ...call, judgement }], async () => {
      const stored = await storeAnswer(context, tx, account, begun, answer, message);
      record = stored.record;
      return stored.events;
    });
    await emitEvents(context, tx, events);
    return record;
  });
}

async function storeAnswer(
  context: OtpContext,
  tx: Tx,
  account: SmsAccount,
  begun: OtpRecord,
  answer: Answer,
  message: string,
): Promise<{ readonly record: OtpRecord; readonly events: readonly NewEvent[] }> {
  const { outcome, judgement } = answer;
  const { workspaceId } = begun;
  const said = saidBy(answer, message);
  const at = context.clock.now();
  if (said.providerMessageId !== null) await lockGatewayId(tx, workspaceId, said.providerMessageId);
  const record =
    (await lockRecord(tx, workspaceId, { id: begun.id, providerMessageId: null })) ?? begun;
  const open = record.status === "calling" || record.status === "unknown";
  if (!open || !OTP_MOVES[said.status].includes(record.status)) return { record, events: [] };
  const settled = await updateRecord(tx, record, { ...said, settledAt: at });
  if (outcome.ok && smsProviderFor(account.provider).lookUp)
    await scheduleReceipt(tx, settled, new Date(at.getTime() + FIRST_LOOK_MS));
  if (said.status === "failed")
    await refundCredits(tx, workspaceId, record.segments - partsTakenOf(outcome));
  if (judgement.wider?.kind === "channel_fault") {
    // Every send fails until somebody repairs the account. The admins are told once per day and code.
    const { code } = judgement.wider;
    await notifyAdmins(context, tx, workspaceId, {
      kind: "sms_provider.refused",
      subject: "The SMS account refuses to send",
      body: `${record.provider} answered ${code}. Passcodes do not go out until the account is repaired.`,
      dedupe: `sms:${record.providerId}:${code}:${at.toISOString().slice(0, 10)}`,
    });
  }
  const events = [otpEvent(settled, record.status, at)];
  const early = await applyEarly(tx, settled);
  return { record: early.record, events: [...events, ...early.events] };
}

/** Applies the receipts that arrived before the gateway's answer, with its id and without ours. */
async function applyEarly(
  tx: Tx,
  sent: ToldOtpRecord,
): Promise<{ readonly record: ToldOtpRecord; readonly events: readonly NewEvent[] }> {
  const { workspaceId, providerMessageId } = sent;
  let record = sent;
  const events: NewEvent[] = [];
  if (providerMessageId === null) return { record, events };
  for (const one of await popEarlyReports(tx, workspaceId, providerMessageId)) {
    const status = one.status === "read" ? "delivered" : one.status;
    const before = record.status;
    if (!OTP_MOVES[status].includes(before)) continue;
    const failed = status === "failed";
    record = await updateRecord(tx, record, {
      status,
      errorCode: failed
        ? (SMS_ERROR_CODES.find((code) => code === one.errorMessage) ?? "REJECTED")
        : null,
      error: failed ? one.errorCode : null,
      providerMessageId,
      settledAt: one.at,
    });
    events.push(otpEvent(record, before, one.at));
  }
  return { record, events };
}

const partsTakenOf = (outcome: SmsOutcome | CallDefect): number =>
  "partsTaken" in outcome ? (outcome.partsTaken ?? 0) : 0;
