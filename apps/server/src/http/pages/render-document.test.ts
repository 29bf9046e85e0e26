import assert from "node:assert/strict";
import { test } from "node:test";
import { loadRenderer } from "./render-document.ts";

test("HTML in a document is text, and an unsafe address is not a link", async () => {
  const render = await loadRenderer();
  const { html } = render(
    "<b>x</b> [a](javascript:alert(1)) [b](data:text/html,x)\n\n<script>1</script>",
    "",
  );
  assert.doesNotMatch(html, /<b>|<script|<a /);
  assert.match(html, /&lt;script&gt;/);
});

test("headings have GitHub's anchors, repeated ones a number; the first-level one is the title", async () => {
  const render = await loadRenderer();
  const document = render(
    "# A `title` & more\n\n## The 24-hour window: why?\n\n## `type`\n\n### Same\n\n## Same\n\n## نافذة الرد\n",
    "",
  );
  assert.equal(document.title, "A title & more");
  assert.deepEqual(document.sections, [
    { anchor: "the-24-hour-window-why", title: "The 24-hour window: why?" },
    { anchor: "type", title: "type" },
    { anchor: "same-1", title: "Same" },
    { anchor: "نافذة-الرد", title: "نافذة الرد" },
  ]);
  assert.match(document.html, /<h3 id="same">Same<a class="anchor" href="#same"/);
});

test("links between documents keep what follows the name; code and tables can be scrolled by keyboard", async () => {
  const render = await loadRenderer();
  const { html } = render(
    "[a](../x.md#y) [b](#here) [c](https://shop.example/z.md)\n\n```js receiver\n<\n```\n\n| a |\n| --- |\n| b |\n",
    "?lang=ar",
  );
  assert.match(html, /href="\.\.\/x\.md\?lang=ar#y"/);
  assert.match(html, /href="#here"/);
  assert.match(html, /href="https:\/\/shop\.example\/z\.md" rel="noopener noreferrer"/);
  assert.match(html, /<pre tabindex="0"><code class="language-js">&lt;\n<\/code>/);
  assert.match(
    html,
    /<div class="table" role="region" aria-label="Table" tabindex="0"><table>[^]*<\/table><\/div>/,
  );
});
