import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createModelEmulator, type ModelEmulator } from "@parley/emulators";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { sql } from "../../db/sql.ts";
import { AppError } from "../../errors.ts";
import { addSnippet, deleteSource, saveSource } from "../../knowledge/write-snippet.ts";
import { createProviderHttp } from "../../lib/outbound-http.ts";
import { setModel } from "../../models/set-model.ts";
import { aiDocumentExample } from "../../wire/bot.ts";
import type { CaseJson, CaseRunJson } from "../../wire/case.ts";
import { answerOf } from "../../write.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { publishBot } from "../record/publish-bot.ts";
import { createBot, listBotVersions, readBot, saveBotDraft } from "../record/bots.ts";
import { claimCases } from "./case-run-store.ts";
import { rerunTouched } from "./rerun-cases.ts";
import { eraseCases, mergeCases, personCases } from "./person-cases.ts";
import { readCaseRun, runCases } from "./run-cases.ts";
import { pruneCaseRuns, workCases } from "./work-cases.ts";
import { addCase, deleteCase, listCases, saveCase } from "./write-case.ts";

let m: Messaging;
let model: ModelEmulator;
before(async () => {
  m = await startMessaging();
  model = await createModelEmulator();
  context = { ...m.t.app, providerHttp: createProviderHttp() };
});
after(async () => {
  await m[Symbol.asyncDispose]();
  await model.close();
});
/** The app, whose calls of models are real: the platforms of `startMessaging` answer every call. */
let context: Context;

const DELIVERY = "We deliver within 2 working days all over Kuwait.";

/** A workspace with a model, one source and the draft of a bot. */
async function shop({ name = "extract", prices = {}, caps = {}, document = {} } = {}) {
  const { workspaceId } = await Desk.open(m);
  const { url, key } = model;
  const given = { protocol: "openai-chat", url, key, name, ...prices, ...caps } as const;
  await setModel(OPERATOR, { ...context, operator: true }, workspaceId, given);
  const source = answerOf(
    await addSnippet(OPERATOR, context, workspaceId, {
      title: "Delivery time",
      text: DELIVERY,
      externalId: "delivery",
    }),
  ) as { readonly id: string };
  const made = await createBot(OPERATOR, context, workspaceId, {
    document: { ...aiDocumentExample, ...document },
  });
  const { id } = answerOf(made) as { readonly id: string };
  return new Shop(workspaceId, id, source.id);
}

class Shop {
  readonly w: string;
  readonly bot: string;
  readonly source: string;

  constructor(w: string, bot: string, source: string) {
    this.w = w;
    this.bot = bot;
    this.source = source;
  }

  async adds(given: object): Promise<CaseJson> {
    const input = { id: this.bot, question: "How long is the delivery?", ...given };
    return answerOf(await addCase(OPERATOR, context, this.w, input)) as CaseJson;
  }

  async begins(given: object = {}): Promise<string> {
    const begun = await runCases(OPERATOR, context, this.w, { id: this.bot, ...given });
    return (answerOf(begun) as CaseRunJson).id;
  }

  async reads(runId: string): Promise<CaseRunJson> {
    return answerOf(
      await readCaseRun(OPERATOR, context, this.w, { id: this.bot, runId }),
    ) as CaseRunJson;
  }

  async runs(given: object = {}): Promise<CaseRunJson> {
    const id = await this.begins(given);
    await works();
    return this.reads(id);
  }

  async lists() {
    return answerOf(await listCases(OPERATOR, context, this.w, { id: this.bot })) as {
      readonly items: readonly CaseJson[];
      readonly passed: number;
      readonly failed: number;
      readonly untested: number;
      readonly running: { readonly done: number; readonly total: number } | null;
    };
  }

  publishes(given: object = {}) {
    return publishBot(OPERATOR, context, this.w, { id: this.bot, ...given });
  }

  async notices(): Promise<readonly string[]> {
    const rows = await context.db.query<{ subject: string }>(sql`
      select subject from notice where workspace_id = ${this.w} and kind = 'bot.cases_fail'`);
    return rows.map(({ subject }) => subject);
  }
}

async function works(): Promise<void> {
  while ((await workCases(context, 20)) > 0);
}

const code = (wanted: string) => (error: unknown) =>
  error instanceof AppError && error.code === wanted;

