import type { InboundMedia, MediaSource } from "../channels/adapter.ts";
import { loadAccounts, type LoadedAccount } from "../channels/load-accounts.ts";
import { mediaSourceFor } from "../channels/registry.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { failureCode, HttpFailure } from "../lib/http.ts";
import { sourcePlace } from "./attach-inbound.ts";
import {
  FETCH_MS,
  judgeRefusal,
  FETCH_LEASE_MS,
  tryAgain,
  type FetchVerdict,
} from "./fetch-policy.ts";
import {
  claimFetches,
  markFailed,
  markStored,
  postponeFetch,
  releaseFetchesOf,
  type ClaimedMedia,
} from "./fetch-store.ts";
import { cleanFileName, storageKey } from "./media.ts";
import { createMediaHttp } from "./media-http.ts";
import type { StoredFacts } from "./media-store.ts";
import { decideMediaType } from "./media-type.ts";
import { discard, spool, TooLarge, type SpooledFile } from "./spool.ts";
import { StorageFault } from "./storage.ts";
import { storageOf } from "./storage-of.ts";
import { describeForLog } from "../db/describe-for-log.ts";

export { forgetFutureFiles } from "./fetch-store.ts";

/** Fetches that run at once. */
const IN_FLIGHT = 8;
/** Fetches of one channel that run at once: a slow platform must leave room for the others. */
const PER_CHANNEL = 4;

export interface FetcherOptions {
  /** The time for asking and reading, in milliseconds. Default: `FETCH_MS`. */
  readonly fetchMs?: number;
  readonly sourceFor?: (type: LoadedAccount["type"]) => MediaSource | null;
}

/**
 * Runs `settle`, which settles a file, under the lock of the file's message. Writes the facts that it gives into the
 * message's attachments. The message is locked before its files, as in a withdrawal. The folder of messages stands
 * above this one, so it provides this function (`messages/record/settle-attachment.ts`).
 */
export type SettleAttachment = (
  context: Pick<Context, "ids" | "clock" | "wake">,
  tx: Tx,
  file: Pick<ClaimedMedia, "workspaceId" | "messageId" | "id" | "kind">,
  settle: () => Promise<SettledFile | null>,
) => Promise<void>;

/** The facts of a file that was fetched, or of one that never will be. */
export type SettledFile =
  | ({ readonly status: "stored" } & Pick<StoredFacts, "mimeType" | "size" | "fileName">)
  | { readonly status: "failed"; readonly reason: string; readonly detail: string };

/** Fetches files that customers sent. Running fetches go on between rounds, so that one slow file delays no other. */
export interface Fetcher {
  /** Claims due files while there is room, and starts to fetch them. Gives how many. */
  claim(): Promise<number>;
  readonly inFlight: ReadonlySet<Promise<void>>;
  /** Stops the running fetches. Their files are due again at once. */
  stop(): Promise<void>;
}

/** Frees the files that a process which is gone was fetching: they are due now. Gives how many. */
export function freeFetches(tx: Tx, processId: string, now: Date): Promise<number> {
  return releaseFetchesOf(tx, processId, now);
}

/** Makes the fetcher of a process. Claims with leases keep several processes apart. */
export function createFetcher(
  context: Context,
  settleAttachment: SettleAttachment,
  options: FetcherOptions = {},
): Fetcher {
  const inFlight = new Set<Promise<void>>();
  const perChannel = new Map<string, number>();
  const halt = new AbortController();

  const start = (claim: ClaimedMedia, account: LoadedAccount | undefined) => {
    const { channelId } = claim;
    perChannel.set(channelId, (perChannel.get(channelId) ?? 0) + 1);
    const fetch = fetchOne(context, settleAttachment, claim, account, halt.signal, options)
      .catch((error: unknown) => {
        // When its lease ends, the file is tried again.
        const { workspaceId, id } = claim;
        context.log.error(
          { workspaceId, mediaId: id, ...describeForLog(error) },
          "the fetch of a file broke off",
        );
      })
      .finally(() => {
        inFlight.delete(fetch);
        const left = (perChannel.get(channelId) ?? 1) - 1;
        if (left > 0) perChannel.set(channelId, left);
        else perChannel.delete(channelId);
      });
    inFlight.add(fetch);
  };

  async function claimSome(): Promise<number> {
    const limit = Math.min(IN_FLIGHT - inFlight.size, PER_CHANNEL);
    if (limit <= 0 || halt.signal.aborted) return 0;
    const now = context.clock.now();
    const leaseUntil = new Date(now.getTime() + FETCH_LEASE_MS);
    const claims = await claimFetches(context.db, {
      now,
      leaseUntil,
      by: context.life.id,
      limit,
      perChannel: PER_CHANNEL,
      inAir: perChannel,
    });
    if (claims.length === 0) return 0;
    const accounts = await loadAccounts(context, claims);
    for (const claim of claims) start(claim, accounts.get(claim.channelId));
    return claims.length;
  }

  return {
    inFlight,
    async claim() {
      // The oldest files may all belong to one channel with little room. Once that channel has none left, files of
      // other channels are found.
      let started = 0;
      for (let more = 1; more > 0 && started < IN_FLIGHT; started += more) more = await claimSome();
      return started;
    },
    async stop() {
      halt.abort();
      await Promise.all(inFlight);
    },
  };
}

