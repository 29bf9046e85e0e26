import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import fc from "fast-check";
import { bodyOf, stepOf, valueOf, wiresOf } from "./arbitraries.ts";
import { operations, type Answer, type Operation } from "./document.ts";
import { seed } from "../seed.ts";
import { runsOf } from "./runs.ts";
import { openWorld, type Call, type World } from "./world.ts";

/**
 * Every operation of the committed document, driven from its own schemas with fine and faulty input over real HTTP.
 * A failure prints the seed and the smallest input; `PROPERTY_SEED=…` runs the same again, `PROPERTY_RUNS=10` ten
 * times as long.
 */
const runs = (count: number) => ({ seed, numRuns: runsOf(count) });

let world: World;
let hashOfB: string;
let calls = 0;
before(async () => {
  world = await openWorld();
  hashOfB = await world.hash(world.b.workspaceId);
});
after(async () => {
  await world[Symbol.asyncDispose]();
});

const posts = operations.filter((one) => one.method === "POST");
const gets = operations.filter((one) => one.method === "GET");
const writes = operations.filter((one) => one.method !== "GET");
const withBody = writes.filter((one) => one.body);
const withId = operations.filter((one) => one.path.includes("{id}"));

/** The label that exists in both workspaces, and what a path names beside ids. */
const PATH_NAMES: Readonly<Record<string, string>> = {
  name: "vip",
  key: "ref.crm",
  value: "42",
};

/** A tenant's record that the path means. */
function idOf(operation: Operation, tenant: World["a"]): string {
  const noun = operation.path.split("/")[2];
  // What is deleted is not what the other calls are about.
  if (operation.method === "DELETE") return "none";
  if (noun === "channels") return tenant.channelId;
  if (noun === "templates")
    return operation.method === "PUT" ? tenant.editedTemplateId : tenant.templateId;
  if (noun === "contact-jobs") return tenant.jobId;
  if (noun === "webhook-endpoints") return tenant.endpointId;
  if (noun === "notes") return tenant.noteId;
  if (noun === "media") return tenant.mediaId;
  if (noun === "broadcasts" && operation.method === "PATCH") return tenant.draftId;
  if (noun === "segments") return tenant.segmentId;
  if (noun === "imports") return tenant.importId;
  if (noun === "exports") return tenant.exportId;
  if (noun === "erasures") return tenant.erasureId;
  if (noun === "otp") return tenant.verificationId;
  if (noun === "contacts") return tenant.contactId;
  if (noun === "conversations") return tenant.conversationId;
  return noun === "messages" ? tenant.messageId : tenant.broadcastId;
}

/** Calls as workspace A; the document and the wall between workspaces hold for every answer. */
async function ask(
  operation: Operation,
  more: Partial<Call> & { query?: string; id?: string } = {},
) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      name === "id" ? (more.id ?? idOf(operation, world.a)) : nameIn(operation, name),
    ),
  );
  const needed = operation.query.filter((one) => one.required).map((one) => one.name);
  // What a query must have: another contact.
  const given = new URLSearchParams(more.query);
  for (const name of needed) given.set(name, world.a.otherContactId);
  const raw = needed.length > 0 ? given.toString() : (more.query ?? "");
  const query = raw ? `?${raw}` : "";
  const answer = await world.call({ method: operation.method, ...more, path: path + query });
  calls++;
  operation.judge(answer);
  guard(answer);
  return answer;
}

/** A record that is read stays: what is written and what is deleted have other names. */
const nameIn = ({ method }: Operation, name: string): string =>
  name === "eventId"
    ? world.a.eventId
    : method === "GET"
      ? (PATH_NAMES[name] ?? assert.fail(`what is {${name}}?`))
      : `of-${method}`;

function guard(answer: Answer): void {
  const { canary, b } = world;
  const said = answer.text + JSON.stringify(answer.headers);
  for (const secret of [canary, ...Object.values(b).filter((one) => one !== b.bearer)])
    assert.ok(!said.includes(secret), `workspace B shows: ${answer.text.slice(0, 300)}`);
}

