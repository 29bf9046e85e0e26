import { SYSTEM } from "../actor.ts";
import type { Context } from "../context.ts";
import { listTemplates } from "../templates/list-templates.ts";
import { listSavedReplies } from "./shared-replies.ts";

/**
 * Which links a program may write without a warning. A text of a customer can ask it to send a link of theirs, so only hosts pass that the
 * team wrote itself: in shared saved replies and in approved templates, and the host of this server.
 */

/** Endings of files, which look like the end of a host. */
const FILES = new Set([
  "csv",
  "doc",
  "docx",
  "gif",
  "jpeg",
  "jpg",
  "pdf",
  "png",
  "txt",
  "xls",
  "xlsx",
]);
/** With a scheme, or a host that phones and browsers make a link of. */
const HOSTS =
  /(?:[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?)?((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]{1,63}|\[[0-9a-f:.]+\])/giu;
const ANY_ADDRESS = /[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?([^\s/:?#]+)/giu;

/** Words up to this length are looked at: each letter of a word is looked at from each letter before it. */
const LONGEST_WORD = 1_000;

/** The hosts that a text links to, in small letters. The beginning of a word that is too long to look at counts as one. */
export function hostsIn(text: string): string[] {
  // Full-width letters and dots lead to the same host; marks of no width are not seen.
  const plain = text
    .normalize("NFKC")
    .replaceAll("。", ".")
    .replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/gu, "");
  const found = new Set<string>();
  for (const word of plain.split(/\s+/u)) {
    if (word.length > LONGEST_WORD) found.add(`${word.slice(0, 40).toWellFormed()}…`);
    else for (const host of hostsOf(word)) found.add(host);
  }
  return [...found];
}

/** The hosts in a text without blanks. */
const hostsOf = (word: string): string[] => [
  ...[...word.matchAll(ANY_ADDRESS)].map(([, host = ""]) => host.toLowerCase()),
  ...[...word.matchAll(HOSTS)].flatMap(([whole = "", host = ""]) =>
    whole !== host || isLink(host) ? [host.toLowerCase()] : [],
  ),
];

/** "Thanks.Please" and "2.50" are no links, nor is "invoice.pdf". */
function isLink(host: string): boolean {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  if (labels.length === 4 && labels.every((one) => /^\d{1,3}$/.test(one))) return true;
  if (!/^(?:[\p{Ll}\p{Lo}]{2,63}|\p{Lu}{2,63}|xn--[a-z0-9-]+)$/u.test(last)) return false;
  return !FILES.has(last.toLowerCase());
}

/** The hosts in a text that are none of these, nor below one of them. */
export function foreignHosts(text: string, known: ReadonlySet<string>): string[] {
  return hostsIn(text).filter((host) => {
    const labels = host.split(".");
    return !labels.some((_, from) => known.has(labels.slice(from).join(".")));
  });
}

const NONE: ReadonlySet<string> = new Set();

/** The hosts to which these texts link although the team wrote none of them itself. */
export async function foreignLinks(
  context: Context,
  workspaceId: string,
  texts: readonly string[],
): Promise<string[]> {
  if (texts.every((one) => foreignHosts(one, NONE).length === 0)) return [];
  const known = await knownHosts(context, workspaceId);
  return [...new Set(texts.flatMap((one) => foreignHosts(one, known)))];
}

/** Every text in a value. */
export function wordsIn(value: unknown): string[] {
  const texts: string[] = [];
  JSON.stringify(value, (_name, one: unknown) => {
    if (typeof one === "string") texts.push(one);
    return one;
  });
  return texts;
}

async function knownHosts(context: Context, workspaceId: string): Promise<ReadonlySet<string>> {
  const [replies, templates] = await Promise.all([
    listSavedReplies(SYSTEM, context, workspaceId, {}),
    listTemplates(context, workspaceId),
  ]);
  const own = URL.parse(context.config.publicUrl)?.hostname ?? "";
  const written = [
    ...replies.items.map(({ text }) => text),
    ...templates.flatMap(({ components }) => wordsIn(components)),
  ];
  return new Set([own, ...written.flatMap(hostsIn)]);
}
