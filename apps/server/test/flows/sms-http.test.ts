import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createHttpGatewayEmulator, type HttpGatewayEmulator } from "@parley/emulators";
import { dumpDatabase } from "../dump-database.ts";
import { canaries, startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** The whole way over real HTTP: our API and a gateway that an operator described: in the query, and as XML. */
let stands: Awaited<ReturnType<typeof startGatewayStand>>;
let gateway: HttpGatewayEmulator;
let query: GatewayStand;
let xml: GatewayStand;

const rules = {
  provider: "http",
  from: "SHOP & Co",
  langE: "L",
  langA: "A",
  success: "regex:^100",
  messageId: "regex:id=(\\w{1,40})",
  errorCode: "regex:^(\\d{3})",
  errorCodes:
    '{"102":"GATEWAY_AUTH","105":"GATEWAY_CREDIT","108":"INVALID_NUMBER","110":"GATEWAY_RATE_LIMITED","BLOCKED":"BLOCKED_BY_RECIPIENT"}',
  maxParts: "8",
  receiptId: "msgid",
  receiptStatus: "state",
  receiptDelivered: "DELIVRD",
  receiptFailed: "UNDELIV,BLOCKED",
};

before(async () => {
  stands = await startGatewayStand();
  gateway = await createHttpGatewayEmulator({ delivery: "manual", password: "s3cret" });
  const fields = "S={{from}}&G={{to}}&M={{text}}&IID={{id}}&L={{lang}}&D={{receipt_url}}";
  query = await stands.shop(() => ({
    ...rules,
    url: `${gateway.url}/send?UID=user&P=s3cret&${fields}`,
  }));
  const elements = fields
    .split("&")
    .map((pair) => pair.replace(/^(\w+)=(.*)$/, "<$1>$2</$1>"))
    .join("");
  xml = await stands.shop(() => ({
    ...rules,
    url: `${gateway.url}/send`,
    body: `<sms><UID>user</UID><P>s3cret</P>${elements}</sms>`,
    bodyForm: "xml",
  }));
});
after(async () => {
  await gateway.close();
  await stands[Symbol.asyncDispose]();
});
beforeEach(() => gateway.clear());

test("a passcode goes out as the operator described it, and its receipt carries it to delivered", async () => {
  for (const stand of [query, xml]) {
    const text = `رمزك 482913 & <b> "x" +1`;
    const { requestId, sent } = await stand.send("+965 5000 1234", text, "A");
    assert.equal(sent, true);
    const message = gateway.messages().at(-1);
    assert.deepEqual(
      [message?.text, message?.from, message?.correlation],
      [text, "SHOP & Co", requestId],
    );
    await gateway.flush();
    assert.deepEqual(await stand.moves(requestId), [
      [null, "sent"],
      ["sent", "delivered"],
    ]);
  }
});

test("a text that is not Latin goes with the flag for Arabic, whatever the caller said: it arrives as written", async () => {
  for (const text of ["رمزك 482913", "Your code: 482913 — façade"]) {
    assert.equal((await query.send("99950001235", text, "E")).sent, true);
    assert.equal(gateway.messages().at(-1)?.text, text);
  }
  // What the small alphabet has stays in it, Greek and the extension too.
  const latin = "Δ [482913] € Ç";
  assert.equal((await query.send("99950001235", latin, "E")).sent, true);
  assert.equal(gateway.messages().at(-1)?.text, latin);
});

test("a code over HTTP 200 has the word it was mapped to and costs nothing", async () => {
  const before_ = await query.credits();
  for (const [mobile, errorCode] of [
    ["99950000003", "GATEWAY_AUTH"],
    ["99950000005", "GATEWAY_CREDIT"],
    ["99950000008", "INVALID_NUMBER"],
    ["99950000429", "GATEWAY_RATE_LIMITED"],
  ] as const) {
    const answer = await query.send(mobile);
    assert.deepEqual([answer.sent, answer.errorCode], [false, errorCode], mobile);
  }
  const long = await query.send("99950001240", "م".repeat(600));
  assert.deepEqual([long.sent, long.errorCode], [false, "REJECTED"]);
  assert.equal(await query.credits(), before_);
});

test("failures and lost answers are told by the receipt; one without the token is not heard", async () => {
  for (const [mobile, code] of [
    ["99950000101", "UNREACHABLE_NUMBER"],
    ["99950000102", "BLOCKED_BY_RECIPIENT"],
  ] as const) {
    const { requestId } = await query.send(mobile);
    await gateway.flush();
    assert.deepEqual(await query.statusOf(requestId), { status: "failed", code }, mobile);
  }
  const lost = await query.send("99950000911");
  assert.equal((await query.statusOf(lost.requestId))?.status, "unknown");
  await gateway.flush();
  assert.equal((await query.statusOf(lost.requestId))?.status, "delivered");
  const { requestId } = await query.send("99950000907");
  const url = `${query.base}/hooks/sms/${query.providerId}?m=${requestId}&state=DELIVRD`;
  assert.equal((await fetch(url)).status, 401);
  assert.equal((await query.statusOf(requestId))?.status, "sent");
});

test("the text is nowhere, and neither is the password in the address", async () => {
  const { sent, results } = await canaries(query, gateway, [102, 105, 108, 999]);
  const stored = await dumpDatabase(query.t.databaseUrl);
  assert.ok(stored.includes(query.workspaceId) && sent.length === 9);
  for (const canary of [...sent, "s3cret"])
    for (const [place, text] of Object.entries({ stored, results, logged: query.log() }))
      assert.ok(!text.includes(canary), `${canary} is in what is ${place}`);
});
