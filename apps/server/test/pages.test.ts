import assert from "node:assert/strict";
import { connect, type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { startApi, type Api } from "./v1/api.ts";
import { buildHttp } from "../src/http/server.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());
const get = (url: string, headers: Record<string, string> = {}) =>
  api.http.inject({ url, headers: { accept: "text/html", ...headers } });

test("the first page speaks English and Arabic, by header or by choice", async () => {
  const cases: [string, Record<string, string>, string][] = [
    ["/", {}, "en"],
    ["/", { "accept-language": "ar-EG,en;q=0.5" }, "ar"],
    ["/", { "accept-language": "de, en;q=0.8, ar;q=0.1" }, "en"],
    ["/", { "accept-language": "es-AR,es;q=0.9,en;q=0.8" }, "en"],
    ["/?lang=ar", { "accept-language": "en" }, "ar"],
    ["/?lang=en", { "accept-language": "ar" }, "en"],
    ["/?lang=fr", {}, "en"],
  ];
  for (const [url, headers, language] of cases) {
    const page = await get(url, headers);
    assert.equal(page.statusCode, 200);
    assert.match(
      page.body,
      new RegExp(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`),
    );
    assert.ok(page.body.includes(`${api.app.config.publicUrl}/api/v1/contacts`));
    assert.ok(!page.body.includes("{{"));
  }
});

test("the reference's script and the document go compressed over the wire to whoever takes that", async () => {
  for (const [url, most] of [
    ["/api/openapi.json", 300_000],
    ["/api/docs/reference.js", 1_500_000],
  ] as const) {
    const plain = await get(url);
    assert.equal(plain.headers["content-encoding"], undefined);
    const small = await get(url, { "accept-encoding": "gzip, br" });
    assert.equal(small.headers["content-encoding"], "gzip");
    assert.equal(small.headers.vary, "accept-encoding");
    assert.ok(small.rawPayload.length < most, `${url}: ${small.rawPayload.length} bytes`);
    assert.ok(gunzipSync(small.rawPayload).equals(plain.rawPayload));
  }
});

test("pages have a strict policy and nothing that it forbids", async () => {
  for (const url of ["/", "/?lang=ar", "/api/docs", "/docs", "/docs/events.md?lang=ar"]) {
    const page = await get(url);
    const policy = String(page.headers["content-security-policy"]);
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.equal(page.headers["x-content-type-options"], "nosniff");
    assert.doesNotMatch(page.body, /<script(?![^>]* src=)/, "an inline script");
    assert.doesNotMatch(page.body, / on\w+=|javascript:/);
    assert.doesNotMatch(page.body, /(src|href)="https?:/, "another host");
    for (const [, asset = ""] of page.body.matchAll(/(?:src|href)="([^":#]+)"/g)) {
      // From where the page stands: a proxy may have put a path in front of all of it.
      assert.ok(!asset.startsWith("/"), asset);
      const { pathname, search } = new URL(asset, `http://parley${url}`);
      assert.ok((await get(pathname + search)).statusCode < 400 || asset === "readyz", asset);
    }
  }
});

test("the document and its reference are served from here", async () => {
  const document = await get("/api/openapi.json");
  assert.equal(document.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(document.json<{ openapi: string }>().openapi, "3.1.1");
  const schema = await get("/api/flow.schema.json");
  assert.equal(schema.json<{ title: string }>().title, "Flow of Parley");
  // Something is seen until the reference is there, and when it never comes.
  assert.match((await get("/api/docs")).body, /Loading….*could not be loaded.*Try again/s);
  const start = (await get("/api/docs/start.js")).body;
  assert.match(start, /typeof Scalar === "undefined"/);
  for (const pair of [
    "withDefaultFonts: false",
    "telemetry: false",
    "hideClientButton: true",
    'showDeveloperTools: "never"',
    "agent: { disabled: true }",
    "mcp: { disabled: true }",
  ])
    assert.ok(start.includes(pair), pair);
});

test("alive, ready, and metrics for this machine only", async () => {
  assert.equal((await get("/healthz")).statusCode, 200);
  assert.equal((await get("/readyz")).statusCode, 200);
  const metrics = await get("/metrics");
  assert.equal(metrics.statusCode, 200);
  assert.match(
    metrics.body,
    /parley_http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} \d/,
  );
  for (const header of ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
    assert.equal((await get("/metrics", { [header]: "203.0.113.9" })).statusCode, 404, header);
  const from = (remoteAddress: string, headers = {}) =>
    api.http.inject({ url: "/metrics", remoteAddress, headers });
  assert.equal((await from("203.0.113.9")).statusCode, 404);
  // A page in a browser on this machine, whose name was made to lead here.
  for (const host of [
    "evil.example",
    "evil.example:3000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
  ])
    assert.equal((await from("127.0.0.1", { host })).statusCode, 404, host);
  for (const host of ["localhost:3000", "127.0.0.1", "[::1]:3000"])
    assert.equal((await from("127.0.0.1", { host })).statusCode, 200, host);
  assert.equal((await from("::1")).statusCode, 200);

  const tokened = await buildHttp({
    ...api.app,
    config: { ...api.app.config, metricsToken: "t0ken" },
  });
  const ask = async (authorization: string) =>
    (
      await tokened.inject({
        url: "/metrics",
        remoteAddress: "203.0.113.9",
        headers: { authorization },
      })
    ).statusCode;
  assert.deepEqual(
    [await ask("Bearer t0ken"), await ask("Bearer other"), await ask("")],
    [200, 404, 404],
  );
  await tokened.close();
});

test(
  "a request that never ends is closed, one that is none at once",
  { timeout: 300_000 },
  async () => {
    await api.http.listen({ port: 0, host: "127.0.0.1" });
    const { port } = api.http.server.address() as AddressInfo;
    const send = (bytes: string) =>
      new Promise<{ answer: string; ms: number }>((resolve, reject) => {
        const started = performance.now();
        let answer = "";
        const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
        socket.on("data", (chunk) => (answer += String(chunk)));
        socket.on("error", reject);
        socket.on("close", () => resolve({ answer, ms: performance.now() - started }));
      });
    const [slow, broken, large] = await Promise.all([
      send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "),
      send("HELLO\r\n\r\n"),
      send(`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`),
    ]);
    assert.match(slow.answer, /^HTTP\/1.1 408 [^]*"message":"REQUEST_TIMEOUT"/);
    assert.ok(slow.ms < 120_000, `${slow.ms} ms`);
    assert.match(broken.answer, /^HTTP\/1.1 400 [^]*"message":"MALFORMED_REQUEST"/);
    assert.match(large.answer, /^HTTP\/1.1 431 [^]*"message":"HEADERS_TOO_LARGE"/);
  },
);

test("an address of a document without its ending, or cut short, leads to the page or its list", async () => {
  for (const [asked, leads] of [
    ["/docs/programs/start", "/docs/programs/start.md"],
    ["/docs/programs/start/?lang=ar", "/docs/programs/start.md?lang=ar"],
    ["/docs/programs", "/docs"],
    ["/docs/reference", "/docs/reference/README.md"],
    ["/docs/reference/messages", "/docs/reference/README.md"],
    ["/docs/reference/messages/sendMessage", "/docs/reference/messages/sendMessage.md"],
    ["/docs/api", "/docs"],
    ["/docs/api/", "/docs"],
    ["/docs/", "/docs"],
    ["/api/docs/", "/api/docs"],
  ] as const) {
    const { statusCode, headers } = await get(asked);
    assert.equal(statusCode, 308, asked);
    const { pathname, search } = new URL(String(headers.location), `http://parley${asked}`);
    assert.equal(pathname + search, leads, asked);
    assert.equal((await get(leads)).statusCode, 200, leads);
  }
  for (const none of ["none", "programs/none.md", "..%2Fpackage", "reference/messages/none"])
    assert.equal((await get(`/docs/${none}`)).statusCode, 404, none);
});
