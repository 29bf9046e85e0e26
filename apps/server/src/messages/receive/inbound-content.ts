import type { InboundContent } from "../../channels/adapter.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";

/**
 * Content that the database can store. It removes NUL and lone surrogates. It also removes each address that is not
 * http or https, because an inbox makes links of addresses; `droppedAddresses` of the attachment names what was
 * removed. Everything else stays byte for byte.
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

/** True for a reaction that was taken back: nobody has to read it or answer it. */
export const saysNothing = ({ type, text }: Pick<InboundContent, "type" | "text">): boolean =>
  type === "reaction" && text === null;

/** Removes NUL and lone surrogates. Neither a text in PostgreSQL nor our JSON can hold them. */
export const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** The name of a member that holds an address: `url`, `imageUrl`, `source_url`. */
const ADDRESS = /url$/i;
const SCHEME = /^\s*([a-z][a-z0-9+.-]{0,30}):/i;

interface DroppedAddress {
  /** The path of the member in the attachment: `url`, `buttons.0.url`. */
  readonly member: string;
  /** Null: the address had no scheme (`//host`, `/path`). */
  readonly scheme: string | null;
}

/** A test (`http/v1/attachment-shape.test.ts`) ensures that adapters give attachments of the documented shape. */
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
