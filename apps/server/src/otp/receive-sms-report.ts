import { setConsent, type ConsentChange } from "../contacts/consent/set-consent.ts";
import { ownWordsFor } from "../contacts/consent/own-words.ts";
import { readConsentWord, type OwnWords } from "../contacts/consent/stop-words.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { findRecipients } from "../messages/receive/find-recipients.ts";
import { notAfter } from "../messages/receive/plan-messages.ts";
import { withoutRepeatedSms } from "../messages/receive/remember-sms.ts";
import { repayUnsent } from "../messages/send/repay-unsent.ts";
import { settleMessages } from "../messages/record/settle-messages.ts";
import { inboundNumber } from "../sms/inbound-number.ts";
import { keptId, type InboundSms, type SmsAccount, type SmsReceipt } from "../sms/provider.ts";
import { refundCredits } from "../workspaces/credits.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { selectMobiles } from "./otp-store.ts";
import { settleOtpReceipts } from "./settle-receipts.ts";

/** What a gateway told us of an account: in one call, over a link, or when asked. */
export interface SmsReport {
  readonly receipts: readonly SmsReceipt[];
  readonly inbound: readonly InboundSms[];
}

type Account = Pick<SmsAccount, "workspaceId" | "providerId"> & {
  readonly settings?: SmsAccount["settings"];
};

/**
 * Takes in what a gateway told us, in one transaction. The caller has verified that it comes from the gateway. Statuses
 * move; stop words, and receipts that say that the recipient opted out, change the consent. We send no answer to a stop
 * word: gateways and networks do (Twilio), and two confirmations are one too many.
 */
export async function receiveSmsReport(
  context: Context,
  account: Account,
  { receipts: given, inbound }: SmsReport,
): Promise<void> {
  const receipts = given.map(storable);
  if (receipts.length === 0 && inbound.length === 0) return;
  await context.db.transaction(async (tx) => {
    // Contacts come first in the order of locks.
    const own = await ownWordsFor(
      tx,
      inbound.map(({ text }) => ({ workspaceId: account.workspaceId, text })),
    );
    const words = own.get(account.workspaceId);
    const wishes = inbound.flatMap((one) => wishOf(context, account, one, words));
    const now = context.clock.now();
    const fresh = await withoutRepeatedSms(tx, account, wishes, now);
    const changes = fresh.map(({ change }) => change);
    changes.push(...(await refusedBy(context, tx, account, receipts)));
    const events = await setConsent(context, tx, changes);
    events.push(...(await settleReceipts(context, tx, account, receipts)));
    await emitEvents(context, tx, events);
  });
}

/**
 * The receipt without NUL, which PostgreSQL cannot hold. Otherwise the call would fail and come again for ever, with
 * all other receipts in it.
 */
function storable(receipt: SmsReceipt): SmsReceipt {
  const held = (words: string | null) => words?.replaceAll("\0", "") ?? null;
  const externalMessageId = keptId(receipt.externalMessageId);
  const words = { errorCode: held(receipt.errorCode), errorDetail: held(receipt.errorDetail) };
  return { ...receipt, externalMessageId, ...words };
}

/**
 * Settles receipts of passcodes and of campaigns' messages. Gives back the credits of messages that the gateway refused
 * late.
 */
async function settleReceipts(
  context: Context,
  tx: Tx,
  account: Account,
  receipts: readonly SmsReceipt[],
): Promise<NewEvent[]> {
  const { workspaceId } = account;
  const { events, others, refused } = await settleOtpReceipts(context, tx, account, receipts);
  const settlements = others.map((receipt) => ({
    workspaceId,
    messageId: receipt.correlationId,
    channelId: null,
    providerMessageId: receipt.externalMessageId,
    status: receipt.status,
    at: receipt.occurredAt ?? context.clock.now(),
    errorCode: receipt.errorCode,
    errorMessage: receipt.errorDetail ?? receipt.smsCode,
    ...(receipt.scope && { scope: receipt.scope }),
  }));
  const moved = await settleMessages(context, tx, settlements);
  const unsent = new Map(
    others.flatMap((one) => (one.refused ? [[one.correlationId, one.refused.partsTaken]] : [])),
  );
  await repayUnsent(
    tx,
    moved.filter(({ data }) => "messageId" in data && unsent.has(data.messageId)),
    unsent,
  );
  if (refused > 0) await refundCredits(tx, workspaceId, refused);
  return [...events, ...moved];
}

/**
 * What an SMS from a customer asks for. There is no inbox for SMS. A stop word counts for the number all the same,
 * whether or not a contact has it. A call that the gateway repeats counts once.
 */
function wishOf(
  context: Pick<Context, "clock">,
  account: Account,
  { externalMessageId, from, text, national, wish: told, writtenAt }: InboundSms,
  own: OwnWords | undefined,
): { readonly externalMessageId: string; readonly change: ConsentChange }[] {
  const read = readConsentWord(text, { own });
  const wish = told ?? read?.wish;
  const countryCode = account.settings?.["countryCode"];
  const phone = inboundNumber(from, { countryCode, ...(national !== undefined && { national }) });
  if (wish === undefined || phone === null) return [];
  const now = context.clock.now();
  const change = {
    workspaceId: account.workspaceId,
    contactId: null,
    phone,
    optedOut: wish === "stop",
    source: "stop_word",
    channelType: "SMS",
    // A gateway can be set up with any text as a stop word. Such a text is not kept.
    detail: read?.word ?? wish,
    // A START that the gateway sends late must not lift the STOP after it.
    at: notAfter(writtenAt ?? now, now),
  };
  return [{ externalMessageId, change }];
}

/**
 * The opt-outs that receipts tell: for the number of a passcode, or for the contact of a campaign's message. A receipt that
 * the gateway repeats counts once, so that it undoes no START since.
 */
async function refusedBy(
  context: Pick<Context, "clock">,
  tx: Tx,
  account: Account,
  receipts: readonly SmsReceipt[],
): Promise<ConsentChange[]> {
  const { workspaceId } = account;
  const refused = receipts.filter((one) => one.status === "failed" && one.optedOut === true);
  if (refused.length === 0) return [];
  const mobiles = await selectMobiles(tx, workspaceId, refused);
  const contacts = await findRecipients(
    tx,
    refused.map((one) => ({ ...one, workspaceId, channelId: null })),
  );
  const now = context.clock.now();
  const found = refused.flatMap((receipt, index): AskedChange[] => {
    const [phone, contactId] = [mobiles[index] ?? null, contacts[index] ?? null];
    const { errorCode: detail, occurredAt, correlationId } = receipt;
    const externalMessageId = `refused ${receipt.externalMessageId} ${correlationId ?? ""}`;
    const signal = { source: "platform", channelType: "SMS", detail } as const;
    const change = {
      workspaceId,
      optedOut: true,
      ...signal,
      at: occurredAt ?? now,
    };
    if (phone !== null)
      return [{ externalMessageId, change: { ...change, contactId: null, phone } }];
    return contactId === null ? [] : [{ externalMessageId, change: { ...change, contactId } }];
  });
  return (await withoutRepeatedSms(tx, account, found, now)).map(({ change }) => change);
}

/** A change of consent, and the message or report that asks for it. */
interface AskedChange {
  readonly externalMessageId: string;
  readonly change: ConsentChange;
}
