import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { InboundItem } from "./receive-events.ts";

/** Marks our own rows: the hooks keep calls that could not be read in the same table, as their raw bytes. */
const FORM = "event/1";
const MAX_ATTEMPTS = 10;

export async function keepFailure(
  context: Pick<Context, "db" | "ids" | "clock">,
  item: InboundItem,
  error: string,
): Promise<void> {
  const { workspaceId, channelId } = item.account;
  const body = Buffer.from(JSON.stringify({ form: FORM, ...item }));
  await context.db.query(sql`
    insert into inbound_failure (id, workspace_id, channel_id, body, error, received_at)
    values (${context.ids.next()}, ${workspaceId}, ${channelId}, ${body}, ${error.slice(0, 500)},
      ${context.clock.now()})`);
}

/** Those that are due: the n-th try comes n² minutes after the event did, ten in all. */
export async function selectDueFailures(
  db: Queryable,
  now: Date,
): Promise<{ id: string; body: Buffer }[]> {
  return db.query(sql`
    select id, body from inbound_failure
    where attempts < ${MAX_ATTEMPTS} and received_at <= ${now}::timestamptz - attempts * attempts * interval '1 minute'
      and position(${Buffer.from(`"form":"${FORM}"`)}::bytea in body) > 0
    order by received_at limit 50`);
}

/** What a kept body says. Throws when it is not one of ours. */
export function readItem(body: Buffer): InboundItem {
  const value = JSON.parse(body.toString("utf8"), (key, member: unknown) =>
    key === "occurredAt" && typeof member === "string" ? new Date(member) : member,
  ) as InboundItem & { form?: string };
  if (value.form !== FORM) throw new Error("not a kept event");
  return value;
}

export async function dropFailure(db: Queryable, id: string): Promise<void> {
  await db.query(sql`delete from inbound_failure where id = ${id}`);
}

export async function countFailure(db: Queryable, id: string, error: string): Promise<void> {
  await db.query(sql`
    update inbound_failure set attempts = attempts + 1, error = ${error.slice(0, 500)} where id = ${id}`);
}
