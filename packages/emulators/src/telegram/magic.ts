import { BotRefusal, tooMany } from "./errors.ts";

/** The behaviour of a chat, by the last four digits of its id. Documented in the README; off with `magic: false`. */
export type TelegramMagic =
  | { readonly kind: "refuse"; readonly refusal: BotRefusal }
  | { readonly kind: "connection"; readonly accepted: boolean; readonly hang?: boolean }
  | { readonly kind: "slow"; readonly delayMs: number };

const refuse = (code: number, words?: string): TelegramMagic => ({
  kind: "refuse",
  refusal: new BotRefusal(code, words),
});

const TABLE: Readonly<Record<string, TelegramMagic>> = {
  "0400": refuse(400),
  "0401": refuse(401),
  "0402": refuse(403, "Forbidden: user is deactivated"),
  "0403": refuse(403),
  "0404": refuse(403, "Forbidden: bot can't initiate conversation with a user"),
  "0406": refuse(406, "FROZEN_METHOD_INVALID"),
  "0409": refuse(409),
  "0413": refuse(413),
  "0421": refuse(421),
  "0429": { kind: "refuse", refusal: tooMany(1) },
  "0430": { kind: "refuse", refusal: tooMany(10_072) },
  "0501": refuse(500, "Internal Server Error: restart"),
  "0910": { kind: "slow", delayMs: 5_000 },
  "0911": { kind: "connection", accepted: true },
  "0912": { kind: "connection", accepted: false },
  "0913": { kind: "connection", accepted: true, hang: true },
};

/** The behaviour of a chat, or null for an ordinary one. 0500 to 0599 get 500. */
export function magicOf(chatId: string): TelegramMagic | null {
  const last = chatId.slice(-4);
  return TABLE[last] ?? (/^05\d\d$/.test(last) ? refuse(500) : null);
}
