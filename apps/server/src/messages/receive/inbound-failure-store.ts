import type { Context } from "../../context.ts";
import type { Queryable } from "../../db/database.ts";
import { describeInLine } from "../../db/describe-for-log.ts";
import { sql } from "../../db/sql.ts";
import type { InboundItem } from "./receive-events.ts";

/** Marks the rows of events: calls that could not be read are kept in the same table, as their raw bytes. */
const FORM = "event/1";
const MAX_ATTEMPTS = 10;
const MINUTE_MS = 60_000;

/** Keeps an event that could not be taken in. It is tried again: the n-th time n² minutes after it came, ten in all. */
export async function storeInboundFailure(
  context: Pick<Context, "db" | "ids" | "clock">,
  item: InboundItem,
  error: unknown,
): Promise<void> {
  const { workspaceId, channelId } = item.account;
  const body = Buffer.from(JSON.stringify({ form: FORM, ...item }));
  const now = context.clock.now();
  await context.db.query(sql`
    insert into inbound_failure (id, workspace_id, channel_id, body, error, retry_at, received_at)
    values (${context.ids.next()}, ${workspaceId}, ${channelId}, ${body}, ${describeInLine(error)},
      ${new Date(now.getTime() + MINUTE_MS)}, ${now})`);
}

/** Keeps the bytes of a call that could not be read, for a person to look at; it is not tried again. */
export async function insertFailedCall(
  context: Pick<Context, "db" | "ids" | "clock">,
  account: { readonly workspaceId: string; readonly channelId: string },
  body: Buffer,
  error: unknown,
): Promise<void> {
  await context.db.query(sql`
    insert into inbound_failure (id, workspace_id, channel_id, body, error, received_at)
    values (${context.ids.next()}, ${account.workspaceId}, ${account.channelId}, ${body}, ${describeInLine(error)},
      ${context.clock.now()})`);
}

/**
 * The events that are due, over all workspaces. Calls that cannot be read are never among them, and their bodies are
 * not read.
 */
export async function selectDueFailures(
  db: Queryable,
  now: Date,
): Promise<{ id: string; body: Buffer }[]> {
  return db.query(sql`
    select id, body from inbound_failure where retry_at <= ${now} order by retry_at limit 50`);
}

/** What a kept body says. Throws when it is not one of ours. */
export function readItem(body: Buffer): InboundItem {
  const value = JSON.parse(body.toString("utf8"), (key, member: unknown) =>
    key === "occurredAt" && typeof member === "string" ? new Date(member) : member,
  ) as InboundItem & { form?: string };
  if (value.form !== FORM) throw new Error("not a kept event");
  return value;
}

/** It was taken in at last. */
export async function dropFailure(db: Queryable, id: string): Promise<void> {
  await db.query(sql`delete from inbound_failure where id = ${id}`);
}

/** One more try failed: the next comes later each time, and none after the last. */
export async function countFailure(db: Queryable, id: string, error: unknown): Promise<void> {
  await db.query(sql`
    update inbound_failure set attempts = attempts + 1, error = ${describeInLine(error)},
      retry_at = case when attempts + 1 < ${MAX_ATTEMPTS}
        then received_at + (attempts + 1) * (attempts + 1) * interval '1 minute' end
    where id = ${id}`);
}
