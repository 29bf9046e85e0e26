import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOfAddress } from "./chat-limits.ts";

const table: readonly (readonly [address: string, place: string])[] = [
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:0:0:1::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  // The first group of a shortened address can stand behind the gap.
  ["1::2:3:4:5:6:7", "1:0:2:3::/64"],
  ["1:2::3:4:5:6:7", "1:2:0:3::/64"],
  ["not an address", "not an address"],
];
for (const [address, place] of table)
  test(`new visitors from ${address} count as ${place}`, () => {
    assert.equal(placeOfAddress(address), place);
  });
