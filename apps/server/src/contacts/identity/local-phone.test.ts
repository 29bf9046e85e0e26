import assert from "node:assert/strict";
import { test } from "node:test";
import { localPhoneReader } from "./local-phone.ts";

/** Numbers as people of each country write them, with what they mean (E.164). */
const WRITTEN = [
  ["KW", "5000 0001", "96550000001", true],
  ["KW", "96550000001", "96550000001", false],
  ["KW", "201001234567", "201001234567", false],
  ["EG", "0100 123 4567", "201001234567", true],
  ["EG", "1001234567", "201001234567", true],
  ["SA", "050-123-4567", "966501234567", true],
  ["AE", "050 123 4567", "971501234567", true],
  ["GB", "07400 123456", "447400123456", true],
  ["US", "(202) 555-0123", "12025550123", true],
  // Italy keeps the leading zero.
  ["IT", "06 1234 5678", "390612345678", true],
] as const;

test("a number of the country gets its code; one that has a code stays", async () => {
  for (const [country, typed, phone, completed] of WRITTEN)
    assert.deepEqual(
      (await localPhoneReader(country))(typed),
      { phone, completed },
      `${country} ${typed}`,
    );
});

test("a number with + or 00 is left as it was typed", async () => {
  const read = await localPhoneReader("KW");
  for (const typed of ["+20 100 123 4567", "0020 100 123 4567", "+1"])
    assert.deepEqual(read(typed), { phone: typed, completed: false });
});

test("text that is neither local nor has a code is refused, with advice what to write", async () => {
  const read = await localPhoneReader("KW");
  for (const typed of ["12345", "0100123"])
    assert.throws(() => read(typed), /is no number of KW.*like \+965/);
  await assert.rejects(localPhoneReader("AQ"), /has no phone numbers of its own/);
});
