import assert from "node:assert/strict";
import { test } from "node:test";
import { createTwilioEmulator } from "@parley/emulators";
import { createProviderHttp, createGuardedHttp } from "../../src/lib/outbound-http.ts";
import type { OutboundSms, SmsAccount, SmsLines } from "../../src/sms/provider.ts";
import { twilio } from "../../src/sms/providers/twilio.ts";
import { fault, publishedSchema } from "./published-schema.ts";
import { recordingProxy } from "./recording-proxy.ts";
import { twilioFaults } from "./sent-documents.ts";

/**
 * What our adapter sends to Twilio and what the emulator answers, against what Twilio publishes: the Message resource of
 * its OpenAPI document, and the parameters of `POST Messages.json` as its generated SDK writes them on the wire.
 */
const resource = publishedSchema("twilio-message-v2010.json")("message");
const SID = `AC${"0".repeat(31)}1`;
const FROM = "+15551234567";

test("every send is made of published parameters, every Message is the published resource", async () => {
  await using emulator = await createTwilioEmulator({
    delivery: "manual",
    accounts: [
      {
        accountSid: SID,
        authToken: "token",
        numbers: [{ number: FROM }],
        messagingServices: [`MG${"a".repeat(32)}`],
      },
    ],
  });
  await using proxy = await recordingProxy(emulator.url);
  const http = createProviderHttp();
  const lines: SmsLines = {
    providerHttp: http,
    guardedHttp: createGuardedHttp({ allow: [] }),
    smpp: { submit: () => Promise.resolve([]), keep: () => {}, close: () => Promise.resolve() },
  };
  const account = (settings: Readonly<Record<string, string>>): SmsAccount => ({
    providerId: "p",
    workspaceId: "w",
    provider: "twilio",
    apiUrl: proxy.url,
    settings: { accountSid: SID, ...settings },
    secrets: { authToken: "token", callbackToken: "t" },
    statusUrl: "https://parley.example/hooks/sms/p",
  });
  const sms = (to: string, text: string): OutboundSms => ({ id: "otp-1", to, text, lang: "E" });
  for (const settings of [{ from: FROM }, { messagingServiceSid: `MG${"a".repeat(32)}` }])
    for (const [to, text] of [
      ["96550001234", "Your code is 482913 + 😀 & رمز"],
      ["96550001235", "a".repeat(1_600)],
      ["15005550001", "refused"],
    ] as const)
      await twilio.send(lines, account(settings), sms(to, text));
  const statuses = new Set<number>();
  for (const { method, path, body, headers, status, answer } of proxy.exchanges) {
    assert.deepEqual([method, path], ["POST", `/2010-04-01/Accounts/${SID}/Messages.json`]);
    assert.equal(headers["content-type"], "application/x-www-form-urlencoded");
    assert.deepEqual(twilioFaults(new URLSearchParams(body)), [], body);
    const document = JSON.parse(answer) as Record<string, unknown>;
    statuses.add(status);
    if (status === 201) {
      assert.equal(fault(resource, document), null);
      // No sender is chosen yet, so nobody knows the parts ("initially 0").
      if (document["from"] === null) assert.equal(document["num_segments"], "0");
    } else
      assert.deepEqual(Object.keys(document).toSorted(), [
        "code",
        "message",
        "more_info",
        "status",
      ]);
  }
  assert.deepEqual([proxy.exchanges.length, statuses], [6, new Set([201, 400])]);

  // What is read back later, in every state that the emulator knows.
  await emulator.flush();
  const authorization = `Basic ${Buffer.from(`${SID}:token`).toString("base64")}`;
  for (const { sid } of emulator.messages()) {
    const url = `${emulator.url}/2010-04-01/Accounts/${SID}/Messages/${sid}.json`;
    const answer: unknown = await (await fetch(url, { headers: { authorization } })).json();
    assert.equal(fault(resource, answer), null);
  }
});

test("a misspelt or missing parameter, and a resource spelt wrong, are found", () => {
  const good = { To: "+96550001234", From: FROM, Body: "x", StatusCallback: "https://a.example" };
  assert.deepEqual(twilioFaults(new URLSearchParams(good)), []);
  const wrong: [change: Record<string, string | undefined>, found: string][] = [
    [{ StatusCallbak: "https://a.example" }, "no parameter StatusCallbak"],
    [{ body: "x" }, "no parameter body"],
    [{ Body: undefined }, "no content"],
    [{ From: undefined }, "no sender"],
    [{ To: "96550001234" }, "To is not E.164"],
    [{ StatusCallback: "nowhere" }, "StatusCallback is no address"],
  ];
  for (const [change, found] of wrong) {
    const given = Object.entries({ ...good, ...change }).flatMap(
      ([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]),
    );
    assert.deepEqual(twilioFaults(new URLSearchParams(given)), [found]);
  }
  const message = { sid: `SM${"0".repeat(32)}`, status: "queued", num_segments: "1" };
  assert.equal(fault(resource, message), null);
  for (const change of [
    { sid: "SM1" },
    { status: "send" },
    { num_segments: 1 },
    { numSegments: "1" },
    { error_code: "30005" },
    { date_created: "2026-01-01T00:00:00Z" },
  ])
    assert.notEqual(fault(resource, { ...message, ...change }), null, JSON.stringify(change));
});
