import { actorName } from "../actor.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { HttpFailure } from "../lib/http.ts";
import { media as declared } from "../operations/media.ts";
import type { MediaRecord } from "../wire/media.ts";
import { perform } from "../write.ts";
import type { Media } from "./media.ts";
import { findMedia } from "./open-media.ts";
import { mediaUrl } from "./sign-link.ts";
import { storeUpload } from "./upload-media.ts";

/** How long a file may take. */
const FETCH_MS = 30_000;

type MediaContext = Pick<
  Context,
  "db" | "clock" | "ids" | "config" | "providerHttp" | "guardedHttp" | "sealer"
>;

/**
 * Stores the file behind a public address, for a message to carry. The answer is kept after the file is stored: a repeat
 * after a crash in between fetches it again, and the first copy is deleted with other uploads that no message carries.
 * Throws VALIDATION_FAILED, NOT_FETCHED for an address that is refused or does not give the file, and the errors of
 * `storeUpload`.
 */
export const storeMedia = perform(
  declared.storeMedia,
  async (actor, context: MediaContext, workspaceId, { url, fileName }, { keep }) => {
    if (!URL.canParse(url)) throw invalid("url", "must be an https address");
    const { status, headers, body } = await fetched(context, url);
    if (status < 200 || status > 299) {
      await body[Symbol.asyncIterator]().return?.();
      throw notFetched(`answered ${status}`);
    }
    const mimeType = headers["content-type"];
    const upload = {
      fileName: fileName ?? nameIn(url),
      ...(mimeType !== undefined && { mimeType }),
      body,
    };
    const stored = await storeUpload(context, workspaceId, upload, actorName(actor)).catch(
      (error: unknown) => {
        throw error instanceof HttpFailure ? notFetched("broke off") : error;
      },
    );
    return context.db.transaction((tx) => keep(tx, presentFile(context, stored)));
  },
);

/** One file. Throws NOT_FOUND. */
export const readMedia = perform(
  declared.readMedia,
  async (_actor, context: Pick<Context, "db" | "config" | "sealer">, workspaceId, { id }) => {
    const found = await findMedia(context, workspaceId, id);
    if (!found) throw new AppError("NOT_FOUND", { explanation: "no such file" });
    return presentFile(context, found);
  },
);

async function fetched({ guardedHttp }: MediaContext, url: string) {
  try {
    return await guardedHttp.stream({ method: "GET", url, timeoutMs: FETCH_MS });
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    throw notFetched(
      error.kind === "blocked" ? "must be a public https address" : "could not be reached",
    );
  }
}

const notFetched = (message: string) =>
  new AppError("NOT_FETCHED", { details: [{ path: "url", message }] });

/** The last part of an address as the name of a file. */
function nameIn(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last).slice(0, 200) || "file";
  } catch {
    return "file";
  }
}

/** A file as the API shows it. */
export function presentFile(context: Pick<Context, "config" | "sealer">, one: Media): MediaRecord {
  return {
    id: one.id,
    kind: one.kind,
    status: one.state,
    url: one.state === "stored" ? mediaUrl(context, one) : null,
    mimeType: one.mimeType,
    fileName: one.fileName,
    size: one.size,
    createdAt: one.createdAt.toISOString(),
  };
}
