import { setConsent } from "../contacts/consent/set-consent.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { isPassingFault } from "../db/passing-fault.ts";
import { AppError } from "../errors.ts";
import { loadSmsAccount } from "../sms/find-provider.ts";
import { toDigits } from "../sms/mobile.ts";
import type { SmsAccount, SmsErrorCode, SmsLines, SmsOutcome } from "../sms/provider.ts";
import { smsProviderFor } from "../sms/registry.ts";
import { countSegments } from "../sms/segments.ts";
import { withoutEcho } from "../sms/without-echo.ts";
import { refundCredits, reserveCredits } from "../workspaces/credits.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { notifyAdmins } from "../workspaces/notify-admins.ts";
import {
  CALL_LOST_MS,
  LOST_CALL,
  OTP_MOVES,
  otpEvent,
  presentResult,
  type OtpRecord,
  type SmsResult,
} from "./otp-record.ts";
import { insertRecord, lockRecord, scheduleReceipt, updateRecord } from "./otp-store.ts";
import { describeForLog } from "../db/describe-for-log.ts";

/** Sends of a workspace in any 60 seconds (spec, Limits). */
const OTP_RATE = { limit: 60, windowMs: 60_000 };

/**
 * A call that did not start within this time of its record is not made: a process that was frozen must not wake up and
 * send a passcode that was given up. A call takes 20 s at most, so it is over before its record is taken for lost.
 */
const START_WITHIN_MS = CALL_LOST_MS - 20_000;

/** After the send, where the gateway calls nobody back. */
const FIRST_LOOK_MS = 60_000;

export interface NewOtp {
  readonly mobile: string;
  /** In memory only, from here to the gateway. */
  readonly message: string;
  readonly lang: "E" | "A";
}

type OtpContext = Pick<
  Context,
  "db" | "clock" | "ids" | "sealer" | "config" | "rateLimits" | "wake" | "log"
> &
  SmsLines;

/**
 * Sends a passcode through the workspace's own gateway within the call (spec, POST /v1/otp/send). The text is stored
 * and logged nowhere; what the gateway echoes of it is taken out of `error`. One credit per SMS segment is reserved
 * before the call and comes back when the gateway rejects, but for the parts that it took before; a lost answer keeps
 * them, for the message may have gone.
 * What the gateway said is the result also when the database goes away meanwhile: who heard otherwise would send again.
 * It spends no slot of the message quota: SMS has its own allowance, the credits.
 * `within` runs in the transaction that begins the record. Errors, in this order: SUBSCRIPTION_SUSPENDED,
 * SMS_PROVIDER_NOT_VERIFIED, OTP_RATE_LIMITED (limit and usage in a minute), INSUFFICIENT_CREDITS (limit: the balance,
 * usage: the segments this text needs). What the gateway refuses is a result with `sent: false`.
 */
export async function sendOtp(
  context: OtpContext,
  workspaceId: string,
  input: NewOtp,
  options: { readonly within?: (tx: Tx, record: { readonly id: string }) => Promise<void> } = {},
): Promise<SmsResult> {
  const workspace = await findWorkspace(context, workspaceId);
  if (workspace?.suspendedAt) {
    throw new AppError("SUBSCRIPTION_SUSPENDED", { limit: workspace.smsCredits ?? 0, usage: 0 });
  }
  const loaded = await loadSmsAccount(context, workspaceId);
  if (!loaded?.verified) throw new AppError("SMS_PROVIDER_NOT_VERIFIED");
  const { account } = loaded;
  const rate = await context.rateLimits.take(`otp:${workspaceId}`, OTP_RATE);
  if (!rate.allowed) {
    const retryAfterSeconds = Math.max(1, Math.ceil(rate.resetMs / 1_000));
    throw new AppError("OTP_RATE_LIMITED", {
      limit: OTP_RATE.limit,
      usage: OTP_RATE.limit - rate.remaining,
      retryAfterSeconds,
    });
  }
  const mobile = toDigits(input.mobile);
  const record = newRecord(context, account, mobile ?? input.mobile, input);
  await begin(context, record, mobile !== null, options.within);
  if (mobile === null) return presentResult({ ...record, ...REFUSED_HERE });
  const outcome = await call(context, account, record, { ...input, mobile });
  return presentResult(await store(context, account, record, outcome, input.message));
}

// No gateway needs to be asked about what is no number.
const REFUSED_HERE = {
  status: "failed",
  errorCode: "INVALID_NUMBER",
  error: "the mobile is not a phone number",
} as const satisfies Partial<OtpRecord> & { errorCode: SmsErrorCode };

