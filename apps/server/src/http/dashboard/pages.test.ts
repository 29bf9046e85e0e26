import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import { buildHttp } from "../server.ts";
import { buildDashboardPages } from "./built-dashboard.ts";
import { PAGES } from "./pages.ts";

const PAGES_FOLDER = path.join(import.meta.dirname, "../../../../dashboard/src");

test("the built pages are served with a strict policy, their assets compressed and cacheable for ever", async () => {
  await using t = await startTestApp();
  const folder = await buildDashboardPages({ dataDir: t.app.config.dataDir, log: t.app.log });
  assert.ok(folder, "the pages are not built");
  const built = globSync("**/*.{html,js,css}", { cwd: folder });
  const inParts = built.filter((file) =>
    /parts\.html|parts-(?:row|grid|color)/.test(
      file + readFileSync(path.join(folder, file), "utf8"),
    ),
  );
  assert.deepEqual(inParts, [], "the page of parts is for development only");
  const fastify = await buildHttp(t.app, folder);
  const seen = new Set<string>();
  for (const url of ["/", "/sign-in?lang=ar", "/inbox/mine", "/inbox/label-vip/0198"]) {
    const page = await fastify.inject({ url, headers: { accept: "text/html" } });
    assert.equal(page.statusCode, 200, url);
    assert.equal(page.headers["cache-control"], "no-cache");
    const policy = String(page.headers["content-security-policy"]);
    const [, nonce = ""] = /<meta property="csp-nonce" nonce="([^"]+)">/.exec(page.body) ?? [];
    assert.ok(nonce.length > 20 && policy.includes(`style-src 'self' 'nonce-${nonce}'`), policy);
    assert.ok(!seen.has(nonce));
    seen.add(nonce);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.doesNotMatch(page.body, /<script(?![^>]* src=)| style=|(?:src|href)="https?:/);
    for (const [, asset = ""] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const plain = await fastify.inject({ url: asset });
      assert.equal(plain.statusCode, 200, asset);
      assert.match(String(plain.headers["cache-control"]), /immutable/);
      // A few lines do not shrink to half.
      if (!asset.endsWith(".js") || plain.rawPayload.length < 2_000) continue;
      const packed = await fastify.inject({
        url: asset,
        headers: { "accept-encoding": "gzip, br" },
      });
      assert.equal(packed.headers["content-encoding"], "br");
      assert.ok(packed.rawPayload.length < plain.rawPayload.length / 2);
    }
  }
  const headers = { accept: "text/html,*/*;q=0.8" };
  const id = t.app.ids.next();
  const linked = await fastify.inject({ url: `/inbox/${id}?lang=ar`, headers });
  assert.deepEqual([linked.statusCode, linked.headers["location"]], [302, `all/${id}?lang=ar`]);
  for (const [url, mine] of [
    ["/inbox?lang=ar", "inbox/mine?lang=ar"],
    ["/inbox/", "mine"],
  ] as const) {
    const inbox = await fastify.inject({ url, headers });
    assert.deepEqual([inbox.statusCode, inbox.headers["location"]], [302, mine]);
  }
  for (const url of ["/assets/nothing.js", "/assets/..%2findex.html", "/nothing"])
    assert.equal((await fastify.inject({ url })).statusCode, 404, url);
  // A browser is told so by a page, a program in JSON.
  const lost = await fastify.inject({ url: "/nothing/here", headers });
  assert.equal(lost.statusCode, 404);
  assert.match(lost.body, /<div id="root">/);
  for (const url of ["/api/v1/nothing", "/assets/nothing.js"])
    assert.equal((await fastify.inject({ url, headers })).json().message, "ROUTE_NOT_FOUND", url);
  assert.equal((await fastify.inject({ url: "/api/v1/contacts" })).statusCode, 401);
  await fastify.close();
});

test("the server serves every page of the browser's router", () => {
  const router = globSync("{*/,}routes.tsx", { cwd: PAGES_FOLDER })
    .map((file) => readFileSync(path.join(PAGES_FOLDER, file), "utf8"))
    .join("\n");
  const routes = [...router.matchAll(/getParentRoute: \(\) => (\w+),\s+path: "([^"]+)"/g)];
  assert.ok(routes.length > 40);
  const known = new Set<string>(PAGES.map((one) => one.replaceAll(/:\w+/g, "*")));
  const lost = routes.filter(([, parent, address = ""]) => {
    // An address without a page.
    if (address === "$") return false;
    const pattern = address.replace("/{-$id}", "").replaceAll(/\$\w+/g, "*");
    if (parent === "settingsFrame")
      return !known.has(
        address === "/"
          ? "/settings"
          : `/settings${pattern.replace(/^\/[^/]+/, "/*").replaceAll(/\/(?!\*)[^/]+/g, "/*")}`,
      );
    // The server reads fixed words below a page as ids.
    return !known.has(pattern) && !known.has(pattern.replace(/(?<=.)\/[^/]+$/, "/*"));
  });
  assert.deepEqual(
    lost.map(([, , address]) => address),
    [],
  );
});
