import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { handedOutAs } from "../../media/file-ending.ts";
import { servedAs } from "../../media/media-type.ts";
import type { Media } from "../../media/media.ts";
import { findMedia, openMedia } from "../../media/open-media.ts";
import { readLink } from "../../media/sign-link.ts";
import { readRange } from "./byte-range.ts";
import { contentDisposition } from "./content-disposition.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

type MediaContext = Pick<Context, "db" | "config" | "sealer" | "providerHttp" | "clock" | "log">;

/** Protects against a file that is not what it seems: nothing in it runs, whatever a browser takes it for. */
const SAFE = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  // Shown in chats on other sites.
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
} as const;

/**
 * `GET /media/{id}/{signature}`: gives a file to anybody with its address. 404 for an address that we never gave
 * out and for a file that is gone, truncated or never came, 503 `MEDIA_PENDING` while it is fetched. Ranges for
 * sound and film.
 */
export function registerMedia(fastify: FastifyInstance, context: MediaContext): void {
  fastify.route<{ Params: { id: string; signature: string } }>({
    method: ["GET", "HEAD"],
    url: "/media/:id/:signature",
    exposeHeadRoute: false,
    handler: (request, reply) => serve(context, request, reply),
  });
}

async function serve(
  context: MediaContext,
  request: FastifyRequest<{ Params: { id: string; signature: string } }>,
  reply: FastifyReply,
): Promise<unknown> {
  const { id, signature } = request.params;
  const key = readLink(context, id, signature);
  const media = key && (await findMedia(context, key.workspaceId, key.id));
  // The address never ends, so neither does a browser's copy.
  return answerFile(context, request, reply, media, "private, max-age=31536000, immutable");
}

/**
 * Answers with the bytes of a file, or the part that `Range` asks for. `cacheControl`: how long a browser may keep it.
 * Throws NOT_FOUND for none, one that failed and
 * one that is truncated, MEDIA_PENDING while it is fetched.
 */
export async function answerFile(
  context: MediaContext,
  request: FastifyRequest,
  reply: FastifyReply,
  media: Media | null,
  cacheControl: string,
): Promise<unknown> {
  if (!media || media.state === "failed") throw new AppError("NOT_FOUND");
  const { size, sha256 } = media;
  if (media.state === "pending" || size === null || sha256 === null)
    throw new AppError("MEDIA_PENDING", { retryAfterSeconds: 5 });

  const etag = `"${sha256}"`;
  const kept = { ...SAFE, etag, "cache-control": cacheControl };
  if (matches(request.headers["if-none-match"], etag)) return reply.headers(kept).code(304).send();
  const condition = request.headers["if-range"];
  const range =
    condition === undefined || condition === etag ? readRange(request.headers.range, size) : null;
  if (range === "unsatisfiable")
    return reply.code(416).header("content-range", `bytes */${size}`).send();

  // An empty file has no range to ask the store for, and HEAD needs none.
  const none = request.method === "HEAD" || size === 0;
  // Opened before the answer begins: an error must not carry the file's headers.
  const body = none ? undefined : await bytes(context, media, range ?? undefined);
  const { type, inline } = servedAs(media.mimeType);
  reply.code(range ? 206 : 200).headers({
    ...kept,
    "accept-ranges": "bytes",
    "content-type": type,
    "content-length": range ? range.end - range.start + 1 : size,
    "content-disposition": contentDisposition(inline, handedOutAs(media.fileName, media)),
    ...(range && { "content-range": `bytes ${range.start}-${range.end}/${size}` }),
  });
  return reply.send(body);
}

async function bytes(
  context: MediaContext,
  media: Media,
  range: Parameters<typeof openMedia>[2],
): Promise<Readable> {
  let body;
  try {
    body = await openMedia(context, media, range);
  } catch (error) {
    context.log.error({ mediaId: media.id, ...describeForLog(error) }, "media cannot be read");
    throw new AppError("OVERLOADED", { retryAfterSeconds: 5 });
  }
  if (body === null) {
    context.log.error({ mediaId: media.id }, "media is missing in the store, or not whole");
    throw new AppError("NOT_FOUND");
  }
  return Readable.from(body, { objectMode: false }).once("error", (error: unknown) =>
    // Its length is promised by then, so the connection is cut: nobody may take the part for the whole.
    context.log.error({ mediaId: media.id, ...describeForLog(error) }, "media broke off"),
  );
}

/** RFC 9110, 13.1.2: a list, weak or strong, or everything. */
const matches = (given: string | undefined, etag: string): boolean =>
  given?.split(",").some((one) => ["*", etag, `W/${etag}`].includes(one.trim())) ?? false;
