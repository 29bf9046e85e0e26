import type { InboundContent } from "../../channels/adapter.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";

/**
 * Content as the database takes it: no NUL, no lone surrogates, and no address that is not http or https, because an
 * inbox makes links of them. An attachment that lost one names it in `droppedAddresses`. Everything else is byte for byte.
 */
export function cleanContent(content: InboundContent): {
  type: string;
  text: string | null;
  attachments: readonly AttachmentJson[];
} {
  return {
    type: clean(content.type),
    text: content.text === null ? null : clean(content.text),
    attachments: content.attachments.map(cleanAttachment),
  };
}

/** A reaction that was taken back says nothing new: nobody has to read or to answer it. */
export const saysNothing = ({ type, text }: Pick<InboundContent, "type" | "text">): boolean =>
  type === "reaction" && text === null;

/** Without what a text of PostgreSQL, or JSON as we give it, cannot hold: NUL and halves of characters. */
export const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** A member that holds an address, by its name: `url`, `imageUrl`, `source_url`. */
const ADDRESS = /url$/i;
const SCHEME = /^\s*([a-z][a-z0-9+.-]{0,30}):/i;

interface DroppedAddress {
  /** Where it stood, from the attachment on: `url`, `buttons.0.url`. */
  readonly member: string;
  /** Null: it named none (`//host`, `/path`). */
  readonly scheme: string | null;
}

/** That adapters tell what the shape says is held by a test (`http/v1/attachment-shape.test.ts`). */
function cleanAttachment(attachment: Readonly<Record<string, unknown>>): AttachmentJson {
  const dropped: DroppedAddress[] = [];
  const cleaned = cleanValue(attachment, "", dropped) as AttachmentJson;
  return dropped.length === 0 ? cleaned : Object.assign(cleaned, { droppedAddresses: dropped });
}

function cleanValue(value: unknown, place: string, dropped: DroppedAddress[]): unknown {
  if (typeof value === "string") return clean(value);
  const within = (name: string | number) => (place === "" ? `${name}` : `${place}.${name}`);
  if (Array.isArray(value))
    return value.map((one, index) => cleanValue(one, within(index), dropped));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const name = clean(key);
    if (ADDRESS.test(name) && typeof member === "string" && !/^https?:\/\//i.test(member)) {
      const scheme = SCHEME.exec(member)?.[1]?.toLowerCase() ?? null;
      dropped.push({ member: within(name), scheme });
      return [];
    }
    return [[name, cleanValue(member, within(name), dropped)] as const];
  });
  return Object.fromEntries(members);
}
