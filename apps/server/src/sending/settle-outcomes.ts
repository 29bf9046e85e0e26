import { failChannel, throttleChannel } from "../channels/fail-channel.ts";
import { setConsent, type ConsentChange } from "../contacts/consent/set-consent.ts";
import { rememberIdentities } from "../contacts/identity/remember-identities.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import type { Judgement } from "./judge-outcome.ts";

/** An ended call, with what concerns its recipient and its channel. */
interface JudgedCall {
  readonly workspaceId: string;
  /** A contact, or the number of a passcode. */
  readonly recipient: { readonly contactId: string } | { readonly phone: string };
  /** Null: SMS. */
  readonly channelId: string | null;
  /** A channel's type, or SMS. */
  readonly channelType: string;
  /**
   * The time since which the account has the secrets that the call used. A fault of the secrets counts only while the
   * channel still has them.
   */
  readonly secretsSince: Date | null;
  readonly judgement: Judgement;
}

/**
 * Writes the effects of ended calls beyond their messages, for replies, campaigns and passcodes alike. In between,
 * `storeMessages` writes the messages and what belongs to them. So there is one order of locks: ids of contacts,
 * contacts, messages, queues, channels. A channel is turned to `error` only for credentials that it still has, and
 * waits no longer than the judgement says. Returns the events, which the caller emits last.
 */
export async function settleOutcomes(
  context: Pick<Context, "clock" | "ids" | "sealer">,
  tx: Tx,
  calls: readonly JudgedCall[],
  storeMessages: () => Promise<readonly NewEvent[]>,
): Promise<NewEvent[]> {
  const at = context.clock.now();
  await rememberIdentities(
    context,
    tx,
    calls.flatMap(({ workspaceId, channelId, channelType, recipient, judgement: { message } }) =>
      channelId !== null &&
      "contactId" in recipient &&
      message.kind === "sent" &&
      message.knownAs.length > 0
        ? [
            {
              workspaceId,
              channelId,
              channelType,
              contactId: recipient.contactId,
              externalIds: message.knownAs,
            },
          ]
        : [],
    ),
  );
  const events = await setConsent(
    context,
    tx,
    calls.flatMap((call) => optOutOf(call, at)),
  );
  events.push(...(await storeMessages()));
  events.push(...(await settleChannels(context, tx, calls, at)));
  return events;
}

/** The platform or gateway reports that the recipient stopped us. */
function optOutOf(
  { workspaceId, recipient, channelId, channelType, judgement: { message } }: JudgedCall,
  at: Date,
): ConsentChange[] {
  if (message.kind !== "failed" || !message.optedOut) return [];
  const change = {
    workspaceId,
    optedOut: true,
    source: "platform",
    channelType,
    channelId,
    detail: message.code,
    at,
  } as const;
  return "contactId" in recipient
    ? [{ ...change, contactId: recipient.contactId }]
    : [{ ...change, contactId: null, phone: recipient.phone }];
}

/**
 * Writes the channels in the order of their ids. Each waits for the longest wait that was asked of it. It fails once
 * for each set of secrets.
 */
async function settleChannels(
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  calls: readonly JudgedCall[],
  at: Date,
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  const told = calls.filter(({ channelId, judgement }) => channelId !== null && judgement.wider);
  const byChannel = Map.groupBy(told, ({ channelId }) => channelId ?? "");
  for (const [channelId, own] of [...byChannel].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const workspaceId = own[0]?.workspaceId ?? "";
    const waits = own.flatMap(({ judgement: { wider } }) =>
      wider?.kind === "throttled" ? [wider.waitMs] : [],
    );
    if (waits.length > 0) {
      const until = new Date(at.getTime() + Math.max(...waits));
      await throttleChannel(tx, workspaceId, channelId, until);
    }
    const faults = own.flatMap(({ judgement: { wider }, secretsSince }) =>
      wider?.kind === "channel_fault" ? [{ ...wider, secretsSince }] : [],
    );
    const bySecrets = new Map(faults.map((fault) => [fault.secretsSince?.getTime(), fault]));
    for (const fault of bySecrets.values())
      events.push(...(await failChannel(context, tx, workspaceId, channelId, fault)));
  }
  return events;
}
