import assert from "node:assert/strict";
import { test } from "node:test";
import { isAllowedOrigin, readOrigin } from "./origins.ts";

test("an origin is a scheme, a host and a port, in the browsers' form", () => {
  const table: readonly (readonly [given: string, stored: string | null])[] = [
    ["https://shop.example", "https://shop.example"],
    ["https://Shop.Example/", "https://shop.example"],
    ["https://shop.example:443", "https://shop.example"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://[::1]:3000", "http://[::1]:3000"],
    ["https://متجر.example", "https://xn--pgbep1f.example"],
    ["https://*.shop.example", "https://*.shop.example"],
    ["https://*.shop.example:8443", "https://*.shop.example:8443"],
    ["shop.example", null],
    ["//shop.example", null],
    ["ftp://shop.example", null],
    ["https://shop.example/chat", null],
    ["https://shop.example?x", null],
    ["https://user@shop.example", null],
    ["https://*", null],
    ["https://*.com", null],
    ["https://*.1.2.3.4", null],
    ["https://sh*p.example", null],
    ["https://*.*.example", null],
    ["https://a b.example", null],
    ["https://", null],
    ["null", null],
    ["*", null],
    ["", null],
  ];
  for (const [given, stored] of table) assert.equal(readOrigin(given), stored, given);
});

test("only listed origins are allowed, exactly, or by their subdomain", () => {
  const list = "https://shop.example https://*.shop.example http://localhost:8080";
  const table: readonly (readonly [origin: string, allowed: boolean])[] = [
    ["https://shop.example", true],
    ["https://www.shop.example", true],
    ["https://a.b.shop.example", true],
    ["http://localhost:8080", true],
    ["http://shop.example", false],
    ["https://shop.example:8443", false],
    ["https://www.shop.example:8443", false],
    ["http://www.shop.example", false],
    ["https://evilshop.example", false],
    ["https://shop.example.evil.example", false],
    ["https://.shop.example.evil", false],
    ["https://shop.example/", false],
    ["https://evil.example/.shop.example", false],
    ["http://localhost:8081", false],
    ["null", false],
    ["", false],
    ["*", false],
  ];
  for (const [origin, allowed] of table)
    assert.equal(isAllowedOrigin(origin, list), allowed, origin);
  assert.ok(isAllowedOrigin("https://anywhere.example", "*"));
});
