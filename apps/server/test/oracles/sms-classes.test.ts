import assert from "node:assert/strict";
import { test } from "node:test";
import * as infobip from "../../src/sms/providers/infobip-errors.ts";
import * as kwtsms from "../../src/sms/providers/kwtsms-errors.ts";
import type { Meaning } from "../../src/sms/providers/meaning.ts";
import * as smpp from "../../src/sms/providers/smpp/errors.ts";
import * as twilio from "../../src/sms/providers/twilio-errors.ts";
import * as unifonic from "../../src/sms/providers/unifonic-errors.ts";
import * as vonage from "../../src/sms/providers/vonage-errors.ts";

/**
 * Every code that the gateways document, with the class it has there, which says what is done about it and whom it
 * concerns: permanent for the number, passing on its way or for the whole account, a throttle, the account or its sender (a campaign stops), the text (a campaign stops), stopped by the recipient, or refused as
 * it is (wrong request, filtered), which is never tried again either.
 */
const CLASSES = {
  permanent: ["rejected", "recipient"],
  passing: ["unreachable", "recipient"],
  outage: ["unreachable", "account"],
  throttled: ["throttled", "account"],
  account: ["misconfigured", "account"],
  sender: ["misconfigured", "account"],
  text: ["rejected", "template"],
  opted_out: ["opted_out", "recipient"],
  refused: ["rejected", "recipient"],
  // Not by a code: the request broke while the gateway worked on it.
  lost: ["unknown", "recipient"],
} as const satisfies Record<string, readonly [Meaning["reason"], Meaning["scope"]]>;
type Class = keyof typeof CLASSES;

const WORDS: Readonly<Record<Class, RegExp>> = {
  permanent: /^(INVALID|UNREACHABLE)_NUMBER$/,
  passing: /^GATEWAY_UNAVAILABLE$/,
  outage: /^GATEWAY_UNAVAILABLE$/,
  throttled: /^GATEWAY_(RATE_LIMITED|UNAVAILABLE)$/,
  account: /^GATEWAY_(AUTH|CREDIT)$/,
  sender: /^REJECTED$/,
  text: /^REJECTED$/,
  opted_out: /^BLOCKED_BY_RECIPIENT$/,
  refused: /^(REJECTED|BLOCKED_BY_RECIPIENT|GATEWAY_RATE_LIMITED)$/,
  lost: /^GATEWAY_UNAVAILABLE$/,
};

function hasClass(wanted: Class, meaning: Meaning | null, code: string): void {
  assert.ok(meaning, code);
  assert.deepEqual([meaning.reason, meaning.scope], CLASSES[wanted], code);
  assert.match(meaning.smsCode, WORDS[wanted], code);
}

