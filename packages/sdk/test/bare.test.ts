import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import { DIST } from "../build.ts";

// Deno, Bun and workerd are not installed where this runs. What they have in common with browsers is in this context,
// and nothing else: no process, Buffer, require, module loader or setImmediate.
const SHARED = {
  fetch: async (url: string, { headers }: { headers: Record<string, string> }) =>
    new Response(JSON.stringify([{ url, key: headers["idempotency-key"] }]), {
      headers: { "ratelimit-limit": "120", "ratelimit-remaining": "7", "ratelimit-reset": "1" },
    }),
  crypto, URL, URLSearchParams, Headers, Response, AbortController, AbortSignal, TextEncoder, TextDecoder,
  setTimeout, clearTimeout, atob,
}; // oxfmt-ignore

interface Bare {
  readonly Parley: typeof import("../src/index.ts").Parley;
  readonly verifyWebhook: typeof import("../src/index.ts").verifyWebhook;
}

function load(): Bare {
  const code = readFileSync(path.join(DIST, "index.cjs"), "utf8");
  const exports = {};
  const context = vm.createContext({ ...SHARED, exports });
  assert.equal(
    vm.runInContext("typeof process + typeof Buffer + typeof require", context),
    "undefined".repeat(3),
  );
  vm.runInContext(code, context);
  return exports as Bare;
}

test("without anything of Node it calls, keeps the rate and makes keys", async () => {
  const { Parley } = load();
  const parley = new Parley({ baseUrl: "https://parley.test/api", apiKey: "a:b" });
  const [list] = (await parley.templates.list()) as unknown as { url: string }[];
  assert.equal(list?.url, "https://parley.test/api/v1/templates");
  assert.equal(parley.rateLimit?.remaining, 7);
  const sent = await parley.otp.send({ mobile: "96550000001", message: "1" });
  assert.match((sent as unknown as { key: string }[])[0]?.key ?? "", /^sdk-/);
});

const body = JSON.stringify({ type: "endpoint.test", data: {} });
const secret = "whsec_AAAA";
const t = Math.floor(Date.now() / 1_000);
const sign = (key: string) =>
  `t=${t},v1=${createHmac("sha256", key).update(`${t}.${body}`).digest("hex")}`;

test("without anything of Node it verifies, and refuses", async () => {
  const { verifyWebhook } = load();
  const good = await verifyWebhook(body, { "x-service-signature": sign(secret) }, secret);
  assert.equal(good.type, "endpoint.test");
  const forged = verifyWebhook(
    new TextEncoder().encode(body),
    { "x-service-signature": sign("x") },
    secret,
  );
  await assert.rejects(forged, { name: "WebhookError", code: "WRONG_SIGNATURE" });
});

test("Node 18, which has no global Web Crypto, is served too", () => {
  for (const [name, load_] of [
    ["index.js", "await import(file)"],
    ["index.cjs", "(await import('node:module')).createRequire(file)(file)"],
  ] as const) {
    const program = `
      delete globalThis.crypto;
      const file = ${JSON.stringify(path.join(DIST, name))};
      const { verifyWebhook } = ${load_};
      const headers = { "x-service-signature": ${JSON.stringify(sign(secret))} };
      const event = await verifyWebhook(${JSON.stringify(body)}, headers, ${JSON.stringify(secret)});
      console.log(typeof globalThis.crypto, event.type);`;
    const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    assert.equal(run.stdout.trim(), "undefined endpoint.test", run.stderr);
  }
});
