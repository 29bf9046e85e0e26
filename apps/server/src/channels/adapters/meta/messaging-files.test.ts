import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { createMessengerEmulator, type PageEmulator } from "@parley/emulators";
import { createProviderHttp } from "../../../lib/outbound-http.ts";
import type { ChannelAccount, InboundMedia, OutboundMedia, SendOutcome } from "../../adapter.ts";
import { messenger } from "../messenger/adapter.ts";
import { instagram } from "../instagram/adapter.ts";
import { messagingMedia } from "./messaging-media-source.ts";

/** Files of Messenger and Instagram over real HTTP: how the adapters read every answer. */
const PAGE = "1029384756";
const SARA = "25400000001234";
const PDF = Buffer.from("%PDF-1.4\n%%EOF\n");

const http = createProviderHttp();
let emulator: PageEmulator;
let account: ChannelAccount;
/** A file server; every test says what it answers. */
let answer: (response: ServerResponse, path: string) => void = (response) => response.end();
let asked: { path: string; authorization: string | undefined; agent: string | undefined }[] = [];
const server = createServer((request, response) => {
  const { authorization, "user-agent": agent } = request.headers;
  asked.push({ path: request.url ?? "", authorization, agent });
  answer(response, request.url ?? "");
});
let files = "";
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  files = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const accessToken = "token-1";
  emulator = await createMessengerEmulator({
    delivery: "manual",
    pages: [{ id: PAGE, accessToken, appSecret: "s" }],
  });
  account = {
    channelId: "c",
    workspaceId: "w",
    type: "MESSENGER",
    externalId: PAGE,
    apiUrl: emulator.apiUrl,
    settings: {},
    secrets: { accessToken },
  };
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await emulator.close();
});
beforeEach(() => {
  emulator.clear();
  asked = [];
  emulator.inbound({ pageId: PAGE, from: SARA, text: "hi" });
});

const media = (url: string): InboundMedia => ({
  attachment: 0,
  kind: "document",
  source: { url },
  mimeType: null,
  fileName: null,
  size: null,
});
async function read(url: string) {
  const opened = await messagingMedia.open(http, account, media(url));
  if (!opened.ok) return `${opened.reason} ${opened.code}`;
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.body) chunks.push(chunk);
  const { mimeType, fileName, size } = opened;
  return { bytes: Buffer.concat(chunks), mimeType, fileName, size };
}

test("a file is read at its address, without any token, and named by its path", async () => {
  answer = (response) =>
    response
      .writeHead(200, { "content-type": "application/pdf", "content-length": PDF.length })
      .end(PDF);
  assert.deepEqual(await read(`${files}/v/t59/12_n.pdf/a%20bill.pdf?oh=1&oe=2`), {
    bytes: PDF,
    mimeType: "application/pdf",
    fileName: "a bill.pdf",
    size: PDF.length,
  });
  assert.deepEqual(asked, [
    { path: "/v/t59/12_n.pdf/a%20bill.pdf?oh=1&oe=2", authorization: undefined, agent: "Parley" },
  ]);
});

test("a redirect is followed, three times at most", async () => {
  answer = (response, path) => {
    const step = Number(path.slice(1));
    if (step === 3) response.end("here");
    else response.writeHead(302, { location: `/${step + 1}` }).end();
  };
  const found = await read(`${files}/0`);
  assert.ok(typeof found === "object" && found.bytes.toString() === "here");
  for (const status of [301, 303, 307, 308]) {
    answer = (response, path) => {
      if (path === "/there") response.end("here");
      else response.writeHead(status, { location: "/there" }).end();
    };
    const moved = await read(`${files}/0`);
    assert.ok(typeof moved === "object" && moved.bytes.toString() === "here");
  }
  asked = [];
  answer = (response) => response.writeHead(302, { location: "/again" }).end();
  assert.equal(await read(`${files}/0`), "rejected MEDIA_REDIRECTS");
  assert.equal(asked.length, 4);
});

for (const [status, outcome] of [
  [403, "rejected MEDIA_GONE"],
  [404, "rejected MEDIA_GONE"],
  [410, "rejected MEDIA_GONE"],
  [400, "rejected HTTP_400"],
  [429, "unreachable HTTP_429"],
  [500, "unreachable HTTP_500"],
  [503, "unreachable HTTP_503"],
  [204, "unreachable HTTP_204"],
  // Without a location it leads nowhere.
  [302, "rejected HTTP_302"],
] as const) {
  test(`a file server's ${status} is ${outcome}`, async () => {
    answer = (response) => response.writeHead(status).end();
    assert.equal(await read(`${files}/x`), outcome);
  });
}

