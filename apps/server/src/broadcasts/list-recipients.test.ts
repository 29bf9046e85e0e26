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
