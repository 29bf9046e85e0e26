import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Door } from "./door.ts";
import type { Face } from "./face.ts";
import { HashedBody } from "./hashed-body.ts";
import { answerOnce, readIdempotencyKey } from "./idempotency.ts";
import { serveOpen, type OpenCall } from "./serve.ts";

/** Stores a file whose bytes arrive, and gives the answer. */
type Store<P> = (call: OpenCall<P>, body: AsyncIterable<Uint8Array>) => Promise<object>;

/**
 * Serves a route of a door to which a file is uploaded, and answers 201; once under an `Idempotency-Key`. The bytes are
 * passed on as they arrive, so a file is never whole in memory. Needs a scope of its own.
 */
export function serveUpload<P, F extends Face>(
  fastify: FastifyInstance,
  context: Context,
  door: Door<P, F>,
  face: NoInfer<F>,
  store: Store<P>,
): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", (_request, payload, parsed) => parsed(null, payload));
  const run = uploader(context, door, face, store);
  const options = { bodyLimit: Number.MAX_SAFE_INTEGER, config: { slowBody: true } } as const;
  serveOpen(fastify, context, door, face, run, options);
}

/** Answers an admitted upload, once under its `Idempotency-Key`. */
export function uploader<P, F extends Face>(
  context: Context,
  door: Door<P, F>,
  face: NoInfer<F>,
  store: Store<P>,
): (call: OpenCall<P>) => Promise<unknown> {
  return async (call) => {
    const { request, reply, principal } = call;
    checkBareFile(request.headers);
    const body = request.body instanceof Readable ? request.body : Readable.from([]);
    const key = readIdempotencyKey(request.headers["idempotency-key"]);
    if (key === undefined) return reply.code(201).send(await store(call, body));
    const hashed = new HashedBody(body, context.config.mediaMaxBytes);
    const answer = await answerOnce(context, {
      call: { ...door.callerOf(principal), key },
      // With its query: the name of a file is part of it.
      request: [face.method, request.url, hashed],
      status: 201,
      run: async () => JSON.stringify(await store(call, hashed.bytes())),
      recover: () => Promise.resolve(null),
      presentError: door.presentError,
    });
    if (answer.replayed) void reply.header("idempotency-replayed", "true");
    void reply.type("application/json; charset=utf-8");
    return reply.code(answer.status).send(answer.body);
  };
}

/**
 * Refuses a body that is not the bytes of the file themselves: a packed one, and a form with a file in it, as `curl -F` and
 * most HTTP libraries send at first. Stored as it arrives, it would be a file that no one can read. Throws UNSUPPORTED_MEDIA_TYPE.
 */
function checkBareFile(headers: IncomingHttpHeaders): void {
  if ((headers["content-encoding"] ?? "identity") !== "identity")
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", {
      explanation: "send the file without Content-Encoding",
    });
  if (/^\s*multipart\//i.test(headers["content-type"] ?? ""))
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", {
      explanation:
        "the body must be the bytes of the file, not a form: curl --data-binary @FILE, not -F",
    });
}
