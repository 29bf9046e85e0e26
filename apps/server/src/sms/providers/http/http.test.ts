import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  gateway,
  linesOver,
  raw,
  sms,
  smsAccount,
  TOKEN,
} from "../../../../test/sms-provider-bench.ts";
import { AppError } from "../../../errors.ts";
import { checkProvider } from "../../sms-provider.ts";
import { http } from "./http.ts";
import { linearPattern, PATTERN_INPUT } from "./linear-pattern.ts";
import { EVIL, slowestAnswer } from "./hard-patterns.fixture.ts";
import { readMatcher } from "./matcher.ts";
import { textOf } from "../../../../test/streaming.ts";

const URL_ = "https://gateway.example/send?user=u1&pass=p%40ss1&to={{to}}&m={{text}}&L={{lang}}";

/** An account as `set` would store it. */
function set(fields: Record<string, string>) {
  const { settings, secrets } = checkProvider({ provider: "http", url: URL_, ...fields });
  return smsAccount("http", { ...settings }, { ...secrets });
}
const nasty = `a&b=c#?+%"\\\n<x>]]>'{{to}} ü😀`;

test("a GET has its values escaped, the language mapped, and goes through the guarded client", async () => {
  const { lines, requests } = gateway(200, "OK");
  const refuse = { request: () => Promise.reject(new Error("not this one")) };
  const account = set({ langE: "L", langA: "A" });
  const guarded = { ...lines, providerHttp: refuse };
  assert.deepEqual(await http.send(guarded, account, { ...sms, text: nasty, lang: "A" }), {
    ok: true,
    externalId: "m-1",
  });
  const url = new URL(requests[0]?.url ?? "");
  assert.equal(requests[0]?.method, "GET");
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    user: "u1",
    pass: "p@ss1",
    to: "96550000001",
    m: nasty,
    L: "A",
  });
  await http.send(lines, account, sms);
  assert.equal(new URL(requests[1]?.url ?? "").searchParams.get("L"), "L");
});

test("lang A counts as UCS-2 where the gateway is told the language, in address or body", async () => {
  const { lines, requests } = gateway(200, "OK");
  const long = { ...sms, text: "a".repeat(100), lang: "A" } as const;
  const untold = { url: "https://gateway.example/send?to={{to}}&m={{text}}", maxParts: "1" };
  assert.equal((await http.send(lines, set(untold), long)).ok, true);
  const told = [{ maxParts: "1" }, { ...untold, method: "POST", body: "l={{ lang }}" }];
  for (const fields of told) {
    const outcome = await http.send(lines, set(fields), long);
    assert.deepEqual([outcome.ok, !outcome.ok && outcome.code], [false, "TEXT_TOO_LONG"]);
  }
  assert.equal(requests.length, 1);
});

