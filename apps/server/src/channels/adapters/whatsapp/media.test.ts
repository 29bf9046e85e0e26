import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { HttpRequest } from "../../../lib/http.ts";
import { createProviderHttp } from "../../../lib/outbound-http.ts";
import type {
  ChannelAccount,
  InboundMedia,
  MediaKind,
  OutboundMedia,
  SendOutcome,
} from "../../adapter.ts";
import { whatsapp } from "./adapter.ts";
import { whatsappMedia } from "./media-source.ts";

/** Files over real HTTP against the emulated Cloud API. */
const NUMBER = "106540352242922";
const USER = "96550001234";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const PDF = Buffer.from("%PDF-1.4\n%%EOF\n");
const OGG = Buffer.concat([
  Buffer.from("OggS\0\x02"),
  Buffer.alloc(22),
  Buffer.from("OpusHead\x01\x01"),
]);

const http = createProviderHttp();
let emulator: WhatsAppEmulator;
let account: ChannelAccount;
before(async () => {
  const accessToken = "token-1";
  emulator = await createWhatsAppEmulator({
    delivery: "manual",
    window: "off",
    numbers: [{ phoneNumberId: NUMBER, wabaId: "1", accessToken, appSecret: "s" }],
  });
  account = {
    channelId: "c",
    workspaceId: "w",
    type: "WHATSAPP",
    externalId: NUMBER,
    apiUrl: emulator.apiUrl,
    settings: {},
    secrets: { accessToken },
  };
});
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

test("a picture has no name of its own, and a voice note goes under its bare type", async () => {
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

test("a file that cannot be read from our store is named, and no message goes", async () => {
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

test("a lost answer to the send itself is unknown: it may have gone", async () => {
  const outcome = await send(file("image", "image/png", PNG), null, "96550000911");
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.reason, outcome.code], ["unknown", "NETWORK_RESET"]);
  assert.equal(emulator.messages().length, 1);
});

// ---- what customers send

function inbound(bytes: Buffer, mimeType: string): InboundMedia {
  const { id } = emulator.addMedia(bytes, mimeType, NUMBER);
  const facts = { mimeType, fileName: "a.pdf", size: null };
  return { attachment: 0, kind: "document", source: { id }, ...facts };
}
async function read(media: InboundMedia, from: ChannelAccount = account) {
  const opened = await whatsappMedia.open(http, from, media);
  if (!opened.ok) return opened;
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.body) chunks.push(chunk);
  const { body: _, ...facts } = opened;
  return { ...facts, bytes: Buffer.concat(chunks) };
}
const refusal = async (media: InboundMedia, from: ChannelAccount = account) => {
  const outcome = await read(media, from);
  assert.ok(!outcome.ok);
  return [outcome.reason, outcome.code];
};

test("a customer's file is looked up and read with what the platform says of it", async () => {
  assert.deepEqual(await read(inbound(PDF, "application/pdf")), {
    ok: true,
    bytes: PDF,
    mimeType: "application/pdf",
    fileName: "a.pdf",
    size: PDF.length,
  });
});

test("the address is asked for anew at each try, so that five minutes are enough", async () => {
  const media = inbound(PDF, "application/pdf");
  emulator.fault({ kind: "status", status: 404, on: "download" });
  assert.deepEqual(await refusal(media), ["unreachable", "HTTP_404"]);
  emulator.clock.advance(3_600_000);
  assert.ok((await read(media)).ok);
  assert.equal(calls().filter((call) => /\/\d+$/.test(call)).length, 2);
});

test("what the platform has no more is gone; another account's token reads nothing", async () => {
  const media = inbound(PDF, "application/pdf");
  const other = { ...account, secrets: { accessToken: "another" } };
  assert.deepEqual(await refusal(media, other), ["misconfigured", "190"]);
  assert.deepEqual(await refusal(media, { ...account, externalId: "1" }), [
    "rejected",
    "MEDIA_GONE",
  ]);
  emulator.clock.advance(7 * 86_400_000);
  assert.deepEqual(await refusal(media), ["rejected", "MEDIA_GONE"]);
});

test("a redirect of the file server is not followed: it would carry the token away", async () => {
  const asked: unknown[] = [];
  const thief = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.end("stolen");
  });
  await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
  const address = thief.address();
  const port = typeof address === "object" && address ? address.port : 0;
  emulator.fault({ kind: "redirect", on: "download", location: `http://127.0.0.1:${port}/` });
  assert.deepEqual(await refusal(inbound(PDF, "application/pdf")), ["rejected", "HTTP_302"]);
  assert.deepEqual(asked, []);
  thief.close();
});

