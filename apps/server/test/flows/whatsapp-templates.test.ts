import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Command } from "commander";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { OPERATOR } from "../../src/actor.ts";
import type { TemplateDraft } from "../../src/channels/adapter.ts";
import { registerTemplate } from "../../src/cli/template.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { sql } from "../../src/db/sql.ts";
import { AppError } from "../../src/errors.ts";
import { cancelBroadcast } from "../../src/broadcasts/record/change-broadcast.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/record/find-broadcast.ts";
import { startBroadcast } from "../../src/broadcasts/record/start-broadcast.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { buildHttp } from "../../src/http/server.ts";
import { findTemplate } from "../../src/templates/list-templates.ts";
import { createByProgram } from "../../src/templates/submit-template.ts";
import { syncTemplates } from "../../src/templates/sync-templates.ts";
import {
  createTemplate,
  deleteTemplate,
  editTemplate,
} from "../../src/templates/write-template.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";

/** Templates that are handed in, over real HTTP: our server, the emulated Graph API and its callbacks. */
const WABA = "102290129340399";
const ACCOUNT = {
  phoneNumberId: "106540352242901",
  wabaId: WABA,
  accessToken: "EAABtemplates",
  appSecret: "app-secret-1",
};

let t: TestApp;
let server: FastifyInstance;
let meta: WhatsAppEmulator;
let w: string;
let channelId: string;
before(async () => {
  t = await startTestApp();
  server = await buildHttp(t.app);
  const base = await server.listen({ host: "127.0.0.1", port: 0 });
  meta = await createWhatsAppEmulator({ delivery: "manual", clock: t.clock });
  ({ id: w } = await createWorkspace(OPERATOR, t.app, { name: "Shop", plan: "business" }));
  const channel = await connectChannel(OPERATOR, t.app, w, {
    type: "WHATSAPP",
    name: "Shop",
    ...ACCOUNT,
    verifyToken: "verify-1",
    apiUrl: meta.url,
  });
  channelId = channel.id;
  const url = `${base}/hooks/whatsapp/${channelId}`;
  meta.addNumber({ ...ACCOUNT, webhook: { url, verifyToken: "verify-1" } });
  await syncTemplates(OPERATOR, t.app, w, channelId);
});
after(async () => {
  await meta.close();
  await server.close();
  await t[Symbol.asyncDispose]();
});

const DRAFT: TemplateDraft = {
  name: "order_ready",
  language: "en",
  category: "UTILITY",
  header: { kind: "text", text: "Hello {{1}}", example: "Sara" },
  body: "Your order {{1}} is ready at our shop in {{2}} until Friday.",
  bodyExamples: ["A-17", "Salmiya"],
  footer: "Reply STOP to opt out",
  buttons: [
    { kind: "quick_reply", text: "On my way" },
    {
      kind: "url",
      text: "Track",
      url: "https://shop.example/o/{{1}}",
      example: "https://shop.example/o/17",
    },
    { kind: "phone", text: "Call us", phone: "+965 5000 1234" },
  ],
};
let names = 0;
const draft = (more: Partial<TemplateDraft> = {}): TemplateDraft => ({
  ...DRAFT,
  name: `${DRAFT.name}_${++names}`,
  ...more,
});
const create = (given: TemplateDraft) =>
  createTemplate(OPERATOR, t.app, w, channelId, { draft: given, sample: null });
const faultsOf = (error: unknown) =>
  error instanceof AppError
    ? (error.facts.details?.map(({ path, message }) => `${path}: ${message}`) ?? [
        `${error.code}: ${error.facts.explanation}`,
      ])
    : error;

