import { Type } from "typebox";
import type { ErrorCode } from "../../errors.ts";
import { ErrorJson } from "../../wire/all.ts";
import { eventExample, EventJson, EVENTS } from "../../wire/event.ts";
import {
  BotTurnAnswer,
  botTurnAnswerExample,
  BotTurnCall,
  botTurnCallExample,
  TURN_SECONDS,
} from "../../wire/external-bot.ts";
import { ref } from "../../wire/schema.ts";
import { EVENT_KINDS } from "../../wire/words.ts";

/** The document's `webhooks`: what an endpoint is sent, one entry per kind (contract §5, Webhook request). */
export function webhooks(): Record<string, unknown> {
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  });
  const parameters = [
    header(
      "X-Service-Signature",
      "`t=<unix seconds>,v1=<hex HMAC-SHA256 of t + '.' + body>`, always with one `v1`: for a day after the secret was rotated the old secret makes it, then the new one. Refuse what is more than 300 seconds off.",
    ),
    header("webhook-id", "The event's id (Standard Webhooks)."),
    header("webhook-timestamp", "Unix seconds (Standard Webhooks)."),
    header(
      "webhook-signature",
      "`v1,<base64>`, with spaces between (Standard Webhooks). For a day after the secret was rotated there are two, one by each secret.",
    ),
  ];
  const events = Object.fromEntries(
    EVENT_KINDS.map((kind) => [
      kind,
      {
        post: {
          operationId: `on.${kind}`,
          summary: kind,
          description: EVENTS[kind].when,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: {
                  allOf: [
                    ref(EventJson),
                    {
                      type: "object",
                      required: ["type", "data"],
                      properties: { type: { const: kind }, data: EVENTS[kind].data },
                    },
                  ],
                },
                example: eventExample(kind),
              },
            },
          },
          responses: {
            "2XX": {
              description:
                "Acknowledged. Anything else is tried again eight times over four hours.",
            },
          },
        },
      },
    ]),
  );
  return { ...events, "bot.turn": botTurn(parameters) };
}

/** Written out: the clients have shapes of their own for it. */
const unnamed = (shape: object): object => ({ ...shape, $id: undefined });

/** The call of an external bot: no event, because it is answered, and is in no feed (docs/external-bots.md). */
const botTurn = (parameters: readonly unknown[]) => ({
  post: {
    operationId: "on.bot.turn",
    summary: "bot.turn",
    description: `A customer waits for the answer of an external bot. Answer within ${TURN_SECONDS} seconds, in the call or later by the turn's token; after that a member takes over.`,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: unnamed(BotTurnCall), example: botTurnCallExample },
      },
    },
    responses: {
      "200": {
        description: "What the customer reads.",
        content: { "application/json": { schema: unnamed(BotTurnAnswer) } },
      },
      "202": { description: "The answer follows: `POST /v1/bot-turns/{token}`." },
    },
    callbacks: { lateAnswer: { "/api/v1/bot-turns/{$request.body#/token}": { post: lateAnswer } } },
  },
});

const refused = (status: number, code: ErrorCode, meaning: string) => ({
  [status]: {
    description: `${code}: ${meaning}`,
    content: { "application/json": { schema: ref(ErrorJson) } },
  },
});

/** What the bot calls when it answers a turn later. It needs no key, so it is no path of the document. */
const lateAnswer = {
  operationId: "answerBotTurn",
  summary: "Answer a turn later",
  description: `The same object as in the call, within ${TURN_SECONDS} seconds after the turn. The token is the proof, so it needs no key. It takes one answer: the same answer again, as after a lost connection, is answered the same and is not sent twice.`,
  security: [],
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: unnamed(BotTurnAnswer), example: botTurnAnswerExample },
    },
  },
  responses: {
    "202": {
      description: "Stored, and on its way.",
      content: {
        "application/json": {
          schema: Type.Object({ accepted: Type.Literal(true) }),
          example: { accepted: true },
        },
      },
    },
    ...refused(400, "VALIDATION_FAILED", "the answer has another form, and `details` say where"),
    ...refused(404, "NOT_FOUND", "no such turn"),
    ...refused(
      409,
      "CONFLICT",
      "the turn is over: it has another answer, it ran out, or somebody wrote before the answer",
    ),
    ...refused(413, "BODY_TOO_LARGE", "longer than 64 KiB"),
    ...refused(503, "OVERLOADED", "try again after `Retry-After`"),
  },
} as const;
