import assert from "node:assert/strict";
import { test } from "node:test";
import { processorMs } from "../../test/processor-time.ts";
import { foreignHosts, hostsIn } from "./links.ts";

test("a link is found in every form in which a phone makes one of a text", () => {
  for (const [text, host] of [
    ["See https://evil.example/pay?x=1", "evil.example"],
    ["http://user:secret@evil.example:8080", "evil.example"],
    ["evil.example/pay", "evil.example"],
    ["Write to boss@evil.example", "evil.example"],
    ["WWW.EVIL.EXAMPLE", "www.evil.example"],
    ["ｅｖｉｌ.example", "evil.example"],
    ["evil。example", "evil.example"],
    ["ev\u200bil.example", "evil.example"],
    ["http://10.1.2.3/x", "10.1.2.3"],
    ["10.1.2.3", "10.1.2.3"],
    ["http://localhost:3000", "localhost"],
    ["موقع.شبكة", "موقع.شبكة"],
    ["tg://resolve?domain=x", "resolve"],
  ] as const)
    assert.deepEqual(hostsIn(text), [host], text);
});

test("sentences, prices, hours and names of files are no links", () => {
  for (const text of [
    "Thanks.Please wait",
    "It costs 2.50 or 1.250 KD.",
    "From 9.00 to 17.30",
    "e.g. this",
    "Your invoice.pdf is attached.",
    "شكرا. نراك غدا",
  ])
    assert.deepEqual(hostsIn(text), [], text);
});

test("a host passes with what lies below it, and not with what only looks like it", () => {
  const known = new Set(["shop.example"]);
  assert.deepEqual(foreignHosts("https://shop.example/a and https://m.shop.example", known), []);
  assert.deepEqual(foreignHosts("https://shop.example.evil.test", known), [
    "shop.example.evil.test",
  ]);
  assert.deepEqual(foreignHosts("https://myshop.example", known), ["myshop.example"]);
});

test("a word that is too long to look at counts as a link, and is found in a moment", () => {
  for (const piece of ["a", "é", "a.", "a://", "a@"]) {
    const word = piece.repeat(60_000 / piece.length);
    const ms = processorMs(() => {
      assert.equal(foreignHosts(`Pay at ${word}`, new Set(["shop.example"])).length, 1);
      hostsIn(`${word.slice(0, 900)} `.repeat(60));
    });
    assert.ok(ms < 3_000, `${piece}: ${ms} ms`);
  }
});
