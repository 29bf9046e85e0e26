import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR, type MemberRole } from "../../actor.ts";
import { createBroadcast } from "../../broadcasts/record/create-broadcast.ts";
import { scheduleBroadcast } from "../../broadcasts/record/change-broadcast.ts";
import { defineAttribute } from "../../contacts/attributes/define-attribute.ts";
import { createContact } from "../../contacts/record/create-contact.ts";
import type { SavedSegmentJson, SegmentChoicesJson } from "./contract/segments.ts";
import type { SegmentJson, SegmentSampleJson } from "../../wire/segment.ts";
import { openBrowsers, type Browsers } from "./people.fixture.ts";

let m: Messaging;
let browsers: Browsers;
before(async () => {
  m = await startMessaging();
  browsers = await openBrowsers(m.t.app);
});
after(async () => {
  await browsers[Symbol.asyncDispose]();
  await m[Symbol.asyncDispose]();
});

async function signedIn(workspaceId: string, role: MemberRole) {
  const { ask } = await browsers.signIn(workspaceId, role);
  return <T>(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) =>
    ask<T>(method, `/segments${path}`, body);
}

const VIP = { match: "all", rules: [{ field: "tag", op: "eq", value: "vip" }] } as const;

test("a definition is counted, sampled, saved, used by a campaign and deleted; agents read", async () => {
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const admin = await signedIn(w, "admin");
  const agent = await signedIn(w, "agent");
  await defineAttribute(OPERATOR, m.t.app, w, { key: "size", type: "number", label: "Shoe size" });
  for (let n = 0; n < 12; n++)
    await createContact(OPERATOR, m.t.app, w, {
      phone: `9655000000${n}`,
      name: `Person ${n}`,
      tags: n < 11 ? ["vip", "kuwait"] : ["kuwait"],
      attributes: { size: 38 + n, city: n % 2 ? "Kuwait" : "Hawally", seen: "2026-01-01" },
    });

  const choices = (await agent<SegmentChoicesJson>("GET", "/choices")).json;
  assert.deepEqual(choices.tags, ["kuwait", "vip"]);
  assert.deepEqual(
    choices.attributes.map(({ key, label, type, defined }) => [key, label, type, defined]),
    [
      ["size", "Shoe size", "number", true],
      ["city", "city", "text", false],
      ["seen", "seen", "date", false],
    ],
  );
  assert.deepEqual(choices.attributes[1]?.values.toSorted(), ["Hawally", "Kuwait"]);

  const counted = await agent("POST", "/count", { definition: VIP });
  assert.deepEqual(counted, { status: 200, json: { count: 11, exact: true } });
  type Sample = SegmentSampleJson;
  const sample = (await agent<Sample>("POST", "/sample", { definition: VIP })).json;
  assert.deepEqual(
    [sample.whole, sample.contacts.length, sample.contacts[0]?.name, sample.total],
    [true, 10, "Person 10", null],
  );
  const hawally = { field: "attribute.city", op: "eq", value: "Hawally" };
  const few = { definition: { match: "all", rules: [...VIP.rules, hawally] } };
  const all = (await agent<Sample>("POST", "/sample", few)).json;
  assert.deepEqual([all.whole, all.contacts.length, all.total], [true, 6, 6]);
  assert.deepEqual((await agent("POST", "/count", few)).json, { count: 6, exact: true });
  const wrong = {
    match: "all",
    rules: [
      ...VIP.rules,
      { match: "any", rules: [{ field: "attribute.size", op: "eq", value: "x" }] },
    ],
  };
  for (const path of ["/count", "/sample"]) {
    const refused = await agent<{ details: object[] }>("POST", path, { definition: wrong });
    assert.equal(refused.status, 400);
    assert.deepEqual(refused.json.details, [
      {
        path: "rules[1].rules[0].value",
        message: "must be a number (5, not in quotes), because attribute.size is a number",
        code: "rule.type_number",
        params: { attribute: "Shoe size" },
      },
    ]);
  }

  assert.equal((await agent("POST", "", { name: "VIP", definition: VIP })).status, 403);
  const made = await admin<SegmentJson>("POST", "", { name: "VIP", definition: VIP });
  assert.deepEqual([made.status, made.json.cachedCount], [201, null]);
  const { id } = made.json;
  await m.t.app.drain();
  const read = (await agent<SavedSegmentJson>("GET", `/${id}`)).json;
  assert.deepEqual([read.cachedCount, read.definition, read.usedBy], [11, VIP, []]);
  const renamed = await admin<SegmentJson>("PATCH", `/${id}`, { name: "Friends" });
  assert.deepEqual([renamed.json.name, renamed.json.cachedCount], ["Friends", 11]);

  const campaign = await createBroadcast(OPERATOR, m.t.app, w, {
    name: "Autumn",
    kind: "TEXT",
    channelId: desk.account.channelId,
    body: "Hi",
    segmentId: id,
  });
  const used = async () =>
    (await agent<{ segments: SavedSegmentJson[] }>("GET", "")).json.segments[0]?.usedBy.map(
      ({ name, holds }) => [name, holds],
    );
  assert.deepEqual(await used(), [["Autumn", false]]);
  const at = new Date(m.t.app.clock.now().getTime() + 3_600_000);
  await scheduleBroadcast(OPERATOR, m.t.app, w, campaign.id, at);
  assert.deepEqual(await used(), [["Autumn", true]]);
  assert.equal((await admin("DELETE", `/${id}`)).status, 409);
  const other = await signedIn((await Desk.open(m)).workspaceId, "admin");
  for (const method of ["GET", "DELETE"] as const)
    assert.equal((await other(method, `/${id}`)).status, 404);
  const spare = (await admin<SegmentJson>("POST", "", { name: "Spare", definition: VIP })).json;
  assert.equal((await admin("DELETE", `/${spare.id}`)).status, 200);
});
