import { listChannels } from "../../channels/list-channels.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { NIL_ID } from "../../lib/ids.ts";
import { findProvider } from "../../sms/find-provider.ts";
import { NOT_STARTED, type Broadcast } from "../record/broadcast.ts";
import { NO_PARTS } from "../text/check-template.ts";
import {
  audienceCounts,
  selectCandidates,
  type AudienceCount,
  type Candidate,
} from "../text/preview-store.ts";
import { usualRate } from "../send/number-pace.ts";
import { REPLY_DAYS } from "../send/note-replies.ts";
import { audienceOf } from "./audience-of.ts";
import { splitRendering } from "./split.ts";

/** What a campaign can be sent through: a channel, or the workspace's SMS gateway. */
export type Way = Pick<Broadcast, "kind" | "channelId" | "channelType"> & {
  /** The channel's; empty for SMS. */
  readonly name: string;
  /** False: its channel is in error, or its gateway was never tested. */
  readonly ready: boolean;
  /** Messages a minute that such a number may usually send. */
  readonly usualRate: number;
};

/**
 * How many people of an audience a way reaches now, with a message that is sent at any time and shows no fact of
 * them.
 */
export interface Reach {
  readonly way: Way;
  readonly recipients: number;
  readonly skipped: Readonly<Record<string, number>>;
}

const TIMEOUT_MS = 20_000;
/** Ways that are counted, because each count reads all contacts. */
const MOST_WAYS = 6;
const SAMPLE = 8;

/** Every way of the workspace, in the order in which they were connected; SMS, if there is a gateway, last. */
export async function listWays(context: Context, workspaceId: string): Promise<Way[]> {
  const ways: Way[] = [];
  for (const { id, name, type, status } of await listChannels(context, workspaceId)) {
    if (status === "disconnected" || (type !== "WHATSAPP" && type !== "TELEGRAM")) continue;
    const of = {
      kind: type === "WHATSAPP" ? "WHATSAPP_TEMPLATE" : "TEXT",
      channelType: type,
    } as const;
    ways.push({
      ...of,
      channelId: id,
      name,
      ready: status === "connected",
      usualRate: usualRate(of),
    });
  }
  const gateway = await findProvider(context, workspaceId);
  if (gateway !== null) {
    const of = { kind: "SMS", channelType: "WHATSAPP" } as const;
    const ready = gateway.verifiedAt !== null;
    ways.push({ ...of, channelId: null, name: "", ready, usualRate: usualRate(of) });
  }
  return ways;
}

/**
 * The people of an audience before there is a message: how many each way reaches, why others are skipped, and the
 * first people as the first way sees them. Reads every contact once for each way, apart from the pool that
 * requests use. VALIDATION_FAILED (`segmentId`) when the segment is gone.
 */
export async function audienceReach(
  context: Context,
  workspaceId: string,
  segmentId: string | null,
): Promise<{ readonly reaches: readonly Reach[]; readonly sample: readonly Candidate[] }> {
  const now = context.clock.now();
  const ways = (await listWays(context, workspaceId)).slice(0, MOST_WAYS);
  const [first = null] = ways;
  if (first === null) return { reaches: [], sample: [] };
  const bareOf = ({ kind, channelId, channelType }: Way): Broadcast => ({
    ...BARE,
    workspaceId,
    segmentId,
    kind,
    channelId,
    channelType,
    createdAt: now,
  });
  const audience = await audienceOf(context, bareOf(first));
  if (audience === null)
    throw new AppError("VALIDATION_FAILED", {
      details: [{ path: "segmentId", message: "must be a segment of the workspace" }],
    });
  const reaches: Reach[] = [];
  for (const way of ways) {
    const bare = bareOf(way);
    const counts = await context.db.slowQuery<AudienceCount>(
      audienceCounts(bare, audience, splitRendering(bare), now),
      TIMEOUT_MS,
    );
    reaches.push({ way, ...sumOf(counts) });
  }
  const bare = bareOf(first);
  const options = { limit: SAMPLE, now };
  const sample = await selectCandidates(context.db, bare, audience, splitRendering(bare), options);
  return { reaches, sample };
}

/** The recipients, and the skipped ones by reason. An address of two contacts is one recipient. */
export function sumOf(counts: readonly AudienceCount[]): Omit<Reach, "way"> {
  const found = counts.find((one) => one.skip === null) ?? { count: 0, addresses: 0 };
  const skipped: Record<string, number> = {};
  for (const { skip, count } of counts) if (skip !== null) skipped[skip] = count;
  const duplicates = found.count - found.addresses;
  if (duplicates > 0) skipped["duplicate_address"] = duplicates;
  return { recipients: found.addresses, skipped };
}

/** A campaign without a message. */
const BARE: Omit<Broadcast, "kind" | "channelType" | "createdAt"> = {
  ...NOT_STARTED,
  ...NO_PARTS,
  workspaceId: NIL_ID,
  id: NIL_ID,
  name: "",
  channelId: null,
  status: "DRAFT",
  templateId: null,
  body: "-",
  variants: [],
  replyDays: REPLY_DAYS,
  segmentId: null,
  scheduledAt: null,
  timeZone: "UTC",
  localTime: false,
  quietFrom: null,
  quietUntil: null,
  parentId: null,
  parentAll: false,
  parentUnknown: false,
  contactIds: null,
  rateLimitPerMinute: 600,
};
