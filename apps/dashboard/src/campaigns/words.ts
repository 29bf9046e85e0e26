import { faultWord } from "../kit/fault-words.ts";
import { t, type PlainKey, type TextKey } from "../text/t.ts";
import type { Tone } from "../kit/badge.tsx";
import { formatLocale } from "../text/locale.ts";
import type { Campaign, CampaignLine, CampaignWay } from "./contract.ts";
import type { Gap } from "./form.ts";

/** The words for states, reasons and causes of campaigns. */

const STATES = {
  DRAFT: ["campaigns.state.draft", "plain"],
  SCHEDULED: ["campaigns.state.scheduled", "info"],
  QUEUED: ["campaigns.state.queued", "info"],
  RUNNING: ["campaigns.state.running", "accent"],
  PAUSED: ["campaigns.state.paused", "warn"],
  COMPLETED: ["campaigns.state.completed", "ok"],
  CANCELLED: ["campaigns.state.cancelled", "plain"],
  FAILED: ["campaigns.state.failed", "bad"],
} as const satisfies Readonly<Record<CampaignLine["status"], readonly [PlainKey, Tone]>>;

export const stateWord = (status: CampaignLine["status"]): string => t(STATES[status][0]);
export const stateTone = (status: CampaignLine["status"]): Tone => STATES[status][1];

const KINDS = {
  WHATSAPP_TEMPLATE: "campaigns.kind.template",
  TEXT: "campaigns.kind.text",
  SMS: "campaigns.kind.sms",
} as const satisfies Readonly<Record<CampaignLine["kind"], PlainKey>>;
export const kindWord = (kind: CampaignLine["kind"]): string => t(KINDS[kind]);

export const wayWord = ({ kind, name, channelType }: Omit<CampaignWay, "ready" | "usualRate">) =>
  kind === "SMS" ? t("campaigns.kind.sms") : name === "" ? platformWord(channelType) : name;
export const platformWord = (type: Campaign["channelType"]): string =>
  t(`channels.type.${type === "TELEGRAM" ? type : "WHATSAPP"}`);

const SKIPPED: Readonly<Record<string, PlainKey>> = {
  opted_out: "campaigns.skip.opted_out",
  no_address: "campaigns.skip.no_address",
  duplicate_address: "campaigns.skip.duplicate_address",
  window_closed: "campaigns.skip.window_closed",
  missing_variable: "campaigns.skip.missing_variable",
  holdout: "campaigns.skip.holdout",
  erased: "campaigns.skip.erased",
  not_in_audience: "campaigns.skip.not_in_audience",
};
/** Why a recipient is left out. */
export const skipWord = (reason: string): string => {
  const key = SKIPPED[reason];
  return key ? t(key) : reason;
};

/** The advice to a platform's code. */
const ADVICE: Readonly<Record<string, PlainKey>> = {
  OUTCOME_UNKNOWN: "campaigns.fail.unknown.do",
  BROADCAST_CANCELLED: "campaigns.fail.cancelled.do",
  "131026": "campaigns.fail.number.do",
  "131021": "campaigns.fail.number.do",
  "131030": "campaigns.fail.number.do",
  INVALID_NUMBER: "campaigns.fail.number.do",
  UNREACHABLE_NUMBER: "campaigns.fail.again.do",
  "403": "campaigns.fail.blocked.do",
  BLOCKED_BY_RECIPIENT: "campaigns.fail.blocked.do",
  "131050": "campaigns.fail.blocked.do",
  "131047": "campaigns.fail.window.do",
  "131049": "campaigns.fail.healthy.do",
  "130472": "campaigns.fail.healthy.do",
  "131048": "campaigns.fail.spam.do",
  "131000": "campaigns.fail.again.do",
  "131053": "campaigns.fail.media.do",
  "131042": "campaigns.fail.payment.do",
  "131062": "campaigns.fail.userId.do",
  "132001": "campaigns.fail.template.do",
  "132015": "campaigns.fail.template.do",
  "132000": "campaigns.fail.places.do",
  GATEWAY_UNAVAILABLE: "campaigns.fail.again.do",
  GATEWAY_TIMEOUT: "campaigns.fail.again.do",
  GATEWAY_RATE_LIMITED: "campaigns.fail.again.do",
  GATEWAY_CREDIT: "campaigns.fail.credit.do",
};
export const failAdvice = (code: string): string => t(ADVICE[code] ?? "campaigns.fail.other.do");