/** What a body needs to be about a record that exists: of A, of B, or of nobody. */
function grounded(
  operation: Operation,
  body: Record<string, unknown>,
  pick: number,
): Record<string, unknown> {
  const given = { ...body };
  const tenant = pick % 4 === 2 ? world.b : world.a;
  const has = (name: string) => Object.hasOwn(given, name) && pick % 4 !== 3;
  if (has("conversationId") && typeof given["conversationId"] === "string")
    given["conversationId"] = tenant.conversationId;
  if (has("mergedId") && typeof given["mergedId"] === "string")
    given["mergedId"] = tenant.otherContactId;
  // Of keys drawn by chance hardly any leads to one contact.
  if (has("match") && Array.isArray(given["match"])) {
    given["match"] = ["refs.drawn"];
    given["refs"] = { drawn: String(pick) };
  }
  if (has("template") && typeof given["template"] === "object" && given["template"] !== null) {
    given["template"] = { id: tenant.templateId };
    // The template of the ground has no places, and one of two addresses is meant.
    for (const name of ["body", "header", "buttons", "channelId", "contactId"]) delete given[name];
    for (const name of ["text", "attachments"]) delete given[name];
  } else if (has("afterwards") || has("answers"))
    for (const name of ["body", "header", "buttons"]) delete given[name];
  // An address of chance leads nowhere, and of two names the second is taken.
  if (has("url") && typeof given["url"] === "string" && operation.path.includes("/webhook-"))
    given["url"] = "https://127.0.0.1:9999/in";
  // Of a platform's values none drawn by chance is right; a web chat needs none.
  if (operation.path.includes("/channels")) {
    if (typeof given["type"] === "string" && pick % 2 === 0) given["type"] = "WEB";
    if (typeof given["fields"] === "object" && given["fields"] !== null) given["fields"] = {};
    if (typeof given["apiUrl"] === "string") delete given["apiUrl"];
  }
  if (operation.id === "createTemplate" && typeof given["channelId"] === "string")
    given["channelId"] = tenant.whatsAppId;
  // A campaign as a whole is hardly right by chance.
  if (operation.id === "updateBroadcast" && pick % 2 === 0)
    for (const name of Object.keys(given)) if (name !== "name") delete given[name];
  if (has("kind") && typeof given["kind"] === "string")
    Object.assign(given, draftOf(tenant, given));
  if (has("draft") && typeof given["draft"] === "object" && given["draft"] !== null)
    Object.assign(given, { id: undefined, draft: draftOf(tenant, { ...given["draft"] }) });
  if (has("contactIds") && Array.isArray(given["contactIds"])) {
    // A refusal names the contact that was given.
    given["contactIds"] = [world.a.contactId];
    delete given["phone"];
  }
  if (has("eventId") && typeof given["eventId"] === "string") {
    given["eventId"] = tenant.eventId;
    delete given["since"];
  }
  if (has("ids") && Array.isArray(given["ids"])) given["ids"] = [tenant.conversationId];
  return given;
}

/** The members of a draft, each as it is right for the template of the ground or left out. */
function draftOf(
  { whatsAppId, templateId }: World["a"],
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const others = Object.keys(given).filter((name) => name !== "name");
  return {
    ...given,
    ...Object.fromEntries(others.map((name) => [name, undefined])),
    kind: "WHATSAPP_TEMPLATE",
    channelId: whatsAppId,
    templateId,
  };
}

/**
 * What an operation may refuse of a body that fits its schema: rules of state, and the few of form that no schema says
 * (the document's words do): bytes in all, levels, and letters beyond ASCII in an address.
 */
function isNamedRule({ status, text }: Answer): boolean {
  const { message, details = [] } = JSON.parse(text) as {
    message: string;
    details?: { path: string; message: string }[];
  };
  if (status === 404) return ["NOT_FOUND", "BROADCAST_NOT_FOUND"].includes(message);
  if (status === 409) return CONFLICTS.includes(message);
  if (status !== 400) return false;
  if (STATES.includes(message)) return true;
  if (message === "CONTACT_NEEDS_IDENTITY") return text.includes("CONTACT_NEEDS_IDENTITY");
  return (
    message === "VALIDATION_FAILED" &&
    details.length > 0 &&
    details.every(
      (one) =>
        /16 KiB|nested deeper|well-formed/.test(one.message) ||
        RULES.some((rule) => rule.test(`${one.path} ${one.message}`)) ||
        (/(^|\.)email$/.test(one.path) && one.message === "must be an e-mail address"),
    )
  );
}