test("a text that is not an address, and an address where nobody answers", async () => {
  assert.equal(await read("no address"), "rejected MEDIA_URL_INVALID");
  assert.equal(await read("file:///etc/passwd"), "rejected MEDIA_URL_INVALID");
  assert.equal(await read("http://127.0.0.1:9/x"), "unreachable NETWORK_CONNECT");
  answer = (response) => response.destroy();
  assert.equal(await read(`${files}/x`), "unreachable NETWORK_RESET");
});

// ---- sends

const file = (more: Partial<OutboundMedia> = {}): OutboundMedia => ({
  kind: "document",
  mimeType: "application/pdf",
  fileName: "a.pdf",
  size: PDF.length,
  url: `${files}/a.pdf`,
  async *open() {
    yield PDF;
  },
  ...more,
});
function send(
  given: OutboundMedia,
  caption: string | null = null,
  more: { afterWindow?: true; type?: "INSTAGRAM" } = {},
): Promise<SendOutcome> {
  const adapter = more.type === "INSTAGRAM" ? instagram : messenger;
  return adapter.send(
    http,
    { ...account, type: adapter.type },
    {
      id: "msg-1",
      to: SARA,
      content: { kind: "media", media: given, caption },
      ...(more.afterWindow && { afterWindow: true }),
    },
  );
}
const said = (outcome: SendOutcome) => (outcome.ok ? "sent" : `${outcome.reason} ${outcome.code}`);

test("Messenger uploads, sends by id with our correlation, and tags a person's late answer", async () => {
  assert.equal(said(await send(file())), "sent");
  emulator.clock.advance(25 * 3_600_000);
  assert.equal(said(await send(file(), null, { afterWindow: true })), "sent");
  assert.deepEqual(
    emulator
      .messages()
      .map((one) => [one.metadata, one.messagingType, one.tag, one.file?.fileName]),
    [
      ["msg-1", "RESPONSE", null, "a.pdf"],
      ["msg-1", "MESSAGE_TAG", "HUMAN_AGENT", "a.pdf"],
    ],
  );
});

for (const [what, fault, outcome] of [
  ["cut", { kind: "drop" }, "unreachable NETWORK_RESET"],
  ["answered 500", { kind: "status", status: 500 }, "unreachable HTTP_500"],
  ["answered with a page", { kind: "html" }, "unreachable HTTP_200"],
  ["met by an outage", { kind: "code", code: 2 }, "unreachable 2"],
  ["met by a limit", { kind: "code", code: 613 }, "throttled 613"],
  ["refused", { kind: "code", code: 100 }, "rejected 100"],
  ["refused for the token", { kind: "code", code: 190 }, "misconfigured 190"],
] as const) {
  test(`an upload that is ${what} is ${outcome}, and no message goes`, async () => {
    emulator.fault({ ...fault, on: "upload" });
    assert.equal(said(await send(file())), outcome);
    assert.equal(emulator.messages().length, 0);
  });
}

test("a caption, a sticker, a large picture and a wrong type are refused without a call", async () => {
  const refused = async (given: OutboundMedia, caption: string | null = null) => [
    said(await send(given, caption)),
    said(await send(given, caption, { type: "INSTAGRAM" })),
  ];
  const both = (code: string) => [`rejected ${code}`, `rejected ${code}`];
  assert.deepEqual(await refused(file(), "words"), both("CAPTION_TOO_LONG"));
  const sticker = file({ kind: "sticker", mimeType: "image/webp" });
  assert.deepEqual(await refused(sticker), both("MEDIA_UNSUPPORTED"));
  const large = file({ kind: "image", mimeType: "image/png", size: 8 * 1024 * 1024 + 1 });
  assert.deepEqual(await refused(large), both("MEDIA_TOO_LARGE"));
  assert.deepEqual(await refused(file({ mimeType: "text/html" })), both("MEDIA_UNSUPPORTED"));
  assert.deepEqual(emulator.requests(), []);
});

test("Instagram sends the address and uploads nothing", async () => {
  answer = (response) => response.writeHead(200, { "content-type": "application/pdf" }).end(PDF);
  let opened = 0;
  const watched = file({
    async *open() {
      opened += 1;
      yield PDF;
    },
  });
  assert.equal(said(await send(watched, null, { type: "INSTAGRAM" })), "sent");
  assert.equal(opened, 0);
  assert.deepEqual(
    asked.map(({ path }) => path),
    ["/a.pdf"],
  );
  assert.deepEqual(emulator.messages()[0]?.attachment, {
    type: "file",
    payload: { url: `${files}/a.pdf` },
  });
});