/** Why the engine stopped or cannot begin, with advice: two sentences. */
const CAUSES: Readonly<Record<string, PlainKey>> = {
  MESSAGE_LIMIT_REACHED: "campaigns.cause.limit",
  SUBSCRIPTION_SUSPENDED: "campaigns.cause.suspended",
  INSUFFICIENT_CREDITS: "campaigns.cause.credits",
  TEMPLATE_NOT_APPROVED: "campaigns.cause.template",
  TEMPLATE_CHANGED: "campaigns.cause.templateChanged",
  SEGMENT_GONE: "campaigns.cause.segment",
  SMS_PROVIDER_NOT_VERIFIED: "campaigns.cause.gateway",
  CHANNEL_ERROR: "campaigns.cause.channel",
  CHANNEL_DISCONNECTED: "campaigns.cause.disconnected",
  HEADER_MEDIA_GONE: "campaigns.cause.file",
  MEDIA_GONE: "campaigns.cause.file",
  SCHEDULE_MISSED: "campaigns.cause.missed",
  THROTTLED: "campaigns.cause.throttled",
  UNREACHED: "campaigns.cause.unreached",
  UNREACHABLE: "campaigns.cause.unreached",
  UNANSWERED: "campaigns.cause.unanswered",
  RECIPIENTS_TIME: "campaigns.cause.quiet",
};
export function causeText(cause: string): string {
  const [code = ""] = cause.split(":");
  const key = CAUSES[code];
  if (key) return t(key);
  const [, failed, of, withCode, platform] =
    /^FAILURE_RATE: (\d+) of (\d+) .* failed, (\d+) of them with (.+)$/.exec(cause) ?? [];
  if (failed !== undefined && of !== undefined)
    return t("campaigns.cause.failures", {
      failed,
      of,
      same: withCode ?? "",
      why: faultWord(platform ?? ""),
    });
  return t("campaigns.cause.other", { cause });
}

const GAPS = {
  name: "campaigns.gap.name",
  way: "campaigns.gap.way",
  template: "campaigns.gap.template",
  body: "campaigns.gap.body",
  places: "campaigns.gap.places",
  file: "campaigns.gap.file",
  shares: "campaigns.gap.shares",
  variantName: "campaigns.gap.variantName",
  rate: "campaigns.gap.rate",
  quiet: "campaigns.gap.quiet",
  time: "campaigns.gap.time",
} as const satisfies Readonly<Record<Gap["what"], TextKey>>;
export const gapWord = ({ what }: Gap): string => t(GAPS[what]);

/** `2 h 5 min`, `40 s`. */
export function durationOf(seconds: number): string {
  // The beginning and the end of a run take seconds of their own.
  if (seconds < 10) return t("campaigns.seconds.few");
  if (seconds < 120) return t("campaigns.seconds", { count: seconds });
  // Whole minutes would be wrong by a quarter at two.
  if (seconds < 600) {
    const tens = Math.round((seconds % 60) / 10) * 10;
    const whole = Math.floor(seconds / 60) + (tens === 60 ? 1 : 0);
    const more = tens === 0 || tens === 60 ? [] : [t("campaigns.seconds", { count: tens })];
    return [t("campaigns.minutes", { count: whole }), ...more].join(" ");
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("campaigns.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0
    ? t("campaigns.hours", { count: hours })
    : `${t("campaigns.hours", { count: hours })} ${t("campaigns.minutes", { count: rest })}`;
}

const formatted = new Intl.ListFormat(formatLocale, { type: "conjunction" });
export const listed = (words: readonly string[]): string => formatted.format(words);
