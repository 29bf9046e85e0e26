import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** A file that is written while it is read. */
interface WrittenFile {
  readonly name: string;
  readonly mediaType: "text/csv" | "application/json";
}

/**
 * Answers with the pieces of a text as the caller reads them. The first is read before the answer begins, so that a refusal
 * is still an error.
 */
export async function sendPieces(
  reply: FastifyReply,
  { name, mediaType }: WrittenFile,
  pieces: AsyncGenerator<string>,
): Promise<FastifyReply> {
  const first = await pieces.next();
  return reply
    .header("content-type", `${mediaType}; charset=utf-8`)
    .header("content-disposition", `attachment; filename="${name}"`)
    .header("cache-control", "no-store")
    .send(Readable.from(withFirst(first, pieces)));
}

async function* withFirst(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
