import type { FastifyInstance } from "fastify";
import { answerTurn } from "../../bots/external/answer-turn.ts";
import type { Context } from "../../context.ts";
import { AppError, tooLarge } from "../../errors.ts";
import { bytesOf } from "../edge/read-body.ts";
import { BodyRoom } from "./body-room.ts";

const BODY_LIMIT = 64 * 1024;

interface TurnRoute {
  Params: { token: string };
}

/**
 * `POST /api/v1/bot-turns/{token}`: the answer that an external bot gives later. The token is the proof, so it needs no
 * key. 202: stored, now or by the same answer before. 400: the answer has another form. 404: no such turn. 409: the turn is over. 413: longer than 64 KiB.
 */
export function registerBotTurns(
  fastify: FastifyInstance,
  context: Context,
  room: BodyRoom = new BodyRoom(),
): void {
  void fastify.register((scope, _options, done) => {
    room.readBodiesOf(scope);
    scope.route<TurnRoute>({
      method: "POST",
      url: "/api/v1/bot-turns/:token",
      onRequest: async (request, reply) => {
        const refusal = room.admit(request, reply, "bot-turns", BODY_LIMIT);
        if (refusal === 413) throw tooLarge(BODY_LIMIT);
        if (refusal === 503) throw new AppError("OVERLOADED", { retryAfterSeconds: 10 });
      },
      handler: async (request, reply) => {
        const body = bytesOf(request).toString("utf8");
        if (await answerTurn(context, request.params.token, body))
          reply.header("idempotency-replayed", "true");
        return reply.code(202).send({ accepted: true });
      },
    });
    done();
  });
}
