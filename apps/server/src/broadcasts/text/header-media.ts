import type { ChannelAccount, ChannelAdapter } from "../../channels/adapter.ts";
import type { Context } from "../../context.ts";
import type { Media } from "../../media/media.ts";
import { findMedia } from "../../media/open-media.ts";
import { httpFor } from "../../lib/check-address.ts";
import { outboundMedia } from "../../media/outbound-media.ts";
import { HEADER_MEDIA, type HeaderMedia } from "../../templates/template-needs.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { parkBroadcast } from "../record/broadcast-store.ts";
import { claimHeader, releaseHeader, selectHeaderRef, writeHeaderRef } from "./header-store.ts";

/** A file at the platform: every send whose header shows it names it. */
export interface HeaderRef {
  readonly ref: string;
  /** When it was uploaded there. */
  readonly at: Date;
}

/** Nothing can be sent at this moment: another worker uploads the file, or the platform must be asked again later. */
export interface Wait {
  readonly wait: true;
}

/** The platform keeps a file 30 days (channels.md §2.3). A day less, so that none ends between begin and call. */
const KEPT_MS = 29 * 24 * 60 * 60_000;
/** Longer than the slowest upload; after this time another worker takes over from one that died. */
const LEASE_MS = 10 * 60_000;
const RETRY_MS = 5_000;

/** The file of the campaign's header with its kind; null when it has none or the file is gone. */
export async function findHeaderMedia(
  context: Pick<Context, "db">,
  broadcast: Pick<Broadcast, "workspaceId" | "headerMediaId">,
): Promise<(Omit<Media, "kind"> & { readonly kind: HeaderMedia }) | null> {
  if (broadcast.headerMediaId === null) return null;
  const media = await findMedia(context, broadcast.workspaceId, broadcast.headerMediaId);
  const kind = HEADER_MEDIA.find((one) => one === media?.kind);
  return media?.state === "stored" && kind !== undefined ? { ...media, kind } : null;
}

/**
 * The file of the header at the platform. It is uploaded once per campaign, because a campaign has one number and
 * its variants may show the same file. It is uploaded again when its time there ends or the platform has lost it.
 * When several workers come together, one uploads it and the others wait.
 */
export async function uploadHeader(
  context: Context,
  broadcast: Broadcast,
  adapter: ChannelAdapter,
  account: ChannelAccount,
): Promise<HeaderRef | Wait | { readonly stop: string; readonly gone: boolean }> {
  const now = context.clock.now();
  const oldest = new Date(now.getTime() - KEPT_MS);
  const mediaId = broadcast.headerMediaId ?? "";
  const header = { workspaceId: broadcast.workspaceId, id: broadcast.id, mediaId };
  const known = await selectHeaderRef(context.db, header);
  if (known !== null && known.at > oldest) return known;
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const mine = await claimHeader(context.db, header, { now, oldest, leaseUntil });
  if (!mine) return { wait: true };
  try {
    const media = await outboundMedia(context, { workspaceId: header.workspaceId, id: mediaId });
    if (media === null || adapter.uploadMedia === undefined)
      return { stop: "HEADER_MEDIA_GONE", gone: false };
    const given = await adapter.uploadMedia(httpFor(context, account), account, media);
    if (given.ok) {
      const ref = { ref: given.id, at: context.clock.now() };
      await writeHeaderRef(context.db, header, ref);
      return ref;
    }
    if (given.reason === "unreachable" || given.reason === "throttled") {
      const wait = given.retryAfterMs ?? RETRY_MS;
      const at = context.clock.now();
      const until = new Date(at.getTime() + wait);
      const why = { cause: given.reason.toUpperCase(), at };
      await context.db.transaction((tx) => parkBroadcast(tx, broadcast, until, why));
      return { wait: true };
    }
    return { stop: `${given.code}: header.media: ${given.detail}`, gone: false };
  } finally {
    await releaseHeader(context.db, header, leaseUntil);
  }
}
