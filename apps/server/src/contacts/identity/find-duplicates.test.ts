import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import type { Db } from "../../db/database.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { createContact } from "../record/create-contact.ts";
import { findDuplicates } from "./find-duplicates.ts";
import { importContacts } from "../import/import-contacts.ts";
import { matchContacts } from "./match-contacts.ts";
import { mergeContacts } from "./merge-contacts.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

async function addressesOf(w: string, by: "phone" | "email" | "externalId", limit: number) {
  const pages: (readonly [string, number, number])[][] = [];
  for (let next: string | null = ""; next !== null;) {
    const page = await findDuplicates(t.app, w, { by, after: next, limit });
    pages.push(page.groups.map((one) => [one.address, one.count, one.contacts.length] as const));
    next = page.next;
  }
  return pages;
}

test("the same phone, or the same e-mail in any case, is a duplicate; the same name or another workspace's contact is not", async () => {
  const { id: w } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const add = (contact: object, workspaceId = w) =>
    createContact(OPERATOR, t.app, workspaceId, contact);
  for (const phone of ["1", "2", "2", "3", "3", "3", "4", "4"]) await add({ name: "Same", phone });
  await add({ phone: "1" }, t.app.ids.next());
  await add({ email: "A@x.co" });
  await add({ email: "a@X.co" });
  await add({ email: "b@x.co" });
  assert.deepEqual(await addressesOf(w, "phone", 2), [
    [
      ["2", 2, 2],
      ["3", 3, 3],
    ],
    [["4", 2, 2]],
  ]);
  assert.deepEqual(await addressesOf(w, "email", 50), [[["a@x.co", 2, 2]]]);

  const [two] = (await findDuplicates(t.app, w, { by: "phone", limit: 1 })).groups;
  const [keep, merged] = two?.contacts ?? [];
  assert.ok(keep && merged && keep.id < merged.id, "oldest first");
  await mergeContacts(OPERATOR, t.app, w, keep.id, merged.id);
  assert.deepEqual(await addressesOf(w, "phone", 50), [
    [
      ["3", 3, 3],
      ["4", 2, 2],
    ],
  ]);
});

test("an imported contact and the one that wrote by the same external id are listed; merged, they are one", async () => {
  const { id: w } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const file = async function* () {
    yield Buffer.from("name,externalId,channelType\nTele,7001,TELEGRAM\nOther,7002,TELEGRAM\n");
  };
  await importContacts(t.app, w, file(), { format: "csv" });
  const { matches } = await t.app.db.transaction((tx) =>
    matchContacts(t.app, tx, [
      {
        workspaceId: w,
        channelId: t.app.ids.next(),
        channelType: "TELEGRAM",
        externalId: "7001",
        phone: null,
        name: "Customer",
        at: t.clock.now(),
        seen: true,
      },
    ]),
  );
  assert.equal(matches[0]?.created, true, "a file's word is no platform's");
  const [both] = (await findDuplicates(t.app, w, { by: "externalId" })).groups;
  assert.deepEqual(
    [both?.address, both?.contacts.map((one) => one.name)],
    ["7001", ["Tele", "Customer"]],
  );
  const [keep, merged] = both?.contacts ?? [];
  await mergeContacts(OPERATOR, t.app, w, keep?.id ?? "", merged?.id ?? "");
  assert.deepEqual(await addressesOf(w, "externalId", 50), [[]]);
});

test("a number that very many contacts share is shown with its count and its first fifty contacts", async () => {
  const w = t.app.ids.next();
  for (let n = 0; n < 53; n++) await createContact(OPERATOR, t.app, w, { phone: "7" });
  assert.deepEqual(await addressesOf(w, "phone", 50), [[["7", 53, 50]]]);
  await assert.rejects(findDuplicates(t.app, w, { by: "phone", limit: 0 }), {
    code: "VALIDATION_FAILED",
  });
});

test("a workspace is read in windows, and a group that a window cuts is given whole", async () => {
  const w = t.app.ids.next();
  const phones = ["1", "2", "2", "3", "4", "5", "5", "5", "5", "6", "7", "7"];
  for (const phone of phones) await createContact(OPERATOR, t.app, w, { phone });
  const all = [
    ["2", 2, 2],
    ["5", 4, 4],
    ["7", 2, 2],
  ];
  for (const window of [1, 2, 3, 4, 5, 11, 12, 13]) {
    let statements = 0;
    const slowQuery: Db["slowQuery"] = (...asked) => {
      statements += 1;
      return t.app.db.slowQuery(...asked);
    };
    const db: Db = Object.assign(Object.create(t.app.db), { slowQuery });
    const shown: unknown[] = [];
    for (let next: string | null = ""; next !== null;) {
      const page = await findDuplicates({ db }, w, { by: "phone", after: next, limit: 2 }, window);
      shown.push(...page.groups.map((one) => [one.address, one.count, one.contacts.length]));
      next = page.next;
    }
    assert.deepEqual(shown, all, `windows of ${window}`);
    assert.ok(statements >= Math.ceil(7 / window) && statements <= 13, `${statements} statements`);
  }
});