function newRecord(
  context: OtpContext,
  account: SmsAccount,
  mobile: string,
  { message, lang }: NewOtp,
): OtpRecord {
  const provider = smsProviderFor(account.provider);
  const ucs2 = lang === "A" && (provider.forcesUcs2?.(account) ?? false);
  const text = provider.clean?.(message) ?? message;
  return {
    id: context.ids.next(),
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

/** Commits the record, and with it the credits, before the first byte leaves: a crash can lose the answer only. */
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

async function call(
  context: OtpContext,
  account: SmsAccount,
  record: OtpRecord,
  input: NewOtp,
): Promise<SmsOutcome> {
  if (context.clock.now().getTime() - record.createdAt.getTime() > START_WITHIN_MS) {
    const detail = "the call began too late and was not made";
    return { ok: false, reason: "unreachable", code: "", detail, smsCode: "GATEWAY_UNAVAILABLE" };
  }
  try {
    return await smsProviderFor(account.provider).send(context, account, {
      id: record.id,
      to: input.mobile,
      text: input.message,
      lang: input.lang,
    });
  } catch (error) {
    // A defect. Its words could carry the text, so only its name is told.
    const name = error instanceof Error ? error.name : typeof error;
    context.log.error({ requestId: record.id, defect: name }, "an SMS gateway's code threw");
    const { errorCode: smsCode, error: detail } = LOST_CALL;
    return { ok: false, reason: "unknown", code: "INTERNAL", detail, smsCode };
  }
}

/** Settles, also when the database is away for some seconds; gives what the gateway said when it stays away. */
async function store(
  context: OtpContext,
  account: SmsAccount,
  begun: OtpRecord,
  outcome: SmsOutcome,
  message: string,
): Promise<OtpRecord> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await settle(context, account, begun, outcome, message);
    } catch (error) {
      if (!isPassingFault(error)) throw error;
      if (attempt >= 4) {
        const { workspaceId, id: requestId } = begun;
        context.log.error({ workspaceId, requestId, ...describeForLog(error) }, "otp not settled");
        return { ...begun, ...saidBy(outcome, message) };
      }
      await new Promise((resolve) => setTimeout(resolve, 250 * 4 ** (attempt - 1)));
    }
  }
}

/** What a record keeps of the gateway's answer. */
function saidBy(outcome: SmsOutcome, message: string) {
  const status = outcome.ok ? "sent" : outcome.reason === "unknown" ? "unknown" : "failed";
  const words = outcome.ok ? null : `${outcome.code} ${outcome.detail}`.trim();
  return {
    status,
    errorCode: outcome.ok ? null : outcome.smsCode,
    error: words === null ? null : withoutEcho(words, message).slice(0, 300),
    providerMessageId: outcome.ok ? outcome.externalId : null,
  } as const;
}

/** Writes what the gateway said, unless a receipt was faster and knows better; gives the record as it then is. */
async function settle(
  context: OtpContext,
  account: SmsAccount,
  begun: OtpRecord,
  outcome: SmsOutcome,
  message: string,
): Promise<OtpRecord> {
  const said = saidBy(outcome, message);
  const { status } = said;
  return context.db.transaction(async (tx) => {
    const at = context.clock.now();
    const { workspaceId } = begun;
    const stopped = await recordOptOut(context, tx, begun, outcome, at);
    const record =
      (await lockRecord(tx, workspaceId, { id: begun.id, providerMessageId: null })) ?? begun;
    const open = record.status === "calling" || record.status === "unknown";
    if (!open || !OTP_MOVES[status].includes(record.status)) {
      await emitEvents(context, tx, stopped);
      return record;
    }
    const settled = await updateRecord(tx, record, { ...said, settledAt: at });
    if (outcome.ok && smsProviderFor(account.provider).lookUp)
      await scheduleReceipt(tx, settled, new Date(at.getTime() + FIRST_LOOK_MS));
    if (status === "failed")
      await refundCredits(tx, workspaceId, record.segments - partsTakenOf(outcome));
    if (!outcome.ok && outcome.reason === "misconfigured") {
      // Every send will fail until somebody repairs the account: told once a day and code.
      await notifyAdmins(context, tx, workspaceId, {
        kind: "sms_provider.refused",
        subject: "The SMS account refuses to send",
        body: `${record.provider} answered ${outcome.code}. Passcodes do not go out until the account is repaired.`,
        dedupe: `sms:${record.providerId}:${outcome.code}:${at.toISOString().slice(0, 10)}`,
      });
    }
    await emitEvents(context, tx, [...stopped, otpEvent(settled, record.status, at)]);
    return settled;
  });
}

const partsTakenOf = (outcome: SmsOutcome): number => (outcome.ok ? 0 : (outcome.partsTaken ?? 0));

/** The gateway knows that this number stopped it (Twilio 21610): no campaign is to try it either. */
function recordOptOut(
  context: OtpContext,
  tx: Tx,
  { workspaceId, mobile: phone }: OtpRecord,
  outcome: SmsOutcome,
  at: Date,
): Promise<NewEvent[]> {
  if (outcome.ok || outcome.reason !== "opted_out") return Promise.resolve([]);
  const signal = { source: "platform", channelType: "SMS", detail: outcome.code } as const;
  return setConsent(context, tx, [
    { workspaceId, contactId: null, phone, optedOut: true, ...signal, at },
  ]);
}
