import type { Tx } from "../db/database.ts";
import type { ConversationStatus } from "../wire/words.ts";
import { writeDeskRows } from "./desk-write-store.ts";

/** The part of a conversation that the inbox shows, as it is after the change. */
export interface DeskConversation {
  readonly workspaceId: string;
  readonly id: string;
  readonly channelId: string;
  readonly status: ConversationStatus;
  readonly assigneeId: string | null;
  readonly labels: readonly string[];
  /** The customer's messages that are unread, without those of `inbound`. */
  readonly unreadCount: number;
  readonly windowExpiresAt: Date | null;
  readonly lastMessageAt: Date | null;
  readonly createdAt: Date;
}

/** What was said last, as a row previews it. */
export interface LastSaid {
  readonly id: string;
  readonly kind: string;
  readonly preview: string;
  readonly side: "customer" | "us" | "note";
  /** The member who wrote it, or the source of a program's message; null: the customer. */
  readonly by: string | null;
}

/** A change to a row of the inbox. A member that is absent stays as it was. */
export interface DeskChange {
  readonly conversation: DeskConversation;
  /** A customer or a person did something that moves the row: a message, reply or note, a reopening, the end of a snooze. */
  readonly actedAt?: Date;
  /**
   * `customer`: the customer waits for an answer, since `actedAt` if not longer. `nobody`: the customer was
   * answered.
   */
  readonly waiting?: "customer" | "nobody";
  /** The end of the snooze. It counts only while the status is `snoozed`. */
  readonly snoozedUntil?: Date | null;
  /** A person answered: what the customer wrote until now is unread for no member. */
  readonly answered?: boolean;
  readonly said?: LastSaid;
  /** Our last message, when `said` does not name it. */
  readonly lastOutboundId?: string;
  /** How many messages the customer sent. */
  readonly inbound?: number;
  readonly failed?: boolean;
}

const PREVIEW = 140;

/** Who wrote a message of ours, as a row says it: the member's id, else where it was written. `author`: an actor's name. */
export function writerOf(source: string, author: string | null): string {
  return /^member:(.+)$/.exec(author ?? "")?.[1] ?? source;
}

/** The beginning of a text as a row shows it: one line of at most 140 characters. */
export function previewOf(text: string | null): string {
  const line = (text ?? "")
    .slice(0, PREVIEW * 4)
    .replace(/\s+/g, " ")
    .trim();
  return Array.from(line).slice(0, PREVIEW).join("").toWellFormed();
}

/**
 * Writes changes of conversations into the inbox, one change for each conversation. The conversations must be
 * locked. It locks the same sequence rows as `emitEvents`, so it too is sent when everything else of the transaction was,
 * and costs no round trip. A conversation that a campaign opened has no row until this is called for it.
 */
export function changeDesk(tx: Tx, changes: readonly DeskChange[]): void {
  if (changes.length > 0) tx.beforeCommit(() => writeDeskRows(tx, changes));
}
