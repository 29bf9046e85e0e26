import type { Queryable } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import type { MessageStatus } from "../../wire/words.ts";

/** The last message of one side. */
export interface LastWord {
  readonly id: string;
  readonly type: string;
  readonly text: string | null;
  readonly status: MessageStatus;
  readonly at: Date;
  readonly source: string;
  /** The actor's name, as it is stored. */
  readonly author: string | null;
}

export interface LastWords {
  readonly conversationId: string;
  readonly inbound: LastWord | null;
  /** Messages of campaigns do not count. */
  readonly outbound: LastWord | null;
  /** The last of ours that answers: neither one that failed nor one that its program says answers nobody. */
  readonly answerId: string | null;
}

/** How many of the newest messages are read. A word further back says nothing new. */
const LOOKED_AT = 50;

const wordOf = (condition: Sql): Sql => sql`(
  select json_build_object('id', m.id, 'type', m.type, 'text', left(m.text, 600), 'status', m.status, 'at', m.created_at,
    'source', m.source, 'author', m.author)
  from (select * from message where workspace_id = k.workspace_id and conversation_id = k.id
    order by id desc limit ${LOOKED_AT}::int) m
  where ${condition} order by m.id desc limit 1)`;

/** The last message of each side in these conversations. */
export async function selectLastWords(
  db: Queryable,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<LastWords[]> {
  const rows = await db.query<{
    conversationId: string;
    inbound: (Omit<LastWord, "at"> & { at: string }) | null;
    outbound: (Omit<LastWord, "at"> & { at: string }) | null;
    answer: { id: string } | null;
  }>(sql`
    select k.id as "conversationId", ${wordOf(sql`m.direction = 'inbound'`)} as inbound,
      ${wordOf(sql`m.direction = 'outbound' and m.broadcast_id is null`)} as outbound,
      ${wordOf(sql`m.direction = 'outbound' and m.broadcast_id is null and m.answers and m.status <> 'failed'`)} as answer
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]) k (workspace_id, id)`);
  const read = (word: (typeof rows)[number]["inbound"]): LastWord | null =>
    word && { ...word, at: new Date(word.at) };
  return rows.map(({ conversationId, inbound, outbound, answer }) => ({
    conversationId,
    inbound: read(inbound),
    outbound: read(outbound),
    answerId: answer?.id ?? null,
  }));
}
