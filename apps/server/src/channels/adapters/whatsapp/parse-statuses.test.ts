import assert from "node:assert/strict";
import { test } from "node:test";
import { NUMBER, only, parse, WABA, wrap } from "../../../../test/whatsapp-calls.ts";

const STATUSES: readonly (readonly [string, string | null])[] = [
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["read", "read"],
  ["played", "read"],
  ["deleted", null],
  ["warning", null],
  ["constructor", null],
];
for (const [word, wanted] of STATUSES) {
  test(`status ${word} is ${wanted ?? "left out"}`, () => {
    const item = {
      id: "wamid.xyz",
      status: word,
      timestamp: "1698266945",
      recipient_id: "972987654321",
      biz_opaque_callback_data: "msg_01H",
      conversation: { id: "7", origin: { type: "service" } },
      pricing: { billable: true, pricing_model: "PMP" },
    };
    const events = parse(wrap({ statuses: [item] }));
    if (wanted === null) assert.deepEqual(events, []);
    else
      assert.deepEqual(events, [
        {
          kind: "status",
          accountExternalId: NUMBER,
          externalMessageId: "wamid.xyz",
          correlationId: "msg_01H",
          status: wanted,
          occurredAt: new Date(1698266945_000),
          errorCode: null,
          errorDetail: null,
          customer: { externalId: "972987654321" },
        },
      ]);
  });
}

test("a status that proves a delivery names the customer by both ids; a failure repeats the address that we wrote to", () => {
  const customerOf = (item: object, contacts: object[] = []) => {
    const facts = { id: "wamid.xyz", status: "sent", timestamp: "1698266945", ...item };
    const event = only(parse(wrap({ contacts, statuses: [facts] })), "status");
    return event.customer;
  };
  const number = "972987654321";
  assert.deepEqual(customerOf({ recipient_id: number, recipient_user_id: "IL.134" }), {
    externalId: number,
    alternateId: "IL.134",
  });
  const contact = { profile: {}, wa_id: number, user_id: "IL.134" };
  assert.deepEqual(customerOf({ recipient_id: number }, [contact]), {
    externalId: number,
    alternateId: "IL.134",
  });
  for (const id of ["recipient_id", "recipient_user_id"])
    assert.deepEqual(customerOf({ [id]: "IL.134" }), { externalId: "IL.134" });
  assert.deepEqual(customerOf({ recipient_id: number }, [{ ...contact, wa_id: "96550000001" }]), {
    externalId: number,
  });
  assert.equal(customerOf({}), undefined);
  assert.equal(customerOf({ status: "failed", recipient_id: number }), undefined);
});

const failedWith = (code: number) =>
  parse(
    wrap({
      statuses: [
        {
          id: "wamid.xyz",
          status: "failed",
          timestamp: "1689380458",
          recipient_id: "9",
          errors: [
            { code, title: "Title", message: "Message", error_data: { details: "The details." } },
          ],
        },
      ],
    }),
  );

const FAILURES: readonly (readonly [number, string, string, boolean | undefined])[] = [
  [131047, "131047", "recipient", undefined],
  [470, "131047", "recipient", undefined],
  [131026, "131026", "recipient", undefined],
  [131049, "131049", "recipient", undefined],
  [131050, "131050", "recipient", true],
  [131048, "131048", "account", undefined],
  [132015, "132015", "template", undefined],
  [131000, "131000", "recipient", undefined],
  [130429, "130429", "recipient", undefined],
  [131056, "131056", "recipient", undefined],
  [999999, "999999", "recipient", undefined],
];
for (const [code, errorCode, scope, optedOut] of FAILURES) {
  test(`a failure with ${code} concerns the ${scope}`, () => {
    const event = only(failedWith(code), "status");
    assert.deepEqual(
      [event.status, event.errorCode, event.errorDetail, event.scope, event.optedOut],
      ["failed", errorCode, "The details.", scope, optedOut],
    );
  });
}

test("a failure that is the account's fault is one of the message and of the account; unpaid bills stop no free answers", () => {
  for (const [code, blocking] of [
    [131031, true],
    [131042, false],
    [131044, false],
  ] as const) {
    const [status, alert, ...more] = failedWith(code);
    assert.equal(more.length, 0);
    assert.ok(status?.kind === "status" && status.scope === "account");
    assert.deepEqual(alert, {
      kind: "account_alert",
      accountExternalId: NUMBER,
      businessId: WABA,
      code: String(code),
      detail: "The details.",
      blocking,
      occurredAt: status.occurredAt,
    });
  }
});

test("errors without a message are the account's", () => {
  const details = "Message failed to send because there were too many messages sent";
  const errors = [{ code: 130429, title: "Rate limit hit", error_data: { details } }];
  const event = only(parse(wrap({ errors })), "account_alert");
  assert.deepEqual([event.code, event.detail, event.blocking], ["130429", details, false]);
});