test("a body as form, JSON and XML gives back the values that were put in", async () => {
  const url = "https://gateway.example/send?r={{receipt_url}}";
  const bodies: [
    bodyForm: string,
    type: string,
    body: string,
    read: (text: string) => string | null,
  ][] = [
    [
      "form",
      "application/x-www-form-urlencoded",
      "to={{to}}&m={{ text }}",
      (text) => new URLSearchParams(text).get("m"),
    ],
    [
      "json",
      "application/json",
      '{"to":"{{to}}","m":"{{text}}"}',
      (text) => String(Object(JSON.parse(text)).m),
    ],
    ["xml", "text/xml; charset=utf-8", "<s to='{{to}}'><m>{{text}}</m></s>", fromXml],
  ];
  for (const [bodyForm, type, body, read] of bodies) {
    const { lines, requests } = gateway(200, "OK");
    await http.send(lines, set({ url, body, bodyForm }), { ...sms, text: nasty });
    const sent = textOf(requests[0]);
    assert.equal(read(sent), nasty, bodyForm);
    assert.equal(requests[0]?.method, "POST");
    assert.deepEqual(requests[0].headers, { "content-type": type });
    const own = { url, body, bodyForm, headers: '{"Content-Type":"text/plain"}' };
    await http.send(lines, set(own), sms);
    assert.deepEqual(requests[1]?.headers, { "Content-Type": "text/plain" });
    const receipt = new URL(requests[0].url).searchParams.get("r");
    assert.equal(receipt, `https://hub.example/hooks/sms/p1?m=m-1&k=${TOKEN}`);
    // Half a surrogate pair must not break the request.
    await http.send(lines, set({ url, body, bodyForm }), { ...sms, text: "\ud83d" });
  }
});
function fromXml(text: string): string {
  const inner = /<m>(.*)<\/m>/s.exec(text)?.[1] ?? "";
  assert.doesNotMatch(inner, /[<>"']|&(?!\w+;)/);
  const named: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return inner.replaceAll(/&(\w+);/g, (_, name: string) => named[name] ?? "");
}

const plain = {
  success: "regex:^(?:OK|100)",
  messageId: "regex:id=(\\w{1,40})",
  errorCode: "regex:^(\\d{3})",
  errorCodes: JSON.stringify({
    102: "GATEWAY_AUTH",
    105: "GATEWAY_CREDIT",
    108: "INVALID_NUMBER",
    110: "GATEWAY_RATE_LIMITED",
    111: "GATEWAY_UNAVAILABLE",
  }),
};
const document = {
  success: "json:result.ok=true",
  messageId: "json:result.ids.0",
  errorCode: "json:error.code",
  errorCodes: JSON.stringify({ E7: "BLOCKED_BY_RECIPIENT" }),
};
const answers: [fields: object, status: number, body: unknown, ...wanted: string[]][] = [
  [plain, 200, "100 sent id=abc", "ok", "abc"],
  [plain, 200, "OK", "ok", "m-1"],
  [plain, 200, "102 wrong", "misconfigured", "GATEWAY_AUTH"],
  [plain, 200, "105", "misconfigured", "GATEWAY_CREDIT"],
  [plain, 200, "108 no number", "rejected", "INVALID_NUMBER"],
  [plain, 200, "110", "throttled", "GATEWAY_RATE_LIMITED"],
  [plain, 200, "111", "unreachable", "GATEWAY_UNAVAILABLE"],
  [plain, 200, "199 else", "rejected", "REJECTED"],
  [plain, 200, "<html>", "unknown", "GATEWAY_UNAVAILABLE"],
  [plain, 200, "", "unknown", "GATEWAY_UNAVAILABLE"],
  [plain, 401, "who", "misconfigured", "GATEWAY_AUTH"],
  [plain, 429, "slow", "throttled", "GATEWAY_RATE_LIMITED"],
  [plain, 500, "OK", "unknown", "GATEWAY_UNAVAILABLE"],
  // A script that sent the message and then leads to its page. A script that says "ask there instead" did nothing.
  [plain, 302, "", "unknown", "GATEWAY_UNAVAILABLE"],
  [{}, 302, "<a href='/done'>Found</a>", "unknown", "GATEWAY_UNAVAILABLE"],
  [plain, 302, "108 no number", "rejected", "INVALID_NUMBER"],
  [plain, 301, "", "unreachable", "GATEWAY_UNAVAILABLE"],
  [plain, 307, "", "unreachable", "GATEWAY_UNAVAILABLE"],
  [document, 200, { result: { ok: true, ids: [77, 78] } }, "ok", "77"],
  [document, 200, { result: { ok: "true", ids: ["x"] } }, "ok", "x"],
  [
    document,
    200,
    { result: { ok: false }, error: { code: "E7" } },
    "opted_out",
    "BLOCKED_BY_RECIPIENT",
  ],
  [document, 400, { error: { code: "E7" } }, "opted_out", "BLOCKED_BY_RECIPIENT"],
  [{}, 204, "", "ok", "m-1"],
  [{ success: "regex:^OK" }, 200, "no", "rejected", "REJECTED"],
];
test("an answer is read by status, path or pattern", async () => {
  for (const [fields, status, body, reason, word] of answers) {
    const outcome = await http.send(gateway(status, body).lines, set({ ...fields }), sms);
    const got = outcome.ok ? ["ok", outcome.externalId] : [outcome.reason, outcome.smsCode];
    assert.deepEqual(got, [reason, word], `${status} ${JSON.stringify(body)}`);
  }
});

test("the answer's words lose the text and every credential of the address", async () => {
  const body = `102 user=u1 pass=p@ss1 p%40ss1 key abcd-efgh text ${sms.text}`;
  const account = set({ ...plain, headers: '{"X-Key":"abcd-efgh"}' });
  const { lines, requests } = gateway(200, body);
  const outcome = await http.send(lines, account, sms);
  assert.equal(requests[0]?.headers?.["X-Key"], "abcd-efgh");
  assert.ok(
    !outcome.ok && !/p@ss1|p%40ss1|abcd|482913/.test(outcome.detail),
    JSON.stringify(outcome),
  );
});

test("a text of more parts than the gateway accepts is never sent", async () => {
  const { lines, requests } = gateway(200, "OK");
  const outcome = await http.send(lines, set({ maxParts: "8" }), {
    ...sms,
    text: "م".repeat(600),
  });
  assert.ok(!outcome.ok && outcome.smsCode === "REJECTED" && requests.length === 0);
});

const faults: [field: string, fields: Record<string, string>][] = [
  ["url", { url: "ftp://x/{{to}}{{text}}" }],
  ["url", { url: "https://{{to}}.example/?m={{text}}" }],
  ["url", { url: "https://u:p@gateway.example/?t={{to}}&m={{text}}" }],
  ["url", { url: "https://gateway.example/?t={{to}}" }],
  ["url", { url: "https://gateway.example/?t={{to}}&m={{text}}&x={{password}}" }],
  ["method", { method: "DELETE" }],
  ["body", { method: "GET", body: "{{text}}" }],
  ["headers", { headers: '{"Host":"x"}' }],
  ["headers", { headers: '{"X":"a\\r\\nb"}' }],
  ["headers", { headers: "[]" }],
  // It would be sent unchanged.
  ["headers", { headers: '{"X-Language":"{{lang}}"}' }],
  ["success", { success: "OK" }],
  ["success", { success: "regex:(" }],
  ["success", { success: "regex:(a)\\1" }],
  ["messageId", { messageId: "json:a..b" }],
  ["errorCodes", { errorCodes: '{"1":"NOPE"}' }],
  ["maxParts", { maxParts: "0" }],
  ["apiUrl", { apiUrl: "https://x.example" }],
  ["appSid", { appSid: "x" }],
];
test("a wrong value is refused with the name of its field", () => {
  for (const [field, fields] of faults)
    assert.throws(
      () => set(fields),
      (error) => error instanceof AppError && error.facts.details?.[0]?.path === field,
      JSON.stringify(fields),
    );
});

/** Wide, because the machine of the tests may be slow and busy. The bench (`patterns`) holds 10 ms on a free one. */
const ALLOWED_MS = 250;

test("patterns that stop other engines are refused or cost little", () => {
  for (const pattern of EVIL) {
    const took = slowestAnswer(`regex:${pattern}`, ALLOWED_MS);
    assert.ok(took < ALLOWED_MS, `${pattern}: ${took} ms`);
  }
  // Measured: a backtracking engine takes minutes for the first.
  assert.equal(typeof linearPattern(EVIL[0] ?? ""), "string");
});

test("any generated pattern is refused or costs little", () => {
  const atom = fc.constantFrom(..."a b . \\w [ab] [^c] \\b $ ^ \\p{L} \\s é \\d <".split(" "), " ");
  const repetition = fc.constantFrom(..."* + ? {0,20} {1,40} {3} *? {1,90}? {60}".split(" "));
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { depthSize: "large", withCrossShrink: true },
      atom,
      fc.tuple(tie("pattern"), tie("pattern")).map((both) => both.join("")),
      tie("pattern").map((one) => `(${one})`),
      fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `(?:${one}|${other})`),
      fc.tuple(tie("pattern"), repetition).map(([one, times]) => `(?:${one})${times}`),
    ),
  }));
  fc.assert(
    fc.property(pattern, (source) => {
      const took = slowestAnswer(`regex:${source}`, ALLOWED_MS);
      assert.ok(took < ALLOWED_MS, `${source}: ${took} ms`);
    }),
    { numRuns: 150 },
  );
});

