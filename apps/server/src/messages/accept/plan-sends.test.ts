import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelAdapter } from "../../channels/adapter.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";
import { needsPlan, planSends } from "./plan-sends.ts";

const file = (mediaId: string, type = "image") => ({ type, mediaId, status: "stored" });
const rule = (captionLength: number) => ({ mimeTypes: ["*/*"], maxBytes: 1, captionLength });
const channel: Pick<ChannelAdapter, "partLimit" | "media"> = {
  partLimit: { unit: "characters", most: 10 },
  media: { image: rule(6), document: rule(0) },
};

const CASES: readonly (readonly [
  name: string,
  text: string | null,
  files: readonly AttachmentJson[],
  sends: readonly string[],
])[] = [
  ["a text that fits", "hello", [], ["hello|"]],
  ["a long text", "one two three four", [], ["one two|", "three four|"]],
  ["a file alone", null, [file("a")], ["|a"]],
  ["a caption that fits", "123456", [file("a"), file("b")], ["123456|a", "|b"]],
  ["a caption that is one too long", "1234567", [file("a")], ["1234567|", "|a"]],
  ["emoji count as the units they are", "😀😀😀😀", [file("a")], ["😀😀😀😀|", "|a"]],
  ["a first file that takes none", "hi", [file("d", "document"), file("a")], ["hi|", "|d", "|a"]],
  ["a kind the channel has no rule for", "hi", [file("v", "video")], ["hi|", "|v"]],
  [
    "a long text before a file",
    "one two three four",
    [file("a")],
    ["one two|", "three four|", "|a"],
  ],
  ["attachments that are no files", "hello", [{ type: "edited", at: "x" }], ["hello|"]],
];
test("a reply is sent as these sends, in this order", () => {
  for (const [name, text, attachments, wanted] of CASES) {
    const sends = planSends({ text, attachments }, channel);
    assert.deepEqual(
      sends.map((one) => `${one.text ?? ""}|${one.mediaId ?? ""}`),
      wanted,
      name,
    );
  }
});

test("a short text needs no plan on any channel; a file always needs one", () => {
  assert.equal(needsPlan({ text: "hello", attachments: [] }, channel), false);
  assert.equal(needsPlan({ text: "hello there all", attachments: [] }, channel), true);
  assert.equal(needsPlan({ text: "hello there all", attachments: [] }, {}), false);
  assert.equal(needsPlan({ text: null, attachments: [file("a")] }, {}), true);
});
