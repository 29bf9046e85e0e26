import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpFailure, type Http, type HttpRequest } from "../../../lib/http.ts";
import type { ChannelAccount, MediaKind, OutboundMedia, SendOutcome } from "../../adapter.ts";
import { telegram } from "./adapter.ts";

const account: ChannelAccount = {
  channelId: "c1",
  workspaceId: "w1",
  type: "TELEGRAM",
  externalId: "987654321",
  apiUrl: "https://api.telegram.org",
  settings: {},
  secrets: { botToken: "987654321:AAExample-token_1", secretToken: "s3cret" },
};
const PIXELS = Buffer.from("not really pixels");

function file(kind: MediaKind, mimeType: string, more: Partial<OutboundMedia> = {}): OutboundMedia {
  return {
    kind,
    mimeType,
    fileName: 'صورة "1".bin',
    size: PIXELS.length,
    url: "https://hub.example/media/1/x",
    async *open() {
      yield PIXELS.subarray(0, 5);
      yield PIXELS.subarray(5);
    },
    ...more,
  };
}

interface Seen {
  readonly url: string;
  readonly form: FormData;
}

/** Reads the body as the platform does; `cut` fails after that many bytes. */
function platform(cut?: { readonly after: number }): Http & { seen: Seen[]; calls: number } {
  const http = {
    seen: [] as Seen[],
    calls: 0,
    async request(request: HttpRequest) {
      http.calls += 1;
      const chunks: Uint8Array[] = [];
      let size = 0;
      const { body } = request;
      assert.ok(body !== undefined && typeof body !== "string" && Symbol.asyncIterator in body);
      try {
        for await (const chunk of body) {
          chunks.push(chunk);
          size += chunk.length;
          if (cut && size >= cut.after) throw new Error("cut");
        }
      } catch {
        throw new HttpFailure("reset", true, "ECONNRESET");
      }
      if (cut) throw new HttpFailure("reset", true, "ECONNRESET");
      assert.equal(String(size), request.headers?.["content-length"]);
      const form = await new Response(Buffer.concat(chunks), {
        headers: { "content-type": request.headers?.["content-type"] ?? "" },
      }).formData();
      http.seen.push({ url: request.url, form });
      const result = { message_id: 7, chat: { id: 5_000_000_001 }, date: 1 };
      return {
        status: 200,
        headers: {},
        body: Buffer.from(JSON.stringify({ ok: true, result })),
      };
    },
  };
  return http;
}

const send = (http: Http, media: OutboundMedia, caption: string | null = null) =>
  telegram.send(http, account, {
    id: "m1",
    to: "5000000001",
    content: { kind: "media", media, caption },
  });

/** channels.md §5.2 and the methods' own words: what plays in the chat, and what is sent as a document. */
const WAYS: readonly (readonly [MediaKind, mimeType: string, method: string, field: string])[] = [
  ["image", "image/jpeg", "sendPhoto", "photo"],
  ["image", "image/png", "sendPhoto", "photo"],
  ["image", "image/gif", "sendAnimation", "animation"],
  ["image", "image/webp", "sendDocument", "document"],
  ["video", "video/mp4", "sendVideo", "video"],
  ["video", "video/webm", "sendDocument", "document"],
  ["audio", "audio/mpeg", "sendAudio", "audio"],
  ["audio", "audio/mp4", "sendAudio", "audio"],
  ["audio", "audio/ogg", "sendVoice", "voice"],
  ["audio", "audio/ogg; codecs=opus", "sendVoice", "voice"],
  ["audio", "audio/wav", "sendDocument", "document"],
  ["document", "application/pdf", "sendDocument", "document"],
  ["document", "image/jpeg", "sendDocument", "document"],
];
for (const [kind, mimeType, method, field] of WAYS) {
  test(`a ${kind} of ${mimeType} is sent by ${method} with its bytes, its name and its caption`, async () => {
    const http = platform();
    const outcome = await send(http, file(kind, mimeType), "<b>أهلا</b>");
    assert.deepEqual(outcome, { ok: true, externalId: "5000000001:7" });
    const [seen, ...more] = http.seen;
    assert.ok(seen !== undefined && more.length === 0);
    assert.ok(seen.url.endsWith(`/bot987654321:AAExample-token_1/${method}`));
    assert.deepEqual([...seen.form.keys()], ["chat_id", "caption", field]);
    assert.equal(seen.form.get("chat_id"), "5000000001");
    assert.equal(seen.form.get("caption"), "<b>أهلا</b>");
    const part = seen.form.get(field);
    assert.ok(part !== null && typeof part !== "string");
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), PIXELS);
    assert.match(part.name, /^صورة /);
  });
}

test("without a caption the form has none", async () => {
  for (const caption of [null, ""]) {
    const http = platform();
    await send(http, file("image", "image/png"), caption);
    assert.deepEqual([...(http.seen[0]?.form.keys() ?? [])], ["chat_id", "photo"]);
  }
});

const MB = 1024 * 1024;
const LIMITS: readonly (readonly [
  name: string,
  OutboundMedia,
  string | null,
  code: string | null,
])[] = [
  ["a photo over 10 MB", file("image", "image/png", { size: 10 * MB + 1 }), null, "FILE_TOO_BIG"],
  ["a video over 50 MB", file("video", "video/mp4", { size: 50 * MB + 1 }), null, "FILE_TOO_BIG"],
  ["a document over 50 MB", file("document", "a/b", { size: 50 * MB + 1 }), null, "FILE_TOO_BIG"],
  ["an empty file", file("document", "a/b", { size: 0 }), null, "FILE_EMPTY"],
  ["a sticker", file("sticker", "image/webp"), null, "MEDIA_UNSUPPORTED"],
  ["1,025 characters of caption", file("image", "image/png"), "x".repeat(1025), "CAPTION_TOO_LONG"],
  ["1,024 characters, emoji counted as one", file("image", "image/png"), "😀".repeat(1024), null],
];
for (const [name, media, caption, code] of LIMITS) {
  test(`${name} is ${code === null ? "sent" : `refused as ${code} without a call`}`, async () => {
    const http = platform();
    const outcome = await send(http, media, caption);
    if (code === null) assert.equal(outcome.ok, true);
    else
      assert.deepEqual(
        [outcome.ok || outcome.reason, outcome.ok || outcome.code],
        ["rejected", code],
      );
    assert.equal(http.calls, code === null ? 1 : 0);
  });
}

const reasonOf = (outcome: SendOutcome) => (outcome.ok ? "ok" : outcome.reason);

test("a connection that breaks before the last byte proves that nothing was sent; after it, nothing is known", async () => {
  assert.equal(
    reasonOf(await send(platform({ after: 1 }), file("image", "image/png"))),
    "unreachable",
  );
  const whole = platform({ after: Number.POSITIVE_INFINITY });
  assert.equal(reasonOf(await send(whole, file("image", "image/png"))), "unknown");
  const refused: Http = {
    request: () => Promise.reject(new HttpFailure("connect", false, "ECONNREFUSED")),
  };
  assert.equal(reasonOf(await send(refused, file("image", "image/png"))), "unreachable");
});

test("a file that the store does not give is named, and nothing was sent", async () => {
  const lost = file("image", "image/png", {
    // oxlint-disable-next-line require-yield
    async *open() {
      throw new Error("ENOENT /data/uploads/1");
    },
  });
  const outcome = await send(platform(), lost);
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.reason, outcome.code], ["unreachable", "FILE_UNREADABLE"]);
  assert.doesNotMatch(outcome.detail, /uploads/);
});
