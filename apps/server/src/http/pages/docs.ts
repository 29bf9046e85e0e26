import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { INSTALLATION } from "../../config.ts";
import { pageLanguage, type PageLanguage } from "../../lib/language.ts";
import { loadRenderer, type RenderDocument } from "./render-document.ts";

const DOCS = path.join(INSTALLATION, "docs");

/** A document as the index names it: `name` is its path below `/docs/`. */
interface Listed {
  readonly name: string;
  readonly title: string;
}
type Section = { readonly title: string; readonly documents: readonly Listed[] };

/** The words around a document. The documents themselves are English. */
const CHROME = {
  en: {
    dir: "ltr",
    documents: "Documents",
    skip: "Skip to content",
    here: "On this page",
    raw: "As Markdown",
    other: `<a href="?lang=ar" lang="ar" hreflang="ar" dir="rtl">العربية</a>`,
    note: "",
  },
  ar: {
    dir: "rtl",
    documents: "الوثائق",
    skip: "انتقل إلى المحتوى",
    here: "في هذه الصفحة",
    raw: "بصيغة Markdown",
    other: `<a href="?lang=en" lang="en" hreflang="en" dir="ltr">English</a>`,
    note: "هذه الوثيقة بالإنجليزية.",
  },
} as const satisfies Record<PageLanguage, Record<string, string>>;

/**
 * `/llms.txt`, the index of the documentation for programs that read it; `/docs`, the same list as a page; and
 * under `/docs/` the files that it names, and each page of the reference. A browser (its `Accept` names text/html) gets a file as a page. Every
 * other program, and everybody who adds `?raw`, gets the Markdown. An installation without its `docs` folder has
 * none of them.
 */
export function registerDocs(fastify: FastifyInstance, app: App): void {
  const indexFile = path.join(DOCS, "llms.txt");
  if (!existsSync(indexFile)) return;
  const index = readFileSync(indexFile, "utf8");
  const served = index.replaceAll(/\]\(([^)]+)\)/g, `](${app.config.publicUrl}/docs/$1)`);
  fastify.get("/llms.txt", async (_request, reply) =>
    reply.type("text/plain; charset=utf-8").send(served),
  );
  fastify.get("/docs/llms.txt", async (_request, reply) => reply.redirect("../llms.txt", 308));
  const style = readFileSync(path.join(import.meta.dirname, "docs.css"), "utf8");
  fastify.get("/pages/docs.css", async (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(style),
  );

  const sections = sectionsOf(index);
  const pageOf = keepPages(sections);
  fastify.get("/docs", async (request, reply) => {
    const { language, suffix } = wishOf(request);
    return reply
      .headers({ "content-language": language, vary: "accept-language" })
      .type("text/html; charset=utf-8")
      .send(await pageOf({ name: "", text: listAsDocument(index) }, language, suffix));
  });
  fastify.get("/docs/", async (_request, reply) => reply.redirect("../docs", 308));
  for (const { name } of sections.flatMap(({ documents }) => documents)) {
    // Bytes that every answer shares: a text would be copied for each slow connection.
    const bytes = readFileSync(path.join(DOCS, name));
    fastify.get(`/docs/${name}`, async (request, reply) => {
      void reply.header("vary", "accept, accept-language");
      if (!wantsPage(request)) return reply.type("text/markdown; charset=utf-8").send(bytes);
      const { language, suffix } = wishOf(request);
      return reply
        .header("content-language", language)
        .type("text/html; charset=utf-8")
        .send(await pageOf({ name, text: bytes.toString() }, language, suffix));
    });
  }
  const calls = callPages();
  registerReference(fastify, sections, calls);
  redirectShortened(fastify, [
    ...sections.flatMap(({ documents }) => documents.map(({ name }) => name)),
    ...[...calls].map((name) => `reference/${name}`),
  ]);
}

/**
 * An address without its `.md`, or one that is cut short, leads to the page or to the list that it is in. `names` are all
 * pages below `/docs/`.
 */
function redirectShortened(fastify: FastifyInstance, names: readonly string[]): void {
  const pages = new Set(names);
  // The collections of `docs/api` are files for other programs and are not served.
  const folders = new Set(["api", ...names.flatMap(foldersOf)]);
  fastify.get<{ Params: { "*": string } }>("/docs/*", async ({ params, url }, reply) => {
    const asked = params["*"].replace(/\/$/, "");
    const above = folders.has(asked) ? [...foldersOf(`${asked}/`)].toReversed() : [];
    const page = [`${asked}.md`, ...above.map((folder) => `${folder}/README.md`)].find((name) =>
      pages.has(name),
    );
    if (page === undefined && above.length === 0) return reply.callNotFound();
    // Relative to the address, because a proxy may have put a path in front of everything.
    const root = "../".repeat(params["*"].split("/").length);
    const query = /\?.*$/.exec(url)?.[0] ?? "";
    return reply.redirect(`${root}docs${page === undefined ? "" : `/${page}`}${query}`, 308);
  });
}

/** Every folder on the way to a file: `a` and `a/b` of `a/b/c.md`. */
const foldersOf = (name: string): string[] =>
  name
    .split("/")
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join("/"));

/** The pages of calls, by their path below `reference/`. */
function callPages(): ReadonlySet<string> {
  const folder = path.join(DOCS, "reference");
  if (!existsSync(folder)) return new Set();
  return new Set(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((one) => one.replaceAll("\\", "/"))
      .filter((one) => /^[^/]+\/[^/]+\.md$/.test(one)),
  );
}