test("a template is handed in with its examples, waits for the review and is approved by a push", async () => {
  const given = draft();
  const made = await create(given);
  assert.deepEqual(
    [made.status, made.bodyVariableCount, made.headerFormat],
    ["PENDING", 2, "TEXT"],
  );
  const sent = meta
    .requests()
    .find(({ method, path }) => method === "POST" && path.endsWith("/message_templates"));
  const { components } = JSON.parse(String(sent?.body));
  assert.deepEqual(components, [
    { type: "HEADER", format: "TEXT", text: "Hello {{1}}", example: { header_text: ["Sara"] } },
    { type: "BODY", text: given.body, example: { body_text: [["A-17", "Salmiya"]] } },
    { type: "FOOTER", text: "Reply STOP to opt out" },
    {
      type: "BUTTONS",
      buttons: [
        { type: "QUICK_REPLY", text: "On my way" },
        {
          type: "URL",
          text: "Track",
          url: "https://shop.example/o/{{1}}",
          example: ["https://shop.example/o/17"],
        },
        { type: "PHONE_NUMBER", text: "Call us", phone_number: "+96550001234" },
      ],
    },
  ]);
  meta.setTemplateStatus(WABA, made.metaId, "APPROVED");
  await meta.flush();
  await t.app.drain();
  assert.equal((await findTemplate(t.app.db, w, made.id))?.status, "APPROVED");
  // The list of the platform names the same template: nothing is there twice.
  await syncTemplates(OPERATOR, t.app, w, channelId);
  assert.equal((await findTemplate(t.app.db, w, made.id))?.status, "APPROVED");
  const told = await t.app.db.query<{
    data: { previousStatus: string | null; status: string };
  }>(sql`
    select body::json->'data' as data from event where workspace_id = ${w} and type = 'template.status' order by sequence`);
  assert.deepEqual(
    told.map(({ data }) => `${data.previousStatus}>${data.status}`),
    ["null>PENDING", "PENDING>APPROVED"],
  );
});

test("a program leaves out the lists that its template does not need: examples and buttons", async () => {
  const plain = {
    channelId,
    name: "closed_today",
    language: "en",
    category: "UTILITY",
    body: "Our shop is closed today.",
  } as const;
  await createByProgram(OPERATOR, t.app, w, plain);
  const sent = meta.requests().findLast(({ path }) => path.endsWith("/message_templates"));
  const { components } = JSON.parse(String(sent?.body)) as { components: { type: string }[] };
  assert.deepEqual(
    components.map(({ type }) => type),
    ["BODY"],
  );
  const open = { ...plain, name: "closed_until", body: "Our shop is closed until {{1}} today." };
  const refused = await createByProgram(OPERATOR, t.app, w, open).catch(faultsOf);
  assert.match(String(refused), /^bodyExamples\[0\]: /);
});

test("variables with names are handed in with their examples, told apart at an edit, and filled by name at a send", async () => {
  const { header: _, ...unheaded } = draft();
  const named: TemplateDraft = {
    ...unheaded,
    named: true,
    body: "Hello {{first_name}}, your order {{order_number}} waits for you, {{first_name}}, at our shop.",
    bodyExamples: ["Sara", "A-17"],
    buttons: [],
  };
  const faulty = { ...named, body: "Hello {{1}}, your order {{Order}} waits for you at our shop." };
  assert.match(
    String(await create(faulty).catch(faultsOf)),
    /^body: has braces that are no variable/,
  );
  const made = await create(named);
  const stored = await findTemplate(t.app.db, w, made.id);
  assert.deepEqual([stored?.parameterFormat, stored?.bodyVariableCount], ["NAMED", 2]);
  const sent = meta.requests().findLast(({ path }) => path.endsWith("/message_templates"));
  const body = JSON.parse(String(sent?.body));
  assert.equal(body.parameter_format, "NAMED");
  assert.deepEqual(body.components[0].example, {
    body_text_named_params: [
      { param_name: "first_name", example: "Sara" },
      { param_name: "order_number", example: "A-17" },
    ],
  });
  meta.setTemplateStatus(WABA, made.metaId, "REJECTED");
  await meta.flush();
  await t.app.drain();
  const header = { kind: "text", text: "Order {{order_number}}", example: "A-17" } as const;
  const words = { ...named, named: false, header };
  const edited = await editTemplate(OPERATOR, t.app, w, made.id, { draft: words, sample: null });
  assert.deepEqual(edited.components[0], {
    type: "HEADER",
    format: "TEXT",
    text: "Order {{order_number}}",
    example: { header_text_named_params: [{ param_name: "order_number", example: "A-17" }] },
  });
  meta.setTemplateStatus(WABA, made.metaId, "APPROVED");
  await meta.flush();
  await syncTemplates(OPERATOR, t.app, w, channelId);
  await t.app.drain();
  await createContact(OPERATOR, t.app, w, { name: "Mona", phone: "96550001234" });
  const { id } = await createBroadcast(OPERATOR, t.app, w, {
    name: "Named",
    kind: "WHATSAPP_TEMPLATE",
    channelId,
    templateId: made.id,
    header: { text: "{{first_name}}" },
    variables: { first_name: "{{first_name}}", order_number: "B-2" },
  });
  await startBroadcast(OPERATOR, t.app, w, id);
  for (let tick = 0; tick < 10; tick++) {
    await t.app.drain();
    t.clock.advance(1_000);
  }
  const out = meta.requests().findLast(({ path }) => path.endsWith("/messages"));
  assert.deepEqual(JSON.parse(String(out?.body)).template.components, [
    {
      type: "header",
      parameters: [{ type: "text", parameter_name: "order_number", text: "Mona" }],
    },
    {
      type: "body",
      parameters: [
        { type: "text", parameter_name: "first_name", text: "Mona" },
        { type: "text", parameter_name: "order_number", text: "B-2" },
      ],
    },
  ]);
  assert.equal((await findBroadcast(t.app, w, id)).sentCount, 1);
});

