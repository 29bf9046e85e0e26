import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/**
 * Answers with lines of CSV as the caller reads them. The first is read before the answer begins, so that a refusal is
 * still an error.
 */
export async function sendCsv(
  reply: FastifyReply,
  fileName: string,
  rows: AsyncGenerator<string>,
): Promise<FastifyReply> {
  const first = await rows.next();
  return reply
    .header("content-type", "text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${fileName}"`)
    .send(Readable.from(withFirst(first, rows)));
}

async function* withFirst(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
