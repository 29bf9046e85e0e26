import type { ChannelType } from "../wire/words.ts";
import type { Channel } from "./channel.ts";

const DAY_MS = 86_400_000;
/** A platform that is set up correctly has called by then: its handshake alone is a call. */
const QUIET_MS = 10 * 60_000;

const APP_SECRET = {
  field: "appSecret",
  words: "the app secret (developers.facebook.com > the app > App settings > Basic)",
} as const;

/** The secret that signs a platform's calls, and where a person finds it; null: nobody calls. */
const SIGNED_BY = {
  WHATSAPP: APP_SECRET,
  MESSENGER: APP_SECRET,
  INSTAGRAM: APP_SECRET,
  TELEGRAM: { field: "secretToken", words: "the secret token" },
  TIKTOK: { field: "appSecret", words: "the app secret" },
  WEB: null,
} as const satisfies Record<
  ChannelType,
  { readonly field: "appSecret" | "secretToken"; readonly words: string } | null
>;

type Told = Pick<
  Channel,
  | "type"
  | "status"
  | "statusReason"
  | "syncError"
  | "settings"
  | "sandbox"
  | "createdAt"
  | "lastWebhookAt"
  | "wrongSignatures"
  | "wrongSignaturesSince"
  | "wrongSignatureAt"
  | "wrongVerifyTokenAt"
>;

/** The fault of a channel, as facts. `field` names the value to check, as the channel's form calls it. */
export type ChannelProblem =
  | { readonly kind: "error"; readonly reason: string | null }
  | { readonly kind: "not_set_up"; readonly reason: string }
  | {
      readonly kind: "wrong_signature";
      readonly field: "appSecret" | "secretToken";
      readonly calls: number;
      readonly since: Date;
      /** Calls with the right signature come too, so the others are not the platform's. */
      readonly othersRight: boolean;
    }
  | { readonly kind: "wrong_verify_token"; readonly field: "verifyToken"; readonly at: Date }
  /** The platform has not called since the connect. */
  | { readonly kind: "silent" };

/** The faults of a channel; none for a channel that works or is disconnected. */
export function channelProblems(channel: Told, now: Date): ChannelProblem[] {
  const { status, statusReason, syncError, lastWebhookAt } = channel;
  if (status === "disconnected") return [];
  const problems: ChannelProblem[] = [];
  const lately = (at: Date | null): at is Date =>
    at !== null && now.getTime() - at.getTime() < DAY_MS;
  if (status === "error") problems.push({ kind: "error", reason: statusReason });
  if (syncError !== null && syncError !== statusReason)
    problems.push({ kind: "not_set_up", reason: syncError });
  const signedBy = SIGNED_BY[channel.type];
  const since = channel.wrongSignaturesSince;
  if (signedBy !== null && since !== null && lately(channel.wrongSignatureAt))
    problems.push({
      kind: "wrong_signature",
      field: signedBy.field,
      calls: channel.wrongSignatures,
      since,
      othersRight: lastWebhookAt !== null && lastWebhookAt > since,
    });
  const asked = channel.wrongVerifyTokenAt;
  if (lately(asked) && (lastWebhookAt === null || lastWebhookAt < asked))
    problems.push({ kind: "wrong_verify_token", field: "verifyToken", at: asked });
  const silent =
    lastWebhookAt === null && problems.length === 0 && signedBy !== null && !channel.sandbox;
  if (silent && !isPolled(channel) && now.getTime() - channel.createdAt.getTime() > QUIET_MS)
    problems.push({ kind: "silent" });
  return problems;
}

/**
 * What an operator should know of a channel, a sentence for each fault; none for a channel that works or is
 * disconnected.
 */
export const channelWarnings = (channel: Told, now: Date): string[] =>
  channelProblems(channel, now).map((problem) => wordsOf(channel.type, problem));

function wordsOf(type: ChannelType, problem: ChannelProblem): string {
  switch (problem.kind) {
    case "error":
      return `in error, nothing is sent: ${problem.reason ?? "no reason was given"}`;
    case "not_set_up":
      return `its platform could not be set up or read: ${problem.reason}`;
    case "wrong_signature": {
      const calls = problem.calls === 1 ? "1 call" : `${problem.calls} calls`;
      const what = problem.othersRight
        ? "calls with the right one come as well, so these are not the platform's"
        : `check ${SIGNED_BY[type]?.words ?? "its secret"}`;
      return `${calls} since ${minute(problem.since)} with a wrong signature: ${what}`;
    }
    case "wrong_verify_token":
      return `asked at ${minute(problem.at)} with another verify token: enter the channel's at the platform (developers.facebook.com > the app > WhatsApp > Configuration > Webhook)`;
    case "silent":
      return "its platform has not called yet: enter the channel's webhook address there and subscribe to the fields that docs/operations.md names";
    default:
      return problem satisfies never;
  }
}

const isPolled = ({ settings }: Told): boolean => settings["polling"] === "true";

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
