import assert from "node:assert/strict";
import { test } from "node:test";
import type { MediaKind, OutboundMedia } from "../../adapter.ts";
import { checkMedia } from "./check-media.ts";

const RULES = {
  image: { mimeTypes: ["image/png"], maxBytes: 1000, captionLength: 4 },
  audio: { mimeTypes: ["audio/ogg"], maxBytes: 1000, captionLength: 0 },
};
const file = (kind: MediaKind, mimeType: string, size = 10): OutboundMedia => ({
  kind,
  mimeType,
  size,
  fileName: "a",
  url: "https://us.example/a",
  open: () => assert.fail("not read"),
});
const codeOf = (media: OutboundMedia, caption: string | null = null) =>
  checkMedia(RULES, media, caption)?.code ?? null;

test("a file may be exactly as large as the limit, and its type may be written in any form", () => {
  assert.equal(codeOf(file("image", "image/png", 1000)), null);
  assert.equal(codeOf(file("image", "image/png", 1001)), "MEDIA_TOO_LARGE");
  for (const type of ["IMAGE/PNG", " image/png ; q=1", "image/png;charset=binary"])
    assert.equal(codeOf(file("image", type)), null);
  assert.equal(codeOf(file("image", "image/pngx")), "MEDIA_UNSUPPORTED");
  assert.equal(codeOf(file("sticker", "image/png")), "MEDIA_UNSUPPORTED");
});

test("a caption may have one character up to the limit of its kind, an emoji counted as one", () => {
  const image = file("image", "image/png");
  for (const caption of [null, "a", "abcd", "\u{1F600}".repeat(4)])
    assert.equal(codeOf(image, caption), null);
  for (const caption of ["", "abcde"]) assert.equal(codeOf(image, caption), "CAPTION_TOO_LONG");
  assert.equal(codeOf(file("audio", "audio/ogg"), "a"), "CAPTION_TOO_LONG");
});
