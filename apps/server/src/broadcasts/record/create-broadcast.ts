import { write } from "../../write.ts";
import { listChannels } from "../../channels/list-channels.ts";
import { audit } from "../../workspaces/write-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, invalid, type FaultDetail } from "../../errors.ts";
import { isTimeZone } from "../../lib/time-zone.ts";
import { retainUpload } from "../../media/retain-upload.ts";
import { findSegment } from "../../segments/find-segment.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { broadcastStatusEvent, NOT_STARTED, type Broadcast } from "./broadcast.ts";
import type { BroadcastChannelType, BroadcastKind } from "../../wire/words.ts";
import { insertBroadcast } from "./broadcast-store.ts";
import {
  checkParts,
  checkTemplateParts,
  NO_PARTS,
  type TemplateParts,
} from "../text/check-template.ts";
import { REPLY_DAYS, REPLY_DAYS_MAX } from "../send/note-replies.ts";
import { usualRate } from "../send/number-pace.ts";
import { RATE_CEILING, RATE_FLOOR } from "../send/pace.ts";
import { armsOf } from "../audience/split.ts";
import { checkVariants, firstArm, type NewVariant } from "../audience/split-input.ts";

export interface NewBroadcast {
  readonly name: string;
  readonly kind: BroadcastKind;
  /** Required, except for SMS, which has none. */
  readonly channelId?: string | null;
  readonly templateId?: string | null;
  /** TEXT and SMS; may use placeholders. */
  readonly body?: string | null;
  /** Texts of the template's body parameters by number ("1") or by the template's own name. */
  readonly variables?: Readonly<Record<string, string>>;
  /** For the template's header: the text of its variable, or the uploaded file (`uploadMedia`) that it shows. */
  readonly header?: { readonly text?: string; readonly mediaId?: string };
  /**
   * The values for the template's buttons, by their index from "0": the end of an address, a payload, a code to
   * copy.
   */
  readonly buttons?: Readonly<Record<string, string>>;
  /** None: all contacts who have not opted out. */
  readonly segmentId?: string | null;
  /** Set: the campaign is created as SCHEDULED. Must be in the future. */
  readonly scheduledAt?: Date | null;
  /** IANA name, for its times and for recipients without a `timezone` attribute. Default: the workspace's. */
  readonly timeZone?: string;
  /** The wall clock of `scheduledAt` counts in each recipient's own zone. */
  readonly localTime?: boolean;
  /** Minutes of the recipient's day between which nothing is sent; may span midnight. */
  readonly quietHours?: { readonly from: number; readonly until: number };
  readonly rateLimitPerMinute?: number;
  /** A/B: two or more texts, each with its share of the audience, instead of body, template and variables. */
  readonly variants?: readonly NewVariant[];
  /** A/B: the share of the audience that gets nothing, for comparison. Shares and hold-out add up to 1. */
  readonly holdoutShare?: number;
  /** How many days after its send a recipient's message counts as a reply, 1 to 30; 3 by default. */
  readonly replyDays?: number;
}

/** The longest body: WhatsApp's and Telegram's text, and ten joined SMS segments, the most that gateways take. */
const MAX_BODY = { TEXT: 4_096, SMS: 1_600 } as const;

export interface WithinOptions {
  /** Runs in the transaction of the effect, before its commit. */
  readonly within?: ((tx: Tx, result: Broadcast) => Promise<void>) | undefined;
}

/**
 * Creates a campaign, DRAFT or SCHEDULED, after checking that it can be sent as it stands. Every fault is
 * `VALIDATION_FAILED` with the name of the field (contract §5, Broadcast transitions).
 */
export const createBroadcast = write(
  "broadcast.create",
  async (
    actor,
    context: Context,
    workspaceId: string,
    asked: NewBroadcast,
    options: WithinOptions = {},
  ): Promise<Broadcast> => {
    const broadcast = await prepareBroadcast(context, workspaceId, asked);
    await context.db.transaction(async (tx) => {
      await retainHeaderFiles(tx, broadcast);
      await insertBroadcast(tx, broadcast);
      await audit(actor, context, tx, workspaceId, {
        action: "broadcast.created",
        subject: broadcast.id,
      });
      await options.within?.(tx, broadcast);
      await emitEvents(context, tx, [broadcastStatusEvent(broadcast, null, broadcast.createdAt)]);
    });
    return broadcast;
  },
);

