import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";

const BLOCKS = new Set(
  "P DIV SECTION ARTICLE MAIN HEADER UL OL LI TABLE TR DL DT DD BLOCKQUOTE PRE FIGURE BR HR".split(
    " ",
  ),
);
const LEFT_OUT = new Set(
  "SCRIPT STYLE NOSCRIPT NAV FOOTER ASIDE FORM SVG IFRAME TEMPLATE BUTTON HEAD TITLE".split(" "),
);

/** A page as text: headings marked with #, one block a line, without what only surrounds its subject. */
export function htmlText(html: string): { readonly title: string; readonly text: string } {
  // Unlike a browser, the parser adds no head and body where a page has none.
  const page = /<body[\s>]/iu.test(html) ? html : `<html><head></head><body>${html}</body></html>`;
  const { document } = parseHTML(page);
  const title = document.querySelector("title")?.textContent?.trim() ?? "";
  const whole = textOf(document.querySelector("body") ?? document.documentElement);
  const article = new Readability(document, { charThreshold: 200 }).parse();
  const { content } = article ?? {};
  const main =
    typeof content === "string"
      ? textOf(parseHTML(`<html><body>${content}</body></html>`).document.documentElement)
      : "";
  // A page that is no article (a list of questions, a table) loses too much by it.
  return { title, text: main.length * 2 >= whole.length ? main : whole };
}

/** The part of the document's interface that is read here. */
interface Part {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<Part>;
}

function textOf(root: Part): string {
  const lines: string[] = [];
  let line = "";
  const end = () => {
    const text = line.replaceAll(/\s+/gu, " ").trim();
    if (text !== "") lines.push(text);
    line = "";
  };
  const walk = (part: Part, depth: number): void => {
    if (part.nodeType === 3) {
      line += part.textContent ?? "";
      return;
    }
    const name = part.nodeName.toUpperCase();
    if (LEFT_OUT.has(name) || depth > 500) return;
    const heading = /^H[1-6]$/u.test(name);
    if (heading || BLOCKS.has(name)) end();
    if (name === "TD" || name === "TH") line += " | ";
    const before = lines.length;
    for (const child of part.childNodes) walk(child, depth + 1);
    if (heading || BLOCKS.has(name)) end();
    if (heading && lines.length > before) lines.push(`\n# ${lines.splice(before).join(" ")}\n`);
  };
  walk(root, 0);
  end();
  return lines
    .map((one) => one.replace(/^\| /u, ""))
    .join("\n")
    .trim();
}
