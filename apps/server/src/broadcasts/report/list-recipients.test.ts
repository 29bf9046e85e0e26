import assert from "node:assert/strict";
import { test } from "node:test";
import { Sql, sql } from "../../db/sql.ts";
import { Shop, startGround } from "../record/campaign.fixture.ts";
import { listRecipients } from "./list-recipients.ts";
import { recipientPage } from "./report-recipient-store.ts";

test("waiting recipients come page by page in the order of contacts, whatever their time zones", async () => {
  await using ground = await startGround();
  const shop = await Shop.open(ground);
  const { id } = await shop.draft();
  const contacts = Array.from({ length: 11 }, () => shop.app.ids.next());
  const zones = ["Asia/Kuwait", "", "Africa/Cairo", "", "Europe/Paris"];
  for (const [n, contact] of contacts.entries())
    await shop.app.db.query(sql`
      insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, address, status, zone)
      values (${shop.id}, ${id}, ${contact}, ${`9655000${n}`}, ${n % 4 === 3 ? "sent" : "pending"},
        ${zones[n % zones.length]})`);
  await shop.app.db.query(sql`
    update broadcast set zones = ${[...new Set(zones)]}, total_count = 11, sent_count = 2 where workspace_id = ${shop.id} and id = ${id}`);
  const waiting = contacts.filter((_, n) => n % 4 !== 3);
  for (const limit of [1, 2, 3, 8, 1_000]) {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await listRecipients(shop.app, shop.id, id, { status: "pending", limit, after });
      seen.push(...page.items.map((one) => one.contactId));
      after = page.next ?? undefined;
    } while (after !== undefined);
    assert.deepEqual(seen, waiting, `pages of ${limit}`);
  }
  const none = { status: "pending", reason: "131026" } as const;
  assert.deepEqual((await listRecipients(shop.app, shop.id, id, none)).items, []);
});

test("the few recipients of a large campaign in a state are searched one stretch at a time", async () => {
  await using ground = await startGround();
  const shop = await Shop.open(ground);
  const { id } = await shop.draft();
  const { db } = shop.app;
  await db.query(sql`
    insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, address, status)
    select ${shop.id}, ${id}, lpad(to_hex(n), 32, '0')::uuid, n::text, case when n in (5, 20100) then 'sent' else 'read' end
    from generate_series(1, 20200) n`);
  const first = await listRecipients(shop.app, shop.id, id, { status: "sent" });
  assert.deepEqual(
    first.items.map((one) => one.address),
    ["5"],
  );
  assert.ok(first.next);
  const rest = await listRecipients(shop.app, shop.id, id, { status: "sent", after: first.next });
  assert.deepEqual([rest.items.map((one) => one.address), rest.next], [["20100"], null]);
  const several = { status: ["sent", "failed"], limit: 1 } as const;
  const one = await listRecipients(shop.app, shop.id, id, several);
  assert.deepEqual(
    one.items.map(({ address }) => address),
    ["5"],
  );
  // States with an index, and a full page, are as before.
  assert.equal((await listRecipients(shop.app, shop.id, id, { status: "failed" })).next, null);
  const full = await listRecipients(shop.app, shop.id, id, { status: "read", limit: 2 });
  assert.equal(full.next, full.items.at(1)?.contactId);
});

test("when a campaign is over nobody is read to find that nobody waits, nor for a reason that sent recipients cannot have", async () => {
  await using ground = await startGround();
  const shop = await Shop.open(ground);
  const { id } = await shop.draft();
  const { db } = shop.app;
  await db.query(sql`
    insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, status, reason)
    select ${shop.id}, ${id}, lpad(to_hex(n), 32, '0')::uuid, 'skipped', 'window_closed' from generate_series(1, 5000) n`);
  await db.query(
    sql`update broadcast set total_count = 5000, skipped_count = 5000 where id = ${id}`,
  );
  await db.query(new Sql(["analyze broadcast_recipient"], []));
  for (const filter of [
    { status: "pending" },
    { status: "pending", reason: "131026" },
    { status: "read", reason: "window_closed" },
    { status: ["pending", "sending", "failed"] },
    { status: ["read", "failed"], reason: "131026" },
  ] as const) {
    const asked = recipientPage(shop.key(id), filter, null, 101, 20_000);
    const [row] = await db.query<{ "QUERY PLAN": readonly { readonly Plan: Read }[] }>(
      sql`explain (analyze, buffers, format json) ${asked}`,
    );
    const plan = row?.["QUERY PLAN"][0]?.Plan;
    assert.ok(plan);
    const pages = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    assert.ok(pages < 20, `${pages} pages for ${JSON.stringify(filter)}`);
    const page = await listRecipients(shop.app, shop.id, id, filter);
    assert.deepEqual([page.items, page.next], [[], null]);
  }
});

interface Read {
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
}
