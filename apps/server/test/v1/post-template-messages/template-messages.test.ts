import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { startApi, type Answered, type Api } from "../api.ts";
import { addTemplate, connectWhatsApp, openConversation } from "../fixtures.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

interface Result {
  readonly outcome: string;
  readonly message?: {
    readonly id: string;
    readonly contactId: string;
    readonly contactCreated: boolean;
    readonly errorCode?: string;
  };
  readonly error?: { readonly message: string; readonly details: { readonly path: string }[] };
}

let numbers = 0;
/** A number that nobody has yet. */
const stranger = () => `20155${String(++numbers).padStart(7, "0")}`;
const ORDER = { template: { name: "order_update", language: "en" }, body: ["Sara", "1042"] };

/** A workspace with one WhatsApp channel and the template on it. */
async function shop(plan: "free" | "business" = "business") {
  const { workspaceId, bearer } = await api.newWorkspace(plan);
  const channelId = await connectWhatsApp(api, workspaceId);
  const templateId = await addTemplate(api, channelId, { name: "order_update", workspaceId });
  const count = async (table: "contact" | "conversation" | "message") => {
    const from = { contact: sql`contact`, conversation: sql`conversation`, message: sql`message` };
    const [row] = await api.app.db.query<{ n: number }>(
      sql`select count(*)::int as n from ${from[table]} where workspace_id = ${workspaceId}`,
    );
    return row?.n;
  };
  return {
    workspaceId,
    bearer,
    channelId,
    templateId,
    counts: async () => [
      await count("contact"),
      await count("conversation"),
      await count("message"),
    ],
    send: (json: object, headers: Record<string, string> = {}): Promise<Answered> =>
      api.call("POST", "/template-messages", { json, bearer, headers }),
    batch: async (messages: readonly object[], headers: Record<string, string> = {}) => {
      const json = { messages };
      const sent = await api.call("POST", "/template-messages/batch", { json, bearer, headers });
      assert.equal(sent.status, 200, sent.text);
      const results = sent.body["results"] as Result[];
      return { ...sent, results };
    },
  };
}

test("one call reaches somebody who never wrote: contact, conversation, message, events and meter", async () => {
  const { send, bearer, counts } = await shop();
  const to = stranger();
  const sent = await send({ to: `+${to}`, ...ORDER, contact: { name: "Sara", tags: ["VIP"] } });
  assert.equal(sent.status, 201, sent.text);
  const { id, status, conversationId, contactId, contactCreated } = sent.body;
  assert.deepEqual([status, contactCreated], ["sent", true]);
  const read = async (path: string) => (await api.call("GET", path, { bearer })).body;
  const contact = await read(`/contacts/${String(contactId)}`);
  assert.deepEqual([contact["phone"], contact["name"], contact["tags"]], [to, "Sara", ["vip"]]);
  const message = await read(`/messages/${String(id)}`);
  assert.deepEqual(
    [message["text"], message["type"], message["source"], message["conversationId"]],
    ["Hello Sara, 1042 and Sara", "template", "api", conversationId],
  );
  const { items } = await read("/events");
  assert.ok(Array.isArray(items));
  assert.deepEqual(
    items.map(({ type }: { type: string }) => type).filter((type) => !type.startsWith("channel.")),
    ["contact.created", "conversation.created", "message.created"],
  );
  const usage = (await read("/usage"))["usage"] as { messages: number };
  assert.equal(usage.messages, 1);
  // The next one, to the same number in another form, finds both.
  const next = await send({ to: `00${to}`, ...ORDER });
  assert.deepEqual(
    [next.body["contactCreated"], next.body["contactId"], next.body["conversationId"]],
    [false, contactId, conversationId],
  );
  assert.deepEqual(await counts(), [1, 1, 2]);
});

