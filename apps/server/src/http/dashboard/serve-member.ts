import type { FastifyInstance, RouteShorthandOptions } from "fastify";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { serveOpen, type OpenCall } from "../edge/serve.ts";
import { serveUpload } from "../edge/serve-upload.ts";
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

/** Serves a face to which members upload a file (`edge/serve-upload.ts`). Needs a scope of its own. */
export function serveMemberUpload(
  fastify: FastifyInstance,
  context: Context,
  face: AppFace,
  store: (call: MemberCall, body: AsyncIterable<Uint8Array>) => Promise<object>,
): void {
  serveUpload(
    fastify,
    context,
    memberDoor(context),
    face,
    async ({ principal: caller, ...call }, body) => {
      if (caller.kind !== "member") throw new AppError("UNAUTHENTICATED");
      return store({ ...call, caller }, body);
    },
  );
}

/** Lines of CSV after a byte order mark, without which a spreadsheet misreads Arabic. An import skips the mark. */
export async function* withMark(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield "\ufeff";
  yield* lines;
}
