import assert from "node:assert/strict";
import { test } from "node:test";
import { forPeople } from "./command-line.ts";
import { plain, table } from "./table.ts";
import { deliveryPage, deliveryTable, endpointPage, endpointTable } from "./webhook-tables.ts";

const at = new Date("2026-12-01T09:00:00.123Z");
const endpoint = {
  id: "e1",
  workspaceId: "w",
  name: null,
  url: "https://shop.example.com/hook",
  events: ["message.received" as const],
  consecutiveFailures: 0,
  disabledAt: null,
  disabledReason: null,
  secretTakesOverAt: null,
  createdAt: at,
};
const attempt = { number: 1, attemptedAt: at.toISOString(), durationMs: 12, failure: null };
const delivery = {
  sequence: 9,
  eventId: "v1",
  type: "message.received",
  state: "pending" as const,
  attempts: 2,
  nextAttemptAt: at,
  deliveredAt: null,
  createdAt: at,
  log: [
    { ...attempt, statusCode: 500, answer: `\u001b[31moops\r\n${"x".repeat(99)}` },
    { ...attempt, number: 2, statusCode: null, failure: "timeout", answer: null },
  ],
};

test("columns are as wide as their contents, and an empty table says none", () => {
  assert.equal(table(["id", "name"], [["1", "Sara"], ["22", ""]]), "ID  NAME\n1   Sara\n22\n"); // oxfmt-ignore
  assert.equal(table(["id"], []), "none\n");
});

test("text of others cannot move the cursor, colour the terminal or reverse the line", () => {
  assert.equal(plain("a\u001b[31mb\r\nc\u202ed\u0007"), "a [31mb c d");
  assert.equal(plain("می\u200cخواهم 👨\u200d👩"), "می\u200cخواهم 👨\u200d👩");
  const contact = {
    name: "a\u001b[2J\nstatus  sent",
    tags: ["\u009b31m\u202e"],
    of: { x: "\u0007" },
  };
  assert.equal(forPeople(contact), 'name  a [2J status  sent\ntags  [" 31m "]\nof\n  x  \n');
});

test("the items of a list stand below its name, one after the other", () => {
  const faults = [
    { path: "url", code: "ADDRESS_REFUSED" },
    { path: "secret", "c\u001bode": "NO_SECRET" },
  ];
  assert.equal(
    forPeople({ id: "b1", faults, tags: ["vip"], none: [] }),
    `id      b1
faults
  path  url
  code  ADDRESS_REFUSED

  path   secret
  c ode  NO_SECRET
tags    ["vip"]
none    []
`,
  );
});

test("endpoints show the events that they want and their state", () => {
  const state = (more: object) => endpointTable([{ ...endpoint, ...more }]).split("\n")[1];
  assert.match(state({}) ?? "", /message\.received {2}enabled$/);
  assert.match(state({ events: [] }) ?? "", / all {2,}enabled$/);
  assert.match(state({ consecutiveFailures: 3 }) ?? "", /enabled, 3 failed in a row$/);
  const disabled = { disabledAt: at, disabledReason: "disabled by hand" };
  assert.match(state(disabled) ?? "", /disabled since 2026-12-01T09:00:00Z \(by hand\)$/);
  const page = endpointPage({ ...endpoint, secret: "whsec_x", secretTakesOverAt: at });
  assert.match(page, /^secret {2}whsec_x {2}\(shown only once\)$/m);
  assert.match(page, /it signs from 2026-12-01T09:00:00Z on; until then the old one signs$/m);
});

test("deliveries show the last attempt and when the next is; one delivery shows every attempt", () => {
  assert.equal(
    deliveryTable([
      delivery,
      { ...delivery, sequence: 10, state: "held", nextAttemptAt: null, log: [] },
    ]),
    [
      "SEQUENCE  EVENT ID  KIND              STATE    ATTEMPTS  LAST ANSWER       NEXT TRY",
      "9         v1        message.received  pending  2         timeout in 12 ms  2026-12-01T09:00:00Z",
      "10        v1        message.received  held     2",
      "",
    ].join("\n"),
  );
  const request = { method: "POST" as const, url: endpoint.url, body: '{"id":"v1"}' };
  const page = deliveryPage({ ...delivery, request });
  assert.match(
    page,
    /^request {3}POST https:\/\/shop\.example\.com\/hook\nbody {6}\{"id":"v1"\}$/m,
  );
  assert.match(page, /^1 {8}2026-12-01T09:00:00Z {2}500 +12 ms {2}\[31moops x{51}…$/m);
  assert.match(page, /^2 {8}2026-12-01T09:00:00Z {2}timeout +12 ms$/m);
});
