import { OPERATOR } from "../../../src/actor.ts";
import { AGENT, KEY } from "../../actors.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mergeContacts } from "../../../src/contacts/identity/merge-contacts.ts";
import { updateConversation } from "../../../src/conversations/update-conversation.ts";
import { acceptMessage } from "../../../src/messages/accept/accept-message.ts";
import { startApi, type Api } from "../api.ts";
import { connectWhatsApp, openConversation } from "../fixtures.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

interface Page {
  readonly items: readonly { readonly id: string; readonly contactId: string }[];
  readonly nextCursor: string | null;
}
const page = async (query: string, bearer = api.bearer) => {
  const answer = await api.call("GET", query, { bearer });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as unknown as Page;
};
/** Page after page to the end; fails when one is longer than asked. */
async function all(path: string, limit: number, bearer: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const mark = path.includes("?") ? "&" : "?";
    const next: Page = await page(
      `${path}${mark}limit=${limit}${cursor && `&cursor=${cursor}`}`,
      bearer,
    );
    assert.ok(next.items.length <= limit);
    assert.ok(next.items.length > 0 || cursor === "", "no page after the last");
    ids.push(...next.items.map((one) => one.id));
    cursor = next.nextCursor;
  }
  return ids;
}

/** Two channels with conversations by turns; every third is resolved. */
async function desk(count: number) {
  const { workspaceId, bearer } = await api.newWorkspace();
  const channels = [
    await connectWhatsApp(api, workspaceId),
    await connectWhatsApp(api, workspaceId),
  ] as const;
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const channelId = channels[index % 2 === 0 ? 0 : 1];
    ids.unshift(await openConversation(api, { workspaceId, channelId }));
    const [id = ""] = ids;
    if (index % 3 === 0)
      await updateConversation(OPERATOR, api.app, workspaceId, id, { status: "resolved" });
  }
  return { workspaceId, bearer, channels, ids };
}

test("newest first, by status, channel and contact, page after page, each once", async () => {
  const { bearer, channels, ids } = await desk(7);
  const place = (index: number) => 6 - index;
  const on = (n: number) => ids.filter((_, index) => place(index) % 2 === n);
  for (const limit of [1, 2, 3, 7, 8, 200, 1_000]) {
    assert.deepEqual(await all("/conversations", limit, bearer), ids, `limit ${limit}`);
    const resolved = ids.filter((_, index) => place(index) % 3 === 0);
    assert.deepEqual(await all("/conversations?status=resolved", limit, bearer), resolved);
    assert.deepEqual(await all(`/conversations?channelId=${channels[1]}`, limit, bearer), on(1));
    const open = await all(`/conversations?status=open&channelId=${channels[0]}`, limit, bearer);
    assert.deepEqual(
      open,
      on(0).filter((id) => place(ids.indexOf(id)) % 3 !== 0),
    );
  }
  assert.deepEqual(await all("/conversations?status=snoozed", 2, bearer), []);
  const [first] = (await page("/conversations?limit=1", bearer)).items;
  const own = `/conversations?contactId=${first?.contactId}`;
  assert.deepEqual(await all(own, 1, bearer), [ids[0]]);
  assert.deepEqual(await all(`${own}&channelId=${channels[1]}`, 1, bearer), []);
  assert.deepEqual(await all(`${own}&channelId=${channels[0]}`, 1, bearer), [ids[0]]);
  assert.deepEqual(await all(`${own}&status=resolved`, 1, bearer), [ids[0]]);
  assert.deepEqual(await all(`${own}&status=open`, 1, bearer), []);
});

test("what fits all the while is shown exactly once, though others come, go and are resolved between pages", async () => {
  const { workspaceId, bearer, channels, ids } = await desk(12);
  const still = (await all("/conversations?status=open", 200, bearer)).filter((_, index) => index % 2 === 0); // oxfmt-ignore
  const moving = ids.filter((id) => !still.includes(id));
  for (const filter of ["status=open", `status=open&channelId=${channels[0]}`]) {
    const own = await all(`/conversations?${filter}`, 200, bearer);
    const wanted = still.filter((id) => own.includes(id));
    const shown: string[] = [];
    let cursor = "";
    for (let turn = 0; ; turn++) {
      const next = await page(`/conversations?${filter}&limit=2${cursor}`, bearer);
      shown.push(...next.items.map((one) => one.id));
      if (next.nextCursor === null) break;
      cursor = `&cursor=${next.nextCursor}`;
      for (const [place, id] of moving.entries()) {
        const status = (place + turn) % 2 === 0 ? "open" : "resolved";
        await updateConversation(OPERATOR, api.app, workspaceId, id, { status });
      }
      await openConversation(api, { workspaceId, channelId: channels[0] });
      // What is written in is the last written in, and stays where it was.
      const [last = ""] = still.slice(-1);
      await acceptMessage(KEY, api.app, workspaceId, { conversationId: last, text: "x" });
    }
    assert.deepEqual(shown, [...new Set(shown)], "none twice");
    assert.deepEqual(shown, shown.toSorted().toReversed(), "newest first");
    assert.deepEqual(shown.filter((id) => wanted.includes(id)), wanted, filter); // oxfmt-ignore
  }
});

