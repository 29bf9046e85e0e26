import type { MarkdownItOptions } from "markdown-it";

/** A document as a page shows it. */
interface RenderedDocument {
  /** Its first heading, as plain text. */
  readonly title: string;
  readonly html: string;
  /** Its second-level headings in order, for a list of what is on the page. */
  readonly sections: readonly { readonly anchor: string; readonly title: string }[];
}

export type RenderDocument = (markdown: string, suffix: string) => RenderedDocument;

/** HTML in a document is shown as text. */
const OPTIONS: MarkdownItOptions = { html: false, linkify: false, typographer: false };

/**
 * Loads the Markdown library (50 ms, so only when a page is asked for) and gives a function that renders a
 * document. Each heading gets the anchor that GitHub gives it. Links between documents stay as they are written,
 * because pages have the addresses of the files; `suffix` (for example `?lang=ar`) is added after the file's name.
 * Code and tables scroll by themselves, also by keyboard.
 */
export async function loadRenderer(): Promise<RenderDocument> {
  const { default: MarkdownIt } = await import("markdown-it");
  const markdown = new MarkdownIt(OPTIONS);
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  const code = (text: string, language: string) => {
    const named = language === "" ? "" : ` class="language-${escapeHtml(language)}"`;
    return `<pre tabindex="0"><code${named}>${escapeHtml(text)}</code></pre>\n`;
  };
  rules.fence = (tokens, index) => {
    const { content = "", info = "" } = tokens[index] ?? {};
    return code(content, info.split(" ", 1)[0] ?? "");
  };
  rules.code_block = (tokens, index) => code(tokens[index]?.content ?? "", "");
  rules.table_open = () =>
    `<div class="table" role="region" aria-label="Table" tabindex="0"><table>`;
  rules.table_close = () => "</table></div>\n";
  rules.heading_close = (tokens, index) => {
    const { tag = "h2" } = tokens[index] ?? {};
    if (tag === "h1") return "</h1>\n";
    const anchor = String(tokens[index - 2]?.attrGet("id") ?? "");
    const title = escapeHtml(tokens[index - 1]?.content ?? "");
    return `<a class="anchor" href="#${escapeHtml(anchor)}" aria-label="Link to: ${title}">#</a></${tag}>\n`;
  };
  return (text, suffix) => {
    const tokens = markdown.parse(text, {});
    const taken = new Set<string>();
    const sections: { anchor: string; title: string }[] = [];
    let title = "";
    for (const [index, token] of tokens.entries()) {
      for (const child of token.children ?? []) {
        if (child.type !== "link_open") continue;
        const href = String(child.attrGet("href") ?? "");
        if (/^https?:/.test(href)) child.attrSet("rel", "noopener noreferrer");
        else child.attrSet("href", href.replace(/\.md(?=#|$)/, `.md${suffix}`));
      }
      if (token.type !== "heading_open") continue;
      // The words without their marks: `code` is "code" in a list and in an anchor.
      const words = (tokens[index + 1]?.children ?? []).map((child) => child.content).join("");
      const anchor = freeAnchor(words, taken);
      token.attrSet("id", anchor);
      if (token.tag === "h1") title ||= words;
      if (token.tag === "h2") sections.push({ anchor, title: words });
    }
    return { title, html: markdown.renderer.render(tokens, markdown.options, {}), sections };
  };
}

/** As GitHub makes them: lower case, words joined by hyphens, a number after a repeat. */
function freeAnchor(words: string, taken: Set<string>): string {
  const base = words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  let anchor = base;
  for (let repeat = 1; taken.has(anchor); repeat++) anchor = `${base}-${repeat}`;
  taken.add(anchor);
  return anchor;
}
