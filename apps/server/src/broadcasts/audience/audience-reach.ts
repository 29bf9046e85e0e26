import { listChannels } from "../../channels/list-channels.ts";
import type { Context } from "../../context.ts";
import { QueryTimeout } from "../../db/database.ts";
import type { Sql } from "../../db/sql.ts";
import { AppError } from "../../errors.ts";
import { NIL_ID } from "../../lib/ids.ts";
import { findProvider } from "../../sms/find-provider.ts";
import { NOT_STARTED, type Broadcast } from "../record/broadcast.ts";
import { NO_PARTS } from "../text/check-template.ts";
import {
  audienceCounts,
  firstCandidates,
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

/** How many people of an audience a way reaches, and how many others are left out for which reason. */
export interface Reach {
  readonly recipients: number;
  readonly skipped: Readonly<Record<string, number>>;
}

/** The audience in question: a segment, or everyone (null); and the way, a channel or the SMS gateway (null). */
export interface ReachQuestion {
  readonly segmentId: string | null;
  readonly channelId: string | null;
}

const COUNT_MS = 20_000;
const SAMPLE_MS = 3_000;
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
 * How many people one way reaches now, with a message that is sent at any time and shows no fact of them. Null: it took
 * longer than 20 s. Reads every contact, apart from the pool that requests use. VALIDATION_FAILED (`segmentId`) when the
 * segment is gone, NOT_FOUND when the way is.
 */
export async function reachAudience(
  context: Context,
  workspaceId: string,
  question: ReachQuestion,
): Promise<Reach | null> {
  const { bare, audience, now } = await asked(context, workspaceId, question);
  const counts = await inTime<AudienceCount>(
    context,
    audienceCounts(bare, audience, splitRendering(bare), now),
    COUNT_MS,
  );
  return counts && sumOf(counts);
}

/**
 * The first people of the audience as the way sees them. Null: they were not found within 3 s, because few fit. Errors as
 * of `reachAudience`.
 */
export async function sampleAudience(
  context: Context,
  workspaceId: string,
  question: ReachQuestion,
): Promise<readonly Candidate[] | null> {
  const { bare, audience, now } = await asked(context, workspaceId, question);
  const statement = firstCandidates(bare, audience, splitRendering(bare), { limit: SAMPLE, now });
  return inTime<Candidate>(context, statement, SAMPLE_MS);
}

/** A campaign by the way, without a message, and its audience as a condition. */
async function asked(
  context: Context,
  workspaceId: string,
  { segmentId, channelId }: ReachQuestion,
): Promise<{ readonly bare: Broadcast; readonly audience: Sql; readonly now: Date }> {
  const ways = await listWays(context, workspaceId);
  const way = ways.find((one) => one.channelId === channelId);
  if (!way) throw new AppError("NOT_FOUND");
  const { kind, channelType } = way;
  const now = context.clock.now();
  const of = { workspaceId, segmentId, kind, channelId, channelType, createdAt: now };
  const bare: Broadcast = { ...BARE, ...of };
  const audience = await audienceOf(context, bare);
  if (audience === null)
    throw new AppError("VALIDATION_FAILED", {
      details: [{ path: "segmentId", message: "must be a segment of the workspace" }],
    });
  return { bare, audience, now };
}

/** The rows of a slow read; null when it took longer. */
async function inTime<Row extends object>(
  { db }: Pick<Context, "db">,
  statement: Sql,
  ms: number,
): Promise<Row[] | null> {
  try {
    return await db.slowQuery<Row>(statement, ms, "planned each time");
  } catch (error) {
    if (error instanceof QueryTimeout) return null;
    throw error;
  }
}

/** The recipients, and the skipped ones by reason. An address of two contacts is one recipient. */
export function sumOf(counts: readonly AudienceCount[]): Reach {
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
