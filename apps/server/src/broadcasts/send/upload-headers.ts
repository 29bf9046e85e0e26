import { adapterFor } from "../../channels/registry.ts";
import type { Context } from "../../context.ts";
import { httpFor } from "../../lib/check-address.ts";
import { outboundMedia } from "../../media/outbound-media.ts";
import { parkBroadcast } from "../record/broadcast-store.ts";
import {
  claimHeader,
  releaseHeader,
  selectHeaderRef,
  writeHeaderRef,
  type HeaderRef,
} from "../text/header-store.ts";
import type { HeaderFile, NoPlan, SendPlan } from "./plan-sending.ts";

/** Nothing can be sent at this moment: another worker uploads the file, or the platform must be asked again later. */
export interface Wait {
  readonly wait: true;
}

/** The platform keeps a file 30 days (channels.md §2.3). A day less, so that none ends between begin and call. */
const KEPT_MS = 29 * 24 * 60 * 60_000;
/** Longer than the slowest upload; after this time another worker takes over from one that died. */
const LEASE_MS = 10 * 60_000;
const RETRY_MS = 5_000;

/** Uploads the files of a plan's headers, one by one, and gives the plan with which they are sent. */
export async function uploadHeaders(
  context: Context,
  plan: SendPlan,
): Promise<SendPlan | NoPlan | Wait> {
  const refs: (HeaderRef | null)[] = [];
  for (const file of plan.headers ?? []) {
    const ref = file && (await uploadHeader(context, file));
    if (ref !== null && !("ref" in ref)) return ref;
    refs.push(ref);
  }
  const headerOf = (variant: number | null) => refs[variant ?? 0] ?? null;
  return {
    ...plan,
    headerOf,
    fill: (content, variant) => plan.fill(content, variant, headerOf(variant)),
  };
}

/**
 * The file of the header at the platform. It is uploaded once per campaign, because a campaign has one number and
 * its variants may show the same file. It is uploaded again when its time there ends or the platform has lost it.
 * When several workers come together, one uploads it and the others wait.
 */
async function uploadHeader(
  context: Context,
  { broadcast, account }: HeaderFile,
): Promise<HeaderRef | Wait | NoPlan> {
  const adapter = adapterFor(account.type);
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
