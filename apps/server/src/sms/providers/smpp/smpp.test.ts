import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { linesOver, sms, smsAccount } from "../../../../test/sms-provider-bench.ts";
import type { Handover, SmppEvent } from "../../../lib/smpp/link.ts";
import { countSegments } from "../../segments.ts";
import { partsOf } from "./parts.ts";
import { reportedId, reportOf } from "./report.ts";
import { peerOf, smpp } from "./smpp.ts";

const account = {
  ...smsAccount("smpp", { systemId: "sys", from: "SHOP" }, { password: "p4ss" }),
  apiUrl: "smpps://[::1]",
};

/** Links that answer as they are told. */
function links(...handed: Handover[]) {
  const submitted: object[][] = [];
  const lines = {
    ...linesOver({ request: () => Promise.reject(new Error("no HTTP")) }),
    smpp: {
      submit: (_peer: object, _id: string, parts: (reference: number) => readonly object[]) => {
        submitted.push([...parts(7)]);
        return Promise.resolve(handed);
      },
      keep: () => {},
      close: () => Promise.resolve(),
    },
  };
  return { lines, submitted };
}
const answered = (status: number, messageId = ""): Handover => ({
  kind: "answered",
  status,
  messageId,
});

test("a text is one submit_sm with sender and number in their types; the address says host, port and TLS", async () => {
  const { lines, submitted } = links(answered(0, "77"));
  assert.deepEqual(await smpp.send(lines, account, sms), { ok: true, externalId: "77" });
  assert.deepEqual(submitted, [
    [
      {
        source_addr_ton: 5,
        source_addr_npi: 0,
        source_addr: "SHOP",
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        destination_addr: "96550000001",
        data_coding: 0,
        esm_class: 0,
        short_message: Buffer.from(sms.text),
        registered_delivery: 1,
      },
    ],
  ]);
  const { host, port, tls } = peerOf(account);
  assert.deepEqual([host, port, tls], ["::1", 3550, true]);
  const other = { ...account, secrets: { ...account.secrets, password: "new" } };
  assert.notEqual(peerOf(other).key, peerOf(account).key);
});

const outcomes: [
  handed: Handover[],
  reason: string,
  smsCode: string,
  scope: string,
  partsTaken?: number,
][] = [
  [[answered(0x0b)], "rejected", "INVALID_NUMBER", "recipient"],
  [[answered(0x14)], "throttled", "GATEWAY_RATE_LIMITED", "account"],
  [[answered(0x58)], "throttled", "GATEWAY_RATE_LIMITED", "account"],
  [[answered(0x01)], "rejected", "REJECTED", "template"],
  [[answered(0x0a)], "misconfigured", "REJECTED", "account"],
  [[answered(0x08)], "unreachable", "GATEWAY_UNAVAILABLE", "recipient"],
  [[answered(0x45)], "unreachable", "GATEWAY_UNAVAILABLE", "recipient"],
  [[answered(0x499)], "rejected", "REJECTED", "recipient"],
  [[answered(0)], "unknown", "GATEWAY_UNAVAILABLE", "recipient"],
  // The first part was accepted: it is charged, and none of these may start again.
  [[answered(0, "1"), answered(0x58)], "throttled", "GATEWAY_RATE_LIMITED", "account", 1],
  [
    [answered(0, "1"), answered(0, "2"), answered(0x0b)],
    "rejected",
    "INVALID_NUMBER",
    "recipient",
    2,
  ],
  [
    [answered(0, "1"), { kind: "not_sent", code: "RESET" }],
    "unreachable",
    "GATEWAY_UNAVAILABLE",
    "recipient",
    1,
  ],
  [
    [answered(0, "1"), { kind: "lost", code: "RESET" }],
    "unknown",
    "GATEWAY_UNAVAILABLE",
    "recipient",
  ],
  [[{ kind: "lost", code: "RESET" }], "unknown", "GATEWAY_UNAVAILABLE", "recipient"],
  [[{ kind: "lost", code: "TIMEOUT" }], "unknown", "GATEWAY_TIMEOUT", "recipient"],
  [[{ kind: "not_sent", code: "CONNECT" }], "unreachable", "GATEWAY_UNAVAILABLE", "recipient"],
  [
    [{ kind: "not_sent", code: "BIND", bindStatus: 0x0e }],
    "misconfigured",
    "GATEWAY_AUTH",
    "account",
  ],
  [
    [{ kind: "not_sent", code: "BIND", bindStatus: 0x05 }],
    "unreachable",
    "GATEWAY_UNAVAILABLE",
    "account",
  ],
  [
    [{ kind: "not_sent", code: "BIND", bindStatus: 0x08 }],
    "unreachable",
    "GATEWAY_UNAVAILABLE",
    "account",
  ],
  [
    [{ kind: "not_sent", code: "BIND", bindStatus: 0x58 }],
    "throttled",
    "GATEWAY_RATE_LIMITED",
    "account",
  ],
  [
    [{ kind: "not_sent", code: "BIND", bindStatus: 0x499 }],
    "misconfigured",
    "GATEWAY_AUTH",
    "account",
  ],
];
test("each answer, or none, gets its reason, its normal word and its scope", async () => {
  for (const [handed, reason, smsCode, scope, partsTaken] of outcomes) {
    const outcome = await smpp.send(links(...handed).lines, account, sms);
    assert.ok(!outcome.ok);
    const got = [outcome.reason, outcome.smsCode, outcome.scope, outcome.partsTaken];
    assert.deepEqual(got, [reason, smsCode, scope, partsTaken], JSON.stringify(handed));
  }
});

