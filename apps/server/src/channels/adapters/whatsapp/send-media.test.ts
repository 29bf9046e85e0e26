import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { createProviderHttp } from "../../../lib/outbound-http.ts";
import type { MediaKind, OutboundMedia, SendOutcome } from "../../adapter.ts";
import { whatsapp } from "./adapter.ts";
import { NUMBER, OGG, PDF, PNG, startCloudApi } from "./cloud-api.fixture.ts";

/** Files to customers, over real HTTP against the emulated Cloud API. */
const USER = "96550001234";
const http = createProviderHttp();
const { emulator, account } = await startCloudApi();
after(() => emulator.close());
beforeEach(() => emulator.clear());

function file(kind: MediaKind, mimeType: string, bytes: Buffer, fileName = "a"): OutboundMedia {
  return {
    kind,
    mimeType,
    fileName,
    size: bytes.length,
    url: "https://us.example/media/1",
    async *open() {
      yield bytes;
    },
  };
}
const send = (
  media: OutboundMedia,
  caption: string | null = null,
  to = USER,
): Promise<SendOutcome> =>
  whatsapp.send(http, account, { id: "msg-1", to, content: { kind: "media", media, caption } });
const calls = () => emulator.requests().map(({ method, path }) => `${method} ${path}`);

test("a document is uploaded and sent by its id, with caption, name and our correlation", async () => {
  const outcome = await send(file("document", "application/pdf", PDF, "فاتورة.pdf"), "the bill");
  assert.ok(outcome.ok);
  const [message] = emulator.messages();
  assert.equal(message?.id, outcome.externalId);
  assert.equal(message?.correlation, "msg-1");
  const { id, ...rest } = { id: "", ...message?.media };
  assert.deepEqual(rest, { caption: "the bill", filename: "فاتورة.pdf" });
  const stored = emulator.media.find(String(id));
  assert.deepEqual(stored?.bytes, PDF);
  assert.equal(stored?.mimeType, "application/pdf");
  assert.deepEqual(calls(), [`POST /v25.0/${NUMBER}/media`, `POST /v25.0/${NUMBER}/messages`]);
});

test("a picture has no name of its own, and a voice note is sent under its bare type", async () => {
  assert.ok((await send(file("image", "image/png", PNG), "look")).ok);
  assert.ok((await send(file("audio", "audio/ogg; codecs=opus", OGG))).ok);
  await emulator.flush();
  const [image, audio] = emulator.messages();
  assert.deepEqual(Object.keys(image?.media ?? {}).toSorted(), ["caption", "id"]);
  assert.deepEqual(Object.keys(audio?.media ?? {}), ["id"]);
  assert.deepEqual(audio?.statuses, ["sent", "delivered", "read"]);
});

for (const [what, media, caption, code] of [
  [
    "a type that the platform lists nowhere",
    file("image", "image/tiff", PNG),
    null,
    "MEDIA_UNSUPPORTED",
  ],
  ["a picture as a film", file("video", "image/png", PNG), null, "MEDIA_UNSUPPORTED"],
  ["a caption on sound", file("audio", "audio/ogg", OGG), "no", "CAPTION_TOO_LONG"],
  [
    "a caption of 1,025 characters",
    file("image", "image/png", PNG),
    "x".repeat(1025),
    "CAPTION_TOO_LONG",
  ],
  [
    "a picture of more than 5 MB",
    { ...file("image", "image/png", PNG), size: 5 * 1024 * 1024 + 1 },
    null,
    "MEDIA_TOO_LARGE",
  ],
] as const) {
  test(`${what} is refused without a call`, async () => {
    const outcome = await send(media, caption);
    assert.ok(!outcome.ok);
    assert.deepEqual(
      [outcome.reason, outcome.code, outcome.scope],
      ["rejected", code, "recipient"],
    );
    assert.deepEqual(calls(), []);
  });
}

for (const [what, fault, reason, code] of [
  ["is cut", { kind: "drop" }, "unreachable", "NETWORK_RESET"],
  ["is answered 500", { kind: "status", status: 500 }, "unreachable", "HTTP_500"],
  ["is answered with a page", { kind: "html" }, "unreachable", "HTTP_200"],
  ["meets an outage", { kind: "code", code: 131016 }, "unreachable", "131016"],
  ["meets a limit", { kind: "code", code: 80007 }, "throttled", "80007"],
  ["is refused", { kind: "code", code: 131053 }, "rejected", "131053"],
  ["has a token that ended", { kind: "code", code: 190 }, "misconfigured", "190"],
] as const) {
  test(`an upload that ${what} is ${reason}, and no message goes`, async () => {
    emulator.fault({ ...fault, on: "upload" });
    const outcome = await send(file("image", "image/png", PNG));
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code], [reason, code]);
    assert.equal(emulator.messages().length, 0);
  });
}

test("a file that cannot be read from our store is named, and no message is sent", async () => {
  const broken: OutboundMedia = {
    ...file("image", "image/png", PNG),
    async *open() {
      yield PNG.subarray(0, 10);
      throw new Error("the disk is gone");
    },
  };
  const outcome = await send(broken);
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.reason, outcome.code], ["unreachable", "FILE_UNREADABLE"]);
  assert.equal(emulator.messages().length, 0);
});

test("a lost answer to the send itself is unknown: the message may have been sent", async () => {
  const outcome = await send(file("image", "image/png", PNG), null, "99950000911");
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.reason, outcome.code], ["unknown", "NETWORK_RESET"]);
  assert.equal(emulator.messages().length, 1);
});
