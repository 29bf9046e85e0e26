import { write } from "../write.ts";
import { actorName } from "../actor.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { cleanFileName, storageKey, type Media } from "./media.ts";
import { finishUpload, insertUpload } from "./media-store.ts";
import { kindOf } from "./media-fit.ts";
import { decideMediaType } from "./media-type.ts";
import { refusedFile } from "./refused-file.ts";
import { discard, DiskFull, spool, TooLarge } from "./spool.ts";
import { StorageFault } from "./storage.ts";
import { storageOf } from "./storage-of.ts";
import { confirmUnsent, openRoom } from "./unsent-room.ts";

/** An upload that no message takes within this time is removed. */
export const UNUSED_MS = 24 * 60 * 60_000;

export interface NewUpload {
  readonly fileName: string;
  /** The type that the sender names. The bytes decide (`decideMediaType`). */
  readonly mimeType?: string;
  readonly body: AsyncIterable<Uint8Array>;
}

type UploadContext = Pick<Context, "db" | "clock" | "ids" | "config" | "providerHttp">;

/** Stores a file that a message of ours will carry, with the actor as its author. Errors: as `storeUpload`. */
export const uploadMedia = write(
  "media.upload",
  (actor, context: UploadContext, workspaceId: string, input: NewUpload): Promise<Media> =>
    storeUpload(context, workspaceId, input, actorName(actor)),
);

/**
 * Stores a file before the message that carries it. It is read as a stream and is never whole in memory. A file that no
 * message takes within 24 hours is removed. `author`: as `actorName` writes it, null for a customer. Errors:
 * VALIDATION_FAILED (`name`, empty file), BODY_TOO_LARGE beyond PARLEY_MEDIA_MAX_BYTES, UNSENT_FILES_FULL when the
 * author or the workspace has too many bytes that no message carries (`unsent-room.ts`), STORAGE_FULL while the disk is
 * nearly full, OVERLOADED while the object store cannot be reached. An error of the body is passed on.
 */
export async function storeUpload(
  context: UploadContext,
  workspaceId: string,
  input: NewUpload,
  author: string | null,
): Promise<Media> {
  const fileName = cleanFileName(input.fileName);
  if (fileName === null) throw invalid("name", "must be the name of a file");
  const key = { workspaceId, id: context.ids.next() };
  const now = context.clock.now();
  const { dataDir, mediaMaxBytes } = context.config;
  const place = { workspaceId, author };
  const room = await openRoom(context, place);
  let file;
  try {
    const body = room.counted(input.body);
    file = await spool(dataDir, `${key.id}.upload`, body, mediaMaxBytes, context.config);
  } catch (error) {
    room.close();
    if (error instanceof TooLarge)
      throw new AppError("BODY_TOO_LARGE", {
        explanation: `the file is larger than ${mediaMaxBytes} bytes (PARLEY_MEDIA_MAX_BYTES)`,
      });
    throw asBusy(error);
  }
  try {
    if (file.size === 0) throw refusedFile("body", { code: "file.empty" });
    if (isNameOf(input.fileName, file))
      throw invalid(
        "body",
        "is the name of the file: send the bytes of it (curl --data-binary @FILE)",
      );
    const mimeType = await decideMediaType(input.mimeType ?? null, file.head);
    // The row comes first: bytes without a row would stay in the store for ever.
    const deleteAt = new Date(now.getTime() + UNUSED_MS);
    const { size, sha256 } = file;
    await context.db.transaction(async (tx) => {
      await confirmUnsent(tx, context.config, place, size);
      await insertUpload(tx, { ...key, fileName, author, size, deleteAt, now });
    });
    await storageOf(context).put(storageKey(key), file);
    const facts = { kind: kindOf(mimeType), mimeType, fileName, size, sha256 };
    const media = await finishUpload(context.db, key, facts);
    if (!media) throw new Error("the upload was swept while it came in");
    return media;
  } catch (error) {
    throw asBusy(error);
  } finally {
    room.close();
    await discard(file);
  }
}

/** The longest name or path that is compared with a body. */
const LONGEST_PATH = 1_024;

/** Files of these endings may hold their own name. */
const OF_TEXT = /\.(?:txt|md|log|json|xml|html?)$/i;

/** Whether a body is the name of its file or a path to it, as a program sends that forgot to open the file. */
function isNameOf(fileName: string, { size, head }: { size: number; head: Uint8Array }): boolean {
  if (size > LONGEST_PATH) return false;
  const text = Buffer.from(head.subarray(0, size)).toString("utf8");
  const last = text.split(/[/\\]/).at(-1);
  return last === fileName && /\.\w+$/.test(fileName) && !OF_TEXT.test(fileName);
}

function asBusy(error: unknown): unknown {
  if (error instanceof DiskFull)
    return new AppError("STORAGE_FULL", {
      retryAfterSeconds: 60,
      explanation: `${error.message}: free some of it, or lower PARLEY_DISK_RESERVE`,
    });
  if (!(error instanceof StorageFault)) return error;
  return new AppError("OVERLOADED", { retryAfterSeconds: 60, explanation: error.message });
}
