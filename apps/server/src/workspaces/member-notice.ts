import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { cutPage } from "../lib/cut-page.ts";
import { isId, MAX_ID } from "../lib/ids.ts";
import { deskTopic } from "../lib/topics.ts";
import { write } from "../write.ts";
import { listMembers } from "./list-members.ts";
import {
  countUnreadNotices,
  insertMemberNotices,
  readNotices,
  readNoticesOfConversation,
  selectMemberNotices,
} from "./member-notice-store.ts";

export { deleteNoticesOfNote, deleteNoticesOfNotes, moveNotices } from "./member-notice-store.ts";

export type MemberNoticeKind =
  | "mention"
  | "assigned"
  | "handed_over"
  | "import"
  | "export"
  | "campaign"
  | "system"
  | "change";

/** A notice to one member. */
export interface NewMemberNotice {
  readonly memberId: string;
  readonly kind: MemberNoticeKind;
  /** One line: the name of the member who mentioned or assigned. */
  readonly subject: string;
  readonly body: string;
  /** A path of the dashboard. */
  readonly ref: string | null;
  /** The conversation of the notice. When it is deleted, so is the notice. */
  readonly conversationId: string | null;
  readonly noteId?: string;
  /** The result of finished work. The page puts it into words. */
  readonly facts?: NoticeFacts;
}

export type NoticeFacts = Readonly<Record<string, string | number>>;

/** A notice as its member reads it. */
export interface MemberNoticeRow {
  readonly id: string;
  readonly kind: MemberNoticeKind;
  readonly subject: string;
  readonly body: string;
  readonly ref: string | null;
  readonly facts: NoticeFacts;
  readonly createdAt: Date;
  readonly readAt: Date | null;
}

/** The reader: a member of a workspace. */
export interface MemberKey {
  readonly workspaceId: string;
  readonly memberId: string;
}

const MOST_COUNTED = 1_000;
const MOST_A_PAGE = 100;

/** Notifies members, in the transaction of what happened. */
export async function notifyMembers(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  notices: readonly NewMemberNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  const at = context.clock.now();
  const rows = notices.map((notice) => ({ ...notice, id: context.ids.next(), at }));
  await insertMemberNotices(tx, workspaceId, rows);
}

/** Notifies every owner and admin but the one it is about. */
export async function notifyLeaders(
  context: Pick<Context, "ids" | "clock" | "topics">,
  tx: Tx,
  workspaceId: string,
  notice: Omit<NewMemberNotice, "memberId" | "kind" | "conversationId">,
  about: string | null = null,
): Promise<void> {
  const leaders = (await listMembers(tx, workspaceId)).filter(
    ({ id, role, disabledAt }) => role !== "agent" && disabledAt === null && id !== about,
  );
  const notices = leaders.map(
    ({ id: memberId }) => ({ ...notice, memberId, kind: "system", conversationId: null }) as const,
  );
  await notifyMembers(context, tx, workspaceId, notices);
  tx.afterCommit(() => {
    for (const { memberId } of notices)
      void context.topics.publish(deskTopic(workspaceId), { kind: "notice", memberId });
  });
}

/** The notices of a conversation that have served their purpose. */
export interface HandledNotices {
  /** Every one of this member; null: of none. */
  readonly memberId: string | null;
  /** Every one that says that the conversation was assigned. */
  readonly assigned: boolean;
  readonly all: boolean;
}

/**
 * Ends notices of a conversation that was handled. A person's reply ends the author's own and everybody's of an assignment;
 * a mention waits for the one who was asked. Resolving ends all, looking at it those of the member who looks.
 * Answers whether there were any.
 */
export async function endNotices(
  context: Pick<Context, "clock">,
  db: Queryable,
  workspaceId: string,
  conversationId: string,
  by: "resolved" | { readonly replied: string } | { readonly looked: string },
): Promise<boolean> {
  const whose =
    by === "resolved"
      ? { memberId: null, assigned: true, all: true }
      : "replied" in by
        ? { memberId: by.replied, assigned: true, all: false }
        : { memberId: by.looked, assigned: false, all: false };
  return readNoticesOfConversation(db, workspaceId, conversationId, whose, context.clock.now());
}

