import type { Context } from "../context.ts";
import type { Config } from "../config.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { leastCount, lockUnsent, selectBytesOf, selectUnsent } from "./unsent-store.ts";

/** Whose upload it is. `author`: as `actorName` writes it; null for all visitors of web chat together. */
export interface UploadPlace {
  readonly workspaceId: string;
  readonly author: string | null;
}

type Limits = Pick<Config, "unsentMaxBytes" | "mediaMaxBytes">;

/** Of a workspace's room, one author may fill an eighth, and all visitors of web chat together a quarter. */
const SHARES = { author: 8, visitors: 4 } as const;

/**
 * The bytes that one author's unsent files may have. A share that is smaller than one largest file grows to it, within
 * the workspace's room.
 */
function shareOf({ unsentMaxBytes, mediaMaxBytes }: Limits, author: string | null): number {
  const share = Math.floor(unsentMaxBytes / (author === null ? SHARES.visitors : SHARES.author));
  return Math.min(unsentMaxBytes, Math.max(share, mediaMaxBytes));
}

/** The refusal of a file for which the unsent files leave no room. */
const unsentFull = (most: number): AppError =>
  new AppError("UNSENT_FILES_FULL", {
    explanation: `files that no message carries yet may have ${most} bytes: send or delete some; what stays unused is removed after a day (PARLEY_UNSENT_MAX_BYTES)`,
  });

interface Used {
  readonly workspace: number;
  readonly author: number;
}

/** Throws UNSENT_FILES_FULL when `more` bytes on top of these are too many. */
function check(limits: Limits, author: string | null, used: Used, more: number): void {
  const share = shareOf(limits, author);
  if (used.author + more > share) throw unsentFull(share);
  if (used.workspace + more > limits.unsentMaxBytes) throw unsentFull(limits.unsentMaxBytes);
}

/** The bytes that arrive in this process at this moment: by workspace, and by author in it. */
const arriving = new WeakMap<Context["db"], Map<string, number>>();

/** The room for one file that arrives: its bytes count from the moment they are here. */
export interface UploadRoom {
  /** The same bytes, counted. Throws UNSENT_FILES_FULL as soon as they are too many. */
  counted(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Ends the count of the bytes that arrived. */
  close(): void;
}

/**
 * Opens the room for an upload. Uploads that arrive at once in this process share what is left; `confirmUnsent` decides
 * between processes. Throws UNSENT_FILES_FULL when nothing is left.
 */
export async function openRoom(
  context: Pick<Context, "db"> & { readonly config: Limits },
  { workspaceId, author }: UploadPlace,
): Promise<UploadRoom> {
  const used = await selectUnsent(context.db, workspaceId, author);
  const places = [workspaceId, `${workspaceId} ${author ?? "visitors"}`] as const;
  const counts = arriving.get(context.db) ?? new Map<string, number>();
  arriving.set(context.db, counts);
  const at = (place: string) => counts.get(place) ?? 0;
  let size = 0;
  const add = (bytes: number) => {
    size += bytes;
    for (const place of places) {
      const now = at(place) + bytes;
      if (now > 0) counts.set(place, now);
      else counts.delete(place);
    }
  };
  const fits = (more: number) => {
    const [workspace, own] = places;
    const all = { workspace: used.workspace + at(workspace), author: used.author + at(own) };
    check(context.config, author, all, more);
  };
  fits(1);
  return {
    async *counted(body) {
      for await (const chunk of body) {
        fits(chunk.length);
        add(chunk.length);
        yield chunk;
      }
    },
    close: () => add(-size),
  };
}

/**
 * Throws UNSENT_FILES_FULL when these kept files have more bytes than the unsent files of their author may have; without
 * an author (the shared ones of a workspace): than those of the workspace may have.
 */
export async function checkKeptBytes(
  tx: Tx,
  limits: Limits,
  { workspaceId, author }: UploadPlace,
  ids: readonly string[],
): Promise<void> {
  const most = author === null ? limits.unsentMaxBytes : shareOf(limits, author);
  if ((await selectBytesOf(tx, workspaceId, ids)) > most) throw unsentFull(most);
}

/** Locks the workspace's unsent files, and throws UNSENT_FILES_FULL when one of `size` bytes is too much. */
export async function confirmUnsent(
  tx: Tx,
  limits: Limits,
  { workspaceId, author }: UploadPlace,
  size: number,
): Promise<void> {
  await lockUnsent(tx, workspaceId);
  check(limits, author, await selectUnsent(tx, workspaceId, author), leastCount(size));
}