test("a pattern means what it means in JavaScript; what this engine cannot do is refused in words", () => {
  const text = "OK 100 id=a-7f_9 <x>موعد\u00a07</x> time 10:20/5\ttail";
  const patterns = [
    "^OK",
    "^(?:OK|100)",
    "id=([\\w-]{1,40})",
    "id=([^ ]+)",
    "^OK (\\d{1,20})",
    "(?<id>\\d+):",
    "<x>(.*?)</x>",
    "\\p{L}{2,9}",
    "[\\u0600-\\u06ff]+",
    "(\\d+)\\/5",
    "tail$",
    "(nothing)|time",
    "(a|b)*c",
    "none",
  ];
  for (const source of patterns) {
    const find = linearPattern(source);
    assert.ok(typeof find !== "string", `${source}: ${String(find)}`);
    const wanted = new RegExp(source, "u").exec(text);
    assert.equal(find(text), wanted && (wanted[1] ?? wanted[0]), source);
  }
  const refused: [pattern: string, words: RegExp][] = [
    ["(", /not a regular expression/],
    ["(?=a)b", /look-around/],
    ["(a)\\1", /back references/],
    ["\\p{Script=Arabic}", /names of scripts/],
    ["x".repeat(201), /longer than 200/],
    ["a{1,2000}b+", /too large/],
    [`(?:${"a".repeat(150)}){150}`, /too large/],
    ["(a)(b)(c)(d)(e)(f)", /more than 5 groups/],
  ];
  for (const [source, words] of refused) assert.match(String(linearPattern(source)), words);
  assert.equal(readMatcher("regex:^OK \\d+") instanceof Object, true);
  const far = linearPattern("OK$");
  assert.ok(typeof far !== "string");
  assert.equal(far(`${" ".repeat(PATTERN_INPUT)}OK`), null);
});

