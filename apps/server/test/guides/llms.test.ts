import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startApi } from "../v1/api.ts";

const DOCS = path.join(import.meta.dirname, "../../../../docs");
const index = readFileSync(path.join(DOCS, "llms.txt"), "utf8");
const named = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, name = ""]) => name);

test("llms.txt names every guide once, and no file that is not there", () => {
  assert.equal(new Set(named).size, named.length);
  for (const name of named) assert.ok(existsSync(path.join(DOCS, name)), name);
  const guides = readdirSync(path.join(DOCS, "guides")).map((name) => `guides/${name}`);
  assert.deepEqual(guides.filter((name) => !named.includes(name)), []); // oxfmt-ignore
});

test("a running server serves llms.txt, and each of its links leads to the file", async () => {
  await using api = await startApi();
  const { publicUrl } = api.app.config;
  const served = await api.http.inject({ url: "/llms.txt" });
  assert.equal(served.statusCode, 200);
  assert.equal(served.headers["content-type"], "text/plain; charset=utf-8");
  const links = [...served.body.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  assert.equal(links.length, named.length);
  for (const [position, link] of links.entries()) {
    assert.ok(link.startsWith(`${publicUrl}/docs/`));
    const file = await api.http.inject({ url: link.slice(publicUrl.length) });
    assert.equal(file.body, readFileSync(path.join(DOCS, named[position] ?? ""), "utf8"), link);
    assert.equal(file.headers["content-type"], "text/markdown; charset=utf-8");
  }
  const misplaced = await api.http.inject({ url: "/docs/llms.txt" });
  assert.deepEqual([misplaced.statusCode, misplaced.headers["location"]], [308, "../llms.txt"]);
  assert.match((await api.http.inject({ url: "/docs" })).body, / href="llms\.txt"/);
  for (const url of ["/docs/../package.json", "/docs/%2e%2e/package.json", "/docs/nothing.md"])
    assert.equal((await api.http.inject({ url })).statusCode, 404, url); // oxfmt-ignore
});

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

test("a browser gets each document as a page, every other program the Markdown", async () => {
  await using api = await startApi();
  const url = "/docs/guides/first-message.md";
  const markdown = readFileSync(path.join(DOCS, "guides/first-message.md"), "utf8");
  const cases: [Record<string, string>, string, boolean][] = [
    [BROWSER, url, true],
    [{}, url, false],
    [{ accept: "*/*" }, url, false],
    [{ accept: "text/markdown, text/html;q=0.9" }, url, false],
    [BROWSER, `${url}?raw`, false],
  ];
  for (const [headers, asked, page] of cases) {
    const answer = await api.http.inject({ url: asked, headers });
    assert.equal(
      answer.headers["content-type"],
      page ? "text/html; charset=utf-8" : "text/markdown; charset=utf-8",
    );
    assert.match(String(answer.headers["vary"]), /accept\b/);
    assert.equal(answer.body === markdown, !page, JSON.stringify([headers, asked]));
    assert.match(String(answer.headers["content-security-policy"]), /default-src 'none'/);
  }
});

test("every link of every page of the documents leads to a page, and to a heading that is there", async () => {
  await using api = await startApi();
  const seen = new Map<string, string>();
  const open = async (url: string): Promise<string> => {
    const known = seen.get(url);
    if (known !== undefined) return known;
    const answer = await api.http.inject({ url, headers: BROWSER });
    assert.equal(answer.statusCode, 200, url);
    seen.set(url, answer.body);
    return answer.body;
  };
  let links = 0;
  for (const name of ["", ...named]) {
    const at = name === "" ? "/docs" : `/docs/${name}`;
    const page = await open(at);
    const [, title = ""] = /<title>(.*) – Parley</.exec(page) ?? [];
    assert.notEqual(title, "", at);
    assert.doesNotMatch(page, /<script|<style| style=| on\w+=/, at);
    for (const [, href = ""] of page.matchAll(/ href="([^"]+)"/g)) {
      if (/^https:|^data:/.test(href)) continue;
      assert.ok(!href.startsWith("/"), `${at}: ${href} leaves the path that a proxy put in front`);
      const { pathname, search, hash } = new URL(href, `http://parley${at}`);
      const target = search === "?raw" ? "" : await open(pathname + search);
      if (hash !== "")
        assert.ok(target.includes(`id="${decodeURIComponent(hash.slice(1))}"`), `${at}: ${href}`);
      links++;
    }
  }
  assert.ok(links > 500, `${links} links`);
});

test("a chosen language stays from page to page; the document itself is marked as English", async () => {
  await using api = await startApi();
  const page = async (url: string, headers: Record<string, string> = {}) =>
    (await api.http.inject({ url, headers: { ...BROWSER, ...headers } })).body;
  const chosen = await page("/docs/guides/first-message.md?lang=ar");
  assert.match(chosen, /<html lang="ar" dir="rtl">[^]*<div class="document" lang="en" dir="ltr">/);
  assert.match(chosen, /href="receiving-webhooks\.md\?lang=ar"/);
  assert.match(chosen, /href="\.\.\/\.\.\/docs\/events\.md\?lang=ar"/);
  const asked = await page("/docs/guides/first-message.md", { "accept-language": "ar" });
  assert.match(asked, /<html lang="ar" dir="rtl">[^]*href="receiving-webhooks\.md"/);
  assert.match(
    await page("/docs"),
    /<html lang="en" dir="ltr">[^]*<h1 id="documents">Documents<\/h1>/,
  );
});

test("each page of the reference is served as Markdown and as a page, and its links lead somewhere", async () => {
  await using api = await startApi();
  const index = await api.http.inject({ url: "/docs/reference/README.md" });
  const links = [...index.body.matchAll(/\]\((\w[\w/-]+\.md)\)/g)].map(([, link = ""]) => link);
  assert.ok(new Set(links).size > 100, `${links.length} calls`);
  for (const link of new Set(links)) {
    const { statusCode, body } = await api.http.inject({ url: `/docs/reference/${link}` });
    assert.equal(statusCode, 200, link);
    assert.equal(body, readFileSync(path.join(DOCS, "reference", link), "utf8"));
    for (const [, target = ""] of body.matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(existsSync(path.join(DOCS, "reference", path.dirname(link), target)), target);
  }
  const url = "/docs/reference/template-messages/sendTemplateMessage.md";
  const page = await api.http.inject({ url, headers: BROWSER });
  assert.match(page.body, /<h1 id="[^"]+">Send a template/);
  assert.match(page.body, /href="\.\.\/\.\.\/\.\.\/docs\/events\.md"/);
  assert.match(String(page.headers["content-security-policy"]), /default-src 'none'/);
  // A folder leads to its list.
  const above = await api.http.inject({ url: "/docs/reference/contacts/%2e%2e" });
  assert.match(String(above.headers.location), /docs\/reference\/README\.md$/);
  for (const no of ["contacts/nothing.md", "contacts/..%2f..%2fllms.txt", "..%2fguides/otp.md"])
    assert.equal((await api.http.inject({ url: `/docs/reference/${no}` })).statusCode, 404, no); // oxfmt-ignore
});
