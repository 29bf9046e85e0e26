import type { MessageEntry, ThreadEntry } from "../../api/shapes.ts";
import { MOST_BEFORE, NEW_CASE, type CaseForm, type TalkLine } from "../../bots/case-form.ts";

/** The longest piece that an answer of a case must hold, in characters. */
const LONGEST_PIECE = 300;
const ARABIC = /\p{Script=Arabic}/u;

/**
 * The case that a bot's answer in a thread makes: what the customer asked last, the lines before it, and what the bot
 * said. The talk begins after what a member wrote, and after a conversation was resolved. Null: no customer asked.
 */
export function talkCase(
  entries: readonly ThreadEntry[],
  answer: Pick<MessageEntry, "id" | "text">,
  decision: string | null,
): CaseForm | null {
  const lines: TalkLine[] = [];
  for (const entry of entries
    .slice(
      0,
      entries.findIndex(({ id }) => id === answer.id),
    )
    .toReversed()) {
    if (endsTalk(entry)) break;
    const line = lineOf(entry);
    // What a bot said after the question is a part of its answer.
    if (line && (lines.length > 0 || line.from === "customer")) lines.unshift(line);
  }
  const asked = lines.at(-1);
  if (!asked) return null;
  return {
    ...NEW_CASE,
    before: lines.slice(0, -1).slice(-MOST_BEFORE),
    question: asked.text,
    mustHold: piecesOf(answer.text ?? ""),
    decision: decision === "clarify" ? "clarify" : "answer",
    lang: ARABIC.test(asked.text) ? "ar" : "en",
  };
}

const endsTalk = (entry: ThreadEntry): boolean =>
  (entry.kind === "message" && entry.direction === "outbound" && entry.source !== "bot") ||
  (entry.kind === "event" && entry.what === "resolved");

function lineOf(entry: ThreadEntry): TalkLine | null {
  if (entry.kind !== "message" || !entry.text?.trim()) return null;
  return { from: entry.direction === "inbound" ? "customer" : "bot", text: entry.text };
}

/** A line for each sentence or two, none of which is too long. */
const piecesOf = (text: string): string =>
  text
    .split("\n")
    .flatMap((line) => (line.length > LONGEST_PIECE ? line.split(/(?<=[.!?؟])\s+/u) : line))
    .map((line) => line.trim().slice(0, LONGEST_PIECE))
    .filter((line) => line !== "")
    .join("\n");