test("a gateway that takes one link an account is told from one that refuses its password", async () => {
  const refused = async (bindStatus: number) => {
    const given = links({ kind: "not_sent", code: "BIND", bindStatus }).lines;
    const outcome = await smpp.send(given, account, sms);
    return outcome.ok || `${outcome.code} ${outcome.detail}`;
  };
  assert.match(String(await refused(0x05)), /^0x5 .*: the account has a link already, /);
  assert.equal(await refused(0x0e), "0xe the gateway refused to bind");
});

test("a thousand texts have as many parts as they cost, none above 140 octets, no pair split", () => {
  const letters = fc.constantFrom(...Array.from("aZ9 @€[]^{}|~\\éÇ\n"), "م", "😀", "ç", "—");
  const gsm = fc.constantFrom(...Array.from("abcXYZ 019€[]^Δ_é\n"));
  const texts = fc.oneof(
    fc.array(gsm, { minLength: 1, maxLength: 700, size: "max" }),
    fc.array(letters, { minLength: 1, maxLength: 400, size: "max" }),
  );
  fc.assert(
    fc.property(texts, (characters) => {
      const text = characters.join("");
      const parts = partsOf(text, 7, false);
      assert.equal(parts.length, countSegments(text).segments);
      for (const [index, { short_message: octets, data_coding, esm_class }] of parts.entries()) {
        const header = parts.length > 1 ? [5, 0, 3, 7, parts.length, index + 1] : [];
        assert.deepEqual([...octets.subarray(0, header.length)], header);
        assert.equal(esm_class, parts.length > 1 ? 0x40 : 0);
        const body = octets.subarray(header.length);
        if (data_coding === 0) assert.ok(body.length <= 160 && body.at(-1) !== 0x1b);
        else assert.ok(Buffer.from(body).swap16().toString("utf16le").isWellFormed());
        if (data_coding === 8) assert.ok(octets.length <= 140);
      }
    }),
    { numRuns: 1_000 },
  );
});

