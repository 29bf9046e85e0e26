import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../db/sql.ts";
import { Shop, startGround } from "./campaign.fixture.ts";
import { listRecipients } from "./list-recipients.ts";

test("those who wait come page by page in the order of contacts, whatever their time zones", async () => {
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
    update broadcast set zones = ${[...new Set(zones)]} where workspace_id = ${shop.id} and id = ${id}`);
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

test("the few of a large campaign who are in a state are looked for a stretch at a time", async () => {
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
  // Those that an index has, and a page that is full, are as they were.
  assert.equal((await listRecipients(shop.app, shop.id, id, { status: "failed" })).next, null);
  const full = await listRecipients(shop.app, shop.id, id, { status: "read", limit: 2 });
  assert.equal(full.next, full.items.at(1)?.contactId);
});