test("an account that an older version stored goes on, or is refused by the name of its rule before any call", async () => {
  const { lines, requests } = gateway(200, "100 sent id=abc");
  // Both were accepted before; this engine accepts the first.
  const kept = smsAccount("http", { ...plain, messageId: "regex:id=(\\w{1,80})" }, { url: URL_ });
  assert.deepEqual(await http.send(lines, kept, sms), { ok: true, externalId: "abc" });
  const large = smsAccount("http", { ...plain, messageId: "regex:id=(\\w{1,900})" }, { url: URL_ });
  const outcome = await http.send(lines, large, sms);
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.reason, outcome.code], ["misconfigured", "RULE_NOT_USABLE"]);
  assert.match(outcome.detail, /rule messageId .* too large: .* Set the provider again/);
  assert.equal(requests.length, 1);
});

test("a receipt is read by the account's own names, in query, form or JSON", () => {
  const account = set({
    receiptId: "msgid",
    receiptStatus: "state",
    receiptDelivered: "DELIVRD, 1",
    receiptFailed: "UNDELIV,BLOCKED",
    errorCodes: '{"BLOCKED":"BLOCKED_BY_RECIPIENT"}',
  });
  const told: [state: string, status: string | undefined, smsCode: string | null | undefined][] = [
    ["DELIVRD", "delivered", null],
    ["1", "delivered", null],
    ["UNDELIV", "failed", "UNREACHABLE_NUMBER"],
    ["BLOCKED", "failed", "BLOCKED_BY_RECIPIENT"],
    ["ENROUTE", undefined, undefined],
  ];
  for (const [state, status, smsCode] of told) {
    const fields = { msgid: "77", state };
    for (const request of [
      raw("", { ...fields, m: "m-1" }),
      raw(new URLSearchParams(fields).toString(), { m: "m-1" }),
      raw(JSON.stringify(fields), { m: "m-1" }),
    ]) {
      const [got] = http.parse(request, account).receipts;
      assert.deepEqual([got?.status, got?.smsCode], [status, smsCode], state);
      if (got) assert.deepEqual([got.externalMessageId, got.correlationId], ["77", "m-1"]);
    }
  }
  const failures = [
    ["BLOCKED", true],
    ["UNDELIV", false],
  ] as const;
  for (const [state, optedOut] of failures) {
    const [got] = http.parse(raw("", { msgid: "77", state }), account).receipts;
    assert.deepEqual(
      [got?.externalMessageId, got?.correlationId, got?.errorCode, got?.scope, got?.optedOut],
      ["77", null, state, "recipient", optedOut],
    );
  }
  const [byOurs] = http.parse(raw("", { state: "DELIVRD", m: "m-1" }), account).receipts;
  assert.deepEqual([byOurs?.externalMessageId, byOurs?.correlationId], ["m-1", "m-1"]);
  assert.deepEqual(http.parse(raw("x=1", { m: "m-1" }), set({})).receipts, []);
  // The account need not list the words for failures: an unknown word is not taken for one.
  const delivered = set({ receiptStatus: "state", receiptDelivered: "DELIVRD" });
  assert.deepEqual(http.parse(raw("", { state: "", m: "m-1" }), delivered).receipts, []);
  assert.ok(http.verify(raw("", { k: TOKEN }), "", account));
  assert.ok(!http.verify(raw("", { k: "no" }), "", account));
});