const KNOWN = new Map([
  ["77", "ours-1"],
  // 18 is hexadecimal for 24, and 24 for 36: three messages.
  ["18", "ours-3"],
  ["24", "ours-4"],
  ["36", "ours-5"],
  ["AABBCCDD", "ours-2"],
]);
function deliver(fields: Record<string, unknown>): SmppEvent {
  const head = { sequence_number: 1, isResponse: () => false };
  const pdu = { ...head, command: "deliver_sm", command_status: 0, esm_class: 4, ...fields };
  const response = () => ({ ...pdu, response });
  return { kind: "deliver", pdu: { ...pdu, response }, ourId: (id) => KNOWN.get(id) ?? null };
}
const told = (id: string, stat: string, err = "000") => ({
  short_message: {
    message: `id:${id} sub:001 dlvrd:001 submit date:2601011200 done date:2601011201 stat:${stat} err:${err} text:hi`,
  },
});
const reports: [fields: Record<string, unknown>, ...wanted: (string | null)[]][] = [
  [{ receipted_message_id: "77", message_state: 2 }, "77", "ours-1", "delivered", null],
  [told("77", "DELIVRD"), "77", "ours-1", "delivered", null],
  [told("77", "ACCEPTD"), "77", "ours-1", "sent", null],
  [told("0077", "DELIVRD"), "77", "ours-1", "delivered", null],
  // With zeros in front it is still 24, not another message's number in another base.
  [told("0000000024", "DELIVRD"), "24", "ours-4", "delivered", null],
  // Answered as AABBCCDD, reported as 2864434397.
  [told("2864434397", "DELIVRD"), "AABBCCDD", "ours-2", "delivered", null],
  [told("stranger", "DELIVRD"), "stranger", null, "delivered", null],
  [told("77", "UNDELIV", "0D1"), "77", "ours-1", "failed", "UNREACHABLE_NUMBER"],
  [told("77", "EXPIRED"), "77", "ours-1", "failed", "GATEWAY_UNAVAILABLE"],
  [told("77", "REJECTD"), "77", "ours-1", "failed", "REJECTED"],
  [{ receipted_message_id: "77", message_state: 8 }, "77", "ours-1", "failed", "REJECTED"],
  [{ short_message: Buffer.from("id:77 stat:DELIVRD") }, "77", "ours-1", "delivered", null],
  // Without the octet that ends the id, so that the text after it is read along.
  [{ receipted_message_id: "77\u0004'", message_state: 2 }, "77", "ours-1", "delivered", null],
  // Not marked as a receipt, but it names a message.
  [
    { esm_class: 0, receipted_message_id: "77", message_state: 2 },
    "77",
    "ours-1",
    "delivered",
    null,
  ],
  [{ esm_class: 0, ...told("77", "DELIVRD") }, "77", "ours-1", "delivered", null],
  // Words that the documents shorten, and blanks that they do not have.
  [told("77", "DELIVERED"), "77", "ours-1", "delivered", null],
  [told("77", "Accepted"), "77", "ours-1", "sent", null],
  [told("77", "UNDELIVERABLE"), "77", "ours-1", "failed", "UNREACHABLE_NUMBER"],
  [told("77", "UNDELIVERED"), "77", "ours-1", "failed", "UNREACHABLE_NUMBER"],
  [told("77", "REJECTED"), "77", "ours-1", "failed", "REJECTED"],
  [told("77", "FAILED"), "77", "ours-1", "failed", "REJECTED"],
  [told(" 77", " DELIVRD"), "77", "ours-1", "delivered", null],
  // ASCII in a text that claims to be GSM 03.38.
  [told("a§b¡1", "DELIVRD"), "a_b@1", null, "delivered", null],
];
test("a receipt is read by TLV or text, its id in decimal or hexadecimal", () => {
  for (const [fields, ...wanted] of reports) {
    const [got] = reportOf(deliver(fields), undefined).receipts;
    assert.deepEqual(
      [got?.externalMessageId, got?.correlationId, got?.status, got?.smsCode],
      wanted,
      JSON.stringify(fields),
    );
  }
  // Other senders store the answer in the form that receipts have, however it was written.
  const named = (id: string, form: string) =>
    reportOf(deliver(told(id, "DELIVRD")), form).receipts[0]?.externalMessageId;
  assert.deepEqual(
    [named("00255", "decimal"), named("0fe", "hex"), named("255", "same")],
    ["255", "FE", "255"],
  );
  assert.deepEqual(
    [reportedId("00ff", "decimal"), reportedId("FF", "decimal"), reportedId("254", "hex")],
    ["255", "255", "FE"],
  );
  assert.equal(reportedId("00ff", undefined), "00ff");
  // This process knows the answered id; it has the same form elsewhere.
  assert.equal(named("2864434397", "decimal"), "2864434397");
  // 77 is hexadecimal for 119, 255 for FF. When the account says which form receipts have, these name no message.
  const ours = (id: string, form: string) =>
    reportOf(deliver(told(id, "DELIVRD")), form).receipts[0]?.correlationId;
  assert.deepEqual(
    [ours("119", ""), ours("119", "decimal"), ours("119", "same"), ours("119", "hex")],
    ["ours-1", "ours-1", null, null],
  );
  assert.deepEqual(
    [ours("77", "same"), ours("77", "decimal"), ours("4D", "hex"), ours("0077", "same")],
    ["ours-1", null, "ours-1", "ours-1"],
  );
  const mute = ["UNKNOWN", "constructor", "", " ", "UNDELIVERABLEST"].map((stat) =>
    told("77", stat),
  );
  for (const fields of [...mute, told("", "DELIVRD"), told(" ", "DELIVRD"), {}, { esm_class: 8 }])
    assert.deepEqual(reportOf(deliver(fields), undefined), { receipts: [], inbound: [] });
});

