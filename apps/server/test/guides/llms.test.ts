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
  for (const url of ["/docs/llms.txt", "/docs/../package.json", "/docs/%2e%2e/package.json", "/docs/nothing.md"])
    assert.equal((await api.http.inject({ url })).statusCode, 404, url); // oxfmt-ignore
});