/** A page for each call of the API. They are read and rendered when they are asked for: there are too many to keep. */
function registerReference(
  fastify: FastifyInstance,
  sections: readonly Section[],
  names: ReadonlySet<string>,
): void {
  const folder = path.join(DOCS, "reference");
  fastify.get<{ Params: { noun: string; call: string } }>(
    "/docs/reference/:noun/:call",
    async (request, reply) => {
      const { noun, call } = request.params;
      if (names.has(`${noun}/${call}.md`)) return reply.redirect(`${call}.md`, 308);
      if (!names.has(`${noun}/${call}`)) return reply.callNotFound();
      const text = await readFile(path.join(folder, noun, call), "utf8");
      void reply.header("vary", "accept, accept-language");
      if (!wantsPage(request)) return reply.type("text/markdown; charset=utf-8").send(text);
      const { language, suffix } = wishOf(request);
      const document = (await loadRenderer())(text, suffix);
      const name = `reference/${noun}/${call}`;
      return reply
        .header("content-language", language)
        .type("text/html; charset=utf-8")
        .send(pageAround(name, document, { sections, language, suffix }));
    },
  );
}

/** A browser names text/html. A program that reads Markdown and also accepts HTML names both. */
function wantsPage({ url, headers: { accept = "" } }: FastifyRequest): boolean {
  return (
    /\btext\/html\b/i.test(accept) && !/\btext\/markdown\b/i.test(accept) && !/[?&]raw\b/.test(url)
  );
}

/** The language, and the text after links that keeps a chosen language. */
function wishOf({ url, headers }: FastifyRequest): { language: PageLanguage; suffix: string } {
  const { language, chosen } = pageLanguage(url, headers["accept-language"]);
  return { language, suffix: chosen ? `?lang=${language}` : "" };
}

/** Rendering takes 15 ms, so a page is rendered once, when it is first asked for: some 80 of 30 to 60 KB at most. */
function keepPages(sections: readonly Section[]) {
  const kept = new Map<string, Promise<Buffer>>();
  let renderer: Promise<RenderDocument> | undefined;
  return (
    document: { name: string; text: string },
    language: PageLanguage,
    suffix: string,
  ): Promise<Buffer> => {
    const key = `${document.name} ${language} ${suffix}`;
    let page = kept.get(key);
    if (!page) {
      renderer ??= loadRenderer();
      page = renderer.then((render) =>
        Buffer.from(
          pageAround(document.name, render(document.text, suffix), { sections, language, suffix }),
        ),
      );
      kept.set(key, page);
    }
    return page;
  };
}

function pageAround(
  name: string,
  document: ReturnType<RenderDocument>,
  {
    sections,
    language,
    suffix,
  }: { sections: readonly Section[]; language: PageLanguage; suffix: string },
): string {
  const words = CHROME[language];
  // Relative to the page, because a proxy may have put a path in front of everything.
  const root = "../".repeat(name === "" ? 0 : name.split("/").length);
  const list = sections.map(
    ({ title, documents }) => `<h2>${escape(title)}</h2>
<ul>${documents
      .map((one) => {
        const here = one.name === name ? ` aria-current="page"` : "";
        return `<li><a href="${root}docs/${one.name}${suffix}"${here}>${escape(one.title)}</a></li>`;
      })
      .join("")}</ul>`,
  );
  const here = document.sections.map(
    ({ anchor, title }) => `<li><a href="#${escape(anchor)}">${escape(title)}</a></li>`,
  );
  const contents =
    here.length < 3
      ? ""
      : `<details><summary>${words.here}</summary><ul lang="en" dir="ltr">${here.join("")}</ul></details>`;
  const [before, after] =
    name === ""
      ? ["", ""]
      : [
          `<p class="about">${words.note} <a href="${root}docs/${name}?raw">${words.raw}</a></p>${contents}`,
          `<nav class="list" aria-label="${words.documents}" lang="en" dir="ltr">${list.join("\n")}</nav>`,
        ];
  return `<!doctype html>
<html lang="${language}" dir="${words.dir}">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(document.title)} – Parley</title>
<link rel="stylesheet" href="${root}pages/home.css">
<link rel="stylesheet" href="${root}pages/docs.css">
</head>
<body class="docs">
<a class="skip" href="#main">${words.skip}</a>
<header>
<a class="brand" href="${root === "" ? "../" : root}${suffix}">Parley</a>
<nav aria-label="Parley"><a href="${root}docs${suffix}">${words.documents}</a> ${words.other}</nav>
</header>
<main id="main">
<article>
${before}
<div class="document" lang="en" dir="ltr">
${document.html}</div>
</article>
${after}
</main>
</body>
</html>
`;
}

/** The index as a document: its summary is not a quotation there, and its links lead to the pages. */
const listAsDocument = (index: string): string =>
  index
    .replace(/^# .*$/m, "# Documents")
    .replace(/^> /m, "")
    .replace("browsers as a page.", "browsers as a page; this list is at [/llms.txt](llms.txt).")
    .replaceAll(/\]\(([\w/-]+\.md)\)/g, "](docs/$1)");

function sectionsOf(index: string): Section[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split("\n", 1)[0] ?? "",
      documents: [...section.matchAll(/^- \[([^\]]+)\]\(([\w/-]+\.md)\)/gm)].map(
        ([, title = "", name = ""]) => ({ title, name }),
      ),
    }));
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