test("a refused one keeps the platform's reason, is edited and reviewed anew", async () => {
  const made = await create(draft());
  meta.push(WABA, "message_template_status_update", {
    event: "REJECTED",
    message_template_id: Number(made.metaId),
    message_template_name: made.name,
    message_template_language: "en",
    reason: "INVALID_FORMAT",
    rejection_info: { reason: "The button is broken.", recommendation: "Check its address." },
  });
  meta.templates.setStatus(WABA, made.metaId, "REJECTED", "INVALID_FORMAT");
  await meta.flush();
  await t.app.drain();
  const refused = await findTemplate(t.app.db, w, made.id);
  const reasonOf = (one: typeof refused) => [
    one?.status,
    one?.rejectedReason,
    one?.rejectionDetail,
  ];
  const said = ["REJECTED", "INVALID_FORMAT", "The button is broken. Check its address."];
  assert.deepEqual(reasonOf(refused), said);
  // The list knows the word alone; the sentences stay.
  await syncTemplates(OPERATOR, t.app, w, channelId);
  assert.deepEqual(reasonOf(await findTemplate(t.app.db, w, made.id)), said);
  const words = draft({
    body: "Your order {{1}} can be fetched from our shop today.",
    buttons: [],
  });
  const edited = await editTemplate(OPERATOR, t.app, w, made.id, { draft: words, sample: null });
  assert.deepEqual(
    [edited.status, edited.name, edited.bodyVariableCount],
    ["PENDING", made.name, 1],
  );
  assert.deepEqual(reasonOf(await findTemplate(t.app.db, w, made.id)), ["PENDING", null, null]);
  const again = await editTemplate(OPERATOR, t.app, w, made.id, {
    draft: words,
    sample: null,
  }).catch(faultsOf);
  assert.deepEqual(again, ["status: is PENDING; this needs APPROVED or REJECTED or PAUSED"]);
});

test("a header's picture is given to the platform as an example first", async () => {
  const bytes = Buffer.from("89504e470d0a1a0a0000", "hex");
  const sample = {
    kind: "image",
    mimeType: "image/png",
    fileName: "offer.png",
    size: bytes.length,
    url: "",
    async *open() {
      yield bytes;
    },
  } as const;
  const given = draft({ header: { kind: "image", file: "x" } });
  const made = await createTemplate(OPERATOR, t.app, w, channelId, { draft: given, sample });
  const [header] = made.components;
  const { header_handle: handles } = Object(Object(header).example);
  assert.ok(meta.samples.holds(String(handles)));
  assert.deepEqual(await create(given).catch(faultsOf), [
    "header: needs an uploaded file of the kind image",
  ]);
});

