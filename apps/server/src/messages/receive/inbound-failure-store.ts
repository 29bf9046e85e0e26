import type { Context } from "../../context.ts";
import type { Queryable } from "../../db/database.ts";
import { describeInLine } from "../../db/describe-for-log.ts";
import { sql } from "../../db/sql.ts";
import type { InboundItem } from "./receive-events.ts";

/**
 * Marks a row that holds an event. The same table also holds calls that could not be read, as raw bytes without this
 * mark.
 */
const FORM = "event/1";
const MAX_ATTEMPTS = 10;
const MINUTE_MS = 60_000;

/** Keeps an event that could not be taken in. It is tried ten times: the n-th time n² minutes after it came. */
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

/** Keeps the bytes of a call that could not be read, for a person to look at. The call is not tried again. */
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

/** The events that are due, over all workspaces, at most 50. Calls that could not be read are never among them. */
export async function selectDueFailures(
  db: Queryable,
  now: Date,
): Promise<{ id: string; body: Buffer }[]> {
  return db.query(sql`
    select id, body from inbound_failure where retry_at <= ${now} order by retry_at limit 50`);
}

/** The event in a kept body. Throws when the body holds no event. */
export function readItem(body: Buffer): InboundItem {
  const value = JSON.parse(body.toString("utf8"), (key, member: unknown) =>
    key === "occurredAt" && typeof member === "string" ? new Date(member) : member,
  ) as InboundItem & { form?: string };
  if (value.form !== FORM) throw new Error("not a kept event");
  return value;
}

/** Deletes an event that has been taken in. */
export async function dropFailure(db: Queryable, id: string): Promise<void> {
  await db.query(sql`delete from inbound_failure where id = ${id}`);
}

/** Notes that another try failed. The next try comes later each time; after the last one there is none. */
export async function countFailure(db: Queryable, id: string, error: unknown): Promise<void> {
  await db.query(sql`
    update inbound_failure set attempts = attempts + 1, error = ${describeInLine(error)},
      retry_at = case when attempts + 1 < ${MAX_ATTEMPTS}
        then received_at + (attempts + 1) * (attempts + 1) * interval '1 minute' end
    where id = ${id}`);
}
