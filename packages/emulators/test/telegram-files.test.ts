import assert from "node:assert/strict";
import { test } from "node:test";
import { Bot, GrammyError, InputFile } from "grammy";
import type { Message } from "grammy/types";
import { createTelegramEmulator, type FileKind, type TelegramOptions } from "../src/index.ts";

// A client that we did not write sends and reads files, so that the emulator is not only right for our own
// adapter.
const TOKEN = "123456789:AAtest_token-1";
const BOT = "123456789";
const SARA = 5_000_000_001;
const MB = 1024 * 1024;

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from("jpeg")]);
const OGG = Buffer.from("OggS and opus");
const MP3 = Buffer.from("ID3 and a song");
const GIF = Buffer.from("GIF89a and frames");
const WEBP = Buffer.from("RIFF\0\0\0\0WEBPVP8 ");

/** The part of a PNG that gives its size. */
function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(24);
  Buffer.from("\x89PNG\r\n\x1a\n", "latin1").copy(head);
  head.writeUInt32BE(13, 8);
  head.write("IHDR", 12);
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

async function start(options: TelegramOptions = {}) {
  const emulator = await createTelegramEmulator({
    bots: [{ token: TOKEN }],
    limits: { chatIntervalMs: null },
    ...options,
  });
  emulator.restoreChat(BOT, SARA);
  const { api } = new Bot(TOKEN, { client: { apiRoot: emulator.url } });
  const read = async (path: string, token = TOKEN) => {
    const answer = await fetch(`${emulator.url}/file/bot${token}/${path}`);
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  return { emulator, api, read, [Symbol.asyncDispose]: () => emulator.close() };
}

async function refusal(call: Promise<unknown>): Promise<GrammyError> {
  const error = await call.then(
    () => assert.fail("expected a refusal"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof GrammyError, String(error));
  return error;
}

const file = (bytes: Buffer, name: string) => new InputFile(bytes, name);

test("grammy sends a file of every kind, gets the platform's own words for it, and reads its bytes back", async () => {
  await using t = await start();
  const { api } = t;
  const more = { caption: "look 😀" };
  const rows: readonly (readonly [
    Message,
    keyof Message,
    { file_id: string } | undefined,
    Buffer,
  ])[] = await Promise.all([
    api
      .sendPhoto(SARA, file(JPEG, "a.jpg"), more)
      .then((m) => [m, "photo", m.photo.at(-1), JPEG] as const),
    api
      .sendDocument(SARA, file(OGG, "bill.pdf"), more)
      .then((m) => [m, "document", m.document, OGG] as const),
    api.sendVideo(SARA, file(MP3, "v.mp4"), more).then((m) => [m, "video", m.video, MP3] as const),
    api.sendAudio(SARA, file(MP3, "s.mp3"), more).then((m) => [m, "audio", m.audio, MP3] as const),
    api.sendVoice(SARA, file(OGG, "v.ogg"), more).then((m) => [m, "voice", m.voice, OGG] as const),
    api
      .sendAnimation(SARA, file(GIF, "a.gif"), more)
      .then((m) => [m, "animation", m.animation, GIF] as const),
  ]);
  for (const [message, member, stored, bytes] of rows) {
    assert.ok(member in message, member);
    assert.equal(message.caption, "look 😀");
    const { file_path = "", file_size } = await api.getFile(stored?.file_id ?? "");
    assert.equal(file_size, bytes.length);
    assert.deepEqual(await t.read(file_path), { status: 200, bytes });
  }
  const sticker = await api.sendSticker(SARA, file(WEBP, "s.webp"));
  assert.deepEqual([sticker.sticker.is_animated, sticker.sticker.is_video], [false, false]);
  // By id it is the same file again, and its name stays.
  const document = await api.sendDocument(SARA, rows[1]?.[2]?.file_id ?? "");
  assert.equal(document.document.file_name, "bill.pdf");
  // A file that is not OGG shows as what it is.
  assert.ok("audio" in (await api.sendVoice(SARA, file(MP3, "v.ogg"))));
  assert.equal(t.emulator.ledger.total, 9);
});

test("grammy meets the platform's refusals of files", async () => {
  await using t = await start();
  const { api } = t;
  const rows: readonly (readonly [name: string, () => Promise<unknown>, code: number, RegExp])[] = [
    [
      "no photo",
      () => api.sendPhoto(SARA, file(Buffer.from("text"), "a.jpg")),
      400,
      /IMAGE_PROCESS_FAILED/,
    ],
    ["an empty file", () => api.sendDocument(SARA, file(Buffer.alloc(0), "a")), 400, /non-empty/],
    [
      "a photo over 10 MB",
      () => api.sendPhoto(SARA, file(Buffer.concat([JPEG, Buffer.alloc(10 * MB)]), "a.jpg")),
      400,
      /too big for a photo/,
    ],
    [
      "a wide photo",
      () => api.sendPhoto(SARA, file(png(9000, 1001), "a.png")),
      400,
      /PHOTO_INVALID_DIMENSIONS/,
    ],
    [
      "a narrow photo",
      () => api.sendPhoto(SARA, file(png(2100, 100), "a.png")),
      400,
      /PHOTO_INVALID_DIMENSIONS/,
    ],
    [
      "a file over 50 MB",
      () => api.sendDocument(SARA, file(Buffer.alloc(50 * MB + 1), "a.bin")),
      413,
      /Request Entity Too Large/,
    ],
    ["no sticker", () => api.sendSticker(SARA, file(JPEG, "a.webp")), 400, /wrong file type/],
    [
      "a long caption",
      () => api.sendPhoto(SARA, file(JPEG, "a.jpg"), { caption: "😀".repeat(1025) }),
      400,
      /message caption is too long/,
    ],
    ["an unknown id", () => api.sendPhoto(SARA, "AgADnone"), 400, /wrong remote file identifier/],
    ["an unknown file", () => api.getFile("AgADnone"), 400, /invalid file_id/],
  ];
  for (const [name, call, code, words] of rows) {
    const error = await refusal(call());
    assert.equal(error.error_code, code, name);
    assert.match(error.description, words, name);
  }
  assert.equal(t.emulator.messages().length, 0);
  const taken = await api.sendPhoto(SARA, file(png(5000, 5000), "a.png"), {
    caption: "😀".repeat(1024),
  });
  assert.equal(taken.photo.at(-1)?.width, 5000);
});

test("a customer's files come in the platform's words, a photo in two sizes", async () => {
  await using t = await start();
  const kinds: readonly (readonly [FileKind, Buffer])[] = [
    ["photo", JPEG],
    ["document", JPEG],
    ["video", MP3],
    ["animation", GIF],
    ["audio", MP3],
    ["voice", OGG],
    ["video_note", MP3],
    ["sticker", WEBP],
  ];
  for (const [kind, bytes] of kinds)
    t.emulator.inbound({ botId: BOT, from: SARA, file: { kind, bytes, mimeType: "a/b" } });
  const updates = await t.api.getUpdates();
  for (const [index, [kind]] of kinds.entries()) {
    const message = updates[index]?.message;
    assert.ok(message && kind in message, kind);
  }
  assert.deepEqual(
    updates[0]?.message?.photo?.map(({ width }) => width),
    [90, 800],
  );
  // Through the control surface too.
  const answer = await fetch(`${t.emulator.url}/_sim/telegram/inbound`, {
    method: "POST",
    body: JSON.stringify({
      botId: BOT,
      from: SARA,
      file: { kind: "document", base64: JPEG.toString("base64"), name: "x.jpg", caption: "see" },
    }),
  });
  assert.equal(answer.status, 200);
  const [last] = (await t.api.getUpdates()).slice(-1);
  assert.deepEqual([last?.message?.document?.file_name, last?.message?.caption], ["x.jpg", "see"]);
});

test("a path needs the right token, is valid for an hour, and exists for 20 MB at most", async () => {
  let at = 1_770_000_000_000;
  await using t = await start({ clock: { now: () => new Date(at) } });
  const { fileId } = t.emulator.addFile(BOT, JPEG, "image/jpeg", "a.jpg");
  // Before somebody asked for it, there is no path.
  assert.equal((await t.read("documents/file_1.jpg")).status, 404);
  const { file_path = "" } = await t.api.getFile(fileId);
  for (const [token, status] of [
    [TOKEN, 200],
    ["123456789:AAother", 401],
    ["nonsense", 404],
  ] as const)
    assert.equal((await t.read(file_path, token)).status, status, token);
  at += 3_600_000;
  assert.equal((await t.read(file_path)).status, 404);
  assert.equal((await t.api.getFile(fileId)).file_path, file_path);
  assert.equal((await t.read(file_path)).status, 200);
  const big = t.emulator.addFile(BOT, Buffer.alloc(20 * MB + 1), "a/b");
  const error = await refusal(t.api.getFile(big.fileId));
  assert.deepEqual([error.error_code, error.description], [400, "Bad Request: file is too big"]);
});

test("a server with --local names a path on its disk, of any size, and serves none", async () => {
  await using t = await start({ local: true });
  const { fileId } = t.emulator.addFile(BOT, Buffer.alloc(20 * MB + 1), "a/b", "a.bin");
  const { file_path = "" } = await t.api.getFile(fileId);
  assert.match(file_path, /^\/var\/lib\/telegram-bot-api\/.+\/documents\/file_1\.bin$/);
  assert.equal((await t.read("documents/file_1.bin")).status, 404);
});

test("faults of files: look-up and bytes fail independently", async () => {
  await using t = await start();
  const { fileId } = t.emulator.addFile(BOT, JPEG, "image/jpeg", "a.jpg");
  t.emulator.fault({ kind: "code", code: 429, retryAfter: 3, on: "media" });
  assert.equal((await refusal(t.api.getFile(fileId))).parameters.retry_after, 3);
  const { file_path = "" } = await t.api.getFile(fileId);
  t.emulator.fault({ kind: "status", status: 502, on: "download" });
  assert.equal((await t.read(file_path)).status, 502);
  assert.deepEqual((await t.read(file_path)).bytes, JPEG);
  t.emulator.fault({ kind: "drop", accepted: true });
  await assert.rejects(t.api.sendPhoto(SARA, file(JPEG, "a.jpg")));
  assert.equal(t.emulator.ledger.total, 1);
});

test("the journal holds the parameters of a form", async () => {
  await using t = await start();
  await t.api.sendPhoto(SARA, file(JPEG, "a.jpg"), { caption: "c" });
  const seen = t.emulator.requests().at(-1);
  // grammy names the file by a reference to another field.
  const { photo, ...rest } = seen?.parameters ?? {};
  assert.match(String(photo), /^attach:\/\//);
  assert.deepEqual(rest, { chat_id: String(SARA), caption: "c" });
  assert.deepEqual(
    seen?.files?.map(({ name, size }) => [name, size]),
    [["a.jpg", JPEG.length]],
  );
});