/** What Meta refuses although our rules let it pass, and where a person reads it. */
const REFUSALS: readonly (readonly [string, Parameters<WhatsAppEmulator["fault"]>[0], string[]])[] =
  [
    [
      "another version of it is being deleted",
      { kind: "code", code: 100, subcode: 2388023 },
      ["name: (#100) Invalid parameter (2388023)"],
    ],
    [
      "the ratio of words to variables",
      { kind: "code", code: 100, subcode: 2388293 },
      ["body: (#100) Invalid parameter (2388293)"],
    ],
    [
      "a code of its own in place of a subcode",
      { kind: "code", code: 2388299, details: "Variables can't be at the start or end" },
      ["body: Variables can't be at the start or end (2388299)"],
    ],
    [
      "a length, which only its words place",
      { kind: "code", code: 2388040, details: "The footer has more than 60 characters." },
      ["footer: The footer has more than 60 characters. (2388040)"],
    ],
    [
      "a fault that names no field",
      { kind: "code", code: 100, details: "Something is wrong" },
      ["template: Something is wrong (100)"],
    ],
    [
      "a throttle",
      { kind: "code", code: 80007, details: "slow down" },
      ["OVERLOADED: the platform did not take it now: (#80007) Rate limit issues (80007)"],
    ],
    [
      "a token that is not taken",
      { kind: "code", code: 190 },
      [
        "NOT_ALLOWED_IN_STATE: the platform refuses the channel's account: Invalid OAuth access token - Cannot parse access token (190)",
      ],
    ],
  ];
for (const [name, fault, expected] of REFUSALS)
  test(`refused by the platform: ${name}`, async () => {
    meta.fault({ ...fault, on: "templates" });
    assert.deepEqual(await create(draft()).catch(faultsOf), expected);
    meta.clear();
  });

test("a lost answer says that the template may be there, and a second one of the name is refused in Meta's sentences", async () => {
  const given = draft();
  meta.fault({ kind: "drop", accepted: true, on: "templates" });
  const [lost] = (await create(given).catch(faultsOf)) as string[];
  assert.match(lost ?? "", /^OVERLOADED: the platform did not answer .* may have been handed in/);
  meta.clear();
  const [taken] = (await create(given).catch(faultsOf)) as string[];
  assert.match(taken ?? "", /^name: Content in this language already exists: .*\(2388024\)$/);
});

test("a template is deleted at the platform and here, once; its other languages stay", async () => {
  const given = draft();
  const [english, arabic] = [await create(given), await create({ ...given, language: "ar" })];
  const gone = () => deleteTemplate(OPERATOR, t.app, w, english.id).catch(faultsOf);
  meta.fault({ kind: "drop", accepted: true, on: "templates" });
  assert.match(String(await gone()), /^OVERLOADED: the platform did not answer/);
  meta.clear();
  // The lost call reached it, so the platform has it no more: that is what was wanted.
  assert.equal(await gone(), undefined);
  assert.deepEqual(await gone(), ["NOT_FOUND: no such template"]);
  const statusOf = async (id: string) => (await findTemplate(t.app.db, w, id))?.status;
  assert.deepEqual([await statusOf(english.id), await statusOf(arabic.id)], ["DELETED", "PENDING"]);
  await syncTemplates(OPERATOR, t.app, w, channelId);
  const traces = await t.app.db.query(sql`select action as trace from audit_entry
      where subject = ${english.id} and action = 'template.deleted'
    union all select body::json->'data'->>'previousStatus' from event
      where type = 'template.status' and body::json->'data'->>'templateId' = ${english.id}
        and body::json->'data'->>'status' = 'DELETED'`);
  assert.deepEqual(traces, [{ trace: "template.deleted" }, { trace: "PENDING" }]);
});

test("a template that a started campaign sends, also as a variant, is not deleted", async () => {
  const { header: _, ...given } = draft({ buttons: [] });
  const { id: templateId, metaId } = await create(given);
  meta.setTemplateStatus(WABA, metaId, "APPROVED");
  await meta.flush();
  await t.app.drain();
  await createContact(OPERATOR, t.app, w, { phone: "96550000077" });
  const text = { templateId, variables: { "1": "A-17", "2": "Salmiya" } };
  const variants = ["A", "B"].map((name) => ({ name, share: 0.5, ...text }));
  const campaigns = [
    { name: "Plain", ...text },
    { name: "Compared", variants },
  ];
  for (const campaign of campaigns) {
    const whole = { ...campaign, kind: "WHATSAPP_TEMPLATE", channelId } as const;
    const { id } = await createBroadcast(OPERATOR, t.app, w, whole);
    await startBroadcast(OPERATOR, t.app, w, id);
    assert.deepEqual(await deleteTemplate(OPERATOR, t.app, w, templateId).catch(faultsOf), [
      `NOT_ALLOWED_IN_STATE: the template is sent by "${campaign.name}"`,
    ]);
    await cancelBroadcast(OPERATOR, t.app, w, id);
  }
  await deleteTemplate(OPERATOR, t.app, w, templateId);
});

