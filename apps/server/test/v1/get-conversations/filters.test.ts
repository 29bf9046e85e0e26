import { OPERATOR } from "../../../src/actor.ts";
import { KEY } from "../../actors.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mergeContacts } from "../../../src/contacts/identity/merge-contacts.ts";
import { updateConversation } from "../../../src/conversations/update-conversation.ts";
import { sql } from "../../../src/db/sql.ts";
import { acceptMessage } from "../../../src/messages/accept/accept-message.ts";
import {
  receiveEvents,
  type InboundAccount,
} from "../../../src/messages/receive/receive-events.ts";
import { followDesk } from "../../../src/messages/record/follow-desk.ts";
import { createMember } from "../../../src/workspaces/create-member.ts";
import type { ListedConversationJson } from "../../../src/wire/conversation.ts";
import type { Scope } from "../../../src/wire/words.ts";
import { startApi, type Api } from "../api.ts";
import { connectWhatsApp } from "../fixtures.ts";

// The filters, orders and parts of the list of conversations (GET /v1/conversations).

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

let heard = 0;
/** A customer writes; gives the conversation. */
async function hears(account: InboundAccount, index: number): Promise<string> {
  const from = String(20_100_000_000 + index);
  await receiveEvents(api.app, [
    {
      account,
      event: {
        kind: "message",
        accountExternalId: "1",
        externalMessageId: `in.${++heard}`,
        from: { externalId: from, phone: from, name: "Mona" },
        occurredAt: api.clock.now(),
        content: { type: "text", text: "Hi", attachments: [] },
        opensWindow: true,
      },
    },
  ]);
  const { workspaceId } = account;
  const [row] = await api.app.db.query<{ id: string }>(sql`
    select id from conversation where workspace_id = ${workspaceId} and external_id = ${from}`);
  return row?.id ?? "";
}

interface Page {
  readonly items: readonly ListedConversationJson[];
  readonly nextCursor: string | null;
}

