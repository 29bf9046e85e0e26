import { eventExample, EventJson, EVENTS } from "../../wire/event.ts";
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
      "`t=<unix seconds>,v1=<hex HMAC-SHA256 of t + '.' + body>`, with a second `v1` for a day after the secret was rotated. Refuse what is more than 300 seconds off.",
    ),
    header("webhook-id", "The event's id (Standard Webhooks)."),
    header("webhook-timestamp", "Unix seconds (Standard Webhooks)."),
    header(
      "webhook-signature",
      "`v1,<base64>`, one for each secret, with spaces between (Standard Webhooks).",
    ),
  ];
  return Object.fromEntries(
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
}
