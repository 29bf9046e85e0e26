import { bareWords } from "../../messages/search/search-terms.ts";
import { isTalk, type BotMessage } from "../thread/talk-store.ts";

/** The longest message that ends a talk, in characters. */
const LONGEST = 60;

const words = (text: string): ReadonlySet<string> => new Set(bareWords(text));

/** Thank, take leave, or agree. */
const ENDING = words(
  "thanks thank thx ty appreciated cheers bye goodbye cya ok okay okey alright sure done noted understood " +
    "شكرا مشكور مشكورين تشكر تسلم تسلمين تسلمون يسلمو العافيه عافيه تمام اوكي اوك ماشي خلاص سلامه السلامه طيب زين كفو جزاك بارك موفقين",
);
/** Want nothing more. */
const DECLINING = words("no nope nothing لا");
/** Say that it is well. With a word that declines it is a complaint: "no good". */
const PRAISE = words(
  "fine perfect cool great awesome amazing lovely excellent nice good wonderful ممتاز رائع حلو",
);
/** Stand beside them. The lists of the guard do not serve here: theirs have "where", "call" and "help". */
const BESIDE = words(
  "a an the and so of to in for with that this it its s is all else you your u i me my we us very much too just lot then now got have will wait " +
    "day night weekend morning evening see later tomorrow soon guys bro dear " +
    "يعطيك يعطيكم الله خير فيك فيكم يومك نهارك سعيد القاك اشوفك جدا جزيلا كثير كتير وايد اخوي حبيبي مع و في امان علي عليكم لك لكم انت هذا كل ان شاء",
);
/** A question without its mark: "is it done". */
const ASKING = /\b(?:is|will|have)\s+(?:it|that|this|you|u|i|we|my|the|all)\b/iu;

/**
 * Whether what the customer wrote ends the talk, as thanks do, so that no answer is owed: a word that says so, none that says
 * anything else, and no question; or a sign without letters. Pure.
 */
export function endsTalk(text: string): boolean {
  if (text.trim() === "" || text.length > LONGEST || /[?؟]/.test(text) || ASKING.test(text))
    return false;
  const said = bareWords(text);
  if (said.length === 0) return true;
  const has = (list: ReadonlySet<string>) => said.some((word) => list.has(word));
  const known = [ENDING, DECLINING, PRAISE, BESIDE];
  return (
    said.every((word) => known.some((list) => list.has(word))) &&
    (has(ENDING) || has(DECLINING) || has(PRAISE)) &&
    !(has(DECLINING) && has(PRAISE))
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
