import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse, wrap } from "../../../../test/whatsapp-calls.ts";

test("no JSON makes it throw", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      parse(JSON.stringify(value));
    }),
  );
});

const odd = (deeper: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 3, arbitrary: deeper },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
const words = fc.constantFrom(
  "text",
  "image",
  "reaction",
  "interactive",
  "button",
  "contacts",
  "system",
  "edit",
  "revoke",
  "order",
  "location",
  "unsupported",
  "failed",
  "sent",
  "__proto__",
  "constructor",
  "stop",
);
const item = fc.dictionary(
  fc.oneof(
    words,
    fc.constantFrom("id", "type", "from", "from_user_id", "timestamp", "status", "errors", "value"),
    fc.constantFrom(
      "wa_id",
      "user_id",
      "to",
      "context",
      "referral",
      "event",
      "message_template_id",
    ),
  ),
  fc.oneof(words, fc.jsonValue({ maxDepth: 3 })),
);
const lists = fc.constantFrom("messages", "statuses", "contacts", "errors", "message_echoes");
const value = fc.dictionary(
  fc.oneof(lists, fc.constant("user_preferences"), fc.constant("event")),
  odd(fc.array(odd(item), { maxLength: 3 })),
);
const fields = fc.constantFrom(
  "messages",
  "smb_message_echoes",
  "user_preferences",
  "account_update",
  "message_template_status_update",
  "phone_number_quality_update",
  "account_alerts",
);

test("no envelope with odd parts makes it throw, and every event names an account", () => {
  fc.assert(
    fc.property(
      fields,
      value,
      odd(fc.constant({ phone_number_id: 5 })),
      (field, inner, metadata) => {
        for (const event of parse(wrap({ ...(inner as object), metadata }, field))) {
          assert.ok(
            ("accountExternalId" in event && event.accountExternalId !== "") ||
              ("businessId" in event && event.businessId !== null),
          );
          if ("occurredAt" in event) assert.ok(!Number.isNaN(event.occurredAt.getTime()));
        }
      },
    ),
    { numRuns: 500 },
  );
});
