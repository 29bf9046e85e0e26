import assert from "node:assert/strict";
import { test } from "node:test";
import { homeOf } from "../src/home.ts";

test("the server is where the script came from, with the path that stands in front of it", () => {
  const homes = [
    ["https://parley.example.com/chat/widget.js", "https://parley.example.com"],
    [
      "https://example.com:8443/tools/parley/chat/widget.js?v=2",
      "https://example.com:8443/tools/parley",
    ],
    // A copy that a site serves itself, with the calls passed on from its root.
    ["https://shop.example/static/parley.js", "https://shop.example"],
  ];
  for (const [script = "", home] of homes) assert.equal(homeOf(new URL(script)), home);
});
