import assert from "node:assert/strict";
import { test } from "node:test";
import { createSealer } from "../lib/seal.ts";
import { placeOfAddress, placeOfFiles, placeOfNewcomers } from "./chat-limits.ts";

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

test("files from ever new addresses are counted in so many places and no more; those of one in one", () => {
  const context = { sealer: createSealer(Buffer.alloc(32, 7)) };
  const places = new Set<number>();
  for (let n = 0; n < 600; n++)
    places.add(Number(placeOfFiles(context, "channel", `2001:db8:0:${n.toString(16)}::1`)));
  assert.ok(places.size > 500, `${places.size} places`);
  for (const place of places) assert.ok(Number.isInteger(place) && place >= 0 && place < 8_192);
  const of = (address: string, channel = "channel") => placeOfFiles(context, channel, address);
  assert.equal(of("2001:db8::1"), of("2001:db8::2"));
  assert.notEqual(of("192.0.2.7"), of("192.0.2.8"));
  assert.notEqual(of("192.0.2.7"), of("192.0.2.7", "another"));
});

test("new visitors from ever new addresses are counted in so many places of their channel and no more", () => {
  const context = { sealer: createSealer(Buffer.alloc(32, 7)) };
  const of = (address: string, channel = "channel") => placeOfNewcomers(context, channel, address);
  const places = new Set<string>();
  for (let n = 0; n < 600; n++) places.add(of(`2001:db8:0:${n.toString(16)}::1`));
  assert.ok(places.size > 500, `${places.size} places`);
  for (const place of places) {
    const [, number = ""] = /^channel:(\d+)$/.exec(place) ?? [];
    assert.ok(number !== "" && Number(number) < 8_192, place);
  }
  assert.equal(of("2001:db8::1"), of("2001:db8::2"));
  assert.notEqual(of("192.0.2.7"), of("192.0.2.8"));
  assert.match(of("192.0.2.7", "another"), /^another:\d+$/);
});