/** A workspace with conversations in which customers wrote, the oldest first. */
async function shop(count: number) {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const channelId = await connectWhatsApp(api, workspaceId);
  const ids: string[] = [];
  const account = { workspaceId, channelId, channelType: "WHATSAPP" } as const;
  for (let index = 0; index < count; index++) ids.push(await hears(account, index));
  const get = async (query: string, key = bearer): Promise<Page> => {
    const answer = await api.call("GET", `/conversations?${query}`, { bearer: key });
    assert.equal(answer.status, 200, answer.text);
    return answer.body as unknown as Page;
  };
  return {
    workspaceId,
    bearer,
    channelId,
    ids,
    get,
    /** Every page to the end. */
    all: async (query: string, limit = 2): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: Page = await get(`${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
        found.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      return found;
    },
    change: (id: string, patch: Parameters<typeof updateConversation>[4]) =>
      updateConversation(OPERATOR, api.app, workspaceId, id, patch),
  };
}

test("by assignee, label and unread, in each order, together with status, channel and contact", async () => {
  const { workspaceId, channelId, ids, all, change, get } = await shop(6);
  const person = { email: "mona@example.com", name: "Mona", role: "agent" } as const;
  const { id: mona } = await createMember(OPERATOR, api.app, workspaceId, person);
  const [a = "", b = "", c = "", d = "", e = "", f = ""] = ids;
  for (const id of [a, c, e]) await change(id, { assigneeId: mona });
  for (const id of [b, c, f]) await change(id, { labels: ["VIP "] });
  for (const id of [a, b]) await change(id, { read: true });
  await change(c, { status: "resolved" });
  const expected: readonly [query: string, ids: readonly string[]][] = [
    [`assigneeId=${mona}`, [e, c, a]],
    ["assigneeId=none", [f, d, b]],
    ["label=vip", [f, c, b]],
    ["label=%20Vip", [f, c, b]],
    ["label=other", []],
    ["unread=true", [f, e, d, c]],
    ["unread=false", [b, a]],
    ["unanswered=true", [f, e, d, b, a]],
    ["unanswered=false", [c]],
    ["unanswered=true&status=resolved", []],
    ["unanswered=true&label=vip", [f, b]],
    ["unanswered=true&unread=true&assigneeId=none", [f, d]],
    [`assigneeId=${mona}&status=open`, [e, a]],
    [`assigneeId=${mona}&label=vip&unread=true`, [c]],
    [`label=vip&channelId=${channelId}&status=open`, [f, b]],
    [`assigneeId=${workspaceId}`, []],
  ];
  for (const [query, wanted] of expected) {
    assert.deepEqual(await all(query), wanted, query);
    for (const sort of ["recent", "changes"]) {
      const found = await all(`${query}&sort=${sort}`);
      assert.deepEqual(found.toSorted().toReversed(), wanted, `${query}, ${sort}`);
    }
  }
  // The order in which they changed last.
  const changes = [d, e, f, a, b, c];
  assert.deepEqual(await all("sort=changes"), changes);
  assert.deepEqual(await all("sort=recent"), changes.toReversed());
  const [{ contactId } = { contactId: "" }] = (await get("label=vip&limit=1")).items;
  for (const sort of ["newest", "recent", "changes"]) {
    assert.deepEqual(await all(`contactId=${contactId}&label=vip&sort=${sort}`), [f]);
    assert.deepEqual(await all(`contactId=${contactId}&unread=false&sort=${sort}`), []);
    assert.deepEqual(await all(`contactId=${contactId}&unanswered=true&sort=${sort}`), [f]);
  }
  await acceptMessage(KEY, api.app, workspaceId, { conversationId: f, text: "Yes" });
  while ((await followDesk(api.app)) > 0);
  assert.deepEqual(await all("unanswered=true"), [e, d, b, a]);
});

test("a program that reads on after its last page gets everything that changed meanwhile, and nothing else", async () => {
  const { workspaceId, ids, get, change } = await shop(3);
  const [a = "", b = "", c = ""] = ids;
  const before = (await get("sort=changes")).items;
  assert.deepEqual(before.map(({ id }) => id), [a, b, c]); // oxfmt-ignore
  const last = before.at(-1)?.changedAt ?? "";
  assert.deepEqual((await get(`updatedAfter=${new Date(Date.parse(last) + 1).toISOString()}`)).items, []); // oxfmt-ignore
  // A page of one, behind which the first is changed: it moves to the end.
  const first = await get("sort=changes&limit=1");
  assert.deepEqual(first.items.map(({ id }) => id), [a]); // oxfmt-ignore
  await change(a, { labels: ["late"] });
  const rest = await get(`sort=changes&cursor=${first.nextCursor}`);
  assert.deepEqual(rest.items.map(({ id }) => id), [b, c, a]); // oxfmt-ignore
  // A reply of a program reaches the inbox behind the request.
  const moment = rest.items.at(-1)?.changedAt ?? "";
  await acceptMessage(KEY, api.app, workspaceId, { conversationId: b, text: "Yes" });
  while ((await followDesk(api.app)) > 0);
  const after = await get(`updatedAfter=${new Date(Date.parse(moment) + 1).toISOString()}`);
  assert.deepEqual(after.items.map(({ id }) => id), [b]); // oxfmt-ignore
  const recent = await get(`updatedAfter=${moment}&sort=recent&limit=1`);
  assert.deepEqual(recent.items.map(({ id }) => id), [b]); // oxfmt-ignore
});

test("a merge joins what was unread, and the list has it", async () => {
  const { workspaceId, ids, all, change, get } = await shop(2);
  const [a = "", b = ""] = ids;
  await change(b, { read: true });
  const contacts = new Map((await get("sort=newest")).items.map((one) => [one.id, one.contactId]));
  await mergeContacts(OPERATOR, api.app, workspaceId, contacts.get(b) ?? "", contacts.get(a) ?? "");
  await api.app.drain();
  while ((await followDesk(api.app)) > 0);
  const { items } = await get("sort=newest");
  const unread = items.filter(({ unreadCount }) => unreadCount > 0).map(({ id }) => id);
  assert.equal(unread.length, 1);
  assert.deepEqual(await all("unread=true"), unread);
});

test("rows that are older than the mark of unread are found by their conversation", async () => {
  const { workspaceId, ids, all, change } = await shop(3);
  const [a = "", b = "", c = ""] = ids;
  await change(b, { read: true });
  await api.app.db.query(
    sql`update desk_conversation set unread = null where workspace_id = ${workspaceId}`,
  );
  assert.deepEqual(await all("unread=true"), [c, a]);
});

test("include shows the contact, the last message and the assignee, each with its own scope", async () => {
  const { workspaceId, bearer, ids, get, change } = await shop(2);
  const person = { email: "omar@example.com", name: "Omar", role: "agent" } as const;
  const { id: omar } = await createMember(OPERATOR, api.app, workspaceId, person);
  const [a = "", b = ""] = ids;
  await change(a, { assigneeId: omar });
  await acceptMessage(KEY, api.app, workspaceId, { conversationId: b, text: "On its way" });
  const { items } = await get("include=contact,lastMessage,assignee");
  const [second, first] = items;
  assert.equal(second?.lastMessage?.text, "On its way");
  assert.deepEqual([second?.assignee, first?.assignee?.name], [null, "Omar"]);
  assert.deepEqual([first?.contact?.id, first?.lastMessage?.text], [first?.contactId, "Hi"]);
  const contact = await api.call("GET", `/contacts/${first?.contactId}`, { bearer });
  assert.deepEqual(first?.contact, contact.body);
  const message = await api.call("GET", `/messages/${first?.lastMessage?.id}`, { bearer });
  assert.deepEqual(first?.lastMessage, message.body);
  const [plain] = (await get("limit=1")).items;
  assert.deepEqual(
    Object.keys(second ?? {}).filter((name) => !Object.hasOwn(plain ?? {}, name)),
    ["contact", "lastMessage", "assignee"],
  );
  // One alone shows the same, under the version that it has without.
  const alone = (query: string, key = bearer) =>
    api.call("GET", `/conversations/${b}${query}`, { bearer: key });
  const { body: one, headers } = await alone("?include=contact,lastMessage,assignee");
  assert.deepEqual(one, second);
  assert.equal(headers["etag"], (await alone("")).headers["etag"]);
  assert.equal((await alone("?include=notes")).status, 400);
  const only = await api.key(["messages:read"], workspaceId);
  assert.equal((await alone("?include=lastMessage", only)).status, 200);
  const unread = await alone("?include=contact", only);
  assert.deepEqual([unread.status, unread.body.message], [403, "MISSING_SCOPE:contacts:read"]);
  assert.ok((await get("include=lastMessage", only)).items[0]?.lastMessage);
  for (const [part, scope] of [
    ["contact", "contacts:read"],
    ["assignee", "team:read"],
  ] as const satisfies readonly (readonly [string, Scope])[]) {
    const path = `/conversations?include=lastMessage,${part}`;
    const refused = await api.call("GET", path, { bearer: only });
    assert.deepEqual([refused.status, refused.body.message], [403, `MISSING_SCOPE:${scope}`]);
    const both = await api.key(["messages:read", scope], workspaceId);
    assert.equal((await api.call("GET", path, { bearer: both })).status, 200);
  }
});

test("what does not fit is refused by its name", async () => {
  const at = "2026-11-28T10:00:00Z";
  for (const [query, path] of [
    ["assigneeId=me", "assigneeId"],
    ["label=", "label"],
    ["unread=1", "unread"],
    ["updatedAfter=yesterday", "updatedAfter"],
    [`updatedAfter=${at}&sort=newest`, "sort"],
    ["sort=oldest", "sort"],
    ["include=messages", "include.0"],
    ["expand=contact", "expand"],
    [`sort=recent&cursor=${api.app.ids.next()}`, "cursor"],
    [`cursor=2026-11-28T10:00:00.000000Z_${api.app.ids.next()}`, "cursor"],
    [`sort=changes&cursor=2026-99-99T10:00:00.000000Z_${api.app.ids.next()}`, "cursor"],
  ] as const) {
    const { status, body } = await api.call("GET", `/conversations?${query}`);
    assert.deepEqual([status, body.details?.map((one) => one.path)], [400, [path]], query);
  }
});