test("an account's error stops the channel when it is about a lock, and not when it is about payment; an error without a code is ignored", () => {
  const blocking = (code: number | undefined) =>
    parse(wrap({ errors: [{ code, title: "Title" }] })).map((event) =>
      event.kind === "account_alert" ? [event.code, event.blocking, event.businessId] : event,
    );
  for (const code of [131031, 368]) assert.deepEqual(blocking(code), [[String(code), true, WABA]]);
  assert.deepEqual(blocking(131042), [["131042", false, WABA]]);
  assert.deepEqual(blocking(131048), [["131048", false, WABA]]);
  assert.deepEqual(blocking(999999), [["999999", false, WABA]]);
  assert.deepEqual(blocking(undefined), []);
});

test("a failure that names no error concerns only this message", () => {
  const failed = { id: "wamid.xyz", status: "failed", timestamp: "1689380458" };
  for (const item of [
    failed,
    { ...failed, errors: [] },
    { ...failed, errors: [{ title: "No" }] },
  ]) {
    const event = only(parse(wrap({ statuses: [item] })), "status");
    assert.deepEqual(
      [event.status, event.errorCode, event.scope],
      ["failed", "REJECTED", "recipient"],
    );
  }
});

test("an echo of the phone's own app goes to its customer", () => {
  const echo = {
    from: "15550783881",
    to: "16505551234",
    to_user_id: "US.1",
    id: "wamid.E",
    timestamp: "1697043223",
    type: "text",
    text: { body: "from the phone" },
  };
  assert.deepEqual(parse(wrap({ message_echoes: [echo] }, "smb_message_echoes")), [
    {
      kind: "echo",
      accountExternalId: NUMBER,
      externalMessageId: "wamid.E",
      to: { externalId: "16505551234", phone: "16505551234", alternateId: "US.1" },
      occurredAt: new Date(1697043223_000),
      content: { type: "text", text: "from the phone", attachments: [] },
    },
  ]);
  const revoke = { ...echo, type: "revoke", revoke: { original_message_id: "wamid.F" } };
  const event = only(parse(wrap({ message_echoes: [revoke] }, "smb_message_echoes")), "deleted");
  assert.equal(event.externalMessageId, "wamid.F");
});

test("a template's status keeps an id beyond 2^53 digit for digit", () => {
  const body = `{"object":"whatsapp_business_account","entry":[{"id":"${WABA}","time":1751247548,"changes":[
    {"field":"message_template_status_update","value":{"event":"REJECTED","message_template_id":90071992547409931,
     "message_template_name":"abandoned_cart","message_template_language":"en","reason":"INVALID_FORMAT"}}]}]}`;
  assert.deepEqual(parse(body), [
    {
      kind: "template_status",
      businessId: WABA,
      externalTemplateId: "90071992547409931",
      name: "abandoned_cart",
      language: "en",
      status: "REJECTED",
      reason: "INVALID_FORMAT",
    },
  ]);
  // The first number that a JavaScript number cannot hold.
  const [first] = parse(body.replace("90071992547409931", "9007199254740993"));
  assert.ok(first?.kind === "template_status" && first.externalTemplateId === "9007199254740993");
  const approved = { event: "APPROVED", message_template_id: 1689556908129835, reason: "NONE" };
  const event = only(parse(wrap(approved, "message_template_status_update")), "template_status");
  assert.deepEqual(
    [event.externalTemplateId, event.status, event.reason],
    ["1689556908129835", "APPROVED", null],
  );
  const changed = { message_template_id: 5, new_category: "MARKETING" };
  assert.equal(
    only(parse(wrap(changed, "template_category_update")), "template_status").status,
    "CHANGED",
  );
});

for (const [value, optedOut] of [
  ["stop", true],
  ["resume", false],
  ["signup", false],
] as const) {
  test(`the preference ${value} ${optedOut ? "opts out" : "opts in"}`, () => {
    const item = {
      wa_id: "96550000001",
      category: "marketing_messages",
      value,
      timestamp: 1751247548,
    };
    assert.deepEqual(parse(wrap({ user_preferences: [item] }, "user_preferences")), [
      {
        kind: "preference",
        accountExternalId: NUMBER,
        customerExternalId: "96550000001",
        optedOut,
        occurredAt: new Date(1751247548_000),
      },
    ]);
  });
}

