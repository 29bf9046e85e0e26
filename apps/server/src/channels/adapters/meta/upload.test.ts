import assert from "node:assert/strict";
import { test } from "node:test";
import type { Http, HttpRequest } from "../../../lib/http.ts";
import type { ChannelAccount, OutboundMedia } from "../../adapter.ts";
import { uploadAttachment } from "../messenger/send-media.ts";
import { uploadToWhatsApp } from "../whatsapp/upload-media.ts";
import { uploadTimeoutMs } from "./upload.ts";

const account: ChannelAccount = {
  channelId: "c",
  workspaceId: "w",
  type: "MESSENGER",
  externalId: "1029384756",
  apiUrl: "https://graph.facebook.com/v25.0",
  settings: {},
  secrets: { accessToken: "tok-123" },
};
const media: OutboundMedia = {
  kind: "audio",
  mimeType: "Audio/OGG; codecs=opus",
  fileName: "a.ogg",
  size: 4,
  url: "https://us.example/a",
  async *open() {
    yield Buffer.from("OggS");
  },
};

/** What an upload sends to a platform that answers in this way. */
async function uploaded<T>(
  upload: (http: Http) => Promise<T>,
  status: number,
  answer: object,
): Promise<{ outcome: T; form: string; request: HttpRequest | undefined }> {
  let request: HttpRequest | undefined;
  let form = "";
  const http: Http = {
    async request(given) {
      request = given;
      assert.ok(typeof given.body === "object" && Symbol.asyncIterator in given.body);
      for await (const chunk of given.body) form += Buffer.from(chunk).toString();
      return { status, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
    },
  };
  return { outcome: await upload(http), form, request };
}
const toWhatsApp = (http: Http) => uploadToWhatsApp(http, account, media);
const toMessenger = (http: Http) => uploadAttachment(http, account, media, "audio");

test("WhatsApp is told the bare type, twice; Messenger that the file may be sent again", async () => {
  const whatsapp = await uploaded(toWhatsApp, 200, { id: "17" });
  assert.deepEqual(whatsapp.outcome, { ok: true, id: "17" });
  assert.match(whatsapp.form, /name="messaging_product"\r\n\r\nwhatsapp\r\n/);
  assert.match(whatsapp.form, /name="type"\r\n\r\naudio\/ogg\r\n/);
  assert.match(whatsapp.form, /content-type: audio\/ogg\r\n\r\nOggS\r\n/i);
  const messenger = await uploaded(toMessenger, 200, { attachment_id: "18" });
  assert.deepEqual(messenger.outcome, { ok: true, id: "18" });
  const [, told = ""] = /name="message"\r\n\r\n(.*)\r\n/.exec(messenger.form) ?? [];
  const payload = { is_reusable: true };
  assert.deepEqual(JSON.parse(told), { attachment: { type: "audio", payload } });
  for (const { request } of [whatsapp, messenger])
    assert.equal(request?.timeoutMs, uploadTimeoutMs(media.size));
});

test("an id in an answer without success does not count, and no upload stays open", async () => {
  for (const [status, answer, reason] of [
    [500, { id: "17", attachment_id: "18" }, "unreachable"],
    [200, {}, "unreachable"],
    [400, { error: { code: 100, message: "no" } }, "rejected"],
    [401, { error: { code: 190, message: "no" } }, "misconfigured"],
    [502, { error: { code: 987654, message: "no" } }, "unreachable"],
  ] as const) {
    for (const upload of [toWhatsApp, toMessenger]) {
      const { outcome } = await uploaded(upload, status, answer);
      assert.ok(!outcome.ok);
      assert.equal(outcome.reason, reason);
    }
  }
});

test("an upload has time for its size, and ends with its send before the file's lease", () => {
  const MB = 1024 * 1024;
  assert.ok(uploadTimeoutMs(1) >= 20_000);
  assert.ok(uploadTimeoutMs(16 * MB) - uploadTimeoutMs(MB) >= 60_000);
  for (const bytes of [0, 5 * MB, 16 * MB, 100 * MB])
    assert.ok(uploadTimeoutMs(bytes) + 20_000 < 300_000);
});
