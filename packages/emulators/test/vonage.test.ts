import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { AlgorithmTypes, Auth } from "@vonage/auth";
import { SMS, TypeEnum } from "@vonage/sms";
import { createVonageEmulator, type VonageAccount, type VonageOptions } from "../src/index.ts";

/** Vonage's own SDK calls our API, reads its answers and checks the signatures of its callbacks. */
const METHODS = [
  ["md5hash", AlgorithmTypes.md5hash],
  ["md5", AlgorithmTypes.md5hmac],
  ["sha1", AlgorithmTypes.sha1hmac],
  ["sha256", AlgorithmTypes.sha256hmac],
  ["sha512", AlgorithmTypes.sha512hmac],
] as const;

async function start(account: Partial<VonageAccount> = {}, options: VonageOptions = {}) {
  const received: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const query = new URL(request.url ?? "/", "http://x").searchParams;
      const form = new URLSearchParams(text);
      if (text.startsWith("{")) received.push(JSON.parse(text) as Record<string, string>);
      else received.push(Object.fromEntries(request.method === "GET" ? query : form));
      response.end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const emulator = await createVonageEmulator({
    delivery: "manual",
    accounts: [{ apiKey: "abcd1234", apiSecret: "s3cret", ...account }],
    ...options,
  });
  const sdk = (apiSecret = "s3cret") =>
    new SMS(new Auth({ apiKey: "abcd1234", apiSecret }), { restHost: emulator.url });
  return {
    emulator,
    received,
    sdk,
    callback: `http://127.0.0.1:${port}/receipts`,
    async [Symbol.asyncDispose]() {
      await emulator.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const MESSAGE = { to: "96550001234", from: "SHOP", text: "Your code is 482913" };

test("the SDK sends through our API and reads each part of the answer", async () => {
  await using t = await start();
  const short = await t.sdk().send({ ...MESSAGE, clientRef: "otp-1" });
  assert.equal(Number(short.messageCount), 1);
  const [part] = short.messages;
  assert.deepEqual([part?.status, part?.to, part?.clientRef], ["0", "96550001234", "otp-1"]);
  assert.equal(t.emulator.message(String(part?.messageId))?.text, MESSAGE.text);
  const arabic = { ...MESSAGE, text: "م".repeat(71), type: TypeEnum.UNICODE };
  const long = await t.sdk().send(arabic);
  assert.deepEqual([Number(long.messageCount), long.messages.length], [2, 2]);
  assert.equal(t.emulator.messages().at(-1)?.text, arabic.text);
});

test("the SDK reads our refusals: of the whole text, and of a part", async () => {
  await using t = await start();
  const failure = async (work: Promise<unknown>): Promise<[string, string[]]> => {
    try {
      await work;
      return ["none", []];
    } catch (error) {
      const { message, response } = Object(error) as {
        message: string;
        response: { messages: { status: string }[] };
      };
      return [message, response.messages.map(({ status }) => status)];
    }
  };
  // The SDK compares a count with the text that Vonage documents for it, and so never says "All".
  const all = "Some SMS messages failed to send";
  assert.deepEqual(await failure(t.sdk("wrong").send(MESSAGE)), [all, ["4"]]);
  for (const [ending, status] of [
    ["0006", "6"],
    ["0007", "7"],
    ["0009", "9"],
    ["0429", "1"],
    ["0500", "5"],
  ] as const)
    assert.deepEqual(await failure(t.sdk().send({ ...MESSAGE, to: `9995000${ending}` })), [
      all,
      [status],
    ]);
  assert.deepEqual(await failure(t.sdk().send({ ...MESSAGE, text: "" })), [all, ["2"]]);
  t.emulator.refuseLaterParts("1");
  const [words, statuses] = await failure(t.sdk().send({ ...MESSAGE, text: "a".repeat(161) }));
  assert.deepEqual([words, statuses], ["Some SMS messages failed to send", ["0", "1"]]);
});

test("the SDK accepts the signature of our receipts in every method and form, and no other", async () => {
  for (const [signatureMethod, algorithm] of METHODS)
    for (const receiptForm of ["json", "form", "get"] as const) {
      const secret = "sig & secret=1";
      await using t = await start({ signatureSecret: secret, signatureMethod }, { receiptForm });
      await t.sdk().send({ ...MESSAGE, clientRef: "a=b&c", callback: t.callback });
      await t.emulator.flush();
      t.emulator.spoilSignature();
      await t.sdk().send({ ...MESSAGE, callback: t.callback });
      await t.emulator.flush();
      const [good, bad] = t.received;
      assert.ok(good && bad && t.received.length === 2);
      const accepts = (call: Record<string, string>, by = secret) =>
        t.sdk().verifySignature(call["sig"] ?? "", call, by, algorithm);
      assert.equal(accepts(good), true, `${signatureMethod} ${receiptForm}`);
      assert.equal(accepts(good, `${secret}x`), false);
      assert.equal(accepts({ ...good, status: "failed" }), false);
      assert.equal(accepts(bad), false);
      const names =
        "api-key client-ref err-code message-timestamp messageId msisdn network-code nonce price scts sig status timestamp to";
      assert.deepEqual(Object.keys(good).toSorted().join(" "), names);
    }
});