const ALERTS: readonly (readonly [string, object, string, boolean])[] = [
  [
    "account_update",
    { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "DISABLE", waba_ban_date: "x" } },
    "DISABLED_UPDATE",
    true,
  ],
  [
    "account_update",
    { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "REINSTATE" } },
    "DISABLED_UPDATE",
    false,
  ],
  [
    "account_update",
    {
      event: "ACCOUNT_RESTRICTION",
      restriction_info: [{ restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING" }],
    },
    "ACCOUNT_RESTRICTION",
    false,
  ],
  ["account_update", { event: "PARTNER_REMOVED" }, "PARTNER_REMOVED", true],
  ["account_update", { event: "PARTNER_APP_UNINSTALLED" }, "PARTNER_APP_UNINSTALLED", true],
  ["account_update", { event: "ACCOUNT_DELETED" }, "ACCOUNT_DELETED", true],
  ["account_update", { event: "ACCOUNT_VIOLATION" }, "ACCOUNT_VIOLATION", false],
  ["phone_number_quality_update", { event: "DOWNGRADE" }, "DOWNGRADE", false],
  ["security", { event: "PIN_CHANGED" }, "PIN_CHANGED", false],
  ["security", {}, "SECURITY", false],
  ["account_update", { event: "X".repeat(5_000) }, "X".repeat(100), false],
  ["phone_number_quality_update", { event: "FLAGGED", current_limit: "TIER_1K" }, "FLAGGED", false],
  [
    "account_alerts",
    { alert_type: "OBA_REJECTED", alert_description: "no" },
    "OBA_REJECTED",
    false,
  ],
  [
    "account_alerts",
    { alert_info: { alert_severity: "CRITICAL", alert_type: "OBA_REJECTED" } },
    "OBA_REJECTED",
    false,
  ],
];
for (const [field, value, code, blocking] of ALERTS) {
  test(`${field} ${JSON.stringify(value).slice(0, 50)} is an alert`, () => {
    const event = only(parse(wrap(value, field)), "account_alert");
    assert.deepEqual([event.code, event.blocking, event.businessId], [code, blocking, WABA]);
  });
}

test("an account's alert says what it is about, as the platform nests it", () => {
  const alert_info = {
    alert_severity: "WARNING",
    alert_status: "ACTIVE",
    alert_type: "INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED",
    alert_description: "Limits cannot be increased yet.",
  };
  const value = { entity_type: "BUSINESS", entity_id: "7", alert_info };
  const event = only(parse(wrap(value, "account_alerts")), "account_alert");
  assert.equal(event.code, alert_info.alert_type);
  assert.equal(event.detail, "WARNING, Limits cannot be increased yet.");
});

test("an alert says what a person needs: the state of a ban and its day, limits, restrictions", () => {
  const detailOf = (value: object, field = "account_update") =>
    only(parse(wrap(value, field)), "account_alert").detail;
  const ban_info = { waba_ban_state: "DISABLE", waba_ban_date: "November 30, 2026" };
  assert.equal(
    detailOf({ event: "DISABLED_UPDATE", ban_info }),
    "DISABLED_UPDATE, DISABLE, November 30, 2026",
  );
  const restriction_info = [{ restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING" }];
  assert.equal(
    detailOf({ event: "ACCOUNT_RESTRICTION", restriction_info }),
    "ACCOUNT_RESTRICTION, RESTRICTED_BIZ_INITIATED_MESSAGING",
  );
  const violation_info = { violation_type: "SCAM" };
  assert.equal(detailOf({ event: "ACCOUNT_VIOLATION", violation_info }), "ACCOUNT_VIOLATION, SCAM");
  const flagged = { event: "FLAGGED", current_limit: "TIER_1K" };
  assert.equal(detailOf(flagged, "phone_number_quality_update"), "FLAGGED, TIER_1K");
});

test("news of a template without its id, and news without a business, are left out", () => {
  const field = "message_template_status_update";
  assert.deepEqual(parse(wrap({ event: "PAUSED" }, field)), []);
  const value = { event: "PAUSED", message_template_id: 5 };
  const nobodys = { object: "whatsapp_business_account", entry: [{ changes: [{ field, value }] }] };
  assert.deepEqual(parse(nobodys), []);
  const update = { event: "PARTNER_REMOVED" };
  const changes = [{ field: "account_update", value: update }];
  assert.deepEqual(parse({ object: "whatsapp_business_account", entry: [{ changes }] }), []);
  const changed = parse(wrap({ message_template_id: 5 }, "message_template_components_update"));
  assert.equal(only(changed, "template_status").status, "CHANGED");
  const other_info = { title: "SECOND_PAUSE", description: "Paused for 6 hours." };
  const paused = parse(wrap({ ...value, other_info }, field));
  assert.equal(only(paused, "template_status").reason, "Paused for 6 hours.");
});

test("news that name the customer's business inside the partner's entry belong to that business", () => {
  // The entry is the partner's: its id is the one of the partner's portfolio.
  const waba_info = { waba_id: "495709166956424", owner_business_id: "942647313864044" };
  const value = { event: "PARTNER_REMOVED", waba_info };
  const event = only(parse(wrap(value, "account_update")), "account_alert");
  assert.deepEqual([event.businessId, event.blocking], ["495709166956424", true]);
});

test("a rejected template says why, when the reason is not one of the list", () => {
  const rejection_info = {
    reason: "The link is a short one.",
    recommendation: "Use the full link.",
  };
  const value = { event: "REJECTED", message_template_id: 5, reason: "NONE", rejection_info };
  const event = only(parse(wrap(value, "message_template_status_update")), "template_status");
  assert.equal(event.reason, rejection_info.reason);
});
