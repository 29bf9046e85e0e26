import { actorName, type Actor } from "../actor.ts";
import { listChannels } from "../channels/list-channels.ts";
import type { TemplateContent } from "../channels/adapter.ts";
import type { Context } from "../context.ts";
import { isPassingFault } from "../db/passing-fault.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { callProvider, openChannels, storeOutcome } from "../sending/call-provider.ts";
import { judgeOutcome, type Judgement } from "../sending/judge-outcome.ts";
import { settleOutcomes } from "../sending/settle-outcomes.ts";
import type { SmsErrorCode } from "../sms/provider.ts";
import { withoutEcho } from "../sms/without-echo.ts";
import { sendableTemplates } from "../templates/list-templates.ts";
import { templateContent, type StoredTemplate } from "../templates/template.ts";
import { templateNeeds } from "../templates/template-needs.ts";
import { countMessages } from "../usage/count-messages.ts";
import { reserveSlots } from "../usage/reserve-slots.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { SmsResultJson } from "../wire/otp.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { LOST_CALL, OTP_MOVES, otpEvent, presentResult, type OtpRecord } from "./otp-record.ts";
import { insertRecord, lockRecord, updateRecord } from "./otp-store.ts";
import { countPasscode } from "./send-otp.ts";

/** The `provider` of a passcode that went by WhatsApp; its `providerId` is the channel. */
export const BY_WHATSAPP = "whatsapp";

/** The caller waits for the answer, so a database that stays away gets about five seconds. */
const TRIES_TO_STORE = { whileAway: 7, otherwise: 1 } as const;

type Locale = "en" | "ar";

/**
 * The workspace's approved AUTHENTICATION template for a language, on a connected WhatsApp channel. Without `locale` the
 * workspace's language is preferred, and any other is taken. Throws CHANNEL_NEEDED and TEMPLATE_NOT_APPROVED, which say what to do.
 */
export async function chooseCodeTemplate(
  context: Pick<Context, "db">,
  workspaceId: string,
  { locale, preferred }: { readonly locale: Locale | undefined; readonly preferred: Locale },
): Promise<StoredTemplate> {
  const [channels, approved] = await Promise.all([
    listChannels(context, workspaceId),
    sendableTemplates(context.db, workspaceId, {}),
  ]);
  const connected = new Set(
    channels.flatMap(({ id, type, status }) =>
      type === "WHATSAPP" && status === "connected" ? [id] : [],
    ),
  );
  const usable = approved.filter((one) => connected.has(one.channelId) && carriesCode(one));
  const speaking = (wanted: Locale) =>
    usable.find(({ language }) => language === wanted || language.startsWith(`${wanted}_`));
  const chosen = locale ? speaking(locale) : (speaking(preferred) ?? usable[0]);
  if (chosen) return chosen;
  if (connected.size === 0)
    throw new AppError("CHANNEL_NEEDED", {
      details: [
        {
          path: "channel",
          message: "no WhatsApp channel is connected: connect one, or send by sms",
        },
      ],
    });
  const message = `no approved AUTHENTICATION template with one variable, the code${locale ? `, in the language ${locale}` : ""}: make one at the platform (WhatsApp Manager) and read the channel's templates again, or send by sms`;
  throw new AppError("TEMPLATE_NOT_APPROVED", { details: [{ path: "channel", message }] });
}

/** The code is its one variable, and the value of its buttons. */
function carriesCode({ category, components }: StoredTemplate): boolean {
  const needs = templateNeeds(components);
  return (
    category?.toUpperCase() === "AUTHENTICATION" &&
    needs.body.length === 1 &&
    needs.headerText === null &&
    needs.headerMedia === null &&
    needs.unsupported.length === 0
  );
}

/**
 * Sends a code by WhatsApp, before the call answers. The code is stored and logged nowhere: the message is in no thread, and
 * the platform's words are kept without it. It takes a slot of the message quota and counts as sent. `within` runs in the
 * transaction that stores the record. Throws SUBSCRIPTION_SUSPENDED, MESSAGE_LIMIT_REACHED, OTP_RATE_LIMITED. A refusal by
 * the platform is no error but a result with `sent: false`.
 */