async function fetchOne(
  context: Context,
  settleAttachment: SettleAttachment,
  claim: ClaimedMedia,
  account: LoadedAccount | undefined,
  halt: AbortSignal,
  options: FetcherOptions,
): Promise<void> {
  const verdict = await attempt(context, claim, account, halt, options);
  const now = context.clock.now();
  if (verdict === "stopped") return postponeFetch(context.db, claim, now, false);
  if (verdict.kind === "retry") {
    const at = new Date(now.getTime() + verdict.afterMs);
    return postponeFetch(context.db, claim, at, true);
  }
  await context.db.transaction((tx) =>
    settleAttachment(context, tx, claim, async () => {
      if (verdict.kind === "failed") {
        const { reason, detail } = verdict;
        const marked = await markFailed(tx, claim, reason, detail);
        return marked ? { status: "failed", reason, detail } : null;
      }
      const { mimeType, size, fileName } = verdict.facts;
      const marked = await markStored(tx, claim, verdict.facts);
      return marked ? { status: "stored", mimeType, size, fileName } : null;
    }),
  );
}

type Verdict = FetchVerdict | { readonly kind: "stored"; readonly facts: StoredFacts };

/** One try, up to the bytes in the store. */
async function attempt(
  context: Context,
  claim: ClaimedMedia,
  account: LoadedAccount | undefined,
  halt: AbortSignal,
  options: FetcherOptions,
): Promise<Verdict | "stopped"> {
  if (!account)
    return {
      kind: "failed",
      reason: "channel_disconnected",
      detail: "The channel was disconnected before the file was fetched.",
    };
  const source = (options.sourceFor ?? mediaSourceFor)(account.type);
  if (!source)
    return { kind: "failed", reason: "unsupported", detail: "Files of this channel are not read." };

  const late = AbortSignal.timeout(options.fetchMs ?? FETCH_MS);
  const http = createMediaHttp(context, account, AbortSignal.any([halt, late]));
  let file: SpooledFile | undefined;
  try {
    const opened = await source.open(http, account, mediaOf(context, claim));
    if (halt.aborted) return "stopped";
    if (!opened.ok) return http.refused ? BLOCKED : judgeRefusal(opened, claim.attempts);
    const name = `${claim.id}.${claim.attempts}`;
    const { mediaMaxBytes, dataDir } = context.config;
    // The other side names the length, so it is not trusted. But a file that is announced as too large need not be
    // read.
    if ((opened.size ?? 0) > mediaMaxBytes) return await tooLarge(opened.body, mediaMaxBytes);
    file = await spool(dataDir, name, opened.body, mediaMaxBytes, context.config);
    const claimed = claim.mimeType ?? opened.mimeType;
    const facts: StoredFacts = {
      mimeType: await decideMediaType(claimed, file.head),
      fileName: claim.fileName ?? cleanFileName(opened.fileName),
      size: file.size,
      sha256: file.sha256,
    };
    await storageOf(context).put(storageKey(claim), file);
    return { kind: "stored", facts };
  } catch (error) {
    if (file) await discard(file);
    if (halt.aborted) return "stopped";
    if (error instanceof TooLarge) return TOO_LARGE(context.config.mediaMaxBytes);
    if (http.refused) return BLOCKED;
    if (error instanceof HttpFailure)
      return tryAgain(claim.attempts, "unreachable", failureCode(error));
    // The disk or the object store failed, or an adapter has a defect. The log shows which.
    const { workspaceId, id } = claim;
    context.log.error(
      { workspaceId, mediaId: id, ...describeForLog(error) },
      "a fetched file could not be stored",
    );
    const detail =
      error instanceof StorageFault ? error.message : "The file could not be written here.";
    return tryAgain(claim.attempts, "not_stored", detail);
  }
}

const BLOCKED: FetchVerdict = {
  kind: "failed",
  reason: "blocked_address",
  detail: "The file's address is not a public https address.",
};

const TOO_LARGE = (most: number): FetchVerdict => ({
  kind: "failed",
  reason: "too_large",
  detail: `The file is larger than ${most} bytes (PARLEY_MEDIA_MAX_BYTES).`,
});

async function tooLarge(body: AsyncIterable<Uint8Array>, most: number): Promise<FetchVerdict> {
  // Leaving the loop ends the connection.
  for await (const _ of body) break;
  return TOO_LARGE(most);
}

function mediaOf(context: Pick<Context, "sealer">, claim: ClaimedMedia): InboundMedia {
  const { kind, mimeType, fileName, size, sourceSealed } = claim;
  const source = JSON.parse(
    context.sealer.open(sourceSealed, sourcePlace(claim)),
  ) as InboundMedia["source"];
  return { attachment: 0, kind, source, mimeType, fileName, size };
}
