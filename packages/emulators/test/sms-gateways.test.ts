import assert from "node:assert/strict";
import { test } from "node:test";
import { createHttpGatewayEmulator, createKwtSmsEmulator } from "../src/index.ts";

/** What channels.md §7 says of gateways, tested at the emulators without any of our senders. */

test("kwtSMS keeps a text with test=1 in its queue, with the error that a look-up then gives", async () => {
  const credentials = { username: "u", password: "p" };
  await using kwtsms = await createKwtSmsEmulator({
    delivery: "manual",
    accounts: [{ ...credentials, senders: ["KWT-SMS"] }],
  });
  const ask = async (path: string, body: object) => {
    const init = { method: "POST", body: JSON.stringify({ ...credentials, ...body }) };
    return (await (await fetch(`${kwtsms.url}${path}`, init)).json()) as Record<string, string>;
  };
  const send = (mobile: string, more: object) =>
    ask("/API/send/", { sender: "KWT-SMS", mobile, message: "hi", ...more });
  const looked: (string | undefined)[] = [];
  for (const [mobile, more] of [
    ["99950000301", { test: "1" }],
    ["99950000302", { test: "0" }],
  ] as const) {
    const { result, "msg-id": msgid } = await send(mobile, more);
    assert.equal(result, "OK");
    const report = await ask("/API/dlr/", { msgid });
    looked.push(report["code"] ?? report["result"]);
  }
  assert.deepEqual(looked, ["ERR030", "OK"]);
});

test("the Latin flag is the GSM-7 alphabet: Greek capitals and the extension arrive, a backtick and ç do not", async () => {
  await using gateway = await createHttpGatewayEmulator({ delivery: "manual" });
  const shown = async (L: string, M: string) => {
    const query = new URLSearchParams({
      UID: "user",
      P: "password",
      S: "SHOP",
      G: "99950000303",
      M,
      L,
    });
    await fetch(`${gateway.url}/send?${query.toString()}`);
    return gateway.messages().at(-1)?.text;
  };
  assert.equal(await shown("L", "Δ€[Ç]"), "Δ€[Ç]");
  assert.equal(await shown("L", "`ç“مر”😀"), "???????");
  assert.equal(await shown("A", "`ç“مر”😀"), "`ç“مر”😀");
});
