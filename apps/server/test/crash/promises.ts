import assert from "node:assert/strict";
import type { ReplyClient } from "./reply-client.ts";
import { REPEATED, UNREACHABLE, type Shop, type ShopServer } from "./shop.ts";

const RANK: Record<string, number> = { sent: 0, delivered: 1, read: 2 };

interface MessageRow {
  readonly id: string;
  readonly text: string;
  readonly status: string;
  readonly code: string | null;
  readonly provider: string | null;
  readonly source: string;
}

/** At this instant: the counts of the campaign's row are those of its recipients, and add up (contract §5). */
export async function countsAddUp(
  shop: Shop<ShopServer>,
): Promise<{ status: string; fault: string | null }> {
  const [row] = await shop.server.query<Record<string, number | string>>(
    `select b.status, b.total_count::int as total, b.sent_count::int as sent, b.delivered_count::int as delivered,
       b.read_count::int as read, b.failed_count::int as failed, b.skipped_count::int as skipped, r.*
     from broadcast b, (select count(*)::int as all_rows,
       count(*) filter (where status in ('pending', 'sending'))::int as open_rows,
       count(*) filter (where status in ('sent', 'delivered', 'read'))::int as sent_rows,
       count(*) filter (where status in ('delivered', 'read'))::int as delivered_rows,
       count(*) filter (where status = 'read')::int as read_rows,
       count(*) filter (where status = 'failed')::int as failed_rows,
       count(*) filter (where status = 'skipped')::int as skipped_rows from broadcast_recipient) r`,
  );
  assert.ok(row);
  const of = (name: string) => Number(row[name]);
  const sums = of("open_rows") + of("sent") + of("failed") + of("skipped") === of("total");
  const same =
    of("total") === of("all_rows") &&
    ["sent", "delivered", "read", "failed", "skipped"].every((n) => of(n) === of(`${n}_rows`));
  return { status: String(row["status"]), fault: sums && same ? null : JSON.stringify(row) };
}

/** Every accepted reply is there and over; nobody got anything twice; the platform's word and ours are the same. */
export async function repliesAndRecipients(
  shop: Shop<ShopServer>,
  client: ReplyClient,
): Promise<{ replies: number; unknown: number; accepted: number }> {
  const rows = await shop.server.query<MessageRow>(
    `select id, text, status, error_code as code, provider_message_id as provider, source from message
     where direction = 'outbound'`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [id, text] of client.accepted) {
    const row = byId.get(id);
    assert.ok(row, `${id} was confirmed and is gone`);
    assert.equal(row.text, text);
  }
  const times = new Map<string, number>();
  for (const { source, text } of rows)
    if (source === "api") times.set(text, (times.get(text) ?? 0) + 1);
  for (const { text, keyed, id } of client.ledger) {
    const count = times.get(text) ?? 0;
    assert.ok(count <= 1, `${text} is there ${count} times`);
    if (keyed && id !== null) assert.equal(count, 1);
  }

  const { ledger } = shop.meta;
  assert.ok(ledger.complete);
  assert.deepEqual(ledger.repeated(), [], "messages that the platform got twice");
  const perRecipient = new Map<string, number>();
  const reached = new Set<string>();
  for (const { to, correlation } of ledger.entries()) {
    reached.add(correlation);
    assert.ok(byId.has(correlation), `the platform has ${correlation}, and nobody here sees it`);
    if (shop.isRecipient(to)) perRecipient.set(to, (perRecipient.get(to) ?? 0) + 1);
  }
  const twice = [...perRecipient].filter(([, count]) => count > 1);
  assert.deepEqual(twice, [], "recipients that got the campaign twice");

  const told = new Map(shop.meta.messages().map((one) => [one.correlation ?? "", one]));
  let unknown = 0;
  for (const row of rows) {
    const word = `${row.id} is ${row.status} ${row.code}`;
    if (row.status === "failed") {
      assert.equal(row.code, "OUTCOME_UNKNOWN", word);
      // Given up for want of evidence: had the platform taken it, its statuses would have been the evidence.
      assert.ok(!reached.has(row.id), `${word}, and the platform has it`);
      unknown++;
      continue;
    }
    assert.ok(reached.has(row.id) && row.provider !== null, `${word}, and the platform has it not`);
    const best = Math.max(...(told.get(row.id)?.statuses ?? []).map((one) => RANK[one] ?? -1));
    assert.equal(RANK[row.status], best, `${word}, and the platform said more or less`);
  }
  return { replies: client.accepted.size, unknown, accepted: ledger.total };
}

/** The campaign is over, its counts are true and cover the whole audience. */
export async function campaignIsWhole(shop: Shop<ShopServer>, audience: number): Promise<void> {
  const { status, fault } = await countsAddUp(shop);
  assert.deepEqual([status, fault], ["COMPLETED", null]);
  const rows = await shop.server.query<{ what: string; count: number }>(
    `select coalesce(reason, 'went') as what, count(*)::int as count from broadcast_recipient
     where status = 'skipped' or status <> 'failed' group by 1 order by 1`,
  );
  const counts = Object.fromEntries(rows.map(({ what, count }) => [what, count]));
  assert.equal(counts["duplicate_address"], REPEATED);
  assert.equal(counts["no_address"], UNREACHABLE);
  const [total] = await shop.server.query<{ count: number }>(
    "select total_count::int as count from broadcast",
  );
  assert.equal(total?.count, audience + REPEATED + UNREACHABLE);
}

/** Every event came to every endpoint, signed, byte for byte; the sequence has no gap. */
export async function eventsArrived(
  shop: Shop<ShopServer>,
): Promise<{ events: number; repeated: number; requests: number }> {
  const events = await shop.server.query<{
    id: string;
    type: string;
    sequence: number;
    body: string;
  }>("select id, type, sequence::int as sequence, body from event order by sequence");
  for (const [index, { sequence }] of events.entries()) assert.equal(sequence, index + 1, "a gap");
  const [last] = await shop.server.query<{ last: number }>(
    "select last::int as last from event_sequence",
  );
  assert.equal(last?.last, events.length);
  const due = events.filter(({ sequence }) => sequence > shop.sequenceBefore);
  let requests = 0;
  let wanted = 0;
  for (const { kinds, inbox } of shop.inboxes) {
    const { received, faults } = inbox;
    assert.deepEqual(faults, []);
    const own = due.filter(({ type }) => kinds.length === 0 || kinds.includes(type));
    for (const { id, sequence, body } of own) {
      const got = received.get(id);
      assert.ok(got, `event ${sequence} never arrived`);
      assert.deepEqual([got.sequence, got.body], [sequence, body]);
    }
    assert.equal(
      received.size,
      own.length,
      "events that it did not ask for, or that are in no table",
    );
    requests += inbox.requests;
    wanted += own.length;
  }
  return { events: due.length, requests, repeated: requests - wanted };
}
