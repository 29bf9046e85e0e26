import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { publishTyping } from "../../../chat/publish-typing.ts";
import type { Context } from "../../../context.ts";
import { deskNumbers } from "../../../desk/read-desk.ts";
import { EVERYONE, face } from "../contract/face.ts";
import { answerWithStream, endAtStop } from "../../edge/live-stream.ts";
import { serveRoutes } from "../../edge/serve.ts";
import { inbox } from "../contract/inbox.ts";
import { routesOf } from "../handlers.ts";
import { memberDoor } from "../member-door.ts";
import { serveMember } from "../serve-member.ts";
import { DeskHub } from "./desk-hub.ts";
import type { DeskHints } from "./desk-hints.ts";

const stream = face({
  method: "GET",
  path: "/stream",
  who: EVERYONE,
  query: Type.Object({
    /** The inbox's number up to which the page is current. */
    after: Type.Optional(Type.String({ pattern: "^\\d{1,15}$", maxLength: 15 })),
  }),
  answer: Type.Object({}),
});

/** `GET /api/app/stream`: the changes in the member's inbox, as server-sent events (`contract/live.ts`). */
export async function registerStream(
  fastify: FastifyInstance,
  context: Context,
  hints: DeskHints,
): Promise<void> {
  const hub = new DeskHub(context);
  await fastify.register(async (scope) => registerPresence(scope, context, hints));
  endAtStop(fastify, () => hub.close());
  serveMember(fastify, context, stream, async ({ caller, query, request, reply }) => {
    const { workspaceId } = caller;
    const after =
      lastEventId(request) ??
      (query["after"] === undefined ? undefined : Number(query["after"])) ??
      (await deskNumbers(context.db, [workspaceId])).get(workspaceId) ??
      0;
    hub.admit();
    hub.add(caller, after, answerWithStream(request, reply));
  });
}

/** `POST /api/app/presence`: heard by the streams of every process. */
function registerPresence(fastify: FastifyInstance, context: Context, hints: DeskHints): void {
  const faces = { tellPresence: inbox.tellPresence };
  const routes = routesOf(faces, {
    async tellPresence(context, { caller, body }) {
      const { tab, conversationId, typing } = body;
      // A visitor's window shows it for twelve seconds, or until the reply is there.
      if (typing && conversationId !== null)
        await publishTyping(context, caller.workspaceId, conversationId, true);
      hints.tellTab(caller.workspaceId, {
        tab,
        memberId: caller.memberId,
        conversationId,
        typing,
      });
      return {};
    },
  });
  serveRoutes(fastify, context, memberDoor(context), routes);
}

/** The place where the reader was cut off, which is newer than `after`. */
function lastEventId({ headers }: FastifyRequest): number | undefined {
  const given = headers["last-event-id"];
  return typeof given === "string" && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}
