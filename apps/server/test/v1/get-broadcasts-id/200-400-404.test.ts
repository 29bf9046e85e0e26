import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createBroadcast } from "../../../src/broadcasts/record/create-broadcast.ts";
import { startBroadcast } from "../../../src/broadcasts/record/start-broadcast.ts";
import { sql } from "../../../src/db/sql.ts";
import { createContact } from "../../../src/contacts/record/create-contact.ts";
import { updateContact } from "../../../src/contacts/record/update-contact.ts";
import { startApi, type Api } from "../api.ts";
import { addTemplate, connectWhatsApp } from "../fixtures.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

interface Recipient {
  readonly contactId: string;
  readonly name: string | null;
  readonly address: string | null;
  readonly status: string;
  readonly reason: string | null;
}
interface Page {
  readonly items: readonly Recipient[];
  readonly nextCursor: string | null;
}

/** A campaign to five contacts, one opted out and one without a number; nobody answers at the platform's address. */
async function campaign(workspaceId: string) {
  const channelId = await connectWhatsApp(api, workspaceId);
  const templateId = await addTemplate(api, channelId, { name: "t", workspaceId });
  const contacts: string[] = [];
  for (const json of [
    { phone: "1" },
    { phone: "2" },
    { phone: "3" },
    { phone: "4" },
    { email: "a@b.co" },
  ])
    contacts.push((await createContact(OPERATOR, api.app, workspaceId, { ...json, name: "N" })).id);
  // Nobody of the audience: a campaign without a segment goes to all who have not opted out.
  const [out = ""] = contacts.splice(1, 1);
  await updateContact(OPERATOR, api.app, workspaceId, out, { optedOut: true });
  const { id } = await createBroadcast(OPERATOR, api.app, workspaceId, {
    name: "Sale",
    kind: "WHATSAPP_TEMPLATE",
    channelId,
    templateId,
    variables: { 1: "x", 2: "x" },
  });
  return { id, contacts };
}

test("one campaign is answered as the list shows it", async () => {
  const { id } = await campaign(api.workspaceId);
  const one = await api.call("GET", `/broadcasts/${id}`);
  const list = (await api.call("GET", "/broadcasts")).body as unknown as { id: string }[];
  assert.equal(one.status, 200);
  assert.deepEqual(
    one.body,
    list.find((row) => row.id === id),
  );
});

test("a campaign that Parley stopped says why, with what to do: alone and in its report", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  const { id } = await campaign(workspaceId);
  const reasonAt = async (tail: string): Promise<unknown> =>
    (await api.call("GET", `/broadcasts/${id}${tail}`, { bearer })).body["reason"];
  const reasons = async () => {
    const reason = await reasonAt("");
    assert.deepEqual(await reasonAt("/report"), reason);
    return reason;
  };
  assert.equal(await reasons(), undefined, "nothing stopped it");
  await api.app.db.query(
    sql`update template set status = 'PAUSED' where workspace_id = ${workspaceId}`,
  );
  await startBroadcast(OPERATOR, api.app, workspaceId, id);
  await api.app.drain();
  assert.deepEqual(await reasons(), {
    code: "TEMPLATE_NOT_APPROVED",
    message:
      "The template is not approved. Sync the templates, or wait for the approval. It cannot be started any more: duplicate it.",
  });
  await api.app.db.query(sql`
    update broadcast set status = 'PAUSED', status_reason = '190: Session expired: log in'
    where workspace_id = ${workspaceId} and id = ${id}`);
  assert.deepEqual(await reasons(), {
    code: "190",
    message:
      "The platform refused the messages. Correct what its words in brackets say. After that a start resumes it, and it keeps its recipients. (Session expired: log in)",
  });
});

test("its recipients by contact, page after page and by status, each with its outcome", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  const { id, contacts } = await campaign(workspaceId);
  const get = async (query: string) =>
    (await api.call("GET", `/broadcasts/${id}/recipients${query}`, { bearer }))
      .body as unknown as Page;
  assert.deepEqual(await get(""), { items: [], nextCursor: null }, "nobody before the start");
  await startBroadcast(OPERATOR, api.app, workspaceId, id);
  await api.app.drain();
  for (const limit of [1, 2, 5, 6, 1_000]) {
    const seen: Recipient[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Page = await get(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      assert.ok(page.items.length <= limit);
      assert.ok(page.items.length > 0, "no page after the last");
      seen.push(...page.items);
      cursor = page.nextCursor;
    }
    assert.deepEqual(
      seen.map((one) => one.contactId),
      contacts,
      `limit ${limit}`,
    );
    const last = seen.at(-1);
    assert.deepEqual(
      [last?.name, last?.address, last?.status, last?.reason],
      ["N", null, "skipped", "no_address"],
    );
    assert.deepEqual(
      seen.slice(0, -1).map((one) => one.address),
      ["1", "3", "4"],
    );
  }
  const skipped = await get("?status=skipped");
  assert.deepEqual(
    skipped.items.map((one) => one.contactId),
    [contacts[3]],
  );
  assert.deepEqual((await get("?status=read")).items, []);
  const both = (await get("?statuses=skipped,failed")).items;
  assert.deepEqual(
    both.map((one) => one.contactId),
    [contacts[3]],
  );
  const repeated = ["skipped", "pending", "sending", "failed"].map((one) => `statuses=${one}`);
  assert.deepEqual(
    (await get(`?${repeated.join("&")}`)).items.map((one) => one.contactId),
    contacts,
  );
});

test("what is no status, cursor or number is refused by name", async () => {
  const { id } = await campaign(api.workspaceId);
  for (const [query, path] of [
    ["status=SENT", "status"],
    ["cursor=x", "cursor"],
    ["limit=0", "limit"],
    ["statuses=failed,SENT", "statuses.1"],
    ["status=sent&statuses=failed", "statuses"],
  ] as const) {
    const { status, body } = await api.call("GET", `/broadcasts/${id}/recipients?${query}`);
    assert.deepEqual([status, body.details?.map((one) => one.path)], [400, [path]]);
  }
});

test("an unknown id, nonsense and another workspace's are the same 404", async () => {
  const other = await api.newWorkspace();
  const { id } = await campaign(other.workspaceId);
  for (const one of [id, api.app.ids.next(), "none", "%00"])
    for (const tail of ["", "/recipients"]) {
      const { text } = await api.call("GET", `/broadcasts/${one}${tail}`);
      assert.equal(text, '{"statusCode":404,"error":"Not Found","message":"BROADCAST_NOT_FOUND"}');
    }
});
