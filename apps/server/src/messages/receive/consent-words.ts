import { MEDIA_KINDS } from "../../channels/adapter.ts";
import type { ConsentChange } from "../../contacts/consent/set-consent.ts";
import { readConsentWord, type OwnWords } from "../../contacts/consent/stop-words.ts";
import type { Tx } from "../../db/database.ts";
import { selectLaterTexts } from "./inbound-store.ts";

/** A customer's text. `at` is when it was written, as the platform says, and never later than now. */
export interface ConsentText {
  readonly workspaceId: string;
  readonly channelType: string;
  readonly channelId: string;
  readonly contactId: string;
  /** The message's type. Content that nobody typed or pressed asks for nothing. */
  readonly type: string;
  readonly text: string | null;
  readonly at: Date;
}

/** Types whose text somebody typed: a text, or the caption of a file. */
const TYPED: ReadonlySet<string> = new Set(["text", ...MEDIA_KINDS]);

/**
 * What a customer's message asks for, or null. It asks for something when a stop or start word is its whole text, or
 * the title of a pressed button (type `button`). On a button, Cancel, End and Quit ask for nothing. A choice from a
 * list, a card and a reaction ask for nothing. `own`: the workspace's own words.
 */
export function consentWordOf(
  { type, text }: Pick<ConsentText, "type" | "text">,
  own: OwnWords | undefined,
): ReturnType<typeof readConsentWord> {
  if (text === null || !(TYPED.has(type) || type === "button")) return null;
  return readConsentWord(text, { pressed: type === "button", own });
}

/**
 * What stop and start words ask for, in the order in which they were written. Platforms try for days to hand over a
 * message, so a word may come late: its writer has since written another word in the same conversation. A late word,
 * stop or start, asks for nothing. Within one second the order of receipt counts.
 */
export async function consentChanges(
  tx: Tx,
  texts: readonly ConsentText[],
  own: ReadonlyMap<string, OwnWords>,
): Promise<ConsentChange[]> {
  const words = texts.flatMap((one) => {
    const read = consentWordOf(one, own.get(one.workspaceId));
    return read === null ? [] : [{ ...one, ...read }];
  });
  if (words.length === 0) return [];
  const late = new Set<number>();
  for (const { place, ...later } of await selectLaterTexts(tx, words))
    if (consentWordOf(later, own.get(words[place]?.workspaceId ?? "")) !== null) late.add(place);
  return words
    .filter((_, place) => !late.has(place))
    .toSorted((a, b) => seconds(a.at) - seconds(b.at))
    .map(({ workspaceId, channelType, channelId, contactId, wish, word, at }) => {
      const optedOut = wish === "stop";
      const origin = { workspaceId, channelType, channelId, contactId };
      return { ...origin, optedOut, source: "stop_word", detail: word, at };
    });
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
