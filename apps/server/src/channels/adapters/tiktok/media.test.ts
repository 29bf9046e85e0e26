import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure, type HttpRequest, type StreamingHttp } from "../../../lib/http.ts";
import type { ChannelAccount, InboundMedia, OutboundMedia, SendOutcome } from "../../adapter.ts";
import { tiktok } from "./adapter.ts";
import { tiktokMedia } from "./media-source.ts";

const account: ChannelAccount = {
  channelId: "c1",
  workspaceId: "w1",
  type: "TIKTOK",
  externalId: "-000biz+1",
  apiUrl: "https://business-api.tiktok.com/open_api/v1.3",
  settings: {},
  secrets: { accessToken: "act.token", appSecret: "tt-secret-1" },
};
type Given = object | HttpFailure;
const ok = (data: object) => ({ code: 0, message: "OK", data });
const UPLOADED = ok({ media_id: "tos-1" });
const ACCEPTED = ok({ message: { message_id: "7431" } });

interface Seen extends HttpRequest {
  readonly bytes: Buffer;
}

/** Answers calls in order; files are served with `status`. */
function platform(answers: readonly Given[], status = 200): StreamingHttp & { seen: Seen[] } {
  const left = [...answers];
  const seen: Seen[] = [];
  async function take(request: HttpRequest): Promise<Buffer> {
    const { body = "" } = request;
    const chunks: Uint8Array[] = [];
    if (typeof body === "string") chunks.push(Buffer.from(body));
    else if (body instanceof Uint8Array) chunks.push(body);
    else for await (const chunk of body) chunks.push(chunk);
    seen.push({ ...request, bytes: Buffer.concat(chunks) });
    const answer = left.shift() ?? {};
    if (answer instanceof HttpFailure) throw answer;
    return Buffer.from(JSON.stringify(answer));
  }
  return {
    seen,
    request: async (request) => ({ status: 200, headers: {}, body: await take(request) }),
    async stream(request) {
      await take(request);
      async function* body() {
        yield Buffer.from("pixels");
      }
      return { status, headers: { "content-type": "image/png; x=1" }, body: body() };
    },
  };
}

const picture = (more: Partial<OutboundMedia> = {}): OutboundMedia => ({
  kind: "image",
  mimeType: "image/png",
  fileName: "a.png",
  size: 6,
  url: "https://hub.example/media/1/x",
  async *open() {
    yield Buffer.from("pixels");
  },
  ...more,
});
const send = (http: StreamingHttp, media: OutboundMedia, caption: string | null = null) =>
  tiktok.send(http, account, { id: "m", to: "u5+/==", content: { kind: "media", media, caption } });

test("a picture is uploaded as a form, then sent by its media id", async () => {
  const http = platform([UPLOADED, ACCEPTED]);
  assert.deepEqual(await send(http, picture()), { ok: true, externalId: "7431" });
  const [upload, message] = http.seen;
  assert.equal(upload?.url, `${account.apiUrl}/business/message/media/upload/`);
  assert.equal(upload?.headers?.["access-token"], "act.token");
  assert.equal(upload?.headers?.["content-length"], String(upload?.bytes.length));
  const form = await new Response(new Uint8Array(upload?.bytes ?? []), {
    headers: { "content-type": upload?.headers?.["content-type"] ?? "" },
  }).formData();
  assert.deepEqual([...form.keys()], ["business_id", "media_type", "file"]);
  assert.deepEqual([form.get("business_id"), form.get("media_type")], ["-000biz+1", "IMAGE"]);
  const file = form.get("file");
  assert.ok(file !== null && typeof file !== "string");
  assert.deepEqual([file.name, file.type, await file.text()], ["a.png", "image/png", "pixels"]);
  assert.deepEqual(JSON.parse(message?.bytes.toString() ?? ""), {
    business_id: "-000biz+1",
    recipient_type: "CONVERSATION",
    recipient: "u5+/==",
    message_type: "IMAGE",
    image: { media_id: "tos-1" },
  });
});

const lost = new HttpFailure("timeout", true, "no answer");
/** Until the send itself nothing was sent to the customer, so only its lost answer leaves anything open. */
const FAILURES: readonly (readonly [
  name: string,
  answers: readonly Given[],
  reason: string,
  code: string,
  calls: number,
])[] = [
  ["an upload that nobody answers", [lost], "unreachable", "NETWORK_TIMEOUT", 1],
  ["an upload of which nobody knows", [{ code: 50002, message: "x" }], "unreachable", "50002", 1],
  ["an upload that is refused", [{ code: 40002, message: "x" }], "rejected", "40002", 1],
  ["an upload that is throttled", [{ code: 40100, message: "x" }], "throttled", "40100", 1],
  ["an upload with an ended token", [{ code: 40102, message: "x" }], "misconfigured", "40102", 1],
  ["an upload without an id", [ok({})], "unreachable", "NO_MEDIA_ID", 1],
  ["a send that nobody answers", [UPLOADED, lost], "unknown", "NETWORK_TIMEOUT", 2],
  ["a send that is refused", [UPLOADED, { code: 40007, message: "x" }], "rejected", "40007", 2],
];
for (const [name, answers, reason, code, calls] of FAILURES) {
  test(`${name} is ${reason} (${code})`, async () => {
    const http = platform(answers);
    const outcome = await send(http, picture());
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code], [reason, code]);
    assert.equal(http.seen.length, calls);
  });
}

