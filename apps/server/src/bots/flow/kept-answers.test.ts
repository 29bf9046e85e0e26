import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { defineAttribute } from "../../contacts/attributes/define-attribute.ts";
import { findContact } from "../../contacts/identity/find-contact.ts";
import { sql } from "../../db/sql.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import type { AppError } from "../../errors.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { createSegment } from "../../segments/create-segment.ts";
import { deleteSegment } from "../../segments/delete-segment.ts";
import { updateSegment } from "../../segments/update-segment.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { startBotStand, type BotStand } from "../bot-stand.fixture.ts";
import { createBot, listBotVersions, readBot } from "../record/bots.ts";
import { archiveBot, pauseBot, publishBot } from "../record/publish-bot.ts";
import { selectLastRun } from "../thread/run-store.ts";
import { startBots } from "../thread/start-bots.ts";
import { workFlows } from "./work-flows.ts";

// What a customer answers stands at the contact, and decides in which segment it is (bots.md §3: ask, branch).

let stand: BotStand;
before(async () => {
  stand = await startBotStand();
});
after(() => stand[Symbol.asyncDispose]());

let customers = 96_583_000_000;
const en = (text: string) => ({ en: text });
const flow = (steps: object) => ({ format: 1, kind: "flow", name: "Lead", entry: "a", steps });

/** A customer of a shop with a live flow. Each message is answered before the next one. */
async function open(steps: object, desk?: Desk) {
  const at = desk ?? (await Desk.open(stand.m));
  await makeLiveBot(stand.context, at.workspaceId, flow(steps));
  return talk(at);
}

/** A customer of a shop whose flow is live already. */
async function talk(at: Desk) {
  const { context } = stand;
  const { workspaceId } = at;
  const from = String(++customers);
  const says = async (text: string): Promise<string> => {
    const id = await at.hears(from, text);
    while ((await startBots(context, 10)) + (await workFlows(context, 10)) > 0);
    stand.m.t.clock.advance(10_000);
    return id;
  };
  const id = await says("hello");
  const contact = async () => {
    const { contactId } = (await findConversation(context, workspaceId, id)) ?? {};
    const found = await findContact(context.db, workspaceId, contactId ?? "");
    assert.ok(found);
    return found;
  };
  const said = async () =>
    (await listMessages(context, workspaceId, id)).messages.flatMap(({ direction, text }) =>
      direction === "outbound" ? [text] : [],
    );
  const details = async () =>
    (await selectLastRun(context.db, workspaceId, id))?.steps.map(({ step, detail }) =>
      detail === undefined ? step : `${step}: ${detail}`,
    );
  return { workspaceId, says, contact, said, details };
}

test("answers are kept as name, e-mail and attribute of the contact", async () => {
  const one = await open({
    a: { type: "ask", text: en("Your name?"), into: "who", field: "name", next: "b" },
    b: {
      type: "ask",
      text: en("Your e-mail?"),
      as: "email",
      into: "mail",
      field: "email",
      next: "c",
    },
    c: {
      type: "ask",
      text: en("How many?"),
      as: "number",
      into: "n",
      attribute: "wanted",
      next: "d",
    },
    d: { type: "send", text: en("Thank you {{who}}, {{n}} to {{mail}}.") },
  });
  for (const text of ["Sara Al Sabah", "Sara@Shop.example", "١٢"]) await one.says(text);
  const { name, email, attributes } = await one.contact();
  assert.deepEqual([name, email, attributes["wanted"]], ["Sara Al Sabah", "sara@shop.example", 12]);
  assert.ok((await one.said()).includes("Thank you Sara Al Sabah, 12 to sara@shop.example."));
});

test("what the contact cannot keep stays with the flow, which goes on and says why to members", async () => {
  const desk = await Desk.open(stand.m);
  const { workspaceId } = desk;
  const choice = { key: "size", type: "choice", choices: ["S", "M"] };
  await defineAttribute(OPERATOR, stand.context, workspaceId, choice);
  const one = await open(
    {
      a: { type: "ask", text: en("Size?"), into: "size", attribute: "size", next: "b" },
      b: { type: "ask", text: en("And this one?"), into: "other", attribute: "size", next: "c" },
      c: { type: "send", text: en("Noted: {{size}}, {{other}}.") },
    },
    desk,
  );
  for (const text of ["XXL", "m"]) await one.says(text);
  assert.equal((await one.contact()).attributes["size"], "M");
  assert.ok((await one.said()).includes("Noted: XXL, m."));
  assert.deepEqual(await one.details(), ["a: not kept: VALIDATION_FAILED", "b", "c"]);
});

