import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { uploadMedia } from "../../media/upload-media.ts";
import type { DeskPage, OpenedConversation } from "../../wire/desk-shapes.ts";
import { openBrowsers, type Browsers, type HttpMethod } from "./people.fixture.ts";

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

const signedIn = (desk: Desk, name: string) => browsers.signIn(desk.workspaceId, "agent", name);

interface Sent {
  readonly message: OpenedConversation["thread"]["entries"][number];
  readonly row: OpenedConversation["row"];
}

test("a conversation opens with everything its page needs; it gets an answer with a file, a note and a draft", async () => {
  const desk = await Desk.open(m);
  const sara = await signedIn(desk, "Sara");
  const id = await desk.hears("201000000001", "Where is my order?");
  const file = await sara.ask<{ id: string; url: string; mimeType: string; size: number }>(
    "POST",
    "/files?name=note.txt",
    Buffer.from("hello"),
    { "content-type": "text/plain" },
  );
  assert.deepEqual([file.status, file.json.size], [201, 5]);
  const draft = { mode: "reply", text: "On its", media: [] };
  assert.equal((await sara.ask("PUT", `/conversations/${id}/draft`, draft)).status, 200);
  const opened = await sara.ask<OpenedConversation>("GET", `/conversations/${id}`);
  assert.equal(opened.status, 200);
  assert.deepEqual(opened.json.draft, draft);
  assert.equal(opened.json.mine.draft, "On its");
  const seen = await sara.ask<DeskPage["mine"][number]>("PUT", `/conversations/${id}/seen`, {
    seen: 1,
  });
  assert.deepEqual([seen.json.seen, seen.json.draft], [1, "On its"]);
  const list = await sara.ask<DeskPage>("GET", "/conversations?view=all");
  assert.deepEqual(
    list.json.mine.map((part) => part.draft),
    ["On its"],
  );
  const { files, ...rules } = opened.json.rules;
  assert.deepEqual(rules, {
    maxText: 4096,
    templates: true,
    sandbox: false,
    quotes: "all",
  });
  const image = { kind: "image", mimeTypes: ["image/jpeg", "image/png"], maxBytes: 5 * 1024 ** 2 };
  assert.deepEqual(files[0], image);
  assert.equal(opened.json.thread.entries.length, 1);
  assert.equal(opened.json.contact.phone, "201000000001");
  // The link of a file is worth nothing without the session, nor to another workspace.
  const address = file.json.url.replace("/api/app", "");
  assert.match(file.json.url, /^\/api\/app\/files\/[0-9a-f-]{36}$/);
  const { body, headers } = await sara.send("GET", address);
  assert.deepEqual([body, headers["cache-control"]], ["hello", "private, no-cache"]);
  const kept = { "if-none-match": String(headers["etag"]) };
  assert.equal((await sara.send("GET", address, undefined, kept)).statusCode, 304);
  const stranger = await signedIn(await Desk.open(m), "Stranger");
  assert.equal((await stranger.send("GET", address)).statusCode, 404);
  assert.equal((await sara.send("GET", address, undefined, { cookie: "" })).statusCode, 401);

  const contactId = opened.json.contact.id;
  const across = await sara.ask<{ lines: { kind: string }[] }>(
    "GET",
    `/contacts/${contactId}/across`,
  );
  assert.equal(across.json.lines[0]?.kind, "conversation");

  const clientId = m.t.app.ids.next();
  const reply = { clientId, text: "On its way", media: [file.json.id] };
  const key = { "idempotency-key": clientId };
  const one = await sara.ask<Sent>("POST", `/conversations/${id}/replies`, reply, key);
  assert.equal(one.status, 201);
  assert.equal(one.json.row.assigneeId, sara.id);
  const again = await sara.ask<Sent>("POST", `/conversations/${id}/replies`, reply, key);
  const without = await sara.ask<Sent>("POST", `/conversations/${id}/replies`, reply);
  assert.deepEqual(
    [again.json.message.id, without.json.message.id],
    [one.json.message.id, one.json.message.id],
  );
  // Another request under the id, with the header and without.
  for (const headers of [key, {}]) {
    const changed = { ...reply, text: "Not on its way" };
    const other = await sara.ask<{ message: string }>(
      "POST",
      `/conversations/${id}/replies`,
      changed,
      headers,
    );
    assert.deepEqual([other.status, other.json.message], [422, "IDEMPOTENCY_KEY_REUSED"]);
  }
  const note = await sara.ask<{ id: string }>("POST", `/conversations/${id}/notes`, {
    text: "VIP",
  });
  assert.equal(note.status, 201);
  assert.equal((await sara.ask("DELETE", `/notes/${note.json.id}`)).status, 200);
  const last = opened.json.thread.entries[0]?.id ?? "";
  const path = `/conversations/${id}/thread?after=${last}&again=${one.json.message.id}`;
  const later = await sara.ask<OpenedConversation["thread"]>("GET", path);
  const texts = later.json.entries.flatMap((line) => (line.kind === "event" ? [] : [line.text]));
  assert.deepEqual(texts, ["Where is my order?", "On its way", ""]);
  const sentFiles = later.json.entries.flatMap((line) =>
    line.kind === "message" ? line.attachments.map(({ url }) => url) : [],
  );
  assert.deepEqual(sentFiles, [file.json.url]);
  const sum = await m.t.app.db.query(sql`select count(*)::int as n from message
    where conversation_id = ${id} and direction = 'outbound'`);
  assert.deepEqual(sum, [{ n: 1 }]);
  const contact = { name: "Mona", language: "ar" };
  const edited = await sara.ask<OpenedConversation["contact"]>(
    "PATCH",
    `/contacts/${opened.json.contact.id}`,
    contact,
  );
  assert.deepEqual([edited.json.name, edited.json.language], ["Mona", "ar"]);
});

