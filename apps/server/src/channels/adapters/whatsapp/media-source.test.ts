import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, beforeEach, test } from "node:test";
import type { HttpRequest } from "../../../lib/http.ts";
import { createProviderHttp } from "../../../lib/outbound-http.ts";
import type { ChannelAccount, InboundMedia } from "../../adapter.ts";
import { NUMBER, PDF, PNG, startCloudApi } from "./cloud-api.fixture.ts";
import { whatsappMedia } from "./media-source.ts";

/** What customers send, over real HTTP from the emulated Cloud API. */
const http = createProviderHttp();
const { emulator, account } = await startCloudApi();
after(() => emulator.close());
beforeEach(() => emulator.clear());
const calls = () => emulator.requests().map(({ method, path }) => `${method} ${path}`);

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

test("a customer's file is looked up and read with the type and name that the platform gives", async () => {
  assert.deepEqual(await read(inbound(PDF, "application/pdf")), {
    ok: true,
    bytes: PDF,
    mimeType: "application/pdf",
    fileName: "a.pdf",
    size: PDF.length,
  });
});

test("the address is asked for anew at each try, so five minutes are enough", async () => {
  const media = inbound(PDF, "application/pdf");
  emulator.fault({ kind: "status", status: 404, on: "download" });
  assert.deepEqual(await refusal(media), ["unreachable", "HTTP_404"]);
  emulator.clock.advance(3_600_000);
  assert.ok((await read(media)).ok);
  assert.equal(calls().filter((call) => /\/\d+$/.test(call)).length, 2);
});

test("what the platform no longer has is gone; another account's token reads nothing", async () => {
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

test("a redirect of the file server is not followed, because it would carry the token elsewhere", async () => {
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
  "https://u@lookaside.fbsbx.com/file",
  "https://whatsapp.net.evil.example/x",
  "https://evilwhatsapp.net/x",
]) {
  test(`${url} gets no token, whatever the look-up says`, async () => {
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
    "a file server that forbids it",
    { kind: "status", status: 403, on: "download" },
    "misconfigured",
    "HTTP_403",
  ],
  // The address has ended meanwhile, or the server is busy: a new one is asked for.
  ...([404, 408, 429, 500, 204] as const).map(
    (status) =>
      [
        `a file server's ${status}`,
        { kind: "status", status, on: "download" },
        "unreachable",
        `HTTP_${status}`,
      ] as const,
  ),
  ["a file server's 410", { kind: "status", status: 410, on: "download" }, "rejected", "HTTP_410"],
  [
    "a look-up without an address",
    { kind: "status", status: 200, body: '{"id":"1"}', on: "media" },
    "unreachable",
    "NO_MEDIA_URL",
  ],
  [
    "a look-up with something else for an address",
    { kind: "status", status: 200, body: '{"url":"no address"}', on: "media" },
    "unreachable",
    "NO_MEDIA_URL",
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

test("an answer that is not a file is dropped, so its connection is free for the next", async () => {
  for (const status of [403, 404, 410, 302]) {
    let open = true;
    const body = (async function* () {
      try {
        yield PNG;
        yield PNG;
      } finally {
        open = false;
      }
    })();
    const media = inbound(PNG, "image/png");
    const watched = {
      request: (request: HttpRequest) => http.request(request),
      stream: () => Promise.resolve({ status, headers: {}, body }),
    };
    const outcome = await whatsappMedia.open(watched, account, media);
    assert.ok(!outcome.ok && !open, String(status));
  }
});

test("a file that breaks off in the middle is an error of the body, never a whole file", async () => {
  const media = inbound(Buffer.concat([PDF, Buffer.alloc(200_000)]), "application/pdf");
  emulator.fault({ kind: "cut", on: "download" });
  await assert.rejects(read(media), { name: "HttpFailure", kind: "reset" });
});
