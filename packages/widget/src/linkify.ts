/** A piece of a message: words, a link, or a phone number (without an address). Never HTML. */
export interface Piece {
  readonly text: string;
  readonly href: string | null;
  /** Written from left to right, also in the middle of Arabic. */
  readonly ltr: boolean;
}

/**
 * A phone number is one that begins as one (`+965 …`, `00965 …`, `(965) …`): groups of digits alone may be prices or
 * years, and those read with their sentence. A mail address is looked for only where its first letter can be: looked for at
 * every letter, 4,096 of them without an @ took 26 ms.
 */
const LINK =
  /(?:https?:\/\/|www\.)[^\s<>"'`]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\p{Nd}+])(?:\(\+?\p{Nd}{1,5}\)|\+ ?\(?\p{Nd}|00\p{Nd})(?:[\p{Nd}./ \u00a0-]|\(\p{Nd}{1,5}\)){5,20}\p{Nd}/giu;
const TRAILING = ".,;:!?،؛؟…»”’'\"*_~]";

/** Cuts a text at its links. Only http, https and mail addresses; everything else stays words. */
export function linkify(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(LINK)) {
    const number = /^[+(\p{Nd}][^@]*$/u.test(found[0]);
    const link = number ? found[0] : trimmed(found[0]);
    const href = number ? null : address(link);
    if (href === null && !number) continue;
    if (found.index > from)
      pieces.push({ text: text.slice(from, found.index), href: null, ltr: false });
    pieces.push({ text: link, href, ltr: true });
    from = found.index + link.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), href: null, ltr: false });
  return pieces;
}

/** Without the punctuation of the sentence around it; a closing bracket goes when it was not opened inside. */
function trimmed(link: string): string {
  // Counted once, and one character looked at after the other: thousands of brackets take no longer than as many letters.
  let unopened = link.split(")").length - link.split("(").length;
  let end = link.length;
  for (; end > 0; end -= 1) {
    const last = link.charAt(end - 1);
    if (TRAILING.includes(last)) continue;
    if (last !== ")" || unopened <= 0) break;
    unopened -= 1;
  }
  return link.slice(0, end);
}

function address(link: string): string | null {
  if (!/^(https?:|www\.)/i.test(link)) return `mailto:${link}`;
  try {
    const { href, username, password } = new URL(link.replace(/^www\./i, "https://$&"));
    // `https://bank.com@evil.example` leads elsewhere than it reads.
    return username || password ? null : href;
  } catch {
    return null;
  }
}

/** An address that may stand in a link or an image: http or https only, whatever the server says. */
export function safeAddress(url: string | null, base: string): string | null {
  if (url === null) return null;
  try {
    const { href } = new URL(url, base);
    return /^https?:/.test(href) ? href : null;
  } catch {
    return null;
  }
}