test("a contact is written to by its id, a template chosen by its own", async () => {
  const { send, templateId, bearer } = await shop();
  const to = stranger();
  const made = await api.call("POST", "/contacts", { json: { phone: to }, bearer });
  const sent = await send({
    contactId: made.body["id"],
    template: { id: templateId },
    body: ["a", "b"],
  });
  assert.deepEqual([sent.status, sent.body["contactCreated"]], [201, false], sent.text);
  assert.equal(sent.body["contactId"], made.body["id"]);
  // Also by what another system calls them.
  const match = { match: ["phone"], phone: to, refs: { crm: "42" } };
  await api.call("POST", "/contacts/upsert", { json: match, bearer });
  const byRef = await send({ ref: { crm: "42" }, ...ORDER });
  assert.deepEqual([byRef.status, byRef.body["contactId"]], [201, made.body["id"]], byRef.text);
  assert.equal((await send({ ref: { crm: "43" }, ...ORDER })).status, 404);
  for (const ref of [{}, { crm: "42", shop: "1" }, { CRM: "42" }])
    assert.equal((await send({ ref, ...ORDER })).status, 400);
  // Somebody who has no number cannot be written to.
  const mail = await api.call("POST", "/contacts", { json: { email: "a@b.co" }, bearer });
  const refused = await send({ contactId: mail.body["id"], ...ORDER });
  assert.deepEqual([refused.status, refused.body.details?.[0]?.path], [400, "contactId"]);
  assert.equal((await send({ contactId: "none", ...ORDER })).status, 404);
});

test("a tab or a line break in a value is sent as a blank, as in a campaign; a value of blanks alone is refused", async () => {
  const { send, bearer } = await shop();
  const { status, body } = await send({ to: stranger(), ...ORDER, body: ["Sara\tAli", "10\n42"] });
  assert.equal(status, 201);
  const message = await api.call("GET", `/messages/${String(body.id)}`, { bearer });
  assert.equal(message.body["text"], "Hello Sara Ali, 10 42 and Sara Ali");
  assert.equal(message.body["status"], "sent");
  const refused = await send({ to: stranger(), ...ORDER, body: ["\t", "1042"] });
  assert.deepEqual(
    [refused.status, refused.body.message, refused.body.details],
    [400, "TEMPLATE_PARAMETERS", [{ path: "body", message: "must not be blank" }]],
  );
});

test("a number that reaches nobody, too short, too long or without its country code, is refused; a contact that has one is readable and keeps it", async () => {
  const { send, batch, bearer, counts } = await shop();
  const words = {
    path: "to",
    message: "must be 7 to 15 digits, with the country code and no 0 before it",
  };
  const short = ["12", "+1 (234) 56", "0020155"]; // The last has seven with the zeros that stand for a plus.
  const local = ["0100 123 4567", "(0) 100 1234567", "+0100123456", "00 0100 1234567"];
  const tooLong = ["9655100000000001", "+965 5100 0000 0000 1", "00 9655100000000001"]; // Sixteen.
  for (const to of [...short, ...local, ...tooLong]) {
    const { status, body } = await send({ to, ...ORDER });
    assert.deepEqual([status, body.message, body.details], [400, "VALIDATION_FAILED", [words]], to);
  }
  const long = "9655100";
  const { results } = await batch([
    { to: "12", ...ORDER },
    { to: "01001234567", ...ORDER },
    { to: long, ...ORDER },
    { to: "00 20 (100) 123-4567", ...ORDER },
    { to: "+1234 567 8901 2345", ...ORDER },
  ]);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ["refused", "refused", "accepted", "accepted", "accepted"],
  );
  assert.deepEqual(await counts(), [3, 3, 3]);
  const made = await api.call("POST", "/contacts", { json: { phone: "12" }, bearer });
  const read = await api.call("GET", `/contacts/${String(made.body["id"])}`, { bearer });
  assert.deepEqual([made.status, read.body["phone"]], [201, "12"]);
});

test("a message that fails at once, as on a channel in error, says so in the answer of the call and of the batch", async () => {
  const { send, batch, workspaceId, channelId } = await shop();
  await api.app.db.query(sql`update channel set status = 'error'
    where workspace_id = ${workspaceId} and id = ${channelId}`);
  const { body } = await send({ to: stranger(), ...ORDER });
  assert.deepEqual([body["status"], body["errorCode"]], ["failed", "CHANNEL_ERROR"]);
  const { results } = await batch([{ to: stranger(), ...ORDER }]);
  assert.equal(results[0]?.message?.errorCode, "CHANNEL_ERROR");
});