test("cases are asked k times each; one passes when all answers are right, another names its first difference", async () => {
  const s = await shop();
  const right = await s.adds({
    mustHold: ["2 WORKING days"],
    sources: ["delivery"],
    decision: "answer",
    lang: "en",
  });
  const wrong = await s.adds({ question: "How fast do you deliver?", mustHold: ["same day"] });
  const unknown = await s.adds({ question: "Do you mend bicycles?", decision: "hand_over" });
  const person = await s.adds({ question: "I want a human", decision: "hand_over" });
  const begun = await s.begins();
  assert.deepEqual((await s.lists()).running, { id: begun, done: 0, total: 12 });
  await works();
  const run = await s.reads(begun);
  assert.deepEqual(
    [run.state, run.passed, run.failed, run.waiting, run.answers, run.repeat],
    ["done", 3, 1, 0, 12, 3],
  );
  assert.deepEqual(
    run.items.map(({ caseId, result, right: n }) => [caseId, result, n]),
    [
      [right.id, "passed", 3],
      [wrong.id, "failed", 0],
      [unknown.id, "passed", 3],
      [person.id, "passed", 3],
    ],
  );
  assert.deepEqual(run.items[1]?.difference, {
    what: "must_hold",
    wanted: "same day",
    got: DELIVERY,
  });
  assert.equal(run.items[0]?.answers[0]?.sources[0]?.sourceId, s.source);
  const { items, passed, failed, untested, running } = await s.lists();
  assert.deepEqual([passed, failed, untested, running], [3, 1, 0, null]);
  assert.deepEqual(
    items.map(({ result, current, right: n, asked }) => [result, current, n, asked]),
    [
      ["passed", true, 3, 3],
      ["failed", true, 0, 3],
      ["passed", true, 3, 3],
      ["passed", true, 3, 3],
    ],
  );
  // Only the failed one, once.
  await saveCase(OPERATOR, context, s.w, {
    id: s.bot,
    caseId: wrong.id,
    talk: ["Hello", "How can I help?", "How fast do you deliver?"],
    mustNotHold: ["same day"],
  });
  assert.equal((await s.lists()).untested, 1);
  const again = await s.runs({ repeat: 1, only: [wrong.id] });
  assert.deepEqual([again.passed, again.failed, again.answers], [1, 0, 1]);
  assert.deepEqual([(await s.lists()).passed], [4]);
});

test("an answer that is right two times of three does not pass", async () => {
  const s = await shop();
  await s.adds({ mustHold: ["2 working days"] });
  const id = await s.begins();
  await workCases(context, 1);
  await saveSource(OPERATOR, context, s.w, {
    id: s.source,
    title: "Delivery time",
    text: "The delivery takes 5 days.",
  });
  await works();
  const run = await s.reads(id);
  assert.deepEqual([run.failed, run.items[0]?.right, run.items[0]?.asked], [1, 1, 3]);
});

test("a worker that dies loses one answer at most: its claim ends, and the run goes on where it was", async () => {
  const s = await shop();
  for (let n = 1; n <= 4; n++) await s.adds({ mustHold: ["2 working days"] });
  const id = await s.begins();
  await workCases(context, 3);
  // Claimed, and never heard of again.
  const now = context.clock.now();
  const of = { workspaceId: s.w, id };
  const lost = await claimCases(context.db, {
    now,
    leaseUntil: new Date(now.getTime() + 60_000),
    limit: 2,
    of,
  });
  assert.equal(lost.length, 2);
  await works();
  assert.deepEqual([(await s.reads(id)).state, (await s.reads(id)).waiting], ["running", 2]);
  m.t.clock.advance(61_000);
  await works();
  const run = await s.reads(id);
  assert.deepEqual([run.state, run.passed, run.answers], ["done", 4, 12]);
});

test("a case that is deleted or changed while it is asked holds up no run and keeps no result", async () => {
  const s = await shop();
  const [a, b] = [await s.adds({ mustHold: ["days"] }), await s.adds({ mustHold: ["days"] })];
  const id = await s.begins();
  await workCases(context, 2);
  await saveCase(OPERATOR, context, s.w, {
    id: s.bot,
    caseId: a.id,
    question: "How long is the delivery?",
    mustHold: ["hours"],
  });
  await deleteCase(OPERATOR, context, s.w, { id: s.bot, caseId: b.id });
  await works();
  const run = await s.reads(id);
  assert.deepEqual([run.state, run.stopped, run.items.length], ["done", 1, 1]);
  const { items, untested } = await s.lists();
  assert.deepEqual([items.length, untested, items[0]?.result], [1, 1, null]);
  // The last one that a run waits for.
  const second = await s.begins();
  await deleteCase(OPERATOR, context, s.w, { id: s.bot, caseId: a.id });
  assert.equal((await s.reads(second)).state, "done");
});

