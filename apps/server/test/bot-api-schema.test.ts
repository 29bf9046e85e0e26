import assert from "node:assert/strict";
import { test } from "node:test";
import type { SeenBotCall } from "@parley/emulators";
import { faultsOfCall } from "./bot-api-schema.ts";

const call = (
  method: string,
  parameters: Record<string, unknown>,
  files: readonly string[] = [],
): SeenBotCall => ({
  at: 0,
  method: "POST",
  path: `/bot1:AA/${method}`,
  body: "",
  status: 200,
  fault: null,
  parameters,
  files: files.map((field) => ({ field, name: "a", type: "a/b", size: 1 })),
});

// The judge of the flow tests, judged: it must be able to refuse.
const GOOD: readonly SeenBotCall[] = [
  call("getMe", {}),
  call("sendMessage", { chat_id: 5, text: "x", link_preview_options: { is_disabled: true } }),
  call("sendPhoto", { chat_id: "5", caption: "c" }, ["photo"]),
  call("getUpdates", { limit: 100, allowed_updates: ["message"] }),
];
for (const one of GOOD)
  test(`${one.path} as described has no fault`, () => assert.deepEqual(faultsOfCall(one), []));

const BAD: readonly (readonly [string, SeenBotCall, RegExp])[] = [
  ["an unknown method", call("sendMessages", {}), /no method/],
  ["an unknown parameter", call("getMe", { verbose: true }), /verbose: is not described/],
  ["a missing parameter", call("sendMessage", { chat_id: 5 }), /text: is missing/],
  ["a text for a number", call("getUpdates", { limit: "100" }), /limit: is no Integer/],
  ["a number for a text", call("sendMessage", { chat_id: 5, text: 5 }), /text: is no String/],
  ["a text for a list", call("getUpdates", { allowed_updates: "message" }), /no Array of String/],
  [
    "an unknown member",
    call("sendMessage", { chat_id: 5, text: "x", link_preview_options: { off: true } }),
    /LinkPreviewOptions/,
  ],
  [
    "a file in another field",
    call("sendPhoto", { chat_id: "5" }, ["file"]),
    /file: is not described/,
  ],
  [
    "a file where a text belongs",
    call("sendPhoto", { chat_id: "5" }, ["photo", "caption"]),
    /caption: takes no file/,
  ],
  [
    "no number in a form",
    call("sendVideo", { chat_id: "5", width: "wide" }, ["video"]),
    /width: is no Integer/,
  ],
];
for (const [name, one, words] of BAD)
  test(`${name} is a fault`, () => assert.match(faultsOfCall(one).join("; "), words));