test("a number in Arabic or Persian digits is the same number", async () => {
  const { send, counts } = await shop();
  const contacts: unknown[] = [];
  for (const to of ["96551112223", "+٩٦٥ ٥١١١ ٢٢٢٣", "٠٠٩٦٥٥١١١٢٢٢٣", "۹۶۵۵۱۱۱۲۲۲۳"]) {
    const { status, body } = await send({ to, ...ORDER });
    assert.equal(status, 201, to);
    contacts.push(body["contactId"]);
  }
  assert.equal(new Set(contacts).size, 1);
  assert.deepEqual((await counts()).slice(0, 2), [1, 1]);
  assert.equal((await send({ to: "٠١٠٠١٢٣٤٥٦٧", ...ORDER })).status, 400);
});

test("50 equal calls at once with one key: one effect, equal answers", async () => {
  const { send, counts } = await shop();
  const call = async (): Promise<Answered> => {
    for (;;) {
      const answer = await send(json, { "idempotency-key": "order-1042" });
      if (answer.status !== 409) return answer;
      assert.equal(answer.body.message, "IDEMPOTENCY_IN_PROGRESS");
    }
  };
  const json = { to: stranger(), ...ORDER };
  const first = Array.from({ length: 50 }, () => send(json, { "idempotency-key": "order-1042" }));
  const settled = await Promise.all(first);
  for (const { status } of settled) assert.ok(status === 201 || status === 409);
  const answers = new Set([
    ...settled.filter(({ status }) => status === 201).map(({ text }) => text),
    (await call()).text,
  ]);
  assert.equal(answers.size, 1);
  assert.deepEqual(await counts(), [1, 1, 1]);
});

test("calls at once to the same stranger make one contact, beside replies of the same workspace", async () => {
  const { send, counts, workspaceId, channelId, bearer } = await shop();
  const conversationId = await openConversation(api, { workspaceId, channelId });
  const to = stranger();
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0
        ? send({ to, ...ORDER })
        : api.call("POST", "/messages", { json: { conversationId, text: "Hi" }, bearer }),
    ),
  );
  assert.deepEqual(
    all.map(({ status }) => status).filter((status) => status !== 201),
    [],
  );
  const created = all.filter(({ body }) => body["contactCreated"] === true);
  assert.equal(created.length, 1);
  assert.deepEqual(await counts(), [2, 2, 40]);
});

/** Holds the workspace's meter, so that what takes a slot of it waits until `free` is called. */
async function holdMeter(workspaceId: string) {
  const held = Promise.withResolvers<void>();
  const freed = Promise.withResolvers<void>();
  const holding = api.app.db.transaction(async (tx) => {
    await tx.query(sql`select 1 from usage_month where workspace_id = ${workspaceId} for update`);
    held.resolve();
    await freed.promise;
  });
  await held.promise;
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    async somebodyWaits() {
      while ((await api.app.db.query(waiting)).length === 0);
    },
    free() {
      freed.resolve();
      return holding;
    },
  };
}

test("calls that arrive while another is stored share one transaction, each with its answer under its key", async () => {
  const { send, counts, workspaceId } = await shop();
  const calls = Array.from({ length: 8 }, (_, n) => ({
    json: { to: stranger(), ...ORDER },
    headers: { "idempotency-key": `shared ${n}` },
  }));
  const first = await send({ to: stranger(), ...ORDER });
  assert.equal(first.status, 201, first.text);
  const meter = await holdMeter(workspaceId);
  const sent = Promise.all(calls.map(({ json, headers }) => send(json, headers)));
  await meter.somebodyWaits();
  await meter.free();
  const answers = await sent;
  assert.deepEqual(
    answers.map(({ status }) => status),
    calls.map(() => 201),
  );
  const [row] = await api.app.db.query<{ transactions: number }>(sql`
    select count(distinct xmin::text)::int as transactions from message where workspace_id = ${workspaceId}
      and id <> ${first.body["id"]}`);
  assert.ok((row?.transactions ?? 0) < calls.length, "each had a transaction of its own");
  const again = await Promise.all(calls.map(({ json, headers }) => send(json, headers)));
  assert.deepEqual(
    again.map(({ text }) => text),
    answers.map(({ text }) => text),
  );
  assert.deepEqual(await counts(), [9, 9, 9]);
});

