import assert from "node:assert/strict";
import { test } from "node:test";
import { blankAnswer, blankEvent, type AnswerMentions } from "./blank-records.ts";

const WHO: AnswerMentions = {
  ids: new Set(["c1", "c0"]),
  phones: ["96551110001"],
  conversations: new Set(["v1"]),
};
const BLANK = { name: null, email: null, phone: null, notes: null, externalId: null };
const CONTACT = {
  id: "c1",
  name: "Sara",
  email: "s@b.co",
  phone: "1",
  notes: "n",
  externalId: "x",
};
const SAID = {
  text: "hello",
  attachments: [{}],
  errorMessage: "to 1",
  providerMessageId: "wamid.1",
};
const UNSAID = { text: null, attachments: [], errorMessage: null, providerMessageId: null };

/** The data of an event, and the data after blanking; null: the event is about somebody else. */
const events: [data: unknown, wanted: unknown][] = [
  [
    { contact: { ...CONTACT, tags: ["a"], attributes: { a: 1 }, optedOut: true } },
    { contact: { ...BLANK, id: "c1", tags: [], attributes: {}, optedOut: true } },
  ],
  [{ contact: { id: "c2", name: "Omar" } }, null],
  [
    { conversation: { id: "t1", contactId: "c0", labels: ["vip"], status: "open" }, kind: "k" },
    { conversation: { id: "t1", contactId: "c0", labels: [], status: "open" }, kind: "k" },
  ],
  [{ conversation: { id: "t2", contactId: "c2", labels: ["vip"] } }, null],
  [
    { contactId: "c1", message: { id: "m1", status: "sent", ...SAID } },
    { contactId: "c1", message: { id: "m1", status: "sent", ...UNSAID } },
  ],
  [
    { contactId: "c1", errorMessage: "to 96551110001", errorCode: "X" },
    { contactId: "c1", errorMessage: null, errorCode: "X" },
  ],
  [
    { contactId: "c1", reason: "asked", summary: "Sara asks", collected: { order: "1042" } },
    { contactId: "c1", reason: "asked", summary: null, collected: {} },
  ],
  [
    { contactId: "c1", note: { id: "n1", text: "card 4111", deleted: false } },
    { contactId: "c1", note: { id: "n1", text: "", deleted: false } },
  ],
  [
    { contactId: "c1", suggestion: { id: "s1", text: "Yes", reason: "Asks", sources: [{}] } },
    { contactId: "c1", suggestion: { id: "s1", text: "", reason: null, sources: [] } },
  ],
  [{ contactId: "c2", message: { id: "m2", ...SAID } }, null],
  [
    { contactId: "c1", contact: { id: "c1", name: "Sara", phone: "1", externalId: "x" } },
    { contactId: "c1", contact: { id: "c1", name: null, phone: null, externalId: null } },
  ],
  [{ contactId: "c2", contact: { id: "c2", name: "Omar", phone: "2", externalId: "y" } }, null],
  [
    { requestId: "o1", error: "no route to +96551110001" },
    { requestId: "o1", error: null },
  ],
  [{ requestId: "o2", error: "no route to +96551110002" }, null],
  [{ percent: 80 }, null],
  ["c1", null],
  [["c1"], null],
];
test("an event of a forgotten person keeps ids, kinds and statuses; events of others stay whole", () => {
  for (const [data, wanted] of events) {
    const blanked = blankEvent(JSON.stringify({ id: "e1", type: "t", data }), WHO);
    const event = blanked === null ? null : (JSON.parse(blanked) as unknown);
    assert.deepEqual(event, wanted && { id: "e1", type: "t", data: wanted }, JSON.stringify(data));
  }
});

test("the same holds for a kept answer; what is no answer yet is left alone", () => {
  const answers: [body: string, wanted: unknown][] = [
    [JSON.stringify({ ...CONTACT, tags: ["a"] }), { ...BLANK, id: "c1", tags: [], attributes: {} }],
    [
      JSON.stringify({ id: "m1", contactId: "c0", ...SAID }),
      { id: "m1", contactId: "c0", ...UNSAID },
    ],
    [
      JSON.stringify({ id: "n1", conversationId: "v1", text: "Sara called", mentions: [] }),
      { id: "n1", conversationId: "v1", text: "", mentions: [] },
    ],
    [JSON.stringify({ id: "n2", conversationId: "v2", text: "Omar called" }), null],
    [JSON.stringify({ id: "c2", name: "Omar" }), null],
    ["019a0000-0000-7000-8000-0000000000ab", null],
    ["null", null],
  ];
  for (const [body, wanted] of answers) {
    const blanked = blankAnswer(body, WHO);
    assert.deepEqual(blanked === null ? null : (JSON.parse(blanked) as unknown), wanted, body);
  }
});
