import assert from "node:assert/strict";
import type { InboundEvent } from "../src/channels/adapter.ts";
import { parseWhatsApp } from "../src/channels/adapters/whatsapp/parse.ts";

export const NUMBER = "106540352242922";
export const WABA = "102290129340398";
export const RECEIVED = new Date("2026-11-21T12:00:00Z");

export const parse = (body: unknown): InboundEvent[] =>
  parseWhatsApp({
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    headers: {},
    query: {},
    receivedAt: RECEIVED,
  });

/** One change as Meta wraps it. */
export const wrap = (value: object, field = "messages", number = NUMBER) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: WABA,
      changes: [
        {
          field,
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: "15550783881", phone_number_id: number },
            ...value,
          },
        },
      ],
    },
  ],
});

export const contact = {
  profile: { name: "Sheena Nelson" },
  wa_id: "16505551234",
  user_id: "US.13491208655302741918",
};
export const base = { from: "16505551234", id: "wamid.HBgL", timestamp: "1749416383" };
export const inbound = (message: object) =>
  parse(wrap({ contacts: [contact], messages: [{ ...base, ...message }] }));

type Of<K, E = InboundEvent> = E extends InboundEvent ? (K extends E["kind"] ? E : never) : never;

/** The one event there is, of this kind. */
export function only<K extends InboundEvent["kind"]>(events: InboundEvent[], kind: K): Of<K> {
  assert.equal(events.length, 1);
  const [event] = events;
  assert.equal(event?.kind, kind);
  return event as Of<K>;
}
