import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readAttachedFiles } from "./messaging-media.ts";

const CDN = "https://scontent.xx.fbcdn.net/v/t1.15752-9/1_n.jpg?_nc_cat=1&oe=68";

for (const [kind, type] of [
  ["image", "image"],
  ["audio", "audio"],
  ["video", "video"],
  ["document", "document"],
  ["sticker", "sticker"],
  ["video", "reel"],
  ["image", "share"],
  ["image", "story_mention"],
  ["image", "story_reply"],
]) {
  test(`a file behind ${type} is fetched as ${kind}`, () => {
    assert.deepEqual(readAttachedFiles([{ type: "quote" }, { type, url: CDN }]), [
      {
        attachment: 1,
        kind,
        source: { url: CDN },
        mimeType: null,
        fileName: null,
        size: null,
      },
    ]);
  });
}

for (const [what, attachment] of [
  ["a shared link", { type: "link", url: CDN }],
  ["a place", { type: "location", url: CDN }],
  ["a kind to come", { type: "unsupported", url: CDN }],
  ["a share of a page for people", { type: "share", url: "https://www.facebook.com/p/1" }],
  ["a reel's own page", { type: "reel", url: "https://www.instagram.com/reel/C1/" }],
  ["no address", { type: "image" }],
  ["an address that is none", { type: "image", url: "not an address" }],
  ["an address of another kind", { type: "image", url: "file:///etc/passwd" }],
] as const) {
  test(`${what} is no file`, () => assert.deepEqual(readAttachedFiles([attachment]), []));
}

test("whatever the attachments are, a file names one of them and a web address", () => {
  const attachment = fc.dictionary(
    fc.constantFrom("type", "url", "id"),
    fc.oneof(fc.constantFrom("image", "share", CDN, "https://a", "javascript:1"), fc.anything()),
  );
  fc.assert(
    fc.property(fc.array(attachment, { maxLength: 5 }), (attachments) => {
      for (const { attachment: index, source } of readAttachedFiles(attachments)) {
        assert.ok("url" in source && /^https?:/i.test(source.url));
        assert.equal(attachments[index]?.["url"], source.url);
      }
    }),
  );
});
