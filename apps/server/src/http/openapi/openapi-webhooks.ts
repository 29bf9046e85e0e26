import { EVENT_KINDS } from "../../webhooks/event.ts";
import { exampleOf, whenSent } from "../v1/event-examples.ts";
import { eventData } from "../v1/event-shapes.ts";
import { ref } from "../v1/shapes.ts";

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
          description: whenSent(kind),
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: {
                  allOf: [
                    ref("Event"),
                    {
                      type: "object",
                      required: ["type", "data"],
                      properties: { type: { const: kind }, data: eventData[kind] },
                    },
                  ],
                },
                example: exampleOf(kind),
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
