import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../../src/actor.ts";
import { createContact } from "../../../src/contacts/record/create-contact.ts";
import { startApi, type Api } from "../api.ts";
import { connectWhatsApp, openConversation } from "../fixtures.ts";

interface Said {
  readonly type: string;
  readonly data: {
    readonly by?: string;
    readonly refs?: Readonly<Record<string, string>>;
    readonly conversation?: { readonly snoozedUntil: string | null };
  };
}

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api[Symbol.asyncDispose]());

/** A workspace, the name by which its key is the maker of a change, and what happened since the last look. */
async function shop() {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const me = await api.call("GET", "/me", { bearer });
  let place = "0";
  const news = async (): Promise<readonly Said[]> => {
    const { body } = await api.call("GET", `/events?after=${place}`, { bearer });
    place = String(body["nextAfter"]);
    return body["items"] as readonly Said[];
  };
  return { workspaceId, bearer, me: `key:${String(me.body["keyId"])}`, news };
}

test("events of contacts say who made the change and what other systems call the contact", async () => {
  const { workspaceId, bearer, me, news } = await shop();
  const refs = { crm: "42" };
  const upsert = { match: ["refs.crm"], refs, phone: "201001234567", name: "Sara" };
  const made = await api.call("POST", "/contacts/upsert", { json: upsert, bearer });
  const id = (made.body["contact"] as { readonly id: string }).id;
  await api.call("PATCH", `/contacts/${id}`, { json: { name: "Sara H.", optedOut: true }, bearer });
  const evidence = { optedOut: false, evidence: "asked in the shop" };
  await api.call("PUT", `/contacts/${id}/consent`, { json: evidence, bearer });
  const shown = (events: readonly Said[]) =>
    events.map(({ type, data }) => [type, data.by, data.refs]);
  assert.deepEqual(shown(await news()), [
    ["contact.created", me, refs],
    ["contact.updated", me, refs],
    ["contact.opted_out", me, refs],
    ["contact.opted_in", me, refs],
  ]);
  await createContact(OPERATOR, api.app, workspaceId, { email: "a@b.co" });
  assert.deepEqual(shown(await news()), [["contact.created", "cli", {}]]);
  const job = { filter: { ids: [id] }, change: { action: "tag", tags: ["vip"] } };
  await api.call("POST", "/contact-jobs", { json: job, bearer });
  await api.app.drain();
  assert.deepEqual(shown(await news()), [["contact.updated", me, refs]]);
  const other = await api.call("POST", "/contacts", { json: { email: "b@b.co" }, bearer });
  await news();
  await api.call("POST", `/contacts/${id}/merge`, { json: { mergedId: other.body["id"] }, bearer });
  await api.call("DELETE", `/contacts/${id}`, { bearer });
  const gone = shown(await news());
  assert.deepEqual(gone, [
    ["contact.merged", me, undefined],
    ["contact.updated", me, refs],
    ["contact.deleted", me, undefined],
  ]);
});

test("the event of a conversation says who changed it, and until when it is snoozed", async () => {
  const { workspaceId, bearer, me, news } = await shop();
  const channelId = await connectWhatsApp(api, workspaceId);
  const id = await openConversation(api, { workspaceId, channelId, hoursAgo: 1 });
  await news();
  const snoozedUntil = "2099-01-01T00:00:00.000Z";
  await api.call("PATCH", `/conversations/${id}`, {
    json: { status: "snoozed", snoozedUntil },
    bearer,
  });
  await api.call("PATCH", `/conversations/${id}`, { json: { status: "open" }, bearer });
  assert.deepEqual(
    (await news()).map(({ type, data }) => [type, data.by, data.conversation?.snoozedUntil]),
    [
      ["conversation.updated", me, snoozedUntil],
      ["conversation.updated", me, null],
    ],
  );
});
