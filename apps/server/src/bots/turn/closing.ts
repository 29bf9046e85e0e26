import { bareWords } from "../../messages/search/search-terms.ts";
import { isTalk, type BotMessage } from "../thread/talk-store.ts";
import { COURTESY, FUNCTION_WORDS } from "../guard/word-lists.ts";

/** The longest message that ends a talk, in characters. */
const LONGEST = 60;

const words = (text: string): ReadonlySet<string> => new Set(bareWords(text));

/** Say thanks, good-bye, or that it is well. */
const CLOSING = words(
  "thanks thank thx ty appreciated cheers bye goodbye cya ok okay okey fine perfect cool great awesome amazing lovely excellent nice good wonderful alright sure done nothing nope no never " +
    "شكرا مشكور مشكورين تشكر تسلم تسلمين تسلمون يسلمو العافيه عافيه ممتاز رائع تمام اوكي اوك حلو ماشي خلاص سلامه السلامه طيب زين كفو جزاك بارك موفقين لا ابد",
);
/** Stand beside them. */
const BESIDE = words(
  "much lot day night weekend see later tomorrow soon talk mind really got now guys one bro dear " +
    "يعطيك يعطيكم الله خير فيك فيكم يومك نهارك سعيد القاك اشوفك جدا كثير كتير وايد اخوي حبيبي",
);

/**
 * Whether what the customer wrote ends the talk, as thanks do, so that no answer is owed: a word that says so, none that says
 * anything else, and no question; or a sign without letters. Pure.
 */
export function endsTalk(text: string): boolean {
  if (text.trim() === "" || text.length > LONGEST || /[?؟]/.test(text)) return false;
  const said = bareWords(text);
  if (said.length === 0) return true;
  const isBeside = (word: string) =>
    BESIDE.has(word) || COURTESY.has(word) || FUNCTION_WORDS.has(word);
  return (
    said.some((word) => CLOSING.has(word)) &&
    said.every((word) => CLOSING.has(word) || isBeside(word))
  );
}

/** Kinds of messages that say as little as a sign does. */
const SIGNS = new Set(["sticker", "like_heart"]);

/** Whether the customer sent nothing but stickers since the last answer. Pure. */
export function sendsSigns(messages: readonly Pick<BotMessage, "from" | "type">[]): boolean {
  const talk = messages.filter(isTalk);
  const last = talk.findLastIndex(({ from }) => from !== "customer");
  return talk.slice(last + 1).every(({ type }) => SIGNS.has(type));
}