test("at the limit exactly as many strangers are written to as are left, also beside another workspace's", async () => {
  const [small, other] = [await shop("free"), await shop()];
  await api.app.db.query(
    sql`update workspace set limits = '{"messages":3}' where id = ${small.workspaceId}`,
  );
  const all = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      (n % 2 === 0 ? small : other).send({ to: stranger(), ...ORDER }),
    ),
  );
  const [limited, free] = [0, 1].map((rest) => all.filter((_, n) => n % 2 === rest));
  assert.deepEqual(limited?.map(({ status }) => status).toSorted(), [
    201,
    201,
    201,
    ...Array.from({ length: 9 }, () => 402),
  ]);
  assert.ok(free?.every(({ status }) => status === 201));
  assert.deepEqual(await small.counts(), [3, 3, 3]);
  assert.deepEqual(await other.counts(), [12, 12, 12]);
  const { body } = await api.call("GET", "/usage", { bearer: small.bearer });
  assert.equal((body["usage"] as { messages: number }).messages, 3);
});

test("a refused call leaves nothing behind, and names what to mend", async () => {
  const { send, counts, workspaceId, channelId, templateId } = await shop();
  const to = stranger();
  const refused = async (json: object, status: number, code: string, path?: string) => {
    const answer = await send(json);
    assert.deepEqual([answer.status, answer.body.message], [status, code], answer.text);
    if (path !== undefined) assert.equal(answer.body.details?.[0]?.path, path);
    assert.deepEqual(await counts(), [0, 0, 0]);
  };
  await refused({ ...ORDER }, 400, "VALIDATION_FAILED", "to");
  await refused({ to, contactId: "x", ...ORDER }, 400, "VALIDATION_FAILED", "to");
  const { body } = await send({ to, contactId: "x", ...ORDER });
  const words = "give one of `to`, `contactId` and `ref`: 2 are here, 1 too many";
  assert.equal(body.details?.[0]?.message, words);
  await refused({ to, ref: { crm: "1" }, ...ORDER }, 400, "VALIDATION_FAILED", "to");
  await refused({ to, template: { name: "order_update" } }, 400, "VALIDATION_FAILED", "template");
  await refused({ to, ...ORDER, channelId: "none" }, 400, "VALIDATION_FAILED", "channelId");
  const mail = { to, ...ORDER, contact: { email: "a@-b.co", name: "x".repeat(201) } };
  await refused(mail, 400, "VALIDATION_FAILED");
  await refused({ to, ...ORDER, body: ["Sara"] }, 400, "TEMPLATE_PARAMETERS", "body");
  await refused({ to, ...ORDER, header: { text: "x" } }, 400, "TEMPLATE_PARAMETERS", "header.text");
  await refused({ to, template: { id: "none" } }, 400, "TEMPLATE_NOT_APPROVED", "template");
  const de = { name: "order_update", language: "de" };
  await refused({ to, ...ORDER, template: de }, 400, "TEMPLATE_NOT_APPROVED", "template");
  const inGerman = await send({ to, ...ORDER, template: de });
  assert.match(inGerman.body.details?.[0]?.message ?? "", /no such template in de .*; it has en$/);
  await addTemplate(api, channelId, { name: "waiting", status: "PENDING", workspaceId });
  const waiting = { to, template: { name: "waiting", language: "en" }, body: ["a", "b"] };
  await refused(waiting, 400, "TEMPLATE_NOT_APPROVED", "template");
  // Mended elsewhere, the same call under the same key runs.
  const headers = { "idempotency-key": "waits for its approval" };
  assert.equal((await send(waiting, headers)).status, 400);
  await api.app.db.query(sql`update template set status = 'APPROVED'
    where workspace_id = ${workspaceId} and name = 'waiting'`);
  assert.equal((await send(waiting, headers)).status, 201);
  // A second channel has the template too: which one is meant?
  const second = await connectWhatsApp(api, workspaceId);
  await addTemplate(api, second, { name: "order_update", workspaceId });
  const needed = await send({ to, ...ORDER });
  assert.deepEqual([needed.status, needed.body.message], [400, "CHANNEL_NEEDED"]);
  assert.equal((await send({ to, ...ORDER, channelId: second })).status, 201);
  assert.equal((await send({ to, ...ORDER, template: { id: templateId } })).status, 201);
});

