import { Readable } from "node:stream";
import type { FastifyInstance, RouteShorthandOptions } from "fastify";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { HashedBody } from "../edge/hashed-body.ts";
import { answerOnce, readIdempotencyKey } from "../edge/idempotency.ts";
import { serveOpen, type OpenCall } from "../edge/serve.ts";
import type { AppFace } from "./contract/face.ts";
import { memberDoor, type Caller, type MemberCaller } from "./member-door.ts";

type MemberCall = Omit<OpenCall<Caller>, "principal"> & { readonly caller: MemberCaller };

/** Serves a face for members whose answer or body is not JSON: a stream, a file. Needs a scope of its own. */
export function serveMember(
  fastify: FastifyInstance,
  context: Context,
  face: AppFace,
  answer: (call: MemberCall) => Promise<unknown>,
  options: Pick<RouteShorthandOptions, "bodyLimit" | "config"> = {},
): void {
  serveOpen(
    fastify,
    context,
    memberDoor(context),
    face,
    async ({ principal: caller, ...call }) => {
      if (caller.kind !== "member") throw new AppError("UNAUTHENTICATED");
      return answer({ ...call, caller });
    },
    options,
  );
}

/**
 * Serves a face to which members upload a file, and answers 201; once under an `Idempotency-Key`. The bytes are passed
 * on as they arrive, so a file is never whole in memory. Needs a scope of its own.
 */
export function serveUpload(
  fastify: FastifyInstance,
  context: Context,
  face: AppFace,
  store: (call: MemberCall, body: AsyncIterable<Uint8Array>) => Promise<object>,
): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", (_request, payload, parsed) => parsed(null, payload));
  serveMember(
    fastify,
    context,
    face,
    async (call) => {
      const { request, reply, caller } = call;
      const body = request.body instanceof Readable ? request.body : Readable.from([]);
      const key = readIdempotencyKey(request.headers["idempotency-key"]);
      if (key === undefined) return reply.code(201).send(await store(call, body));
      const door = memberDoor(context);
      const hashed = new HashedBody(body, context.config.mediaMaxBytes);
      const answer = await answerOnce(context, {
        call: { ...door.callerOf(caller), key },
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
    },
    { bodyLimit: Number.MAX_SAFE_INTEGER, config: { slowBody: true } },
  );
}

/** Lines of CSV after a byte order mark, without which a spreadsheet misreads Arabic. An import skips the mark. */
export async function* withMark(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield "\ufeff";
  yield* lines;
}
