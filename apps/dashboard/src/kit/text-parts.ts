/**
 * A piece of a text: words, a link, the mention of a member, or a character that changes the order of others or is
 * invisible.
 */
export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mention"; readonly text: string; readonly mine: boolean }
  | { readonly kind: "link"; readonly text: string; readonly href: string }
  | { readonly kind: "hidden"; readonly code: string };

/** The most pieces of a text, against texts written to freeze a page; the rest is one piece. */
const MOST_PARTS = 500;

/*
 * Overrides and isolates of direction, and characters without a width. Left out are U+200C and U+200D, which
 * Persian and emoji need between letters, and U+200E, U+200F, the harmless marks of direction.
 */
const HIDDEN = "\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u2060-\\u2064\\ufeff\\u00ad";
const PIECES = new RegExp(`https?://[^\\s<>"${HIDDEN}]+|[${HIDDEN}]`, "giu");
/** The mark that ends a sentence does not belong to the link before it. */
const TAIL = /[.,;:!?'"،؛؟]+$/u;

/** A member that a note mentions. The name stands behind the @. */
export interface Mentioned {
  readonly name: string;
  /** The member who reads it. */
  readonly mine: boolean;
}

/**
 * Cuts a text into pieces. Only http and https become links, and a link shows where it leads. Only these members are
 * mentions, whatever else stands behind an @.
 */
export function textParts(text: string, mentioned: readonly Mentioned[] = []): readonly TextPart[] {
  const parts = piecesOf(text);
  return mentioned.length === 0
    ? parts
    : parts.flatMap((part) => (part.kind === "text" ? mentionsIn(part.text, mentioned) : [part]));
}

/** Cuts out the mentions. Among names with one beginning, the longest counts, as when the note was written. */
function mentionsIn(text: string, mentioned: readonly Mentioned[]): TextPart[] {
  const byLength = mentioned.toSorted((a, b) => b.name.length - a.name.length);
  const parts: TextPart[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/@/g)) {
    const rest = text.slice(index + 1);
    const found = byLength.find(({ name }) => rest.startsWith(name) && !goesOn(rest, name));
    if (found === undefined || index < from) continue;
    if (index > from) parts.push({ kind: "text", text: text.slice(from, index) });
    // Of two members with one name both are mentioned.
    const mine = mentioned.some((one) => one.name === found.name && one.mine);
    parts.push({ kind: "mention", text: `@${found.name}`, mine });
    from = index + 1 + found.name.length;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/** Whether a word that begins with a name goes on: `Sarab` does not mention Sara. */
const goesOn = (text: string, name: string): boolean =>
  /^[\p{L}\p{M}\p{N}]/u.test(text.slice(name.length));

function piecesOf(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(PIECES)) {
    if (parts.length >= MOST_PARTS) break;
    const [piece] = match;
    if (match.index > from) parts.push({ kind: "text", text: text.slice(from, match.index) });
    from = match.index + piece.length;
    if (!piece.includes("://")) {
      parts.push({ kind: "hidden", code: codeOf(piece) });
      continue;
    }
    const link = trimmed(piece);
    const href = addressOf(link);
    parts.push(href === null ? { kind: "text", text: link } : { kind: "link", text: link, href });
    if (link.length < piece.length) parts.push({ kind: "text", text: piece.slice(link.length) });
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/** Null for what is no address, and for one with a user name: `https://bank.com@evil.example` leads elsewhere than it reads. */
function addressOf(link: string): string | null {
  const url = URL.parse(link);
  return url === null || url.username !== "" || url.password !== "" ? null : url.href;
}

function trimmed(piece: string): string {
  const link = piece.replace(TAIL, "");
  return link.endsWith(")") && !link.includes("(") ? link.slice(0, -1) : link;
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Whether a text is only a few emoji, which are shown large. */
export const isEmojiOnly = (text: string): boolean =>
  text.length <= 24 && /^(?:\p{RGI_Emoji}|\s){1,6}$/v.test(text) && text.trim() !== "";
