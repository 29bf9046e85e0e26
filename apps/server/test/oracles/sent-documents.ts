import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fault, publishedSchema, without } from "./published-schema.ts";
import { SENT } from "./whatsapp-exemptions.ts";

/** What our adapters send, judged by what the platforms publish. Flow tests run their journals through these. */

const source = readFileSync(
  createRequire(import.meta.url).resolve("twilio/lib/rest/api/v2010/account/message.js"),
  "utf8",
);
const PARAMETERS = new Set(
  Array.from(source.matchAll(/\bdata\["(\w+)"\]/g), ([, name]) => name ?? ""),
);

/** What is wrong with a form that was sent to `POST Messages.json`; none is fine. */
export function twilioFaults(form: URLSearchParams): string[] {
  const names = [...form.keys()];
  const found = names.filter((name) => !PARAMETERS.has(name)).map((name) => `no parameter ${name}`);
  if (new Set(names).size !== names.length) found.push("a parameter twice");
  if (!/^\+[1-9]\d{6,14}$/.test(form.get("To") ?? "")) found.push("To is not E.164");
  // The SDK's types: one of these three says what is sent, one of these two from whom.
  if (!["Body", "MediaUrl", "ContentSid"].some((name) => form.has(name))) found.push("no content");
  if (!["From", "MessagingServiceSid"].some((name) => form.has(name))) found.push("no sender");
  const callback = form.get("StatusCallback");
  if (callback !== null && !URL.canParse(callback)) found.push("StatusCallback is no address");
  return found;
}

const meta = publishedSchema("meta-whatsapp-v23.json");

/** `recipient` in place of `to` (business-scoped user ids, 2026) is younger than the document. */
function addressed(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { recipient, ...rest } = body;
  return typeof recipient === "string" ? { ...rest, to: recipient } : body;
}

/** What is wrong with a body that was sent to `/{phone number id}/messages`; null is fine. `used`: exemptions met. */
export function whatsAppFault(body: string, used = new Set<string>()): string | null {
  const sent = JSON.parse(body) as Record<string, unknown>;
  const name = sent["status"] === undefined ? "Message" : "MarkMessageRequestPayload";
  return fault(meta(name), without(addressed(sent), SENT, used));
}