/** The campaign that this input would create, checked, not stored. Errors as `createBroadcast`. */
export async function prepareBroadcast(
  context: Context,
  workspaceId: string,
  asked: NewBroadcast,
): Promise<Broadcast> {
  const now = context.clock.now();
  const input = firstArm(asked);
  const name = checkBasics(input, now);
  const channelType = await checkChannel(context, workspaceId, input);
  const variants = await checkVariants(asked, (arm) => {
    checkBasics(arm, now);
    return partsOf(context, workspaceId, arm);
  });
  const parts = await partsOf(context, workspaceId, input);
  const { segmentId = null } = input;
  if (segmentId !== null && (await findSegment(context.db, workspaceId, segmentId)) === null)
    throw invalid("segmentId", "must be a segment of the workspace");
  return {
    workspaceId,
    id: context.ids.next(),
    name,
    channelId: input.channelId ?? null,
    channelType,
    kind: input.kind,
    status: input.scheduledAt ? "SCHEDULED" : "DRAFT",
    templateId: input.templateId ?? null,
    body: input.body ?? null,
    ...parts,
    variants,
    replyDays: input.replyDays ?? REPLY_DAYS,
    segmentId,
    scheduledAt: input.scheduledAt ?? null,
    timeZone: input.timeZone ?? (await findWorkspace(context, workspaceId))?.timeZone ?? "UTC",
    localTime: input.localTime ?? false,
    quietFrom: input.quietHours?.from ?? null,
    quietUntil: input.quietHours?.until ?? null,
    parentId: null,
    parentAll: false,
    parentUnknown: false,
    contactIds: null,
    rateLimitPerMinute: input.rateLimitPerMinute ?? usualRate({ kind: input.kind, channelType }),
    ...NOT_STARTED,
    createdAt: now,
  };
}

/** Keeps the files of its headers. Throws `VALIDATION_FAILED` by name. */
export async function retainHeaderFiles(tx: Tx, broadcast: Broadcast): Promise<void> {
  const { workspaceId, variants } = broadcast;
  for (const [place, { headerMediaId }] of armsOf(broadcast).entries())
    if (headerMediaId !== null && !(await retainUpload(tx, { workspaceId, id: headerMediaId })))
      throw invalid(
        `${variants.length > 0 ? `variants[${place}].` : ""}header.media`,
        "must be a file that was uploaded to the workspace",
      );
}

async function partsOf(
  context: Context,
  workspaceId: string,
  input: NewBroadcast,
): Promise<TemplateParts> {
  return input.kind === "WHATSAPP_TEMPLATE"
    ? checkTemplateParts(context, workspaceId, input)
    : NO_PARTS;
}

/** Checks what needs no reading. Gives the name as it is stored. */
function checkBasics(input: NewBroadcast, now: Date): string {
  const name = input.name.trim();
  const rate = input.rateLimitPerMinute;
  const template = input.kind === "WHATSAPP_TEMPLATE";
  const details: FaultDetail[] = [];
  const refuse = (path: string, message: string) => details.push({ path, message });
  if (name === "" || Array.from(name).length > 200) refuse("name", "must have 1 to 200 characters");
  if (rate !== undefined && !(Number.isInteger(rate) && rate >= RATE_FLOOR && rate <= RATE_CEILING))
    refuse("rateLimitPerMinute", `must be a whole number from ${RATE_FLOOR} to ${RATE_CEILING}`);
  if (input.scheduledAt && !(input.scheduledAt > now))
    refuse("scheduledAt", "must be in the future");
  if (input.timeZone !== undefined && !isTimeZone(input.timeZone))
    refuse("timeZone", "must be a time zone like Asia/Kuwait");
  const { from, until } = input.quietHours ?? { from: 0, until: 1 };
  if (
    ![from, until].every((one) => Number.isInteger(one) && one >= 0 && one < 1_440) ||
    from === until
  )
    refuse("quietHours", "must be two different times of the day");
  const { replyDays = REPLY_DAYS } = input;
  if (!(Number.isInteger(replyDays) && replyDays >= 1 && replyDays <= REPLY_DAYS_MAX))
    refuse("replyDays", `must be a whole number from 1 to ${REPLY_DAYS_MAX}`);
  if (input.kind === "SMS" && input.channelId) refuse("channelId", "must be left out for SMS");
  if (input.kind !== "SMS" && !input.channelId) refuse("channelId", `is needed for ${input.kind}`);
  if (template && !input.templateId) refuse("templateId", "is needed for WHATSAPP_TEMPLATE");
  if (!template && input.templateId) refuse("templateId", `must be left out for ${input.kind}`);
  checkParts(input, refuse);
  if (input.kind === "WHATSAPP_TEMPLATE") {
    if (input.body)
      refuse("body", "must be left out for WHATSAPP_TEMPLATE: the template is the body");
  } else {
    const length = input.body?.length ?? 0;
    if (!input.body?.trim()) refuse("body", `is needed for ${input.kind}`);
    else if (length > MAX_BODY[input.kind])
      refuse("body", `must have at most ${MAX_BODY[input.kind]} characters`);
  }
  if (details.length > 0) throw new AppError("VALIDATION_FAILED", { details });
  return name;
}

/**
 * SMS uses WHATSAPP's address, the phone number (contract §5). Bulk sends on Meta's other channels break its
 * policy.
 */
export async function checkChannel(
  context: Context,
  workspaceId: string,
  input: Pick<NewBroadcast, "kind" | "channelId">,
): Promise<BroadcastChannelType> {
  if (!input.channelId) return "WHATSAPP";
  const channels = await listChannels(context, workspaceId);
  const channel = channels.find((one) => one.id === input.channelId);
  if (channel === undefined || channel.status === "disconnected")
    throw invalid("channelId", "must be a connected channel of the workspace");
  if (channel.type === "WHATSAPP") return "WHATSAPP";
  if (channel.type === "TELEGRAM" && input.kind === "TEXT") return "TELEGRAM";
  throw invalid(
    "channelId",
    input.kind === "TEXT" ? "must be a WhatsApp or Telegram channel" : "must be a WhatsApp channel",
  );
}