/** Refusals for the state of things. */
const STATES: readonly string[] = [
  "CONVERSATION_NOT_FOUND",
  "SMS_PROVIDER_NOT_VERIFIED",
  "TEMPLATE_NOT_APPROVED",
  "TEMPLATE_PARAMETERS",
  "CHANNEL_NEEDED",
  "ATTACHMENT_REFUSED",
  "NOT_SUPPORTED_HERE",
  "NOT_FETCHED",
];
/** What contradicts the records that exist. */
const CONFLICTS: readonly string[] = [
  "CONTACT_CONFLICT",
  "CONSENT_HELD",
  "NAME_TAKEN",
  "NOT_ALLOWED_IN_STATE",
];
/** Rules that join several members of a body, which the document says in words. */
const RULES: readonly RegExp[] = [
  /^to (is missing: give|give one of|must be a phone number)/,
  /^template must have either/,
  // Of a check: what cannot be the code is none of its tries.
  /^code must be the /,
  /^channelId must be the id of/,
  /^(afterwards\.)?snoozedUntil must be (given with|in the future)/,
  /^assigneeId must be a member's id/,
  /^read must be true/,
  /^template (goes without|is needed for)/,
  /^text must be given, or/,
  /^url /,
  // Of a channel: the values that its type needs.
  /^(name|apiUrl|phoneNumberId|wabaId|pageId|accountId|businessId|botToken|accessToken|appSecret|verifyToken) /,
  /^name must not be blank/,
  // Of a change to many contacts.
  /^(filter|ids\[\d+\]|tags|reason) must/,
  // Of a template: what the platform would refuse, by its part.
  /^(language|headerExample|bodyExamples\[\d+\]|footer) (must|needs|cannot)/,
  /^eventId either eventId or since/,
  // Of an attribute: choices go with their type, blanks alone are no text.
  /^(choices|label|key) (are|must)/,
  /^scheduledAt must be in the future/,
  /^country must be the two letters/,
  /^name must be the name of a file/,
  // Of knowledge: a text in one language at least, and a title.
  /^(title|text|texts|askedAs|validUntil)\b.* (must|is) /,
  // Blanks alone.
  /^(text|note) must be 1 to 4096 characters/,
  // Of a campaign: what its kind, its template and its variants need.
  /^(draft\.)?(kind|segmentId|quietHours|channelId|body|templateId|variables|header|buttons|timeZone|variants|holdoutShare)\b/,
  /^(contactIds|phone) (there is no contact|or phone must be|must be a phone number)/,
  /^match\.\d+ the upsert has no /,
  /^refs a contact must not have more than/,
  // Of a definition: which operators a field has, which values they take.
  /^(definition|match|rules)\b/,
  /^cursor must be the nextCursor/,
  /^(at|evidence) must /,
  /^mergedId must be another contact/,
  // Blanks alone, or letters of which each has two small ones.
  /^newName must be 1 to 80 characters/,
  // Of a reply and a played customer: bytes of buttons, what is quoted or pressed, and what goes without what.
  /^(choices|replyTo|press|mediaId)\b.* (must|go|goes) /,
];

/** Of a list with `x-each` an item that does not fit is refused alone. This is the body with the example in its place. */
function itemsMended({ body, example }: Operation, sent: unknown): unknown {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent;
  const isBatch = (name: string) => body?.properties?.[name]?.["x-each"] === true;
  const mended = ([name, value]: [string, unknown]) => {
    if (!isBatch(name) || !Array.isArray(value)) return [name, value];
    const [good] = example[name] as readonly object[];
    const isObject = (one: unknown) =>
      typeof one === "object" && one !== null && !Array.isArray(one);
    return [name, value.map((one: unknown) => (isObject(one) ? good : one))];
  };
  return Object.fromEntries(Object.entries(sent).map(mended));
}
const countOf = ({ text }: Answer): unknown =>
  (JSON.parse(text) as { results?: readonly unknown[] }).results?.length;
const countSent = (sent: unknown): unknown => Object.values(sent ?? {}).find(Array.isArray)?.length;

/** What a query's schema cannot say: what only the server can read of a cursor, and names that go together. */
const JOINED: readonly RegExp[] = [
  /must be the nextCursor/,
  /must be changes or recent with/,
  // The drawn list names one thing more often than there are things.
  /must not have more than 3 items/,
];

