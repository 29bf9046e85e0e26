import { bareWords, foldWords } from "../../messages/search/search-terms.ts";
import { FUNCTION_WORDS } from "./word-lists.ts";

/** The longest answer, in characters. */
export const MAX_ANSWER = 1_000;

/** Marks without a form of their own: direction, no width, tags, choices of a form other than an emoji's. */
const UNSEEN =
  /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]|\u034f|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/u;
const CONTROL = /[\p{Cc}]/u;
const MARKUP = /\]\(|```|\w\([^)]*\)\s*[:{;]|=>|==|<\/?[a-z!][^>]*>|&#?\w+;|\{\{|\$\{/iu;
/** A text without unseen characters: what failed may be quoted to members. */
export const onlySeen = (text: string): string =>
  text
    .replaceAll(new RegExp(UNSEEN, "gu"), "")
    .replaceAll(/(?![\n\r\t])\p{Cc}/gu, "")
    .trim();
/** Letters that stand alone, one after the other: "r e f u n d", "ر.د". */
const SPELLED = /(?:(?<![\p{L}\p{M}])[\p{L}][\s.\-_*·]+){3}[\p{L}](?![\p{L}\p{M}])/u;

/** Why a text is not plainly readable words, or "". */
export function plainFault(text: string): string {
  if (text.trim() === "") return "has no text";
  if (text.length > 2 * MAX_ANSWER || Array.from(text).length > MAX_ANSWER)
    return `is longer than ${MAX_ANSWER} characters`;
  if (UNSEEN.test(text)) return "has characters that are not seen";
  if (CONTROL.test(text.replaceAll(/[\n\r\t]/gu, ""))) return "has control characters";
  if (MARKUP.test(text)) return "has markup";
  if (SPELLED.test(text)) return "spells words letter by letter";
  const folded = foldWords(text);
  if (/[^\P{N}0-9]/u.test(folded)) return "has digits of another script";
  const mixed = folded.match(/[\p{L}\p{M}]+/gu)?.find(hasTwoScripts);
  return mixed === undefined ? "" : `has a word of two scripts: ${mixed}`;
}

const hasTwoScripts = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && /[^\p{Script=Latin}\p{M}]/u.test(word);

/** Words that other languages written in Latin letters have often, and English seldom. */
const NOT_ENGLISH = new Set(
  "le la les des une est vous nous votre pour avec dans que qui el los las una usted para con por su der die und ist sie nicht wir ihre mit von auf il che per sono bir ve bu icin ile você não está são yang dan untuk dengan anda".split(
    " ",
  ),
);

/** Why a text is not in a language, or "". */
export function languageFault(text: string, lang: "en" | "ar"): string {
  // The stroke that lengthens an Arabic word belongs to no script.
  const letters = text.replaceAll(/\S+(?:@|:\/\/|\.\p{L})\S*|\u0640/gu, "").match(/\p{L}/gu);
  if (!letters) return "";
  const arabic = letters.filter((one) => /\p{Script=Arabic}/u.test(one)).length;
  const latin = letters.filter((one) => /\p{Script=Latin}/u.test(one)).length;
  if (arabic + latin < letters.length) return "has letters of another script";
  if (lang === "ar") return arabic >= letters.length / 2 ? "" : "is not in Arabic";
  if (arabic > letters.length / 4) return "is not in English";
  const words = bareWords(text);
  const foreign = words.filter((word) => NOT_ENGLISH.has(word)).length;
  const english = words.filter((word) => FUNCTION_WORDS.has(word)).length;
  return foreign >= 2 && foreign > english ? "is not in English" : "";
}
