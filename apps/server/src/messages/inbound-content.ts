import type { InboundContent } from "../channels/adapter.ts";

/** Content as the database takes it: no NUL, no lone surrogates; everything else byte for byte. */
export function cleanContent(content: InboundContent): {
  type: string;
  text: string | null;
  attachments: readonly unknown[];
} {
  return {
    type: clean(content.type),
    text: content.text === null ? null : clean(content.text),
    attachments: content.attachments.map(cleanValue),
  };
}

/** A reaction that was taken back says nothing new: nobody has to read or to answer it. */
export const saysNothing = ({ type, text }: Pick<InboundContent, "type" | "text">): boolean =>
  type === "reaction" && text === null;

/** Without what a text of PostgreSQL, or JSON as we give it, cannot hold: NUL and halves of characters. */
export const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed();

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [clean(key), cleanValue(member)]),
  );
}