test("a failed receipt's code is the documents' word, with the operator's own number if it has one", () => {
  const codeOf = (stat: string, err: string) =>
    reportOf(deliver(told("77", stat, err)), undefined).receipts[0]?.errorCode;
  assert.deepEqual(
    [codeOf("UNDELIVERABLE", "000"), codeOf("UNDELIV", " 0D1"), codeOf("FAILED", " ")],
    ["UNDELIV", "UNDELIV 0D1", "FAILED"],
  );
});

test("an unmarked message is a receipt by its text only when it names a message that this process sent", () => {
  const unmarked = { esm_class: 0, source_addr: "96550000001" };
  const read = (text: string) =>
    reportOf(deliver({ ...unmarked, short_message: { message: text } }), undefined);
  const receipt = "id:77 sub:001 dlvrd:001 stat:DELIVRD err:000";
  assert.equal(read(receipt).receipts[0]?.correlationId, "ours-1");
  assert.deepEqual(read(receipt).inbound, []);
  // A customer can write such a text.
  for (const text of [receipt.replace("77", "78"), `see ${receipt}`, "id:77", "stat:DELIVRD"]) {
    const { receipts, inbound } = read(text);
    assert.deepEqual([receipts, inbound[0]?.text], [[], text]);
  }
});

test("a late answer gives the outcome of the message", () => {
  const late = { kind: "late", id: "m-1", part: { index: 1, total: 2 } } as const;
  const [taken] = reportOf({ ...late, status: 0, messageId: "9" }, undefined).receipts;
  assert.deepEqual(
    [taken?.correlationId, taken?.externalMessageId, taken?.status],
    ["m-1", "9", "sent"],
  );
  const [refused] = reportOf({ ...late, status: 0x0b, messageId: "" }, undefined).receipts;
  assert.deepEqual(
    [refused?.status, refused?.smsCode, refused?.refused],
    ["failed", "INVALID_NUMBER", { partsTaken: 1 }],
  );
  // The gateway was too busy then: this message failed, which says nothing of the next.
  const [busy] = reportOf({ ...late, status: 0x58, messageId: "" }, undefined).receipts;
  assert.deepEqual([busy?.smsCode, busy?.scope], ["GATEWAY_RATE_LIMITED", "recipient"]);
  const first = { ...late, part: { index: 0, total: 2 }, status: 0, messageId: "9" };
  const [half] = reportOf(first, undefined).receipts;
  assert.deepEqual(
    [half?.status, half?.smsCode, half?.refused],
    ["failed", "GATEWAY_TIMEOUT", { partsTaken: 1 }],
  );
});

test("an inbound message gives the sender, international or national as the gateway says, and the text", () => {
  const fields = { esm_class: 0, source_addr: "+96550000001", short_message: { message: "STOP" } };
  assert.deepEqual(reportOf(deliver(fields), undefined).inbound, [
    { externalMessageId: "", from: "+96550000001", text: "STOP" },
  ]);
  const national = { ...fields, source_addr: "50000001", source_addr_ton: 2 };
  assert.deepEqual(reportOf(deliver(national), undefined).inbound, [
    { externalMessageId: "", from: "50000001", text: "STOP", national: true },
  ]);
  const international = { ...fields, source_addr: "96550000001", source_addr_ton: 1 };
  assert.equal(reportOf(deliver(international), undefined).inbound[0]?.from, "+96550000001");
});

test("a part of a long inbound message is no message, so a stop word at its end opts nobody out", () => {
  const part = (header: number[]) => ({
    short_message: { udh: [Buffer.from(header)], message: "stop" },
  });
  const read = (fields: object) =>
    reportOf(deliver({ esm_class: 0x40, source_addr: "96550000001", ...fields }), undefined).inbound
      .length;
  for (const several of [part([0, 3, 9, 2, 2]), part([8, 4, 0, 9, 2, 2])])
    assert.equal(read(several), 0, JSON.stringify(several));
  const byTlv = { short_message: { message: "stop" }, sar_total_segments: 2 };
  assert.equal(read({ esm_class: 0, ...byTlv }), 0);
  assert.equal(
    read({ short_message: "", message_payload: part([0, 3, 9, 2, 1]).short_message }),
    0,
  );
  // One of one, and a header that says something else.
  for (const whole of [part([0, 3, 9, 1, 1]), part([5, 4, 0x23, 0xf4, 0, 0]), part([0])])
    assert.equal(read(whole), 1, JSON.stringify(whole));
  assert.equal(read({ esm_class: 0, ...byTlv, sar_total_segments: 1 }), 1);
});