for (const url of [
  "https://evil.example/file",
  "http://lookaside.fbsbx.com/file",
  "https://lookaside.fbsbx.com.evil.example/file",
  "https://lookaside.fbsbx.com:8443/file",
  "https://u:p@lookaside.fbsbx.com/file",
  "https://whatsapp.net.evil.example/x",
  "https://evilwhatsapp.net/x",
]) {
  test(`no token goes to ${url}, whatever the look-up says`, async () => {
    const body = JSON.stringify({ url, mime_type: "image/png", id: "1" });
    emulator.fault({ kind: "status", status: 200, body, on: "media" });
    let streamed = 0;
    const watched = {
      request: (request: HttpRequest) => http.request(request),
      stream: () => {
        streamed += 1;
        return Promise.reject(new Error("called"));
      },
    };
    const outcome = await whatsappMedia.open(watched, account, inbound(PNG, "image/png"));
    assert.ok(!outcome.ok);
    assert.equal(outcome.code, "MEDIA_HOST_UNKNOWN");
    assert.equal(streamed, 0);
  });
}

for (const host of ["lookaside.fbsbx.com", "media-mxp1-1.cdn.whatsapp.net", "mmg.whatsapp.net"]) {
  test(`the platform's own ${host} gets the token`, async () => {
    const url = `https://${host}/whatsapp_business/attachments/?mid=1&ext=2&hash=x`;
    emulator.fault({ kind: "status", status: 200, body: JSON.stringify({ url }), on: "media" });
    const seen: unknown[] = [];
    const watched = {
      request: (request: HttpRequest) => http.request(request),
      stream: (request: { url: string; headers?: Readonly<Record<string, string>> }) => {
        seen.push(request.url, request.headers?.["authorization"]);
        const body = (async function* () {
          yield PNG;
        })();
        return Promise.resolve({ status: 200, headers: {}, body });
      },
    };
    const outcome = await whatsappMedia.open(watched, account, inbound(PNG, "image/png"));
    assert.ok(outcome.ok);
    assert.deepEqual(seen, [url, "Bearer token-1"]);
  });
}

for (const [what, fault, reason, code] of [
  [
    "a look-up that meets an outage",
    { kind: "code", code: 131016, on: "media" },
    "unreachable",
    "131016",
  ],
  ["a look-up that nobody answers", { kind: "drop", on: "media" }, "unreachable", "NETWORK_RESET"],
  [
    "a file server without the token",
    { kind: "status", status: 401, on: "download" },
    "misconfigured",
    "HTTP_401",
  ],
  [
    "a file server in trouble",
    { kind: "status", status: 503, on: "download" },
    "unreachable",
    "HTTP_503",
  ],
  [
    "a file server that cuts at once",
    { kind: "drop", on: "download" },
    "unreachable",
    "NETWORK_RESET",
  ],
] as const) {
  test(`${what} is ${reason}`, async () => {
    const media = inbound(PDF, "application/pdf");
    emulator.fault(fault);
    assert.deepEqual(await refusal(media), [reason, code]);
  });
}

test("a file that breaks off in the middle is an error of the body, never a whole file", async () => {
  const media = inbound(Buffer.concat([PDF, Buffer.alloc(200_000)]), "application/pdf");
  emulator.fault({ kind: "cut", on: "download" });
  await assert.rejects(read(media), { name: "HttpFailure", kind: "reset" });
});