const told = (t: TestContext) => t.diagnostic(`seed ${seed}, ${calls} calls so far`);

test("the document has the nine operations of the spec and more", () =>
  assert.ok(operations.length > 18));

test("what fits the schema is taken or refused by a named rule; what does not is 400", async (t) => {
  // Each operation in its turn, so that every one is tried about as often.
  let turn = 0;
  const draws = withBody.map((operation) =>
    fc.record({
      operation: fc.constant(operation),
      fine: bodyOf(operation),
      steps: fc.array(stepOf(operation), { maxLength: 2 }),
      pick: fc.nat(3),
      chunked: fc.boolean(),
    }),
  );
  const body = fc
    .constant(null)
    .chain(() => draws[turn++ % draws.length] ?? assert.fail("no operation has a body"));
  const seen = new Map<string, number>();
  const tryBody = async (operation: Operation, sent: unknown, chunked = false): Promise<void> => {
    const answer = await ask(operation, { payload: JSON.stringify(sent), chunked });
    const fits = operation.takes(sent);
    // The document has the statuses of a success: `ask` has judged it.
    const outcome = answer.status < 300 ? "done" : answer.status;
    const key = `${operation.id} ${fits ? "fits" : "does not fit"} ${outcome}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    const said = `${operation.id} ${JSON.stringify(sent)}: ${answer.text}`;
    if (!fits && operation.takes(itemsMended(operation, sent)))
      assert.deepEqual([answer.status, countOf(answer)], [200, countSent(sent)], said);
    else if (!fits) assert.equal(answer.status, 400, said);
    else if (answer.status >= 300) assert.ok(isNamedRule(answer), said);
  };
  // Each once as in the document, and once as what no operation takes.
  for (const operation of withBody) {
    await tryBody(operation, grounded(operation, operation.example, 0));
    await tryBody(operation, []);
  }
  await fc.assert(
    fc.asyncProperty(body, async ({ operation, fine, steps, pick, chunked }) => {
      // A step that breaks the form comes after the ground, or the ground would mend it.
      const sent = steps.reduce((one, step) => step(one), grounded(operation, fine, pick));
      await tryBody(operation, sent, chunked);
    }),
    runs(900),
  );
  // Nothing of the ground failed, and only a test workspace plays its customers.
  const never = [
    "resendFailed fits done",
    "resendFailed does not fit 400",
    "playInbound fits done",
  ];
  for (const { id } of withBody)
    for (const outcome of [`${id} fits done`, `${id} does not fit 400`].filter(
      (one) => !never.includes(one),
    ))
      assert.ok((seen.get(outcome) ?? 0) > 0, `${outcome} was never tried`);
  told(t);
});

test("whatever the bytes of a body are, the answer is the document's and the right one", async (t) => {
  const tried = fc.constantFrom(...writes).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      fine: bodyOf(operation),
      kind: fc.nat(wiresOf({}).length - 1),
      chunked: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(tried, async ({ operation, fine, kind, chunked }) => {
      const wire = wiresOf(grounded(operation, fine, 0))[kind];
      assert.ok(wire);
      // Node's client frames no body of a DELETE in chunks.
      const framed = chunked && operation.method !== "DELETE";
      const { status } = await ask(operation, { ...wire, chunked: framed });
      if (wire.name === "empty" && operation.mayLackBody) return;
      // The route without a body does not read one.
      if (wire.right && operation.body && !operation.takesFile)
        assert.ok(wire.right.includes(status), `${wire.name}: ${status}`);
    }),
    runs(250),
  );
  told(t);
});

test("whatever the query, a GET is 200 or names the parameter, and changes no row", async (t) => {
  // The audit has each export of a person.
  const looks = gets.filter(({ id }) => id !== "exportPerson");
  await world.renew();
  const before = await world.hash();
  const strange = fc.oneof(
    fc.constantFrom(
      "",
      "0",
      "-1",
      "1",
      "201",
      "1e9",
      "1e400",
      "NaN",
      "Infinity",
      "0x10",
      "1.5",
      " 1",
      "१",
      "true",
      "null",
    ),
    fc.constantFrom(
      "9".repeat(400),
      "a".repeat(6000),
      "\0",
      "%",
      "_",
      "\\",
      "'",
      "__proto__",
      "{{name}}",
    ),
    fc.string({ unit: "binary", maxLength: 250 }),
    fc.integer().map(String),
  );
  const name = fc.constantFrom(
    "search",
    "page",
    "pageSize",
    "__proto__",
    "constructor",
    "id",
    "workspaceId",
    "limit",
    "cursor",
    "after",
    "types",
    "status",
  );
  const query = fc.constantFrom(...looks).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      fine: fc.record(
        Object.fromEntries(
          operation.query.map((one) => [one.name, valueOf(one.schema).map(String)]),
        ),
        { requiredKeys: [] },
      ),
      more: fc.array(fc.tuple(name, strange), { maxLength: 2 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(query, async ({ operation, fine, more }) => {
      const raw = [...Object.entries(fine), ...more]
        .map(([key, value]) => `${key}=${encodeURIComponent(String(value).toWellFormed())}`)
        .join("&");
      const { status, text } = await ask(operation, { query: raw });
      const known = (key: string) => operation.query.some((one) => one.name === key);
      // A campaign's state may not have what is asked: one without variants, one that ended.
      const state = operation.path.includes("/broadcasts/{id}/") && status === 409;
      const rule = status === 400 && JOINED.some((one) => one.test(text));
      if (more.length === 0)
        assert.ok(status === 200 || state || rule, `${operation.id} ${raw}: ${status} ${text}`);
      else if (more.some(([key]) => !known(key))) assert.equal(status, 400, `${raw}: ${text}`);
      else assert.ok(status === 200 || status === 400 || state, `${raw}: ${text}`);
    }),
    runs(250),
  );
  // Bytes that are no text, and text that is no query.
  for (const bytes of [
    "search=%ff",
    "search=%c3%28",
    "search=%ed%a0%80",
    "search=%",
    "search=%00",
    "search=%zz",
    "&&=&",
    "?",
    "search",
    "search[]=1",
    "page=1&page=2",
    "cursor=%00",
    "types=,,",
    "after=1&after=1",
  ])
    for (const operation of looks) await ask(operation, { query: bytes });
  assert.equal(await world.hash(), before, "a GET changed a row");
  told(t);
});

test("whatever the id in a path, it is found or not; another workspace's is not", async (t) => {
  const id = fc.oneof(
    fc.constantFrom(
      "none",
      "__proto__",
      "constructor",
      "null",
      "0",
      "\0",
      "%2e%2e",
      "a".repeat(6000),
    ),
    fc.uuid(),
    fc.uuid({ version: 7 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
  );
  const payloadOf = (operation: Operation) =>
    operation.body ? { payload: JSON.stringify(operation.example) } : {};
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...withId), id, async (operation, one) => {
      // Dots alone name another path, as in every URL.
      fc.pre(one !== "." && one !== "..");
      const answer = await ask(operation, { ...payloadOf(operation), id: one });
      assert.equal(answer.status, 404, answer.text);
    }),
    runs(150),
  );
  assert.ok(withId.length >= 8);
  for (const operation of withId) {
    const [foreign, none] = [
      await ask(operation, { ...payloadOf(operation), id: idOf(operation, world.b) }),
      await ask(operation, { ...payloadOf(operation), id: "none" }),
    ];
    assert.deepEqual([foreign.status, foreign.text], [404, none.text], operation.id);
  }
  told(t);
});

test("the same call twice with one Idempotency-Key gives the same bytes and one effect", async (t) => {
  let next = 0;
  const body = fc.constantFrom(...posts).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      fine: bodyOf(operation),
      steps: fc.array(stepOf(operation), { maxLength: 1 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(body, async ({ operation, fine, steps }) => {
      const payload = JSON.stringify(
        steps.reduce((one, step) => step(one), grounded(operation, fine, 0)),
      );
      const headers = { "idempotency-key": `key ${seed} ${++next}` };
      const first = await ask(operation, { payload, headers });
      const between = await world.hash(world.a.workspaceId);
      const second = await ask(operation, { payload, headers });
      assert.deepEqual([second.status, second.text], [first.status, first.text]);
      if (first.status === 201) assert.equal(second.headers["idempotency-replayed"], "true");
      assert.equal(await world.hash(world.a.workspaceId), between, "the second had an effect");
    }),
    runs(60),
  );
  told(t);
});

test("after all that no row of the other workspace is another", async (t) => {
  assert.equal(await world.hash(world.b.workspaceId), hashOfB);
  told(t);
});
