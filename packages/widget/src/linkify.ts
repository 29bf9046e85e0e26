/** A piece of a message: words, or a link. Never HTML. */
export interface Piece {
  readonly text: string;
  readonly href: string | null;
}

const LINK = /(?:https?:\/\/|www\.)[^\s<>"'`]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu;
const TRAILING = /[.,;:!?،؛؟…»”’'"*_~\]]+$/u;

/** Cuts a text at its links. Only http, https and mail addresses; everything else stays words. */
export function linkify(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(LINK)) {
    const link = trimmed(found[0]);
    const href = address(link);
    if (href === null) continue;
    if (found.index > from) pieces.push({ text: text.slice(from, found.index), href: null });
    pieces.push({ text: link, href });
    from = found.index + link.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), href: null });
  return pieces;
}

/** Without the punctuation of the sentence around it; a closing bracket goes when it was not opened inside. */
function trimmed(link: string): string {
  for (;;) {
    const shorter = link.replace(TRAILING, "");
    const open = shorter.split("(").length;
    const next =
      shorter.endsWith(")") && shorter.split(")").length > open ? shorter.slice(0, -1) : shorter;
    if (next === link) return link;
    link = next;
  }
}

function address(link: string): string | null {
  if (!/^(https?:|www\.)/i.test(link)) return `mailto:${link}`;
  try {
    return new URL(/^www\./i.test(link) ? `https://${link}` : link).href;
  } catch {
    return null;
  }
}

/** An address that may stand in a link or an image: http or https only, whatever the server says. */
export function safeAddress(url: string | null, base: string): string | null {
  if (url === null) return null;
  try {
    const { href, protocol } = new URL(url, base);
    return protocol === "https:" || protocol === "http:" ? href : null;
  } catch {
    return null;
  }
}