test("a bot is published when all cases passed with this very document, or untested, which is kept", async () => {
  const s = await shop();
  const document = { ...aiDocumentExample, tone: "formal" };
  const wrong = await s.adds({ mustHold: ["same day"] });
  const details = async (): Promise<string[]> => {
    try {
      await s.publishes();
    } catch (error) {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, "CASES_FAIL");
      return (error.facts.details ?? []).map(({ path, message }) => `${path} ${message}`);
    }
    return [];
  };
  const question = "How long is the delivery?";
  assert.deepEqual(await details(), [`${wrong.id} was not run against this draft: ${question}`]);
  await s.runs();
  assert.deepEqual(await details(), [`${wrong.id} fails: ${question}`]);
  await s.publishes({ untested: true });
  const { items } = answerOf(await listBotVersions(OPERATOR, context, s.w, { id: s.bot })) as {
    readonly items: readonly { readonly untested: boolean }[];
  };
  assert.deepEqual(
    items.map(({ untested }) => untested),
    [true],
  );
  const [entry] = await context.db.query<{ facts: { untested?: string } }>(sql`
    select facts from audit_entry where workspace_id = ${s.w} and action = 'bot.published'`);
  assert.equal(entry?.facts.untested, "yes");
  await saveCase(OPERATOR, context, s.w, {
    id: s.bot,
    caseId: wrong.id,
    question,
    mustHold: ["2 working days"],
  });
  await s.runs();
  assert.deepEqual(await details(), []);
  // The document is another one now; as it was, the result counts again.
  await saveBotDraft(OPERATOR, context, s.w, { id: s.bot, document });
  assert.deepEqual((await details()).length, 1);
  await saveBotDraft(OPERATOR, context, s.w, {
    id: s.bot,
    document: { ...aiDocumentExample },
  });
  assert.deepEqual(await details(), []);
});

test("cases of a version are asked with its document, and a bot without cases is published as ever", async () => {
  const s = await shop();
  await s.publishes();
  await s.adds({ mustHold: ["2 working days"] });
  await saveBotDraft(OPERATOR, context, s.w, {
    id: s.bot,
    document: { ...aiDocumentExample, tone: "formal" },
  });
  const run = await s.runs({ version: 1, repeat: 1 });
  assert.deepEqual([run.version, run.passed], [1, 1]);
  assert.deepEqual([(await s.lists()).untested, (await s.lists()).passed], [1, 0]);
  await assert.rejects(s.begins({ version: 7 }), code("NOT_FOUND"));
});

test("runs cost, use no AI reply, and stop at the caps of money, which hold also what calls may cost", async () => {
  const prices = { inputPrice: 1, outputPrice: 1 };
  const s = await shop({ prices, caps: { costPerDay: 0.037 } });
  for (let n = 1; n <= 5; n++) await s.adds({ mustHold: ["2 working days"] });
  const id = await s.begins({ repeat: 10 });
  // Calls at once hold what is left between them: the others wait a second.
  let run = await s.reads(id);
  for (let rounds = 0; run.state === "running" && rounds < 200; rounds++) {
    await workCases(context, 5);
    m.t.clock.advance(1_100);
    run = await s.reads(id);
  }
  assert.deepEqual([run.state, run.reason], ["stopped", "cost_cap"]);
  assert.ok(run.answers > 0 && run.answers < 50, String(run.answers));
  assert.ok(run.cost > 0 && run.cost <= 0.037, String(run.cost));
  assert.equal(run.stopped, 5);
  const [meter] = await context.db.query<{ n: number }>(sql`
    select coalesce(sum(ai_used), 0)::int as n from usage_month where workspace_id = ${s.w}`);
  assert.equal(meter?.n, 0);
  await assert.rejects(s.begins(), code("NOT_ALLOWED_IN_STATE"));
});

test("a model that does not answer fails a case and says why", async () => {
  const s = await shop({ name: "fault:401" });
  await s.adds({ mustHold: ["days"] });
  const run = await s.runs({ repeat: 1 });
  assert.equal(run.failed, 1);
  assert.equal(run.items[0]?.difference?.what, "model");
});

test("after a change of sources the cases that rest on them run again, and owners are notified of a new failure once", async () => {
  const s = await shop();
  await addSnippet(OPERATOR, context, s.w, {
    title: "Returns",
    text: "Returns are free for 14 days.",
  });
  const delivery = await s.adds({ mustHold: ["2 working days"] });
  const returns = await s.adds({ question: "Are returns free?", mustHold: ["14 days"] });
  await s.runs({ repeat: 1 });
  await s.publishes();
  assert.equal((await s.lists()).passed, 2);
  const changes = async () => {
    m.t.clock.advance(11_000);
    await rerunTouched(context);
    await works();
  };
  await changes();
  const runOf = async (caseId: string) =>
    (await s.lists()).items.find(({ id }) => id === caseId)?.runId;
  const before = [await runOf(delivery.id), await runOf(returns.id)];
  await saveSource(OPERATOR, context, s.w, {
    id: s.source,
    title: "Delivery time",
    text: "We deliver within 5 working days all over Kuwait.",
  });
  // Not at once: many sources are often changed together.
  await rerunTouched(context);
  assert.equal((await s.lists()).running, null);
  await changes();
  const { failed, passed } = await s.lists();
  assert.deepEqual([failed, passed], [1, 1]);
  assert.notEqual(await runOf(delivery.id), before[0]);
  assert.equal(await runOf(returns.id), before[1], "the other case rests on another source");
  assert.deepEqual(await s.notices(), ["Cases of Shop assistant fail"]);
  // It fails as before: no news.
  await deleteSource(OPERATOR, context, s.w, { id: s.source });
  await changes();
  await changes();
  assert.equal((await s.notices()).length, 1);
});