export async function sendCodeTemplate(
  actor: Actor,
  context: Context,
  template: StoredTemplate,
  { mobile, code }: { readonly mobile: string; readonly code: string },
  within: (tx: Tx, record: { readonly id: string }) => Promise<void>,
): Promise<SmsResultJson> {
  const { workspaceId, channelId } = template;
  const workspace = await findWorkspace(context, workspaceId);
  if (workspace) await countPasscode(context, workspace, mobile);
  const record: OtpRecord = {
    id: context.ids.next(),
    author: actorName(actor),
    workspaceId,
    providerId: channelId,
    provider: BY_WHATSAPP,
    mobile,
    segments: 0,
    status: "calling",
    errorCode: null,
    error: null,
    providerMessageId: null,
    createdAt: context.clock.now(),
    settledAt: null,
  };
  await begin(context, record, within);
  const buttons = templateNeeds(template.components).buttons.map(({ index }) => ({
    index,
    text: code,
  }));
  const filled = { body: [code], headerText: null, headerMedia: null, buttons };
  const answer = await call(context, record, templateContent(template, filled));
  try {
    const settled = await storeOutcome(() => settle(context, record, answer, code), TRIES_TO_STORE);
    return presentResult(settled);
  } catch (error) {
    if (!isPassingFault(error)) throw error;
    context.log.error(
      { workspaceId, requestId: record.id, ...describeForLog(error) },
      "the outcome of a passcode could not be stored",
    );
    return presentResult({ ...record, ...saidBy(answer.judgement, code) });
  }
}

/** Commits the record and its slot before the first byte leaves. */
async function begin(
  context: Context,
  record: OtpRecord,
  within: (tx: Tx, record: { readonly id: string }) => Promise<void>,
): Promise<void> {
  const { workspaceId, providerId: channelId, createdAt: at } = record;
  await context.db.transaction(async (tx) => {
    await insertRecord(tx, record);
    await within(tx, { id: record.id });
    const want = { workspaceId, count: 1 };
    const reserved = (await reserveSlots(tx, at, [want])).get(workspaceId);
    const spent = { limit: reserved?.limit ?? 0, usage: reserved?.used ?? 0 };
    if (!reserved || reserved.suspended) throw new AppError("SUBSCRIPTION_SUSPENDED", spent);
    if (reserved.granted < 1) throw new AppError("MESSAGE_LIMIT_REACHED", spent);
    await countMessages(tx, [{ workspaceId, channelId, at, sent: 1 }]);
    await emitEvents(context, tx, [...reserved.events]);
  });
}

/** The platform's answer as it is judged, and since when the channel has the secrets that the call used. */
interface Answer {
  readonly judgement: Judgement;
  readonly secretsSince: Date | null;
}

async function call(
  context: Context,
  { workspaceId, id, mobile: to, providerId: channelId, createdAt: begunAt }: OtpRecord,
  template: TemplateContent,
): Promise<Answer> {
  const way = (await openChannels(context, [{ workspaceId, channelId }]))(channelId);
  if ("code" in way)
    return {
      judgement: {
        message: { kind: "failed", code: way.code, detail: way.detail, optedOut: false },
        wider: null,
      },
      secretsSince: null,
    };
  const { type: channelType } = way.account;
  const outcome = await callProvider(
    context,
    { messageId: id, channelType, road: "passcode", begunAt },
    () => way.send({ id, to, content: { kind: "template", template } }),
  );
  const late = {
    ok: false,
    reason: "unreachable",
    code: "",
    detail: "the call began too late and was not made",
  } as const;
  const judgement = judgeOutcome(outcome ?? late, { to, road: "passcode", calls: 1 });
  return { judgement, secretsSince: way.account.secretsSince };
}

/** What a record keeps of the platform's answer. */
function saidBy({ message: judged }: Judgement, code: string) {
  // A passcode is never tried again: it would arrive too late.
  const status = judged.kind === "again" ? ("failed" as const) : judged.kind;
  if (judged.kind === "sent")
    return { status, errorCode: null, error: null, providerMessageId: judged.providerMessageId };
  const none = { providerMessageId: null } as const;
  if (judged.kind === "unknown") return { ...LOST_CALL, ...none, status };
  const words = "code" in judged ? `${judged.code} ${judged.detail}` : "";
  const errorCode: SmsErrorCode = judged.kind === "again" ? "GATEWAY_UNAVAILABLE" : "REJECTED";
  return { ...none, status, errorCode, error: withoutEcho(words.trim(), code).slice(0, 300) };
}

/** Writes the platform's answer, unless a status arrived before it and knows better. Gives the record as it is then. */
async function settle(
  context: Context,
  begun: OtpRecord,
  { judgement, secretsSince }: Answer,
  code: string,
): Promise<OtpRecord> {
  const { workspaceId, mobile: phone, providerId: channelId } = begun;
  const recipient = { phone };
  const call = { workspaceId, recipient, channelId, channelType: "WHATSAPP", secretsSince };
  return context.db.transaction(async (tx) => {
    let record = begun;
    const events = await settleOutcomes(context, tx, [{ ...call, judgement }], async () => {
      const said = saidBy(judgement, code);
      const at = context.clock.now();
      record =
        (await lockRecord(tx, workspaceId, { id: begun.id, providerMessageId: null })) ?? begun;
      const open = record.status === "calling" || record.status === "unknown";
      if (!open || !OTP_MOVES[said.status].includes(record.status)) return [];
      const before = record.status;
      const settled = await updateRecord(tx, record, { ...said, settledAt: at });
      record = settled;
      return [otpEvent(settled, before, at)];
    });
    await emitEvents(context, tx, events);
    return record;
  });
}