test("a saved reply keeps its files, each reply gets copies, and they go when nobody needs them", async () => {
  const desk = await Desk.open(m);
  const { app, clock } = m.t;
  const [sara, omar] = [await signedIn(desk, "Sara"), await signedIn(desk, "Omar")];
  const stranger = await signedIn(await Desk.open(m), "Eve");
  const upload = async (fileName: string) => {
    const body = Readable.from([Buffer.from("%PDF-1.4 prices")]);
    return (await uploadMedia(OPERATOR, app, desk.workspaceId, { fileName, body })).id;
  };
  const [prices, map] = [await upload("prices.pdf"), await upload("map.pdf")];
  const text = { shortcut: "prices", title: "Prices", text: "Our prices", shared: false };
  interface Saved {
    readonly id: string;
    readonly media: readonly string[];
  }
  const write = (media: readonly string[], id?: string) =>
    id === undefined
      ? sara.ask<Saved>("POST", "/saved-replies", { ...text, media })
      : sara.ask<Saved>("PATCH", `/saved-replies/${id}`, { media });
  assert.equal((await write([app.ids.next()])).status, 400);
  assert.equal((await write([prices, prices])).status, 400);
  const saved = await write([prices, map]);
  assert.deepEqual([saved.status, saved.json.media], [201, [prices, map]]);
  const path = `/files/saved-replies/${saved.json.id}`;
  interface Files {
    readonly files: readonly { readonly id: string; readonly fileName: string }[];
  }
  assert.deepEqual((await sara.ask("GET", path)).json, {
    files: [
      { id: prices, fileName: "prices.pdf" },
      { id: map, fileName: "map.pdf" },
    ],
  });
  for (const other of [omar, stranger])
    for (const method of ["GET", "POST"] as const)
      assert.equal((await other.ask(method, path)).status, 404);

  const id = await desk.hears("201000000001");
  const reply = (media: readonly string[]) =>
    sara.ask<{ message: { attachments: readonly { fileName: string }[] } }>(
      "POST",
      `/conversations/${id}/replies`,
      { clientId: app.ids.next(), media },
    );
  assert.equal((await reply([prices])).status, 400, "it is the saved reply's");
  for (let time = 0; time < 2; time++) {
    const attached = await sara.ask<Files>("POST", path);
    assert.equal(attached.status, 201);
    const sent = await reply(attached.json.files.map((file) => file.id));
    assert.deepEqual(
      sent.json.message.attachments.map(({ fileName }) => fileName),
      ["prices.pdf", "map.pdf"],
    );
  }
  await sara.ask("POST", path);
  const rows = async () => {
    clock.advance(25 * 3_600_000);
    await app.drain();
    const all = await app.db.query<{ bytes: string; n: number }>(sql`
      select coalesce(bytes_id, id) as bytes, count(*)::int as n from media
      where workspace_id = ${desk.workspaceId} group by 1 order by 1`);
    return all.map(({ bytes, n }) => [bytes, n]);
  };
  assert.deepEqual(await rows(), [
    [prices, 3],
    [map, 3],
  ]);
  assert.deepEqual((await write([map], saved.json.id)).json.media, [map]);
  await rows();
  assert.deepEqual(
    (await sara.ask<Files>("GET", path)).json.files.map((file) => file.id),
    [map],
  );
  assert.equal((await sara.ask("DELETE", `/saved-replies/${saved.json.id}`)).status, 200);
  assert.deepEqual(await rows(), [
    [prices, 2],
    [map, 2],
  ]);
});

