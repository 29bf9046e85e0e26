import type { FastifyRequest } from "fastify";
import type { RawWebhook } from "../../channels/adapter.ts";
import { bytesOf } from "../edge/read-body.ts";

/** A call as it came: the signed bytes, and all values of a repeated header. */
export function rawWebhook(
  request: FastifyRequest,
  query: Readonly<Record<string, string>>,
): RawWebhook {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers))
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return { body: bytesOf(request), headers, query };
}