test("an inbound message is recognised by the members that its account names, in body or query", () => {
  const account = set({ inboundFrom: "msisdn", inboundText: "body", receiptStatus: "state" });
  const inbound = [{ externalMessageId: "", from: "0501234567", text: "STOP" }];
  const fields = { msisdn: "0501234567", body: "STOP" };
  for (const request of [
    raw("", fields),
    raw(new URLSearchParams(fields).toString()),
    raw(JSON.stringify(fields)),
  ])
    assert.deepEqual(http.parse(request, account), { receipts: [], inbound });
  assert.deepEqual(http.parse(raw("", { msisdn: "1" }), account), { receipts: [], inbound: [] });
});

test("an incomplete answer refuses nothing: whether the message was sent is not known", async () => {
  const account = set({ success: "json:ok=true", messageId: "json:id" });
  const send = (body: string, partial?: true) => {
    const answer = {
      status: 200,
      headers: {},
      body: Buffer.from(body),
      ...(partial && { partial }),
    };
    return http.send(linesOver({ request: () => Promise.resolve(answer) }), account, sms);
  };
  for (const body of ["", " \n", '{"ok":true,"id":"7', "[1,", '{"ok":[{"id":"]}"}', '["\\"]']) {
    const outcome = await send(body);
    assert.deepEqual(
      [outcome.ok, !outcome.ok && outcome.reason, !outcome.ok && outcome.code],
      [false, "unknown", "UNREADABLE_ANSWER"],
      body,
    );
  }
  const long = await send("x".repeat(1_000), true);
  assert.equal(!long.ok && long.reason, "unknown");
  for (const body of ['{"ok":false}', "ERROR 12", "null", "[1701] invalid number", "{no credit}"]) {
    const outcome = await send(body);
    assert.equal(!outcome.ok && outcome.reason, "rejected", body);
  }
});

test("a byte order mark before an answer, and characters that no database holds, are left out", async () => {
  const json = set({ success: "json:ok=true", messageId: "json:id" });
  const marked = gateway(200, '\ufeff{"ok":true,"id":"7\\u0000"}');
  assert.deepEqual(await http.send(marked.lines, json, sms), { ok: true, externalId: "7" });
  const words = set(plain);
  const spoken = gateway(200, "\ufeffOK id=abc");
  assert.deepEqual(await http.send(spoken.lines, words, sms), { ok: true, externalId: "abc" });
  const long = gateway(200, { ok: true, id: "7".repeat(100_000) });
  const outcome = await http.send(long.lines, json, sms);
  assert.equal(outcome.ok && outcome.externalId.length, 500);
  const refused = await http.send(gateway(400, "no\0 ").lines, json, sms);
  assert.equal(!refused.ok && refused.detail.includes("\0"), false);
});
