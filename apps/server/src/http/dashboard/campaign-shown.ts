import type { Way } from "../../broadcasts/audience/audience-reach.ts";
import type { Variant } from "../../broadcasts/audience/split.ts";
import type { Broadcast } from "../../broadcasts/record/broadcast.ts";
import { presentRecord } from "../../broadcasts/record/present-record.ts";
import { findBroadcast } from "../../broadcasts/record/find-broadcast.ts";
import type { ReportedRecipient } from "../../broadcasts/report/list-recipients.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { tagOfRecord } from "../../lib/version-tag.ts";
import { findMedia } from "../../media/open-media.ts";
import { memberFileAddress } from "../../media/sign-link.ts";
import { findSegment } from "../../segments/find-segment.ts";
import { templateNeeds } from "../../templates/template-needs.ts";
import type { TemplateJson } from "../../wire/template.ts";
import type {
  Campaign,
  CampaignRecipient,
  CampaignLine,
  CampaignTemplate,
  CampaignWay,
} from "./contract/campaign-shapes.ts";

/** What the dashboard shows of campaigns. */

export function rowOf(broadcast: Broadcast): CampaignLine {
  const { id, name, kind, channelId, channelType, status, statusReason, parentId } = broadcast;
  const { totalCount, sentCount, deliveredCount, readCount, failedCount, skippedCount } = broadcast;
  return {
    id,
    name,
    kind,
    channelId,
    channelType,
    status,
    statusReason,
    parentId,
    isTest: broadcast.contactIds !== null,
    scheduledAt: broadcast.scheduledAt?.toISOString() ?? null,
    startedAt: broadcast.startedAt?.toISOString() ?? null,
    completedAt: broadcast.completedAt?.toISOString() ?? null,
    createdAt: broadcast.createdAt.toISOString(),
    totalCount,
    sentCount,
    deliveredCount,
    readCount,
    failedCount,
    skippedCount,
  };
}

/** The whole campaign with the names of what it refers to. */
export async function showCampaign(context: Context, broadcast: Broadcast): Promise<Campaign> {
  const { workspaceId, segmentId, parentId, quietFrom, quietUntil } = broadcast;
  const [segment, parentName, text, ...arms] = await Promise.all([
    segmentId === null ? null : findSegment(context.db, workspaceId, segmentId),
    parentId === null ? null : nameOf(context, workspaceId, parentId),
    textOf(context, workspaceId, broadcast),
    ...broadcast.variants.map((variant) => textOf(context, workspaceId, variant)),
  ]);
  const variants = broadcast.variants.flatMap(({ name, share }, place) => {
    const arm = arms[place];
    return arm ? [{ name, share, ...arm }] : [];
  });
  return {
    ...rowOf(broadcast),
    ...text,
    variants,
    parentName,
    segmentId,
    segmentName: segment?.name ?? null,
    timeZone: broadcast.timeZone,
    localTime: broadcast.localTime,
    quietFrom,
    quietUntil,
    replyDays: broadcast.replyDays,
    rateLimitPerMinute: broadcast.rateLimitPerMinute,
    now: context.clock.now().toISOString(),
    etag: tagOfRecord(presentRecord(broadcast)),
  };
}

/** The name of a campaign; null when it is gone. */
async function nameOf(context: Context, workspaceId: string, id: string): Promise<string | null> {
  try {
    return (await findBroadcast(context, workspaceId, id)).name;
  } catch (error) {
    if (error instanceof AppError && error.code === "BROADCAST_NOT_FOUND") return null;
    throw error;
  }
}

async function textOf(
  context: Context,
  workspaceId: string,
  text: Broadcast | Variant,
): Promise<Omit<Campaign["variants"][number], "name" | "share">> {
  const { body, templateId, variables, headerText, headerMediaId } = text;
  const media = headerMediaId && (await findMedia(context, workspaceId, headerMediaId));
  return {
    body,
    templateId,
    variables,
    headerText,
    headerFile: media
      ? {
          id: media.id,
          fileName: media.fileName,
          kind: media.kind,
          url: memberFileAddress(media.id),
        }
      : null,
    buttonTexts: text.buttonTexts.map(({ index, text: words }) => ({ index, text: words })),
  };
}

export const wayOf = ({ kind, channelId, channelType, ...way }: Way): CampaignWay => ({
  kind,
  channelId,
  channelType,
  ...way,
});

export function templateOf(template: TemplateJson): CampaignTemplate {
  const { id, channelId, name, language, category = null, components } = template;
  const { body, headerText, headerMedia, buttons, unsupported } = templateNeeds(components);
  const needs = {
    body,
    headerText,
    headerMedia,
    buttons: buttons.map(({ index, kind, required }) => ({ index, kind, required })),
    unsupported,
  };
  return { id, channelId, name, language, category, components, needs };
}

export function recipientShown(one: ReportedRecipient, { variants }: Broadcast): CampaignRecipient {
  const { contactId, name, address, status, reason, detail, conversationId, variant } = one;
  const at = one.readAt ?? one.deliveredAt ?? one.sentAt ?? one.settledAt ?? one.calledAt;
  return {
    contactId,
    name,
    address,
    status,
    reason,
    detail,
    conversationId,
    variant: variant === null ? null : (variants[variant]?.name ?? null),
    at: at?.toISOString() ?? null,
    repliedAt: one.repliedAt?.toISOString() ?? null,
  };
}