test("a member's own things stay the member's, and another workspace sees nothing", async () => {
  const desk = await Desk.open(m);
  const elsewhere = await Desk.open(m);
  const [sara, omar] = [await signedIn(desk, "Sara"), await signedIn(desk, "Omar")];
  const stranger = await signedIn(elsewhere, "Eve");
  const id = await desk.hears("201000000001");
  const text = { shortcut: "Hi", title: "Greeting", text: "Hello {{contact.name}}" };
  const saved = await sara.ask<{ id: string; shortcut: string }>("POST", "/saved-replies", {
    ...text,
    shared: false,
  });
  assert.deepEqual([saved.status, saved.json.shortcut], [201, "hi"]);
  assert.equal((await sara.ask("POST", "/saved-replies", { ...text, shared: false })).status, 409);
  assert.equal((await sara.ask("POST", "/saved-replies", { ...text, shared: true })).status, 403);
  const named = { title: "Other" };
  assert.equal((await omar.ask("PATCH", `/saved-replies/${saved.json.id}`, named)).status, 404);
  const view = { name: "Open", filter: { all: [[{ field: "status", any: ["open"] }]] } };
  const made = await sara.ask<{ id: string }>("POST", "/views", { ...view, shared: false });
  assert.equal(made.status, 201);
  assert.equal((await omar.ask("DELETE", `/views/${made.json.id}`)).status, 404);

  const mentions = { text: "@Omar look", mentions: [omar.id] };
  const note = await sara.ask<{ id: string }>("POST", `/conversations/${id}/notes`, mentions);
  interface Notices {
    readonly items: readonly { readonly kind: string; readonly body: string }[];
    readonly unread: number;
  }
  const told = await omar.ask<Notices>("GET", "/notices");
  assert.deepEqual([told.json.unread, told.json.items[0]?.body], [1, "@Omar look"]);
  assert.deepEqual((await omar.ask("POST", "/notices/read", {})).json, { unread: 0 });

  const clientId = m.t.app.ids.next();
  const asked: [HttpMethod, string, object?][] = [
    ["GET", `/conversations/${id}`],
    ["GET", `/conversations/${id}/thread`],
    ["GET", `/conversations/${id}/templates`],
    ["POST", `/conversations/${id}/replies`, { clientId, text: "x" }],
    ["POST", `/conversations/${id}/notes`, { text: "x" }],
    ["PUT", `/conversations/${id}/draft`, { mode: "note", text: "x" }],
    ["PATCH", `/notes/${note.json.id}`, { text: "x" }],
    ["DELETE", `/notes/${note.json.id}`],
    ["DELETE", `/saved-replies/${saved.json.id}`],
    ["DELETE", `/views/${made.json.id}`],
  ];
  for (const [method, path, body] of asked)
    assert.equal((await stranger.ask(method, path, body)).status, 404, `${method} ${path}`);
});