test("MARKETING to somebody who opted out is 409, UTILITY passes; without allowance nobody is made", async () => {
  const { send, workspaceId, bearer } = await shop();
  const to = stranger();
  const made = await api.call("POST", "/contacts", { json: { phone: to }, bearer });
  const id = String(made.body["id"]);
  await api.call("PATCH", `/contacts/${id}`, { json: { optedOut: true }, bearer });
  assert.equal((await send({ to, ...ORDER })).status, 201);
  await api.app.db.query(
    sql`update template set category = 'MARKETING' where workspace_id = ${workspaceId}`,
  );
  const unwanted = await send({ to, ...ORDER });
  assert.deepEqual([unwanted.status, unwanted.body.message], [409, "CONTACT_OPTED_OUT"]);
  const spent = await shop();
  await api.app.db.query(
    sql`update workspace set suspended_at = now() where id = ${spent.workspaceId}`,
  );
  const refused = await spent.send({ to: stranger(), ...ORDER });
  assert.deepEqual([refused.status, refused.body.message], [402, "SUBSCRIPTION_SUSPENDED"]);
  assert.deepEqual(await spent.counts(), [0, 0, 0]);
});

test("a batch: each message is accepted or has its error, and a refused one leaves nothing behind", async () => {
  const { batch, counts, bearer } = await shop();
  const [sara, omar] = [stranger(), stranger()];
  const known = await api.call("POST", "/contacts", { json: { phone: stranger() }, bearer });
  const { results } = await batch([
    { to: sara, ...ORDER, contact: { name: "Sara" } },
    { to: stranger(), ...ORDER, body: ["one"] },
    { to: sara, ...ORDER },
    { contactId: known.body["id"], ...ORDER },
    { ref: { crm: "none" }, ...ORDER },
    { to: stranger(), ...ORDER, contact: { attributes: { note: "x".repeat(17_000) } } },
    { to: omar, ...ORDER },
    { to: stranger(), template: { name: "none", language: "en" } },
  ]);
  assert.deepEqual(
    results.map(({ message, error }) => message?.contactCreated ?? error?.message),
    [
      true,
      "TEMPLATE_PARAMETERS",
      false,
      false,
      "NOT_FOUND",
      "VALIDATION_FAILED",
      true,
      "TEMPLATE_NOT_APPROVED",
    ],
  );
  assert.deepEqual(
    [results[1], results[5]].map((one) => one?.error?.details[0]?.path),
    ["body", "contact.attributes"],
  );
  assert.equal(results[2]?.message?.contactId, results[0]?.message?.contactId);
  // Sara, Omar and the known one, a thread each, four messages.
  assert.deepEqual(await counts(), [3, 3, 4]);
  // People's replies and single messages are sent before them.
  const alone = await api.call("POST", "/template-messages", {
    json: { to: sara, ...ORDER },
    bearer,
  });
  const after = await api.app.db.query<{ id: string; last: boolean }>(sql`
    select message_id as id, after_replies as last from message_outbox
    where message_id = any (${[results[0]?.message?.id, alone.body["id"]]}::uuid[]) order by message_id`);
  assert.deepEqual(after, [
    { id: results[0]?.message?.id, last: true },
    { id: alone.body["id"], last: false },
  ]);
});

