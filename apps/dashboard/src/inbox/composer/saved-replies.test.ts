import assert from "node:assert/strict";
import { test } from "node:test";
import type { SavedReplyJson } from "../../api/shapes.ts";
import { matching } from "./saved-replies.ts";

const reply = (shortcut: string, title: string): SavedReplyJson => ({
  id: shortcut,
  shortcut,
  title,
  text: title,
  media: [],
  shared: true,
  etag: "",
});
const REPLIES = [
  reply("hours", "Opening hours"),
  reply("توصيل", "مدة التوصيل"),
  reply("open", "We are open"),
];
const found = (word: string) => matching(REPLIES, word).map(({ shortcut }) => shortcut);

test("saved replies are found by shortcut first, then by the beginning of the title, then within it", () => {
  assert.deepEqual(found("open"), ["open", "hours"]);
  assert.deepEqual(found("ARE"), ["open"]);
});

test("an Arabic title is found however its letters are written", () => {
  assert.deepEqual(found("مده"), ["توصيل"]);
  assert.deepEqual(found("التوصيل"), ["توصيل"]);
});
