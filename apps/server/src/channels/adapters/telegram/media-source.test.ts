import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure, type HttpRequest, type StreamingHttp } from "../../../lib/http.ts";
import type { ChannelAccount, InboundMedia } from "../../adapter.ts";
import { telegramMedia } from "./media-source.ts";

const SECRET = "AAExample-token_1";
const account: ChannelAccount = {
  channelId: "c1",
  workspaceId: "w1",
  type: "TELEGRAM",
  externalId: "987654321",
  apiUrl: "https://api.telegram.org",
  settings: {},
  secrets: { botToken: `987654321:${SECRET}` },
};
const media: InboundMedia = {
  attachment: 0,
  kind: "image",
  source: { id: "AgAC-1" },
  mimeType: "image/jpeg",
  fileName: null,
  size: 9,
};
type Given = { status?: number; json?: unknown; bytes?: string } | HttpFailure;

/** Answers `getFile` with the first and the file with the second. */
function platform(asked: Given, served: Given = {}): StreamingHttp & { requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  return {
    requests,
    async request(request) {
      requests.push(request);
      if (asked instanceof HttpFailure) throw asked;
      const body = Buffer.from(JSON.stringify(asked.json));
      return { status: asked.status ?? 200, headers: {}, body };
    },
    async stream(request) {
      requests.push(request);
      if (served instanceof HttpFailure) throw served;
      const bytes = Buffer.from(served.bytes ?? JSON.stringify(served.json ?? null));
      async function* body() {
        yield bytes;
      }
      const headers = { "content-length": String(bytes.length) };
      return { status: served.status ?? 200, headers, body: body() };
    },
  };
}
const located = (path: unknown) => ({
  json: { ok: true, result: { file_id: "x", file_path: path } },
});
const refused = (code: number, description: string) => ({
  status: code,
  json: { ok: false, error_code: code, description },
});

test("a file is located by its id and read at the address with the token, its path escaped", async () => {
  const http = platform(located("photos/file 1#.jpg"), { bytes: "pixels" });
  const opened = await telegramMedia.open(http, account, media);
  assert.ok(opened.ok);
  let text = "";
  for await (const chunk of opened.body) text += Buffer.from(chunk).toString();
  assert.deepEqual([text, opened.mimeType, opened.size], ["pixels", "image/jpeg", 6]);
  const [asked, fetched] = http.requests;
  assert.ok(asked?.url.endsWith(`:${SECRET}/getFile`));
  assert.deepEqual(JSON.parse(typeof asked?.body === "string" ? asked.body : ""), {
    file_id: "AgAC-1",
  });
  assert.equal(
    fetched?.url,
    `https://api.telegram.org/file/bot987654321:${SECRET}/photos/file%201%23.jpg`,
  );
});

const FAILURES: readonly (readonly [
  name: string,
  asked: Given,
  served: Given,
  reason: string,
  code: string,
])[] = [
  ["too big", refused(400, "Bad Request: file is too big"), {}, "rejected", "FILE_TOO_BIG"],
  ["unknown to the platform", refused(400, "Bad Request: invalid file_id"), {}, "rejected", "400"],
  ["on a server with --local", located("/var/lib/bot/photos/1.jpg"), {}, "rejected", "LOCAL_FILE"],
  ["on a Windows disk", located("C:\\bot\\1.jpg"), {}, "rejected", "LOCAL_FILE"],
  ["at a path that leads elsewhere", located("../../1:AA/getMe"), {}, "rejected", "BAD_FILE_PATH"],
  ["without a path", located(undefined), {}, "rejected", "NO_FILE_PATH"],
  ["gone", located("a/1"), refused(404, "Not Found"), "rejected", "FILE_GONE"],
  ["behind a redirect", located("a/1"), { status: 302 }, "rejected", "HTTP_302"],
  ["behind a bad token", refused(401, "Unauthorized"), {}, "misconfigured", "401"],
  ["throttled", refused(429, "Too Many Requests: retry after 3"), {}, "throttled", "429"],
  // Asking sends nothing, so an unanswered question is asked again.
  ["in an outage", refused(500, "Internal Server Error"), {}, "unreachable", "500"],
  ["in an outage of the files", located("a/1"), { status: 502 }, "unreachable", "HTTP_502"],
  [
    "without an answer",
    new HttpFailure("timeout", true, "no answer"),
    {},
    "unreachable",
    "NETWORK_TIMEOUT",
  ],
  [
    "cut off",
    located("a/1"),
    new HttpFailure("reset", true, "ECONNRESET"),
    "unreachable",
    "NETWORK_RESET",
  ],
];
for (const [name, asked, served, reason, code] of FAILURES) {
  test(`a file ${name} is ${reason} (${code}) and none of its words contains the token`, async () => {
    const outcome = await telegramMedia.open(platform(asked, served), account, media);
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.reason, outcome.code], [reason, code]);
    assert.equal(JSON.stringify(outcome).includes(SECRET), false);
  });
}

test("a file known to be too big for the public servers is not asked for, unless the server is one's own", async () => {
  const big = { ...media, size: 20 * 1024 * 1024 + 1 };
  const http = platform(located("a/1"), { bytes: "x" });
  const outcome = await telegramMedia.open(http, account, big);
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.code, http.requests.length], ["FILE_TOO_BIG", 0]);
  const own = { ...account, apiUrl: "http://127.0.0.1:8081" };
  assert.equal((await telegramMedia.open(http, own, big)).ok, true);
});
