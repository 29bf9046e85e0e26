import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import { KEY } from "../../test/actors.ts";
import { dumpDatabase } from "../../test/dump-database.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { Desk, FakeGraph, graphError } from "../../test/messaging.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import type { InputOf } from "../operations/operation.ts";
import type { verifications } from "../operations/verifications.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { checkVerification, startVerification } from "./verifications.ts";

const TO = "+965 5000 0001";
const graph = new FakeGraph();
let t: TestApp;
let logged = "";
before(async () => {
  const log = pino({ level: "trace" }, { write: (line: string) => void (logged += line) });
  t = await startTestApp({ overrides: { providerHttp: graph, log } });
});
after(() => t[Symbol.asyncDispose]());
beforeEach(() => {
  graph.sent.length = 0;
  graph.answer = () => graph.accepted();
});

/** A shop whose number has a template for codes in each of these languages. */
async function shop(languages: readonly string[], category = "AUTHENTICATION"): Promise<Desk> {
  const desk = await Desk.open({ t, graph, [Symbol.asyncDispose]: async () => {} });
  const components = JSON.stringify([
    { type: "BODY", text: "*{{1}}* is your code." },
    { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
  ]);
  for (const language of languages) {
    const id = t.app.ids.next();
    await t.app.db.query(sql`
      insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
        body_variable_count, header_format, last_synced_at)
      values (${desk.workspaceId}, ${id}, ${desk.account.channelId}, ${id}, 'sign_in', ${language}, ${category},
        'APPROVED', ${components}::json, 1, null, ${t.clock.now()})`);
  }
  return desk;
}

type Asked = Partial<InputOf<typeof verifications.startVerification>>;
const start = async ({ workspaceId }: Desk, more: Asked = {}) =>
  (await startVerification(KEY, t.app, workspaceId, { to: TO, channel: "whatsapp", ...more }))
    .answer;
const check = async ({ workspaceId }: Desk, id: string, code: string) =>
  (await checkVerification(KEY, t.app, workspaceId, { id, code })).answer.status;
/** The code that the phone got last, from the body and from the button. */
function sentCode(): string {
  const body = JSON.stringify(graph.sent.at(-1));
  const codes = [...body.matchAll(/"text":"(\d{4,10})"/g)].map(([, code = ""]) => code);
  assert.equal(codes.length, 2, body);
  assert.equal(codes[0], codes[1]);
  return codes[0] ?? "";
}
async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error = await work.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof AppError, String(error));
  return error;
}

test("the template of the language carries the code, which approves once and is kept nowhere", async () => {
  const desk = await shop(["en_US", "ar"]);
  const one = await start(desk, { locale: "ar" });
  assert.deepEqual([one.status, one.channel, one.to], ["pending", "whatsapp", "··0001"]);
  assert.match(JSON.stringify(graph.sent), /"name":"sign_in","language":\{"code":"ar"/);
  const code = sentCode();
  // As a word: ids and amounts hold the same digits by chance.
  const word = new RegExp(`\\b${code}\\b`);
  assert.doesNotMatch(await dumpDatabase(t.databaseUrl), word);
  assert.doesNotMatch(logged, word);
  assert.equal(await check(desk, one.id, code), "approved");
  const [used] = await t.app.db.query<{ sent: number; messages: number }>(sql`
    select (select sum(sent)::int from usage_day where workspace_id = ${desk.workspaceId}) as sent,
      (select count(*)::int from message where workspace_id = ${desk.workspaceId}) as messages`);
  assert.deepEqual(used, { sent: 1, messages: 0 });
});

test("without a language the workspace's is preferred, and any other is taken", async () => {
  const desk = await shop(["ar"]);
  assert.equal((await start(desk)).status, "pending");
  const refused = await refusal(start(desk, { locale: "en", to: "+965 5000 0002" }));
  assert.equal(refused.code, "TEMPLATE_NOT_APPROVED");
  assert.match(
    refused.facts.details?.[0]?.message ?? "",
    /language en: make one at the platform .* or send by sms/,
  );
  const cut = await shop(["en"]);
  await t.app.db.query(
    sql`update channel set status = 'disconnected' where workspace_id = ${cut.workspaceId}`,
  );
  const without = await refusal(start(cut));
  assert.equal(without.code, "CHANNEL_NEEDED");
  assert.match(without.facts.details?.[0]?.message ?? "", /connect one, or send by sms/);
  for (const none of [await shop([]), await shop(["en"], "UTILITY")]) {
    assert.equal((await refusal(start(none))).code, "TEMPLATE_NOT_APPROVED");
    const kept = await t.app.db.query(
      sql`select 1 from otp_record where workspace_id = ${none.workspaceId}`,
    );
    assert.deepEqual(kept, []);
  }
});

test("a number gets one code in 30 seconds, and a wrong code uses a try", async () => {
  const desk = await shop(["en"]);
  const { id } = await start(desk);
  assert.equal((await refusal(start(desk))).code, "OTP_NUMBER_LIMITED");
  assert.equal(graph.sent.length, 1);
  const right = sentCode();
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, "0");
  for (let n = 0; n < 5; n++) assert.equal(await check(desk, id, wrong), "pending");
  assert.equal(await check(desk, id, right), "exhausted");
  t.clock.advance(31_000);
  const next = await start(desk);
  assert.equal(await check(desk, next.id, sentCode()), "approved");
});

test("what WhatsApp refuses ends the verification, and its words are kept without the code", async () => {
  const desk = await shop(["en"]);
  graph.answer = (_, body) => {
    const [, code = ""] = /"text":"(\d{6})"/.exec(JSON.stringify(body)) ?? [];
    const answer = graphError(400, 131026);
    return {
      ...answer,
      body: Buffer.from(String(answer.body).replace("error 131026", `refused ${code}`)),
    };
  };
  const failed = await start(desk);
  assert.deepEqual([failed.status, failed.errorCode], ["failed", "REJECTED"]);
  const [record] = await t.app.db.query<{ error: string }>(
    sql`select error from otp_record where workspace_id = ${desk.workspaceId}`,
  );
  const { error } = record ?? { error: "" };
  assert.match(error, /131026/);
  assert.ok(!error.includes(sentCode()), error);
});

test("reports of WhatsApp move the passcode's record, and nothing of it waits for a message", async () => {
  const desk = await shop(["en"]);
  const { requestId } = await start(desk);
  const report = (status: "delivered" | "read") =>
    desk.status({ correlationId: requestId, externalMessageId: "wamid.code", status });
  await receiveEvents(t.app, [report("delivered"), report("read")]);
  const moves = (await desk.events("otp.status")).map((data) => [data["provider"], data["status"]]);
  assert.deepEqual(moves, [
    ["whatsapp", "sent"],
    ["whatsapp", "delivered"],
  ]);
  const parked = await t.app.db.query(
    sql`select 1 from early_status where workspace_id = ${desk.workspaceId}`,
  );
  assert.deepEqual(parked, []);
});
