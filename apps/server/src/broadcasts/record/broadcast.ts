import type { NewEvent } from "../../webhooks/event.ts";
import type { BroadcastJson } from "../../wire/broadcast.ts";
import type { BroadcastChannelType, BroadcastKind, BroadcastStatus } from "../../wire/words.ts";
import type { Variant } from "../audience/split.ts";

/**
 * Every move of a campaign: trigger → from → to (spec, Broadcast status; contract §5, Broadcast transitions).
 * Applied as one conditional update, so two racing calls cannot both succeed. No other move exists.
 */
export const TRANSITIONS = {
  /** A person starts or resumes. */
  start: { DRAFT: "QUEUED", SCHEDULED: "QUEUED", PAUSED: "RUNNING" },
  schedule: { DRAFT: "SCHEDULED" },
  unschedule: { SCHEDULED: "DRAFT" },
  /** The scheduled time came. */
  due: { SCHEDULED: "QUEUED" },
  /** The scheduled time passed too long ago while no process ran: a person decides. */
  miss: { SCHEDULED: "DRAFT" },
  /** The whole audience is stored. */
  stored: { QUEUED: "RUNNING" },
  /** It cannot run: template no longer approved, channel gone. */
  fail: { QUEUED: "FAILED" },
  pause: { RUNNING: "PAUSED" },
  /** The engine stops with a reason: allowance, suspension, credentials, template. */
  halt: { RUNNING: "PAUSED" },
  /** No recipient is open any more. */
  complete: { RUNNING: "COMPLETED" },
  /** A person asked to send again to recipients with an unknown outcome: some are open again. */
  reopen: { COMPLETED: "RUNNING" },
  cancel: {
    DRAFT: "CANCELLED",
    SCHEDULED: "CANCELLED",
    QUEUED: "CANCELLED",
    RUNNING: "CANCELLED",
    PAUSED: "CANCELLED",
  },
} as const satisfies Record<string, Partial<Record<BroadcastStatus, BroadcastStatus>>>;
export type Trigger = keyof typeof TRANSITIONS;

export interface ButtonText {
  /** The button's index in the template, from 0. */
  readonly index: number;
  readonly kind: "url" | "quick_reply" | "copy_code";
  readonly text: string;
}

/** A campaign as it is stored. Counts are of recipients; `sentCount` includes delivered and read ones. */
export interface Broadcast {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  /** Null for SMS. */
  readonly channelId: string | null;
  readonly channelType: BroadcastChannelType;
  readonly kind: BroadcastKind;
  readonly status: BroadcastStatus;
  /** Why the engine paused or failed it: an upper-case word, or the platform's code and words. */
  readonly statusReason: string | null;
  readonly templateId: string | null;
  readonly body: string | null;
  /** Texts of the template's body parameters, including placeholders. */
  readonly variables: readonly string[];
  /** Text of the template header's variable, including placeholders. */
  readonly headerText: string | null;
  /** The file of the template's header. */
  readonly headerMediaId: string | null;
  /** The values for the template's buttons, including placeholders. */
  readonly buttonTexts: readonly ButtonText[];
  /** A/B: two or more, and the fields above are the first one's; else none. */
  readonly variants: readonly Variant[];
  /** How many days after its send a recipient's message counts as a reply, and an opt-out as caused. */
  readonly replyDays: number;
  /** Null: all contacts who have not opted out. */
  readonly segmentId: string | null;
  readonly scheduledAt: Date | null;
  /** IANA name: for its times, and for recipients without a zone of their own. */
  readonly timeZone: string;
  /** The scheduled wall clock counts in each recipient's zone. */
  readonly localTime: boolean;
  /** Minutes of the recipient's day between which nothing is sent; both or neither. */
  readonly quietFrom: number | null;
  readonly quietUntil: number | null;
  /** The zones of its recipients, "" for the campaign's own. */
  readonly zones: readonly string[];
  /**
   * A resend: its audience is the failed recipients of that campaign (`parentAll`: also those with a bad number;
   * `parentUnknown`: also those with an unknown outcome).
   */
  readonly parentId: string | null;
  readonly parentAll: boolean;
  readonly parentUnknown: boolean;
  /** A test: only these contacts. */
  readonly contactIds: readonly string[] | null;
  readonly rateLimitPerMinute: number;
  readonly totalCount: number;
  readonly sentCount: number;
  readonly deliveredCount: number;
  readonly readCount: number;
  readonly failedCount: number;
  readonly skippedCount: number;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly createdAt: Date;
}

/** What a campaign has before it starts. */
export const NOT_STARTED = {
  zones: [""],
  totalCount: 0,
  sentCount: 0,
  deliveredCount: 0,
  readCount: 0,
  failedCount: 0,
  skippedCount: 0,
  statusReason: null,
  startedAt: null,
  completedAt: null,
} as const satisfies Partial<Broadcast>;

/** The campaign as the API and its events show it. */
export function presentBroadcast(broadcast: Broadcast): BroadcastJson {
  return {
    id: broadcast.id,
    name: broadcast.name,
    ...(broadcast.channelId === null ? {} : { channelId: broadcast.channelId }),
    channelType: broadcast.channelType,
    kind: broadcast.kind,
    status: broadcast.status,
    templateId: broadcast.templateId,
    body: broadcast.body,
    scheduledAt: broadcast.scheduledAt?.toISOString() ?? null,
    rateLimitPerMinute: broadcast.rateLimitPerMinute,
    totalCount: broadcast.totalCount,
    sentCount: broadcast.sentCount,
    deliveredCount: broadcast.deliveredCount,
    readCount: broadcast.readCount,
    failedCount: broadcast.failedCount,
    skippedCount: broadcast.skippedCount,
    createdAt: broadcast.createdAt.toISOString(),
  };
}

/** The event of a campaign that just changed its status, with the whole campaign (contract §5). */
export function broadcastStatusEvent(
  broadcast: Broadcast,
  previousStatus: BroadcastStatus | null,
  at: Date,
): NewEvent {
  return {
    workspaceId: broadcast.workspaceId,
    type: "broadcast.status",
    data: {
      previousStatus,
      status: broadcast.status,
      reason: broadcast.statusReason,
      broadcast: presentBroadcast(broadcast),
      occurredAt: at.toISOString(),
    },
  };
}
