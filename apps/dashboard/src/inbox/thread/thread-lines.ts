import type { EventEntry, MessageEntry, NoteEntry, ThreadEntry } from "../../api/shapes.ts";
import type { OutboxItem } from "../outbox/outbox-item.ts";

/** One line of the log. */
export type ThreadLine =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  | { readonly kind: "new"; readonly key: string }
  /** The bot spoke last, and the customer's turn it is. */
  | { readonly kind: "waits"; readonly key: string }
  | { readonly kind: "event"; readonly key: string; readonly entry: EventEntry }
  | { readonly kind: "note"; readonly key: string; readonly entry: NoteEntry }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly entry: MessageEntry;
      /** The first and the last message of one speaker within five minutes. */
      readonly first: boolean;
      readonly last: boolean;
    }
  | {
      readonly kind: "outgoing";
      readonly key: string;
      readonly item: OutboxItem;
      readonly first: boolean;
      readonly last: boolean;
    };

const GROUP_MS = 5 * 60_000;

/** The speaker of a message. Two lines of the same speaker are drawn close together. */
function speakerOf(entry: MessageEntry): string {
  if (entry.direction === "inbound") return "customer";
  return entry.authorId === null
    ? `${entry.source}:${entry.authorName ?? ""}`
    : `member:${entry.authorId}`;
}

/**
 * The log, oldest first: the server's entries, then messages being sent that are not yet among them. A message
 * from this browser keeps its key when the server's entry replaces the bubble, so that nothing on the screen
 * jumps. `botAnswers`: a bot has the conversation; then the log ends with its waiting for the customer.
 */
export function threadLines(
  entries: readonly ThreadEntry[],
  outbox: readonly OutboxItem[],
  firstNew: string | null,
  dayOf: (at: string) => string,
  botAnswers = false,
): readonly ThreadLine[] {
  const lines: ThreadLine[] = [];
  let day = "";
  const known = new Set<string>();
  const begin = (at: string): void => {
    const next = dayOf(at);
    if (next !== day) lines.push({ kind: "day", key: `day ${next}`, at });
    day = next;
  };
  for (const entry of entries) {
    begin(entry.at);
    if (entry.id === firstNew) lines.push({ kind: "new", key: "new" });
    if (entry.kind === "message") {
      if (entry.clientId !== null) known.add(entry.clientId);
      const key = entry.clientId ?? entry.id;
      lines.push({ kind: "message", key, entry, first: true, last: true });
    } else if (entry.kind === "note") lines.push({ kind: "note", key: entry.id, entry });
    else lines.push({ kind: "event", key: entry.id, entry });
  }
  for (const item of outbox) {
    if (known.has(item.id)) continue;
    begin(new Date(item.at).toISOString());
    lines.push({ kind: "outgoing", key: item.id, item, first: true, last: true });
  }
  if (botAnswers && isOfBot(lines.findLast(isSaid))) lines.push({ kind: "waits", key: "waits" });
  return lines.map((line, index) => grouped(line, lines[index - 1], lines[index + 1]));
}

const isSaid = ({ kind }: ThreadLine): boolean => kind === "message" || kind === "outgoing";
const isOfBot = (line: ThreadLine | undefined): boolean =>
  line?.kind === "message" && line.entry.direction === "outbound" && line.entry.source === "bot";

function grouped(
  line: ThreadLine,
  before: ThreadLine | undefined,
  after: ThreadLine | undefined,
): ThreadLine {
  if (line.kind !== "message" && line.kind !== "outgoing") return line;
  return { ...line, first: !together(before, line), last: !together(line, after) };
}

function together(a: ThreadLine | undefined, b: ThreadLine | undefined): boolean {
  const one = placeOf(a);
  const other = placeOf(b);
  return (
    one !== undefined &&
    other !== undefined &&
    one.speaker === other.speaker &&
    other.at - one.at <= GROUP_MS
  );
}

function placeOf(line: ThreadLine | undefined): { speaker: string; at: number } | undefined {
  if (line?.kind === "message")
    return { speaker: speakerOf(line.entry), at: Date.parse(line.entry.at) };
  if (line?.kind === "outgoing" && line.item.what.kind !== "note")
    return { speaker: `member:${line.item.memberId}`, at: line.item.at };
  return undefined;
}