test("a run of a case with a source that changed meanwhile is not the last word", async () => {
  const s = await shop();
  const one = await s.adds({ mustHold: ["working days"] });
  const id = await s.begins({ repeat: 2 });
  await workCases(context, 1);
  await saveSource(OPERATOR, context, s.w, {
    id: s.source,
    title: "Delivery time",
    text: "We deliver within 3 working days all over Kuwait.",
  });
  await works();
  assert.equal((await s.reads(id)).passed, 1);
  m.t.clock.advance(11_000);
  await rerunTouched(context);
  await works();
  const [now] = (await s.lists()).items;
  assert.deepEqual([now?.id, now?.result], [one.id, "passed"]);
  assert.notEqual(now?.runId, id);
});

test("mistakes are refused: no case, another bot's, a flow, too many runs", async () => {
  const s = await shop();
  await assert.rejects(s.begins(), code("NOT_ALLOWED_IN_STATE"));
  await assert.rejects(s.adds({}), code("VALIDATION_FAILED"));
  const one = await s.adds({ mustHold: ["days"] });
  const other = await shop();
  await assert.rejects(
    other.adds({ mustHold: ["days"], conversationId: one.id }),
    code("NOT_FOUND"),
  );
  await assert.rejects(other.begins({ only: [one.id] }), code("NOT_FOUND"));
  const flow = await makeLiveBot(context, s.w, {
    format: 1,
    kind: "flow",
    name: "Menu",
    entry: "end",
    steps: { end: { type: "end" } },
  });
  const input = { id: flow, question: "Hi", mustHold: ["x1"] };
  await assert.rejects(addCase(OPERATOR, context, s.w, input), code("NOT_ALLOWED_IN_STATE"));
  for (let n = 1; n <= 5; n++) await s.begins({ repeat: 1 });
  await assert.rejects(s.begins(), code("NOT_ALLOWED_IN_STATE"));
  await works();
});

test("a case made of a customer's words is in their export, follows a merge, and is deleted with its answers in their erasure", async () => {
  const desk = await Desk.open(m);
  const { workspaceId: w } = desk;
  const question = "Where is order 77 of Huda?";
  const conversationId = await desk.hears("96599000001", question);
  const made = await createBot(OPERATOR, context, w, { document: { ...aiDocumentExample } });
  const { id } = answerOf(made) as { readonly id: string };
  await addCase(OPERATOR, context, w, { id, question, conversationId, lang: "en" });
  const [row] = await context.db.query<{ contactId: string }>(sql`
    select contact_id as "contactId" from bot_case where workspace_id = ${w}`);
  const contactId = row?.contactId ?? "";
  const of = async (ids: string) => (await personCases(context.db, w, [ids])).length;
  assert.equal(await of(contactId), 1);
  const keepId = context.ids.next();
  const merge = { workspaceId: w, mergedId: contactId, keepId, at: context.clock.now() };
  await context.db.transaction((tx) => mergeCases(context, tx, merge));
  assert.deepEqual([await of(contactId), await of(keepId)], [0, 1]);
  const erased = await context.db.transaction((tx) => eraseCases(context, tx, w, [keepId], 10));
  assert.deepEqual([erased, await of(keepId)], [1, 0]);
  const left = await context.db.query(sql`
    select 1 from bot_case where workspace_id = ${w} and talk::text like '%Huda%'`);
  assert.deepEqual(left, []);
});

test("old runs are deleted after 30 days; the last one of a case stays", async () => {
  const s = await shop();
  await s.adds({ mustHold: ["days"] });
  const [first, last] = [await s.runs({ repeat: 1 }), await s.runs({ repeat: 1 })];
  m.t.clock.advance(31 * 86_400_000);
  await pruneCaseRuns(context);
  await assert.rejects(s.reads(first.id), code("NOT_FOUND"));
  assert.equal((await s.reads(last.id)).passed, 1);
  const bot = await readBot(OPERATOR, context, s.w, { id: s.bot });
  assert.equal((answerOf(bot) as { readonly id: string }).id, s.bot);
});