/** Rules that are known before the platform is asked. */
const FAULTS: readonly (readonly [Partial<TemplateDraft>, string])[] = [
  [{ name: "Order Ready" }, "name: must be of lower case letters, digits and underscores"],
  [{ name: "a".repeat(513) }, "name: must be at most 512 characters"],
  [{ language: "English" }, "language: must be a language code like en, en_US or ar"],
  [{ body: "x".repeat(1_025) }, "body: must be at most 1024 characters"],
  [
    { body: "Order {{1}} and {{3}} are ready for you at the shop" },
    "body: must number its variables from {{1}} without gaps: {{2}} is missing",
  ],
  [
    { body: "Your order is ready, dear customer of ours, {{1}}!", bodyExamples: ["x"] },
    "body: must neither begin nor end with a variable",
  ],
  [
    { body: "Hi {{1}} ok", bodyExamples: ["x"] },
    "body: has too few words for its variables: at least 3 are needed",
  ],
  [{ bodyExamples: ["A-17"] }, "bodyExamples[1]: needs an example of the variable"],
  [{ footer: "Bye {{1}}" }, "footer: cannot have a variable"],
  [{ footer: "x".repeat(61) }, "footer: must be at most 60 characters"],
  [{ header: { kind: "text", text: "{{1}} and {{2}}" } }, "header: can have one variable, {{1}}"],
  [
    { header: { kind: "text", text: "Hi {{1}}" } },
    "headerExample: needs an example of the variable",
  ],
  [{ header: { kind: "text", text: "x".repeat(61) } }, "header: must be at most 60 characters"],
  [
    { buttons: [{ kind: "quick_reply", text: "x".repeat(26) }] },
    "buttons[0].text: must be at most 25 characters",
  ],
  [
    { buttons: [{ kind: "url", text: "Go", url: "shop" }] },
    "buttons[0].url: must be an address that begins with https:// or http://",
  ],
  [
    { buttons: [{ kind: "phone", text: "Call", phone: "123" }] },
    "buttons[0].phone: must be a phone number with its country code, like +96550001234",
  ],
  [
    {
      buttons: Array.from(
        { length: 11 },
        (_, n) => ({ kind: "quick_reply", text: `b${n}` }) as const,
      ),
    },
    "buttons: must be at most 10",
  ],
];
test("what is known to be refused is said by field before anybody is asked", async () => {
  const asked = meta.requests().length;
  for (const [more, expected] of FAULTS)
    assert.deepEqual(await create(draft(more)).catch(faultsOf), [expected]);
  assert.equal(meta.requests().length, asked);
});

test("the command line hands in a template as the page does, and names what the platform would refuse", async () => {
  let made: unknown;
  const program = new Command("parley").exitOverride();
  const group = program.command("template");
  registerTemplate(group, async (_options, work) => {
    const reached = { config: t.app.config, databaseUrl: t.databaseUrl, alone: false };
    made = await work(t.app, { ...reached, close: async () => {} });
  });
  const create = (...words: string[]) =>
    program.parseAsync(
      ["template", "create", "--channel", channelId, "--language", "en", ...words],
      { from: "user" },
    );
  const body = ["--body", "Hello {{1}}, your order {{2}} is on its way to you."];
  const words = ["--name", "by_command", "--category", "UTILITY", ...body];
  await assert.rejects(create(...words), /bodyExamples\[0\]/);
  const buttons = JSON.stringify([{ kind: "quick_reply", text: "Thanks" }]);
  await create(...words, "--example", "Sara", "--example", "1234", "--buttons", buttons);
  const { id } = made as { id: string };
  const stored = await findTemplate(t.app.db, w, id);
  assert.deepEqual(
    [stored?.name, stored?.status, stored?.bodyVariableCount, stored?.components.at(-1)],
    [
      "by_command",
      "PENDING",
      2,
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Thanks" }] },
    ],
  );
});
