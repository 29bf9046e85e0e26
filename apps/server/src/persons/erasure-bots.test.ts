import assert from "node:assert/strict";
import { test } from "node:test";
import { createModelEmulator } from "@parley/emulators";
import { Desk, startMessaging } from "../../test/messaging.ts";
import { OPERATOR } from "../actor.ts";
import { summarise } from "../bots/assist/assist.ts";
import { makeLiveBot } from "../bots/bot.fixture.ts";
import { runCases } from "../bots/cases/run-cases.ts";
import { workCases } from "../bots/cases/work-cases.ts";
import { addCase } from "../bots/cases/write-case.ts";
import { startBots } from "../bots/thread/start-bots.ts";
import { runTurns } from "../bots/turn/run-turns.ts";
import type { Context } from "../context.ts";
import { sql } from "../db/sql.ts";
import { closeGap } from "../knowledge/close-gap.ts";
import { addSnippet } from "../knowledge/write-snippet.ts";
import { createProviderHttp } from "../lib/outbound-http.ts";
import { setModel } from "../models/set-model.ts";
import { aiDocumentExample } from "../wire/bot.ts";
import { findErasure, startErasure } from "./start-erasure.ts";
import { tablesNaming } from "./traces.fixture.ts";

/** Where bots and knowledge keep what a customer wrote, beside the tables of every conversation. */
const PLACES = ["ai_turn", "bot_case", "bot_run", "gap", "knowledge_chunk", "knowledge_source"];

test("no word of an erased person is left in runs, turns, chunks, gaps and cases", async () => {
  await using m = await startMessaging();
  await using model = await createModelEmulator();
  const app: Context = { ...m.t.app, providerHttp: createProviderHttp() };
  const desk = await Desk.open(m);
  const { workspaceId } = desk;
  const { url, key } = model;
  const given = { protocol: "openai-chat", url, key, name: "extract" } as const;
  await setModel(OPERATOR, { ...app, operator: true }, workspaceId, given);
  const botId = await makeLiveBot(app, workspaceId, aiDocumentExample);
  const text = "We deliver in Kuwait within two days.";
  await addSnippet(OPERATOR, app, workspaceId, { title: "Delivery", text, lang: "en" });
  const answers = async () => {
    await startBots(app, 100);
    m.t.clock.advance(3_000);
    await runTurns(app, 100);
  };
  // An answer with a source, then a question without one: a turn of each end, a run with a summary, a gap.
  const from = "96594443322";
  const id = await desk.hears(from, "How fast do you deliver in Kuwait to zyxqueen?");
  await answers();
  m.t.clock.advance(10_000);
  const question = "Does zyxqueen know the zyxpalace gardener?";
  await desk.hears(from, question);
  await answers();
  const [gap] = await app.db.query<{ id: string; contactId: string }>(sql`
    select group_id as id, contact_id as "contactId" from gap where workspace_id = ${workspaceId}`);
  assert.ok(gap);
  const lang = "en";
  await addCase(OPERATOR, app, workspaceId, { id: botId, question, gapId: gap.id, lang });
  await runCases(OPERATOR, app, workspaceId, { id: botId, repeat: 1 });
  while ((await workCases(app, 20)) > 0);
  await summarise(OPERATOR, app, workspaceId, { id, lang });
  const answer = "The gardener comes on Mondays.";
  await closeGap(OPERATOR, app, workspaceId, { id: gap.id, answer });
  const named = await tablesNaming(m.t.databaseUrl, ["zyxqueen", "zyxpalace"]);
  assert.deepEqual(
    PLACES.filter((place) => !named.includes(place)),
    [],
    `named only in ${named.join(" ")}`,
  );
  const started = await startErasure(OPERATOR, app, workspaceId, gap.contactId);
  await m.t.app.drain();
  assert.equal((await findErasure(app, workspaceId, started.id)).state, "done");
  assert.deepEqual(await tablesNaming(m.t.databaseUrl, ["zyxqueen", "zyxpalace", from]), []);
});