const codeOf = (outcome: SendOutcome) => (outcome.ok ? "ok" : outcome.code);

test("what TikTok does not accept is refused without a call: other types, 3 MB and a byte, a text with it", async () => {
  const http = platform([]);
  assert.equal(codeOf(await send(http, picture({ mimeType: "image/gif" }))), "MEDIA_UNSUPPORTED");
  assert.equal(codeOf(await send(http, picture({ kind: "video" }))), "MEDIA_UNSUPPORTED");
  assert.equal(codeOf(await send(http, picture({ size: 3 * 1024 * 1024 + 1 }))), "FILE_TOO_BIG");
  assert.equal(codeOf(await send(http, picture(), "look")), "CAPTION_UNSUPPORTED");
  assert.equal(http.seen.length, 0);
});

const inbound = (source: InboundMedia["source"], kind: InboundMedia["kind"] = "image") => ({
  attachment: 0,
  kind,
  source,
  mimeType: null,
  fileName: null,
  size: null,
});
const KEY = { id: "u5+/== 7431 v0201" };

test("a file's address is asked for with all its ids and read with the token in x-user", async () => {
  for (const [kind, type] of [
    ["image", "IMAGE"],
    ["video", "VIDEO"],
  ] as const) {
    const http = platform([ok({ download_url: "https://files.tiktok.example/1?sig=a" })]);
    const opened = await tiktokMedia.open(http, account, inbound(KEY, kind));
    assert.ok(opened.ok);
    assert.equal(opened.mimeType, "image/png");
    const [asked, fetched] = http.seen;
    assert.equal(asked?.url, `${account.apiUrl}/business/message/media/download/`);
    assert.deepEqual(JSON.parse(asked?.bytes.toString() ?? ""), {
      business_id: "-000biz+1",
      conversation_id: "u5+/==",
      message_id: "7431",
      media_id: "v0201",
      media_type: type,
    });
    assert.equal(fetched?.url, "https://files.tiktok.example/1?sig=a");
    assert.deepEqual(fetched?.headers, { "x-user": "act.token" });
  }
});

test("a sticker's own address gets no token", async () => {
  const http = platform([]);
  const url = "https://p16.example/s.webp";
  const opened = await tiktokMedia.open(http, account, inbound({ url }, "sticker"));
  assert.ok(opened.ok);
  assert.deepEqual(
    http.seen.map(({ url: at, headers }) => [at, headers]),
    [[url, {}]],
  );
});

test("the token is never sent in clear, except to the server that we call anyway", async () => {
  for (const [apiUrl, url, opened] of [
    [account.apiUrl, "http://files.tiktok.example/1", false],
    [account.apiUrl, "ftp://files.tiktok.example/1", false],
    [account.apiUrl, "no address", false],
    ["http://127.0.0.1:4010/open_api/v1.3", "http://127.0.0.1:4010/files/1", true],
    ["http://127.0.0.1:4010/open_api/v1.3", "http://127.0.0.1:4011/files/1", false],
  ] as const) {
    const http = platform([ok({ download_url: url })]);
    const outcome = await tiktokMedia.open(http, { ...account, apiUrl }, inbound(KEY));
    assert.equal(outcome.ok, opened, url);
    assert.equal(http.seen.length, opened ? 2 : 1);
  }
});

for (const [status, reason, code] of [
  [404, "rejected", "FILE_GONE"],
  [403, "rejected", "HTTP_403"],
  [302, "rejected", "HTTP_302"],
  [429, "unreachable", "HTTP_429"],
  [503, "unreachable", "HTTP_503"],
] as const) {
  test(`a file whose host answers ${status} is ${reason} (${code})`, async () => {
    const http = platform([ok({ download_url: "https://files.tiktok.example/1" })], status);
    const outcome = await tiktokMedia.open(http, account, inbound(KEY));
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code], [reason, code]);
  });
}

test("no address for a file: after an outage it is asked again, an ended token is the account's fault", async () => {
  for (const [answer, reason] of [
    [{ code: 50002, message: "x" }, "unreachable"],
    [lost, "unreachable"],
    [{ code: 40102, message: "x" }, "misconfigured"],
    [{ code: 40007, message: "x" }, "rejected"],
  ] as const) {
    const outcome = await tiktokMedia.open(platform([answer]), account, inbound(KEY));
    assert.equal(outcome.ok || outcome.reason, reason);
  }
  const outcome = await tiktokMedia.open(platform([]), account, inbound({ id: "one two" }));
  assert.equal(outcome.ok || outcome.code, "NO_FILE_ID");
});
