import { hash } from "node:crypto";
import { quoteTerm } from "../../contacts/attributes/attribute-terms.ts";

/** The index keeps this many characters of a word. */
const MAX_WORD = 32;
/** The most words of one message. The longest text of a channel has fewer different ones. */
const MAX_WORDS = 1_000;
/** The most words of one query. */
const MAX_QUERY = 12;
/** A word has at least this many letters after its article. So ألف is not read as an article and a ف. */
const MIN_BARE = 3;
/** A shorter beginning would match a tenth of all words. */
const MIN_PREFIX = 2;

/** Vowel signs and other marks of Arabic, the stretching stroke, and characters without width. */
const UNWRITTEN = /[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640\p{Cf}]/gu;
const LETTERS: Readonly<Record<string, string>> = {
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ة: "ه",
  ؤ: "و",
  ئ: "ي",
  ک: "ك",
};
const FOLDED = new RegExp(`[${Object.keys(LETTERS).join("")}\u0660-\u0669\u06f0-\u06f9]`, "g");
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ARTICLE = /^(?:وال|بال|كال|فال|ال|لل)/;

/**
 * The form in which words are compared: without case, vowel signs and stretching, one form of each Arabic letter,
 * digits as 0 to 9. All spellings of a word give the same form.
 */
export function foldWords(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(UNWRITTEN, "")
    .replace(FOLDED, (one) => LETTERS[one] ?? String(one.charCodeAt(0) & 15));
}

/** The words of a folded text, in their order. */
function wordsOf(folded: string): string[] {
  return (folded.match(WORD) ?? []).map(cut);
}

function cut(word: string): string {
  if (word.length <= MAX_WORD) return word;
  const short = word.slice(0, MAX_WORD);
  // Do not cut a character in half.
  return /[\ud800-\udbff]$/.test(short) ? short.slice(0, -1) : short;
}

/**
 * The word without its article and without the words that are joined to it. A word without an article stays as it
 * is.
 */
function bareOf(word: string): string {
  const bare = word.replace(ARTICLE, "");
  return bare.length >= MIN_BARE ? bare : word;
}

/** The words of a text in their order, folded and without their article. */
export const bareWords = (text: string): string[] => wordsOf(foldWords(text)).map(bareOf);

/**
 * Stands before each term of a workspace. So a workspace's words lie together in the index, and no other's are
 * read.
 */
const markOf = (workspaceId: string): string =>
  hash("sha256", workspaceId, "base64url").slice(0, 6);

/** The terms of a text, as a `tsvector` in text form; null: there are none. */
export function searchTerms(workspaceId: string, text: string): string | null {
  const mark = markOf(workspaceId);
  const terms = new Set<string>();
  for (const word of wordsOf(foldWords(text))) {
    terms.add(word);
    terms.add(bareOf(word));
    if (terms.size >= MAX_WORDS) break;
  }
  if (terms.size === 0) return null;
  return [...terms].map((term) => quoteTerm(mark + term)).join(" ");
}

/**
 * The words that a search asks for. The last one may be only a beginning, because the person may still be typing
 * it.
 */
export interface SearchWords {
  readonly whole: readonly string[];
  readonly last: string;
}

/** Reads what was typed; null: it has no word. */
export function readQuery(typed: string): SearchWords | null {
  const words = bareWords(typed).slice(0, MAX_QUERY);
  const last = words.pop();
  return last === undefined ? null : { whole: words, last };
}

/** The words as a `tsquery`: a message must have all of them. */
export function searchQuery(workspaceId: string, { whole, last }: SearchWords): string {
  const mark = markOf(workspaceId);
  const prefix = last.length >= MIN_PREFIX ? ":*" : "";
  return [...whole.map((word) => quoteTerm(mark + word)), quoteTerm(mark + last) + prefix].join(
    " & ",
  );
}

/** Whether a word of a text, as it is spelled there, was asked for. */
function isHit(written: string, { whole, last }: SearchWords): boolean {
  return wordsOf(foldWords(written)).some((word) =>
    [word, bareOf(word)].some(
      (form) =>
        whole.includes(form) || (last.length >= MIN_PREFIX ? form.startsWith(last) : form === last),
    ),
  );
}

/** A piece of a text with the places of the words that were found. Each place includes `from` and excludes `to`. */
export interface Excerpt {
  readonly text: string;
  readonly hits: readonly (readonly [number, number])[];
}

/** How much is shown around the first hit, in characters. */
const BEFORE = 60;
const LENGTH = 200;
/** Like `WORD`, and with the marks inside a word that folding removes. */
const WRITTEN_WORD = /[\p{L}\p{N}\p{M}\p{Cf}\u0640]+/gu;

/** The part of a text around the words that were found, on one line. */
export function excerptOf(text: string, words: SearchWords): Excerpt {
  const line = text.replace(/\s+/g, " ").trim();
  const all = [...line.matchAll(WRITTEN_WORD)].flatMap((found) =>
    isHit(found[0], words) ? [[found.index, found.index + found[0].length] as const] : [],
  );
  const first = all[0]?.[0] ?? 0;
  // Begin at the beginning of a word.
  const start = first <= BEFORE ? 0 : line.indexOf(" ", first - BEFORE) + 1;
  const from = start > 0 && start <= first ? start : first <= BEFORE ? 0 : first;
  const lead = from > 0 ? "… " : "";
  const more = line.length > from + LENGTH;
  const shown = `${lead}${line.slice(from, from + LENGTH)}${more ? " …" : ""}`.toWellFormed();
  const hits = all
    .filter(([, end]) => end <= from + LENGTH)
    .map(([begin, end]) => [begin - from + lead.length, end - from + lead.length] as const);
  return { text: shown, hits };
}