type Table = Partial<Record<Class, string>>;
const TABLES: readonly [name: string, read: (code: string) => Meaning | null, codes: Table][] = [
  [
    "Twilio",
    (code) => twilio.meaningOf(code, 400),
    {
      permanent: "21211 21214 21217 21612 21614 21635 30005 30006",
      opted_out: "21610",
      outage: "20503",
      passing: "30001 30003 30008 30017 30020 30021",
      // 21611, the sender's queue is full: documented as passing, and waiting is what helps.
      throttled: "20429 21611 30022 63017 63018",
      account: "20003 20005 20006 20008 20404 30002",
      sender: "21212 21601 21603 21606 21609 21701 21703 30024 30032 30034",
      text: "21602 21617",
      refused: "21408 21604 21608 30004 30007 63016 99999",
    },
  ],
  [
    "Vonage, answers",
    (code) => vonage.meaningOfVonageStatus(code, 200),
    {
      throttled: "1",
      outage: "5 10",
      account: "4 8 9 11 14 32",
      permanent: "6 7 33",
      // 3 is a bad value of any parameter; 29: the number is not on the list of a trial account, which says nothing about it.
      refused: "2 3 22 23 29 99",
      sender: "15",
      text: "12",
    },
  ],
  [
    "Vonage, receipts",
    (code) => vonage.meaningOfErrorCode(code),
    {
      permanent: "3 9 11",
      opted_out: "4",
      passing: "1 2 5 7 8 12 15",
      refused: "6 10 13 14 16 50 51 52 53 54 99",
    },
  ],
  [
    "Infobip, answers",
    (code) => infobip.meaningOfName(code, 200),
    {
      permanent:
        "REJECTED_NETWORK REJECTED_PREFIX_MISSING REJECTED_DESTINATION REJECTED_ROUTE_NOT_AVAILABLE",
      account:
        "REJECTED_NOT_ENOUGH_CREDITS REJECTED_PREPAID_PACKAGE_EXPIRED UNAUTHORIZED FORBIDDEN",
      passing: "REJECTED_SYSTEM_ERROR",
      throttled: "TOO_MANY_REQUESTS",
      refused:
        "REJECTED_DND REJECTED_DESTINATION_NOT_REGISTERED REJECTED_FLOODING_FILTER REJECTED_SOMETHING",
      sender: "REJECTED_SOURCE REJECTED_SENDER",
      text: "REJECTED_MESSAGE_TOO_LONG",
    },
  ],
  [
    "Infobip, reports that say permanent",
    (code) => infobip.meaningOfInfobipReport(code, true, "REJECTED"),
    {
      // Its name says more than the flag.
      passing: "EC_ABSENT_SUBSCRIBER EC_ABSENT_SUBSCRIBER_SM EC_SUBSCRIBER_BUSY_FOR_MT_SMS",
      permanent: "EC_UNKNOWN_SUBSCRIBER EC_INVALID_DESTINATION_ADDRESS EC_SOMETHING",
      opted_out: "EC_BLACKLISTED_DESTINATIONADDRESS",
    },
  ],
  [
    "Infobip, reports that say passing",
    (code) => infobip.meaningOfInfobipReport(code, false, "UNDELIVERABLE"),
    {
      passing:
        "EC_ABSENT_SUBSCRIBER EC_ABSENT_SUBSCRIBER_SM EC_SUBSCRIBER_BUSY_FOR_MT_SMS EC_UNKNOWN_BASE_STATION",
    },
  ],
  [
    "Infobip, reports that say neither",
    (group) => infobip.meaningOfInfobipReport("", undefined, group),
    { permanent: "UNDELIVERABLE", passing: "EXPIRED", refused: "REJECTED" },
  ],
  [
    "Unifonic",
    (code) => unifonic.meaningOfUnifonicCode(`ER-${code}`, 200),
    {
      account: "401 402 403",
      permanent: "410 422 482",
      throttled: "429",
      passing: "599",
      sender: "404 440 480",
      text: "412 415 417 420 421 449 460",
      refused: "406 409 481 483 499",
    },
  ],
  [
    "Unifonic, receipts",
    (word) => unifonic.meaningOfUnifonicReport(word),
    {
      permanent: "undeliverable undelivered",
      passing: "failed expired",
      refused: "rejected blocked",
    },
  ],
  [
    "kwtSMS",
    (code) => kwtsms.meaningOfKwtSmsCode(`ERR${code}`, 200),
    {
      account: "001 003 004 005 010 011 024",
      permanent: "006 025 026 033",
      throttled: "013 028",
      sender: "008",
      text: "009 012 027 031 032",
      refused: "002 007",
    },
  ],
  [
    "kwtSMS, reports",
    (words) => {
      const meaning = kwtsms.meaningOfKwtSmsReport(words);
      return typeof meaning === "string" ? null : meaning;
    },
    {
      permanent: "Undelivered Failed",
      passing: "Expired",
      opted_out: "Blacklisted",
      refused: "Rejected Invalid",
    },
  ],
  [
    "SMPP, answers",
    (code) => smpp.meaningOfSmppStatus(Number.parseInt(code, 16)),
    {
      permanent: "0B 34 4A 4B",
      throttled: "14 58",
      account: "0D 0E 0F",
      outage: "04 05",
      passing: "08 45 64",
      sender: "0A 48 49",
      text: "01",
      refused: "02 03 65 66 FF",
    },
  ],
  [
    "SMPP, receipts",
    (code) => {
      const meaning = smpp.meaningOfSmppReport(code);
      return typeof meaning === "string" ? null : meaning;
    },
    { permanent: "UNDELIV", passing: "EXPIRED", refused: "DELETED REJECTD" },
  ],
];

for (const [name, read, codes] of TABLES)
  test(`${name}: every documented code has its class`, () => {
    for (const wanted of Object.keys(CLASSES) as Class[])
      for (const code of codes[wanted]?.split(" ") ?? []) hasClass(wanted, read(code), code);
  });

test("without a code of its own the HTTP status decides, and what broke in the middle is no proof of anything", () => {
  const statuses: [http: number, wanted: Class][] = [
    [400, "refused"],
    [401, "account"],
    [403, "account"],
    [429, "throttled"],
    // A redirect and the page of a proxy are not the gateway's: it did not get the message.
    [300, "passing"],
    [302, "passing"],
    [303, "lost"],
    [399, "passing"],
    [404, "passing"],
    [407, "passing"],
    [500, "lost"],
    [503, "lost"],
  ];
  for (const [http, wanted] of statuses) {
    const meanings = [twilio.meaningOf(null, http), vonage.meaningOfVonageStatus("", http)];
    meanings.push(infobip.meaningOfName("", http), unifonic.meaningOfUnifonicCode("", http));
    meanings.push(kwtsms.meaningOfKwtSmsCode("", http));
    for (const meaning of meanings) hasClass(wanted, meaning, String(http));
  }
  // A word of the gateway's own: then the page is its own too.
  hasClass("refused", twilio.meaningOf("99999", 404), "404");
});
