import assert from "node:assert/strict";
import { test } from "node:test";
import { linkify, safeAddress } from "../src/linkify.ts";

const links = (text: string) =>
  linkify(text).flatMap(({ text: shown, href }) => (href === null ? [] : [[shown, href]]));

test("links and addresses are found without the punctuation of their sentence", () => {
  const cases: [string, string[][]][] = [
    [
      "see https://a.example/x?y=1#z.",
      [["https://a.example/x?y=1#z", "https://a.example/x?y=1#z"]],
    ],
    ["(www.a.example)", [["www.a.example", "https://www.a.example/"]]],
    ["https://a.example/b_(c)", [["https://a.example/b_(c)", "https://a.example/b_(c)"]]],
    [
      "زوروا https://a.example/مرحبا، شكرا",
      [["https://a.example/مرحبا", new URL("https://a.example/مرحبا").href]],
    ],
    ["mail ann@a.example!", [["ann@a.example", "mailto:ann@a.example"]]],
    ["<https://a.example>", [["https://a.example", "https://a.example/"]]],
    ["no link: javascript:alert(1) data:text/html,x ftp://a.example", []],
    ["https://", []],
    ["https://[", []],
  ];
  for (const [text, expected] of cases) assert.deepEqual(links(text), expected, text);
});

test("phone numbers keep their order in Arabic; prices, years and times are words", () => {
  const kept = (text: string) =>
    linkify(text).flatMap((piece) => (piece.ltr && piece.href === null ? [piece.text] : []));
  const cases: [string, string[]][] = [
    ["اتصل على +965 5000 1234 أو (965) 2222-3333.", ["+965 5000 1234", "(965) 2222-3333"]],
    ["(+965) 5000 1234", ["(+965) 5000 1234"]],
    ["00965-50001234، شكرا", ["00965-50001234"]],
    ["+965 (0) 5000 1234 (9–5)", ["+965 (0) 5000 1234"]],
    ["+965 5000 1234 (9-5)", ["+965 5000 1234"]],
    ["+٩٦٥ ٥٠٠٠ ١٢٣٤", ["+٩٦٥ ٥٠٠٠ ١٢٣٤"]],
    ["tel:+96550001234, ext. 5", ["+96550001234"]],
    ["من 1000 2000 3000 دينار، 2026-11-22، 12:30، (2026) 15%", []],
    ["1+1000000 ann+96550001234@a.example", []],
    ["https://a.example/+96550001234", []],
  ];
  for (const [text, expected] of cases) assert.deepEqual(kept(text), expected, text);
});

test("nothing of the text is lost or added", () => {
  for (const text of [
    "+965 5000 1234 (2 +965)",
    "",
    "a",
    "https://a.example",
    "x https://a.example. y www.b.example, z",
    "<b>&amp;",
  ])
    assert.equal(
      linkify(text)
        .map((piece) => piece.text)
        .join(""),
      text,
    );
});

test("only web addresses become a link or an image, whatever the server sends", () => {
  const base = "https://chat.example";
  assert.equal(safeAddress("/media/1/2", base), "https://chat.example/media/1/2");
  assert.equal(safeAddress("https://cdn.example/a", base), "https://cdn.example/a");
  for (const url of ["javascript:alert(1)", "data:text/html,x", "http://[", null])
    assert.equal(safeAddress(url, base), null, String(url));
});

test("a text takes time as its length, whatever it repeats", () => {
  // Looked through anew at each letter most of these took up to ten seconds each.
  const before = process.threadCpuUsage();
  for (const repeated of ["a", "a.", "+", "1", "_", ")", "!"])
    for (const beginning of ["", "https://a.example/"])
      for (const end of ["", "z"]) linkify(`${beginning}${repeated.repeat(100_000)}${end}`);
  const { user, system } = process.threadCpuUsage(before);
  assert.ok(user + system < 3_000_000, `${user + system} µs of processor time`);
});

test("a link keeps the brackets that were opened inside, and only those", () => {
  const cases: [string, string[][]][] = [
    ["https://a.example/b_(c))).", [["https://a.example/b_(c)", "https://a.example/b_(c)"]]],
    ["https://a.example/((b).)", [["https://a.example/((b).)", "https://a.example/((b).)"]]],
    ["https://a.example/b.).)!", [["https://a.example/b", "https://a.example/b"]]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(links(text), expected, text);
});

test("an address with a user name stays words: it leads elsewhere than it reads", () => {
  for (const text of ["https://bank.com@evil.example/", "https://a:b@evil.example"])
    assert.equal(
      linkify(text).some(({ href }) => href !== null && !href.startsWith("mailto:")),
      false,
      text,
    );
});
