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
 * Every code that the gateways document, with the class it has there: permanent for the number, passing, a throttle, the
 * account, stopped by the recipient, or refused as it is (wrong request, filtered), which is never tried again either.
 */
type Class = "permanent" | "passing" | "throttled" | "account" | "opted_out" | "refused";

function classOf({ reason, smsCode, scope }: Meaning): Class {
  if (reason === "opted_out") return "opted_out";
  if (reason === "throttled") return "throttled";
  if (smsCode === "GATEWAY_UNAVAILABLE") return "passing";
  if (smsCode === "GATEWAY_AUTH" || smsCode === "GATEWAY_CREDIT") return "account";
  const number = smsCode === "INVALID_NUMBER" || smsCode === "UNREACHABLE_NUMBER";
  return number && scope === "recipient" ? "permanent" : "refused";
}

type Table = Partial<Record<Class, string>>;
const TABLES: readonly [name: string, read: (code: string) => Meaning | null, codes: Table][] = [
  [
    "Twilio",
    (code) => twilio.meaningOf(code, 400),
    {
      permanent: "21211 21214 21217 21604 21612 21614 21635 30005 30006",
      opted_out: "21610",
      passing: "20503 30001 30003 30008 30017 30020 30021",
      // 21611, the sender's queue is full: documented as passing, and waiting is what helps.
      throttled: "20429 21611 30022",
      account: "20003 20005 20006 20008 30002",
      refused:
        "21408 21601 21602 21603 21606 21608 21617 30004 30007 30024 30032 30034 63016 99999",
    },
  ],
  [
    "Vonage, answers",
    (code) => vonage.meaningOfStatus(code, 200),
    {
      throttled: "1",
      passing: "5 10",
      account: "4 8 9 11 14 32",
      // 3 is a bad value: of ours only the number can be one.
      permanent: "3 6 33",
      // 7 barred; 29: the number is not on the list of a trial account, which says nothing about the number.
      refused: "2 7 12 15 22 23 29 99",
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
        "REJECTED_SOURCE REJECTED_SENDER REJECTED_DND REJECTED_DESTINATION_NOT_REGISTERED REJECTED_FLOODING_FILTER REJECTED_MESSAGE_TOO_LONG REJECTED_SOMETHING",
    },
  ],
  [
    "Infobip, reports that say permanent",
    (code) => infobip.meaningOfReport(code, true, "UNDELIVERABLE"),
    {
      permanent: "EC_UNKNOWN_SUBSCRIBER EC_INVALID_DESTINATION_ADDRESS EC_SOMETHING",
      opted_out: "EC_BLACKLISTED_DESTINATIONADDRESS",
    },
  ],
  [
    "Infobip, reports that say passing",
    (code) => infobip.meaningOfReport(code, false, "UNDELIVERABLE"),
    {
      passing:
        "EC_ABSENT_SUBSCRIBER EC_ABSENT_SUBSCRIBER_SM EC_SUBSCRIBER_BUSY_FOR_MT_SMS EC_UNKNOWN_BASE_STATION",
    },
  ],
  [
    "Unifonic",
    (code) => unifonic.meaningOfCode(`ER-${code}`, 200),
    {
      account: "401 402 403",
      permanent: "410 422 482",
      throttled: "429",
      passing: "599",
      refused: "404 406 409 412 415 417 420 421 440 449 460 480 481 483 499",
    },
  ],
  [
    "kwtSMS",
    (code) => kwtsms.meaningOfCode(`ERR${code}`, 403),
    {
      account: "001 003 004 005 010 011 024",
      permanent: "006 025 026 033",
      throttled: "013 028",
      refused: "002 007 008 009 012 027 031 032",
    },
  ],
  [
    "SMPP, answers",
    (code) => smpp.meaningOfStatus(Number.parseInt(code, 16)),
    {
      permanent: "0B 34 4A 4B",
      throttled: "14 58",
      account: "0D 0E 0F",
      passing: "04 05 08 45 64",
      refused: "01 02 03 0A 48 49 65 66 FF",
    },
  ],
  [
    "SMPP, receipts",
    (code) => {
      const meaning = smpp.meaningOfReport(code);
      return typeof meaning === "string" ? null : meaning;
    },
    { permanent: "UNDELIV", passing: "EXPIRED", refused: "DELETED REJECTD" },
  ],
];

for (const [name, read, codes] of TABLES)
  test(`${name}: every documented code has its class`, () => {
    for (const [wanted, list] of Object.entries(codes))
      for (const code of list.split(" ")) {
        const meaning = read(code);
        assert.ok(meaning, code);
        assert.equal(classOf(meaning), wanted, code);
      }
  });

test("what stops an account is never one recipient's fault, and what is one recipient's never stops an account", () => {
  for (const [name, read, codes] of TABLES) {
    for (const code of codes.account?.split(" ") ?? [])
      assert.equal(read(code)?.scope, "account", `${name} ${code}`);
    for (const wanted of ["permanent", "opted_out"] as const)
      for (const code of codes[wanted]?.split(" ") ?? [])
        assert.equal(read(code)?.scope, "recipient", `${name} ${code}`);
  }
});

test("without a code of its own the HTTP status decides, and what broke in the middle is no proof of anything", () => {
  const statuses: [http: number, wanted: Class, reason: string][] = [
    [400, "refused", "rejected"],
    [401, "account", "misconfigured"],
    [403, "account", "misconfigured"],
    [429, "throttled", "throttled"],
    // A redirect and the page of a proxy are not the gateway's: it did not get the message.
    [302, "passing", "unreachable"],
    [303, "passing", "unknown"],
    [404, "passing", "unreachable"],
    [407, "passing", "unreachable"],
    [500, "passing", "unknown"],
    [503, "passing", "unknown"],
  ];
  for (const [http, wanted, reason] of statuses) {
    const meanings = [twilio.meaningOf(null, http), vonage.meaningOfStatus("", http)];
    meanings.push(infobip.meaningOfName("", http), unifonic.meaningOfCode("", http));
    meanings.push(kwtsms.meaningOfCode("", http));
    for (const meaning of meanings)
      assert.deepEqual([classOf(meaning), meaning.reason], [wanted, reason], String(http));
  }
});
