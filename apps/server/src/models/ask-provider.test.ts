import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createModelEmulator, MODEL_FAULTS, type ModelEmulator } from "@parley/emulators";
import { processorMs } from "../../test/processor-time.ts";
import { createProviderHttp } from "../lib/outbound-http.ts";
import type { HttpRequest, HttpResponse, StreamingHttp } from "../lib/http.ts";
import { MODEL_PROTOCOLS } from "../wire/words.ts";
import { askProvider } from "./ask-provider.ts";
import { firstObject } from "./first-object.ts";
import { costOf, mostTokens, type ModelProfile, type ModelRequest } from "./model.ts";
import { ModelRests } from "./model-rests.ts";

let emulator: ModelEmulator;
let http: StreamingHttp;
before(async () => {
  emulator = await createModelEmulator();
  http = createProviderHttp();
});
after(() => emulator.close());

interface Said {
  readonly decision: string;
  readonly text: string;
}

const request: ModelRequest<Said> = {
  system: "Only what the sources say.",
  turns: [
    {
      role: "user",
      text: '<source-n id="c1">We open at 9:00.</source-n><customer-n>When do you open?</customer-n>',
    },
  ],
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["decision", "text"],
    properties: { decision: { type: "string" }, text: { type: "string" } },
  },
  schemaName: "answer",
  read: ({ decision, text }) =>
    typeof decision === "string" && typeof text === "string" ? { decision, text } : null,
  maxTokens: 200,
  withinMs: 40_000,
};

const profileOf = (protocol: ModelProfile["protocol"], name: string): ModelProfile => ({
  protocol,
  url: emulator.url,
  name,
  key: emulator.key,
  guarded: false,
  emulated: true,
  inputPrice: 2,
  outputPrice: 10,
});

/** What each fault comes to, and in how many calls. */
const OUTCOMES: Readonly<Record<(typeof MODEL_FAULTS)[number], readonly [string, number]>> = {
  "401": ["misconfigured", 1],
  "404": ["misconfigured", 1],
  "429": ["throttled", 1],
  quota: ["misconfigured", 1],
  "500": ["unreachable", 2],
  "529": ["unreachable", 2],
  hang: ["timeout", 1],
  reset: ["unreachable", 2],
  trickle: ["timeout", 1],
  html: ["malformed", 2],
  halfjson: ["malformed", 2],
  prose: ["malformed", 2],
  // What the answer says is the guard's to judge.
  wronglang: ["ok", 1],
  unknowntool: ["malformed", 2],
  big: ["malformed", 2],
};

for (const protocol of MODEL_PROTOCOLS) {
  test(`${protocol}: an answer is a document of the schema, with its tokens and its cost`, async () => {
    const profile = profileOf(protocol, "extract");
    const outcome = await askProvider(http, profile, request);
    assert.ok(outcome.kind === "ok", JSON.stringify(outcome));
    assert.deepEqual(outcome.value, { decision: "answer", text: "We open at 9:00." });
    assert.equal(outcome.tries, 1);
    const most = mostTokens(request);
    assert.ok(outcome.tokens.input > 0 && outcome.tokens.input <= most.input);
    assert.ok(costOf(profile, outcome.tokens) <= costOf(profile, most));
  });

  test(`${protocol}: every fault of a provider has its outcome, after one more try where that may help`, async () => {
    const seen = await Promise.all(
      MODEL_FAULTS.map(async (kind) => {
        const { kind: outcome, tries } = await askProvider(
          http,
          profileOf(protocol, `fault:${kind}`),
          // Only what never ends is waited for briefly, however busy the machine is.
          { ...request, withinMs: kind === "hang" || kind === "trickle" ? 1_500 : 40_000 },
        );
        return [kind, [outcome, tries]];
      }),
    );
    assert.deepEqual(Object.fromEntries(seen), OUTCOMES);
  });

  test(`${protocol}: an answer that ended at its limit is truncated, one of another shape malformed`, async () => {
    const profile = profileOf(protocol, "extract");
    const cut = await askProvider(http, profile, { ...request, maxTokens: 3 });
    assert.equal(cut.kind, "truncated");
    const other = await askProvider(http, profile, { ...request, read: () => null });
    assert.deepEqual([other.kind, other.tries], ["malformed", 2]);
  });
}