/** Long work that has ended. */
export interface EndedWork {
  readonly kind: "import" | "change";
  /** Who began it, in the audit's form of an actor. */
  readonly actor: string;
  readonly facts: NoticeFacts;
  readonly ref: string;
}

/**
 * Notifies the member who began long work that it has ended. Nobody is notified when no member began it, or when that
 * member has left.
 */
export async function notifyStarter(
  context: Pick<Context, "ids" | "clock" | "topics">,
  tx: Tx,
  workspaceId: string,
  { kind, actor, facts, ref }: EndedWork,
): Promise<void> {
  const [, memberId] = /^member:(.+)$/.exec(actor) ?? [];
  const members = memberId === undefined ? [] : await listMembers(tx, workspaceId);
  if (memberId === undefined || !members.some(({ id }) => id === memberId)) return;
  const notice = { memberId, kind, subject: "", body: "", ref, conversationId: null, facts };
  await notifyMembers(context, tx, workspaceId, [notice]);
  // No row of the inbox changed, so the streams would not notice the new notice.
  tx.afterCommit(() => {
    void context.topics.publish(deskTopic(workspaceId), { kind: "notice", memberId });
  });
}

export interface MemberNoticePage {
  readonly notices: readonly MemberNoticeRow[];
  /** How many notices are unread, counted up to 1,000. */
  readonly unread: number;
  /** Where to read on, or null at the end. */
  readonly nextCursor: string | null;
}

/** A page of a member's notices, newest first, at most 100. A cursor that is no id finds nothing. */
export async function listMemberNotices(
  context: Pick<Context, "db">,
  key: MemberKey,
  page: { readonly cursor?: string | undefined; readonly limit?: number | undefined } = {},
): Promise<MemberNoticePage> {
  const { cursor = MAX_ID } = page;
  const limit = Math.min(page.limit ?? 30, MOST_A_PAGE);
  const [rows, unread] = await Promise.all([
    isId(cursor) ? selectMemberNotices(context.db, key, cursor, limit + 1) : [],
    unreadNotices(context, key),
  ]);
  const { items, last } = cutPage(rows, limit);
  return { notices: items, unread, nextCursor: last?.id ?? null };
}

/** How many unread notices a member has, counted up to 1,000. */
export async function unreadNotices(
  context: Pick<Context, "db">,
  { workspaceId, memberId }: MemberKey,
): Promise<number> {
  return (await unreadNoticesOf(context, workspaceId, [memberId])).get(memberId) ?? 0;
}

/** The same for many members in one statement. */
export function unreadNoticesOf(
  context: Pick<Context, "db">,
  workspaceId: string,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  return countUnreadNotices(context.db, workspaceId, memberIds, MOST_COUNTED);
}

/**
 * Marks notices of the acting member as read: those in `ids`, or all without `ids`. Ids of other members' notices are
 * ignored. Returns how many are still unread. Throws FORBIDDEN for an actor that is no member.
 */
export const markNoticesRead = write(
  "member_notice.read",
  async (
    actor,
    context: Pick<Context, "db" | "clock">,
    workspaceId: string,
    ids?: readonly string[],
  ): Promise<number> => {
    const key = { workspaceId, memberId: memberOf(actor) };
    await readNotices(context.db, key, ids?.filter(isId) ?? null, context.clock.now());
    return unreadNotices(context, key);
  },
);

/** The acting member, for things that only members have: notes, drafts, notices. Throws FORBIDDEN. */
export function memberOf(actor: Actor): string {
  if (actor.kind === "member") return actor.memberId;
  throw new AppError("FORBIDDEN", { explanation: "only a member of the team may do this" });
}
