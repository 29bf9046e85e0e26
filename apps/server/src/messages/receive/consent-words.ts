import { MEDIA_KINDS } from "../../channels/adapter.ts";
import type { ConsentChange } from "../../contacts/consent/set-consent.ts";
import { readConsentWord, type OwnWords } from "../../contacts/consent/stop-words.ts";
import type { Tx } from "../../db/database.ts";
import { selectLaterTexts } from "./inbound-store.ts";

/** A customer's text, and when it was written, as the platform says and not after now. */
export interface ConsentText {
  readonly workspaceId: string;
  readonly channelType: string;
  readonly channelId: string;
  readonly contactId: string;
  /** Of the message: content that a person neither typed nor pressed asks for nothing. */
  readonly type: string;
  readonly text: string | null;
  readonly at: Date;
}

/** Types whose text somebody typed: words, and what stands under a file. */
const TYPED: ReadonlySet<string> = new Set(["text", ...MEDIA_KINDS]);

/**
 * What a customer's message asks for when it is a stop or start word alone: typed, or the title of a pressed button
 * (`button`; on which Cancel, End and Quit ask for nothing). A choice from a list, a card and a reaction ask for nothing.
 * `own`: the words of the workspace.
 */
export function consentWordOf(
  { type, text }: Pick<ConsentText, "type" | "text">,
  own: OwnWords | undefined,
): ReturnType<typeof readConsentWord> {
  if (text === null || !(TYPED.has(type) || type === "button")) return null;
  return readConsentWord(text, { pressed: type === "button", own });
}

/**
 * Gives what stop and start words alone ask for, in the order in which they were written: platforms try for days to
 * hand over what they could not. A word came late when its writer has said another one since in the same
 * conversation. A late word asks for nothing, whether it is a stop or a start. Within one second the order of
 * receipt counts.
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
