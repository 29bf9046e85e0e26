import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { readJson } from "../../read-json.ts";

/** Keeps the bodies of a scope as bytes until the checks before them passed and their route is known to need one. */
export function bufferBytes(fastify: FastifyInstance, types: "*" | RegExp = "*"): void {
  fastify.addContentTypeParser(types, { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
}

/** The body of a request as it came. */
export function bytesOf({ body }: { readonly body?: unknown }): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** A `Content-Type` that says JSON. */
export const JSON_TYPE = /^application\/json *(;|$)/i;

/** Whether a `Content-Type` says JSON. */
export function isJson(type: string | undefined): type is string {
  return type !== undefined && JSON_TYPE.test(type);
}

/**
 * A body that must be plain JSON in UTF-8 and must say so. An empty body reads as undefined. Throws
 * UNSUPPORTED_MEDIA_TYPE and the errors of `readJson`, which says what `apart` is.
 */
export function readJsonBody(
  request: Pick<FastifyRequest, "headers" | "body">,
  apart: readonly string[] = [],
): unknown {
  const bytes = bytesOf(request);
  const type = request.headers["content-type"];
  if (bytes.length === 0 && (isJson(type) || type === undefined)) return undefined;
  if (!saysPlainJson(request)) throw notPlainJson();
  return readJson(bytes, apart);
}

const notPlainJson = (): AppError =>
  new AppError("UNSUPPORTED_MEDIA_TYPE", {
    explanation:
      "send the header Content-Type: application/json; the body is JSON in UTF-8, without Content-Encoding",
  });

/** Whether the headers say that the body is plain JSON in UTF-8. */
export function saysPlainJson({ headers }: Pick<FastifyRequest, "headers">): boolean {
  const type = headers["content-type"];
  const charset = /charset *= *"?([\w-]+)/i.exec(type ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  const encoding = headers["content-encoding"] ?? "identity";
  return isJson(type) && charset === "utf-8" && encoding === "identity";
}
