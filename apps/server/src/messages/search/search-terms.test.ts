import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptOf, foldWords, readQuery, searchQuery, searchTerms } from "./search-terms.ts";

const W = "01990000-0000-7000-8000-000000000000";

/** Whether a search for `typed` finds `text`, as PostgreSQL decides. */
function finds(typed: string, text: string): boolean {
  const words = readQuery(typed);
  if (!words) return false;
  const terms = (searchTerms(W, text) ?? "").split(" ").map((term) => term.slice(1, -1));
  return searchQuery(W, words)
    .split(" & ")
    .every((part) => {
      const term = part.replace(/^'|'(:\*)?$/g, "");
      return terms.some((one) => (part.endsWith(":*") ? one.startsWith(term) : one === term));
    });
}

test("Arabic is found in any spelling, with and without its article", () => {
  const said = "أرسلوا لي الفَاتُورَةَ رقم ٢٠٤٥ لو سمحتم، والتوصيل إلى المكتبــة";
  for (const typed of [
    "فاتوره",
    "فاتورة",
    "الفاتورة",
    "للفاتورة",
    "ارسلوا",
    "2045",
    "٢٠٤٥",
    "التوصيل",
    "توصيل",
    "مكتبه",
    "فاتورة المكتبة",
    "فات",
  ])
    assert.ok(finds(typed, said), typed);
  for (const typed of ["فاتورتان", "2046", "فاتورة الشحن", "رسلوا"])
    assert.ok(!finds(typed, said), typed);
  assert.equal(foldWords("کتابی ۴۵ لآلئ"), "كتابي 45 لالي");
});

test("the last word may be unfinished, the others may not; addresses are found by their parts", () => {
  assert.ok(finds("where is my ord", "Where is my ORDER 77-12?"));
  assert.ok(!finds("ord where", "Where is my order?"));
  assert.ok(finds("77-12", "Where is my ORDER 77-12?"));
  assert.ok(finds("mona@example.com", "write to Mona@Example.com"));
  assert.ok(!finds("m", "my order"), "one letter is a whole word");
  assert.ok(finds("it's", "It's 5 o'clock \\ 'now'"));
  assert.equal(readQuery("?! …"), null);
  assert.equal(searchTerms(W, "👋 !"), null);
});

test("two workspaces share no term, and a very long word is cut between two characters", () => {
  const other = "01990000-0000-7000-8000-000000000001";
  assert.notEqual(searchTerms(W, "hello"), searchTerms(other, "hello"));
  const long = `a${"𝒜".repeat(20)}`.replaceAll("𝒜", "𐐨");
  assert.ok(finds(long, `so ${long}bcd`));
  assert.ok((searchTerms(W, long) ?? "").isWellFormed());
});

test("an excerpt shows what was found, in the spelling of the message", () => {
  const words = readQuery("فاتوره");
  assert.ok(words);
  const text = `${"كلام كثير قبل ".repeat(20)}ثم الفَاتُورَةُ هنا ${"وبعدها كلام ".repeat(30)}`;
  const excerpt = excerptOf(text, words);
  assert.deepEqual(
    excerpt.hits.map(([from, to]) => excerpt.text.slice(from, to)),
    ["الفَاتُورَةُ"],
  );
  assert.ok(excerpt.text.length < 230 && excerpt.text.startsWith("… "));
  const short = readQuery("ord");
  assert.ok(short);
  assert.deepEqual(excerptOf("My\norder, your ORDERS", short), {
    text: "My order, your ORDERS",
    hits: [
      [3, 8],
      [15, 21],
    ],
  });
});