test("a branch asks for a segment: an answer that was just kept counts, and a segment that is gone holds no one", async () => {
  const desk = await Desk.open(stand.m);
  const { workspaceId } = desk;
  const rules = [{ field: "attribute.city", op: "eq", value: "Kuwait" }];
  const segment = await createSegment(OPERATOR, stand.context, workspaceId, {
    name: "In Kuwait",
    definition: { match: "all", rules },
  });
  const steps = {
    a: { type: "ask", text: en("Your city?"), into: "city", attribute: "city", next: "b" },
    b: {
      type: "branch",
      cases: [
        { if: { segment: "Nowhere" }, next: "d" },
        { if: { segment: "In Kuwait" }, next: "c" },
      ],
      next: "d",
    },
    c: { type: "send", text: en("We deliver today.") },
    d: { type: "send", text: en("We deliver next week.") },
  };
  const near = await open(steps, desk);
  await near.says("Kuwait");
  assert.ok((await near.said()).includes("We deliver today."));
  const far = await open(steps, await Desk.open(stand.m));
  await far.says("Kuwait");
  assert.ok((await far.said()).includes("We deliver next week."), "another workspace");
  await stand.context.db.query(
    sql`delete from segment where workspace_id = ${workspaceId} and id = ${segment.id}`,
  );
  await near.says("hello again");
  await near.says("Kuwait");
  assert.equal((await near.said()).filter((text) => text === "We deliver next week.").length, 1);
});

test("a segment that a live flow asks for gets another name, and the flow goes on; it is not deleted", async () => {
  const desk = await Desk.open(stand.m);
  const { workspaceId } = desk;
  const { context } = stand;
  const rules = [{ field: "attribute.city", op: "eq", value: "Kuwait" }];
  const definition = { match: "all", rules };
  const near = await createSegment(OPERATOR, context, workspaceId, { name: "Near", definition });
  const steps = {
    a: { type: "ask", text: en("Your city?"), into: "city", attribute: "city", next: "b" },
    b: { type: "branch", cases: [{ if: { segment: "Near" }, next: "c" }], next: "d" },
    c: { type: "send", text: en("We deliver today.") },
    d: { type: "send", text: en("We deliver next week.") },
  };
  const made = await createBot(OPERATOR, context, workspaceId, { document: flow(steps) });
  const { id } = made.answer;
  await publishBot(OPERATOR, context, workspaceId, { id });
  assert.equal((await readBot(OPERATOR, context, workspaceId, { id })).draft, false);

  const today = async (): Promise<boolean> => {
    const one = await talk(desk);
    await one.says("Kuwait");
    return (await one.said()).includes("We deliver today.");
  };
  assert.equal(await today(), true);
  await updateSegment(OPERATOR, context, workspaceId, near.id, { name: "In Kuwait" });
  assert.equal(await today(), true, "by its other name");
  // Another one that takes the name over is not what the flow asks for.
  const nobody = { match: "all", rules: [{ field: "tag", op: "eq", value: "nobody" }] };
  await createSegment(OPERATOR, context, workspaceId, { name: "Near", definition: nobody });
  assert.equal(await today(), true, "beside another one of the old name");

  const held = { code: "NOT_ALLOWED_IN_STATE", message: 'the segment is used by "Lead"' };
  const removes = () => deleteSegment(OPERATOR, context, workspaceId, near.id);
  await assert.rejects(removes(), held);
  await pauseBot(OPERATOR, context, workspaceId, { id });
  await assert.rejects(removes(), held);
  const [version] = (await listBotVersions(OPERATOR, context, workspaceId, { id })).items;
  assert.deepEqual(version?.document, flow(steps), "what was published reads as it was written");
  await archiveBot(OPERATOR, context, workspaceId, { id });
  await removes();
});

test("publishing names a segment that is not there, and answers of another kind than what keeps them", async () => {
  const desk = await Desk.open(stand.m);
  const { workspaceId } = desk;
  const definition = { match: "all", rules: [] };
  await createSegment(OPERATOR, stand.context, workspaceId, { name: "All", definition });
  await defineAttribute(OPERATOR, stand.context, workspaceId, { key: "age", type: "number" });
  const codes = async (steps: object): Promise<string[]> => {
    const input = { document: flow(steps) };
    const { id } = (await createBot(OPERATOR, stand.context, workspaceId, input)).answer;
    return Promise.resolve(publishBot(OPERATOR, stand.context, workspaceId, { id })).then(
      () => [],
      (error: AppError) => error.facts.details?.map(({ path }) => path) ?? [],
    );
  };
  const end = { type: "end" };
  const branch = (...names: string[]) => ({
    a: {
      type: "branch",
      cases: names.map((segment) => ({ if: { segment }, next: "z" })),
    },
    z: end,
  });
  const ask = (more: object) => ({ a: { type: "ask", text: en("?"), into: "x", ...more } });
  assert.deepEqual(await codes(branch("All", "None")), ["steps.a.cases.1.if.segment"]);
  assert.deepEqual(await codes(ask({ field: "email" })), ["steps.a.as"]);
  assert.deepEqual(await codes(ask({ field: "name", as: "phone" })), ["steps.a.as"]);
  assert.deepEqual(await codes(ask({ attribute: "age" })), ["steps.a.as"]);
  assert.deepEqual(await codes(ask({ attribute: "age", as: "number" })), []);
  assert.deepEqual(await codes(branch("All")), []);
  const many = Array.from({ length: 20 }, (_, n) => `S${n}`);
  const two = { ...branch(...many), a: { ...branch(...many).a, next: "b" } };
  const over = { ...two, b: { ...branch("One more").a, next: "z" } };
  assert.deepEqual(await codes(over), ["steps"]);
});