/** Answers with what it is given, in turn. */
function answering(...answers: readonly Partial<HttpResponse>[]) {
  const seen: HttpRequest[] = [];
  return {
    seen,
    request(one: HttpRequest): Promise<HttpResponse> {
      const answer = answers[seen.length] ?? {};
      seen.push(one);
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(""), ...answer });
    },
  };
}
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

test("a server that knows no schema is asked again with the older names", async () => {
  const content = 'Here it is:\n```json\n{"decision":"answer","text":"{9:00}"}\n```';
  const older = answering(
    { status: 400, body: json({ error: { message: "unknown field max_completion_tokens" } }) },
    { body: json({ choices: [{ message: { content }, finish_reason: "stop" }] }) },
  );
  const outcome = await askProvider(older, profileOf("openai-chat", "llama"), request);
  assert.ok(outcome.kind === "ok");
  assert.equal(outcome.value.text, "{9:00}");
  const [first = "", second = ""] = older.seen.map(({ body }) =>
    typeof body === "string" ? body : "",
  );
  assert.match(first, /max_completion_tokens/);
  assert.match(second, /"max_tokens":200/);
  assert.doesNotMatch(second, /response_format/);
});

test("a refusal, an empty answer and a filter are no answers", async () => {
  const endsAs = async (choice: object) => {
    const body = json({ choices: [choice] });
    return (
      await askProvider(answering({ body }, { body }), profileOf("openai-chat", "m"), request)
    ).kind;
  };
  assert.equal(await endsAs({ message: { content: null, refusal: "No." } }), "refused");
  assert.equal(await endsAs({ message: { content: "" }, finish_reason: "stop" }), "malformed");
  assert.equal(
    await endsAs({ message: { content: "{" }, finish_reason: "content_filter" }),
    "refused",
  );
});

test("anthropic-messages: a document that came as text, in several blocks, is read whole", async () => {
  const texts = ["", '{"decision":"answer",', '"text":"9:00"}'];
  const body = json({
    content: texts.map((text) => ({ type: "text", text })),
    stop_reason: "end_turn",
    usage: { input_tokens: 3, output_tokens: 4 },
  });
  const profile = profileOf("anthropic-messages", "m");
  const outcome = await askProvider(answering({ body }), profile, request);
  assert.ok(outcome.kind === "ok");
  assert.deepEqual([outcome.value.text, outcome.tries], ["9:00", 1]);
});

test("the first whole object of a text counts, and hostile texts end soon", () => {
  assert.deepEqual(firstObject('x {"a":"}"} {"a":2}'), { a: "}" });
  assert.deepEqual(firstObject('{not json} {"a":1}'), { a: 1 });
  assert.equal(firstObject('{"a":1'), null);
  // Each takes some milliseconds. If every beginning were tried, the second would take minutes.
  for (const hostile of ["{x}".repeat(80_000), "{".repeat(200_000) + "}".repeat(200_000)]) {
    const took = processorMs(() => assert.equal(firstObject(hostile), null));
    assert.ok(took < 5_000, `${took} ms`);
  }
});

test("a model that failed five times within a minute rests for a minute; an answer forgets its failures", () => {
  let at = 0;
  const rests = new ModelRests({ now: () => new Date(at), pass: () => Promise.resolve() });
  const profile = profileOf("openai-chat", "m");
  const fail = () => rests.note("w", profile, { kind: "timeout" });
  for (let n = 0; n < 4; n++) fail();
  rests.note("w", profile, { kind: "ok" });
  for (let n = 0; n < 4; n++) fail();
  assert.equal(rests.rests("w", profile), false);
  at += 61_000;
  for (let n = 0; n < 4; n++) fail();
  assert.equal(rests.rests("w", profile), false);
  fail();
  assert.equal(rests.rests("w", profile), true);
  assert.equal(rests.rests("other", profile), false);
  at += 60_001;
  assert.equal(rests.rests("w", profile), false);
});
