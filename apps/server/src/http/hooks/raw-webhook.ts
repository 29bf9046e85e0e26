import type { FastifyRequest } from "fastify";
import type { RawWebhook } from "../../channels/adapter.ts";
import { bytesOf } from "../edge/read-body.ts";

/** A call as it came: the bytes that were signed, and of a header given twice all of it. */
export function rawWebhook(
  request: FastifyRequest,
  query: Readonly<Record<string, string>>,
): RawWebhook {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers))
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return { body: bytesOf(request), headers, query };
}