test("a merged contact's are those of the contact it became", async () => {
  const { workspaceId, bearer, ids } = await desk(2);
  const [newer, older] = (await page("/conversations", bearer)).items;
  const [keepId, mergedId] = [older?.contactId ?? "", newer?.contactId ?? ""];
  await mergeContacts(OPERATOR, api.app, workspaceId, keepId, mergedId);
  for (const id of [keepId, mergedId])
    assert.deepEqual(await all(`/conversations?contactId=${id}`, 1, bearer), ids);
});

test("nothing of another workspace, by whatever filter", async () => {
  const mine = await desk(1);
  const { bearer, channels } = await desk(1);
  const [theirs] = (await page("/conversations", mine.bearer)).items;
  for (const query of [`channelId=${mine.channels[0]}`, `contactId=${theirs?.contactId}`])
    assert.deepEqual((await page(`/conversations?${query}`, bearer)).items, []);
  assert.equal((await page(`/conversations?channelId=${channels[0]}`, bearer)).items.length, 1);
});

test("what is no status, id or number is refused by name", async () => {
  for (const [query, path] of [
    ["status=closed", "status"],
    ["channelId=x", "channelId"],
    ["contactId=", "contactId"],
    ["cursor=0", "cursor"],
    ["limit=0", "limit"],
    ["limit=x", "limit"],
  ] as const)
    for (const route of ["/conversations", `/conversations/${api.app.ids.next()}/messages`]) {
      const { status, body } = await api.call("GET", `${route}?${query}`);
      assert.deepEqual([status, body.details?.map((one) => one.path)], [400, [path]]);
    }
});

test("one conversation and its messages, newest first; one message; the same as events tell", async () => {
  const { workspaceId, bearer, ids } = await desk(2);
  const [id = "", empty = ""] = ids;
  const sent: string[] = [];
  for (let index = 0; index < 5; index++) {
    const input = { conversationId: id, text: `é ${index}` };
    sent.unshift((await acceptMessage(AGENT, api.app, workspaceId, input)).id);
  }
  const one = await api.call("GET", `/conversations/${id}`, { bearer });
  assert.deepEqual([one.status, one.body["id"]], [200, id]);
  assert.deepEqual((await page("/conversations?limit=1", bearer)).items, [one.body]);
  for (const limit of [1, 2, 5, 6])
    assert.deepEqual(await all(`/conversations/${id}/messages`, limit, bearer), sent);
  assert.deepEqual(await all(`/conversations/${empty}/messages`, 1, bearer), []);
  const events = await api.call("GET", "/events?types=message.created", { bearer });
  const told = events.body["items"] as { data: { message: { id: string } } }[];
  const message = await api.call("GET", `/messages/${sent[0]}`, { bearer });
  assert.equal(message.status, 200);
  assert.deepEqual(told.at(-1)?.data.message, message.body);
  assert.deepEqual((await page(`/conversations/${id}/messages?limit=1`, bearer)).items, [
    message.body,
  ]);
});

test("the messages of all conversations, newest first, page after page, each once and as by its id", async () => {
  const { workspaceId, bearer, ids } = await desk(3);
  const other = await desk(1);
  const sent: string[] = [];
  for (let index = 0; index < 7; index++) {
    const input = { conversationId: ids[index % 3] ?? "", text: `é ${index}` };
    sent.unshift((await acceptMessage(AGENT, api.app, workspaceId, input)).id);
  }
  for (const limit of [1, 3, 7, 8])
    assert.deepEqual(await all("/messages", limit, bearer), sent, String(limit));
  assert.deepEqual(await all("/messages", 8, other.bearer), []);
  const { items } = await page("/messages?limit=1", bearer);
  const one = await api.call("GET", `/messages/${sent[0]}`, { bearer });
  assert.deepEqual(items, [one.body]);
});

test("an unknown id, nonsense and another workspace's are the same 404", async () => {
  const { workspaceId, ids } = await desk(1);
  const [id = ""] = ids;
  const input = { conversationId: id, text: "x" };
  const message = await acceptMessage(AGENT, api.app, workspaceId, input);
  for (const [before, theirs, after] of [
    ["/conversations/", id, ""],
    ["/conversations/", id, "/messages"],
    ["/messages/", message.id, ""],
  ] as const)
    for (const one of [theirs, api.app.ids.next(), "none", "%00", "9".repeat(400)]) {
      const { body } = await api.call("GET", before + one + after);
      const message = `nothing of this workspace has the id in /v1${before}{id}${after}`;
      const details = [{ path: "", message }];
      const wanted = { statusCode: 404, error: "Not Found", message: "NOT_FOUND", details };
      assert.deepEqual(body, wanted);
    }
});