test("in a batch, a message of another shape is refused alone, with its faults", async () => {
  const { batch, counts, bearer } = await shop();
  const sara = stranger();
  const { results } = await batch([
    { to: "no number", ...ORDER },
    { to: sara, ...ORDER },
    { to: 7, contactId: {}, ref: "crm", ...ORDER },
    { ...ORDER, to: sara, too: sara },
    { to: sara },
    { to: "", ...ORDER },
    // What cannot be stored refuses its own message alone too.
    { to: sara, ...ORDER, body: ["Sara\0", "1"] },
    { to: sara, ...ORDER, body: ["\ud800", "1"], contact: { name: "a\0" } },
  ]);
  assert.deepEqual(
    results.map(({ outcome, error }) => [
      outcome,
      error?.details.map(({ path }) => path).toSorted(),
    ]),
    [
      ["refused", ["to"]],
      ["accepted", undefined],
      ["refused", ["contactId", "ref", "to"]],
      ["refused", ["too"]],
      ["refused", ["template"]],
      ["refused", ["to"]],
      ["refused", ["body.0"]],
      ["refused", ["body.0", "contact.name"]],
    ],
  );
  assert.deepEqual(await counts(), [1, 1, 1]);
  // What is no message at all is a fault of the call.
  for (const messages of [["x"], [null], [], Array.from({ length: 101 }, () => ({ to: sara }))]) {
    const json = { messages };
    const answer = await api.call("POST", "/template-messages/batch", { json, bearer });
    assert.equal(answer.status, 400, answer.text);
  }
});

test("in a batch, what is refused only within the transaction opens no contact: an opt-out, a spent allowance", async () => {
  const { batch, counts, workspaceId, bearer } = await shop("free");
  await api.app.db.query(
    sql`update template set category = 'MARKETING' where workspace_id = ${workspaceId}`,
  );
  const out = stranger();
  const made = await api.call("POST", "/contacts", { json: { phone: out }, bearer });
  const path = `/contacts/${String(made.body["id"])}`;
  await api.call("PATCH", path, { json: { optedOut: true }, bearer });
  await api.app.db.query(
    sql`update workspace set limits = '{"messages":2}' where id = ${workspaceId}`,
  );
  const messages = [out, stranger(), stranger(), stranger()].map((to) => ({ to, ...ORDER }));
  const headers = { "idempotency-key": "a batch" };
  const first = await batch(messages, headers);
  assert.deepEqual(
    first.results.map(({ outcome, error }) => error?.message ?? outcome),
    ["CONTACT_OPTED_OUT", "accepted", "accepted", "MESSAGE_LIMIT_REACHED"],
  );
  assert.deepEqual(first.results[3]?.error?.details, [
    { path: "", message: "2 of this month's 2 messages are used" },
  ]);
  assert.deepEqual(await counts(), [3, 2, 2]);
  const again = await batch(messages, headers);
  assert.deepEqual([again.text, await counts()], [first.text, [3, 2, 2]]);
});

test("batches at once to the same people make each of them once", async () => {
  const { batch, counts } = await shop();
  const people = Array.from({ length: 20 }, stranger);
  const messages = people.map((to) => ({ to, ...ORDER }));
  const all = await Promise.all(
    [messages, messages.toReversed(), messages].map((one) => batch(one)),
  );
  const results = all.flatMap((one) => one.results);
  assert.equal(results.filter(({ outcome }) => outcome === "accepted").length, 60);
  assert.equal(results.filter(({ message }) => message?.contactCreated === true).length, 20);
  assert.deepEqual(await counts(), [20, 20, 60]);
});

test("batches are stored one after another: a few wait, further ones of the workspace come again, another one's waits", async () => {
  const { send, counts, workspaceId, bearer } = await shop();
  const other = await shop();
  assert.equal((await send({ to: stranger(), ...ORDER })).status, 201);
  const meter = await holdMeter(workspaceId);
  const batch = () =>
    api.call("POST", "/template-messages/batch", {
      json: { messages: [{ to: stranger(), ...ORDER }] },
      bearer,
    });
  const first = batch();
  await meter.somebodyWaits();
  const refused = Promise.withResolvers<void>();
  let refusals = 0;
  const further = Array.from({ length: 6 }, async () => {
    const answer = await batch();
    if (answer.status === 503 && ++refusals === 2) refused.resolve();
    return answer;
  });
  await refused.promise;
  const others = other.batch([{ to: stranger(), ...ORDER }]);
  await meter.free();
  const answers = await Promise.all([first, ...further]);
  const accepted = answers.filter(({ status }) => status === 200);
  assert.deepEqual([accepted.length, refusals], [5, 2]);
  for (const { status, body, headers } of answers)
    if (status === 503)
      assert.deepEqual([body.message, headers["retry-after"]], ["OVERLOADED", "2"]);
  assert.deepEqual(await counts(), [6, 6, 6]);
  assert.equal((await others).results[0]?.outcome, "accepted");
});
