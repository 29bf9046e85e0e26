import type { OutboundMessage, SendOutcome } from "../channels/adapter.ts";
import { loadAccounts, type LoadedAccount } from "../channels/load-accounts.ts";
import { adapterFor } from "../channels/registry.ts";
import type { Context } from "../context.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import { isPassingFault } from "../db/passing-fault.ts";
import { httpFor } from "../lib/check-address.ts";
import { Count } from "../lib/counts.ts";
import { loadSmsAccount } from "../sms/find-provider.ts";
import type { OutboundSms, SmsAccount, SmsLines, SmsOutcome } from "../sms/provider.ts";
import { smsProviderFor } from "../sms/registry.ts";
import { CHANNEL_TYPES, type ChannelType } from "../wire/words.ts";
import { ROADS, type Road } from "./judge-outcome.ts";

const sends = new Count(
  "parley_sends_total",
  "Calls to platforms and SMS gateways that send something, by channel and outcome",
  {
    channel: [...CHANNEL_TYPES, "SMS"],
    outcome: [
      "sent",
      "rejected",
      "throttled",
      "unreachable",
      "opted_out",
      "misconfigured",
      "unknown",
    ],
  },
);

/** A channel over which we can send now, with its secrets opened. */
export interface OpenChannel {
  readonly account: LoadedAccount;
  readonly send: (message: OutboundMessage) => Promise<SendOutcome>;
}

/** The reason why nothing can be sent over a channel. `gone` means for good. */
export interface ClosedChannel {
  readonly code: "CHANNEL_DISCONNECTED" | "CHANNEL_ERROR";
  readonly detail: string;
  readonly gone: boolean;
}

const DISCONNECTED: ClosedChannel = {
  code: "CHANNEL_DISCONNECTED",
  detail: "The channel is not connected any more.",
  gone: true,
};
const IN_ERROR: ClosedChannel = {
  code: "CHANNEL_ERROR",
  detail: "The platform refuses the channel's account.",
  gone: false,
};
/**
 * Opens channels for sending, with one read for all. The returned function gives for each channel how to send over it,
 * or why nothing can be sent.
 */
export async function openChannels(
  context: Context,
  keys: readonly { readonly workspaceId: string; readonly channelId: string }[],
): Promise<(channelId: string) => OpenChannel | ClosedChannel> {
  const accounts = await loadAccounts(context, keys);
  return (channelId) => {
    const account = accounts.get(channelId);
    if (account === undefined) return DISCONNECTED;
    if (account.status === "error") return IN_ERROR;
    const adapter = adapterFor(account.type);
    const send = (message: OutboundMessage) =>
      adapter.send(httpFor(context, account), account, message);
    return { account, send };
  };
}

/** A workspace's own SMS gateway, with its secrets opened. */
export interface OpenGateway {
  readonly account: SmsAccount;
  readonly send: (sms: OutboundSms) => Promise<SmsOutcome>;
}

/** Opens the workspace's gateway. Null when no gateway of the workspace has passed a test send. */
export async function openGateway(
  context: Pick<Context, "db" | "sealer" | "config"> & SmsLines,
  workspaceId: string,
): Promise<OpenGateway | null> {
  const loaded = await loadSmsAccount(context, workspaceId);
  if (!loaded?.verified) return null;
  const { account } = loaded;
  const send = (sms: OutboundSms) => smsProviderFor(account.provider).send(context, account, sms);
  return { account, send };
}

/** Our own code failed during a call: nobody can say how far the call got. */
export type CallDefect = typeof DEFECT;
const DEFECT = {
  ok: false,
  reason: "unknown",
  code: "INTERNAL",
  detail: "the call was cut off: nobody knows whether the message went",
} as const;

interface ProviderCall {
  readonly messageId: string;
  readonly channelType: ChannelType | "SMS";
  readonly road: Road;
  /** When its intent was committed. */
  readonly begunAt: Date;
}

/**
 * Makes one call to a provider. Its intent was committed at `begunAt`. Null means that the call was too late and was
 * not made. An error that `send` throws is our own defect, and its outcome is unknown. The text of the message is never
 * logged.
 */
export async function callProvider<O extends SendOutcome>(
  context: Pick<Context, "clock" | "log">,
  call: ProviderCall,
  send: () => Promise<O>,
): Promise<O | CallDefect | null> {
  const { messageId, channelType: channel, road, begunAt } = call;
  if (context.clock.now().getTime() - begunAt.getTime() > ROADS[road].startWithinMs) {
    context.log.warn({ messageId, road }, "a call began too late and was not made");
    return null;
  }
  try {
    const outcome = await send();
    sends.add({ channel, outcome: outcome.ok ? "sent" : outcome.reason });
    return outcome;
  } catch (error) {
    sends.add({ channel, outcome: DEFECT.reason });
    // The error's message could contain the text, so only its name and place are logged.
    const { error: defect, at } = describeForLog(error);
    context.log.error({ messageId, road, defect, at }, "a send broke off");
    return DEFECT;
  }
}

/** How often we try to store an outcome, while the database is away or after any other error. */
interface Tries {
  readonly whileAway: number;
  readonly otherwise: number;
}

/**
 * Stores an outcome, and tries again until the database is back. An outcome that is not stored may end as unknown
 * although we know it. The waits are a quarter of a second, then a second each.
 */
export async function storeOutcome<T>(store: () => Promise<T>, tries: Tries): Promise<T> {
  for (let failures = 0; ;) {
    try {
      return await store();
    } catch (error) {
      failures++;
      if (failures >= (isPassingFault(error) ? tries.whileAway : tries.otherwise)) throw error;
      await new Promise((resolve) => setTimeout(resolve, failures === 1 ? 250 : 1_000));
    }
  }
}
