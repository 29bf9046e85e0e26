import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { FILES, startFileServer } from "./files.ts";
import { jsonOf, NUMBER, start, USER } from "./start-whatsapp.ts";

type Stand = Awaited<ReturnType<typeof start>>;

async function upload(
  t: Stand,
  bytes: Buffer,
  type: string,
  more: { product?: string | null; token?: string; filename?: string } = {},
): Promise<{ status: number; body: { id: string; error: { message: string; code: number } } }> {
  const form = new FormData();
  if (more.product !== null) form.set("messaging_product", more.product ?? "whatsapp");
  form.set("type", type);
  form.set("file", new Blob([new Uint8Array(bytes)], { type }), more.filename ?? "f");
  const response = await fetch(`${t.emulator.apiUrl}/${NUMBER.phoneNumberId}/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${more.token ?? NUMBER.accessToken}` },
    body: form,
  });
  return { status: response.status, body: await jsonOf(response) };
}
const get = (url: string, token: string | null = NUMBER.accessToken) =>
  fetch(url, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });
const send = (t: Stand, type: string, content: object) =>
  t.post({ messaging_product: "whatsapp", to: USER, type, [type]: content });

test("an upload is looked up by its id and read at the address given, with the token", async () => {
  await using t = await start();
  const { body } = await upload(t, FILES.png, "image/png");
  assert.match(body.id, /^\d{16}$/);
  const found = await jsonOf(await get(`${t.emulator.apiUrl}/${body.id}`));
  assert.deepEqual(Object.keys(found).toSorted(), [
    "file_size",
    "id",
    "messaging_product",
    "mime_type",
    "sha256",
    "url",
  ]);
  assert.equal(found.sha256, createHash("sha256").update(FILES.png).digest("hex"));
  assert.equal(found.file_size, FILES.png.length);
  const file = await get(found.url);
  assert.equal(file.headers.get("content-type"), "image/png");
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), FILES.png);
  assert.equal((await get(found.url, null)).status, 401);
  assert.equal((await get(found.url, "another")).status, 401);
  // The hash may begin with the letter itself.
  const other = found.url.replace(
    /hash=(.)/,
    (_: string, first: string) => `hash=${first === "-" ? "_" : "-"}`,
  );
  assert.equal((await get(other)).status, 404);
  const own = `${t.emulator.apiUrl}/${body.id}?phone_number_id=`;
  assert.equal((await get(own + NUMBER.phoneNumberId)).status, 200);
  assert.equal((await get(`${own}1`)).status, 400);
});

test("an address is valid for five minutes, an upload for 30 days, a customer's file for 7", async () => {
  await using t = await start();
  const { body } = await upload(t, FILES.png, "image/png");
  const received = t.emulator.addMedia(FILES.jpeg, "image/jpeg", NUMBER.phoneNumberId);
  const look = async (id: string) => jsonOf(await get(`${t.emulator.apiUrl}/${id}`));
  const { url } = await look(body.id);
  t.tick(299_000);
  assert.equal((await get(url)).status, 200);
  t.tick(1_000);
  assert.equal((await get(url)).status, 404);
  assert.equal((await get((await look(body.id)).url)).status, 200);
  t.tick(7 * 86_400_000);
  const gone = await look(received.id);
  assert.deepEqual([gone.error.code, gone.error.error_subcode], [100, 33]);
  assert.match(gone.error.message, /^Unsupported get request\. Object with ID/);
  assert.ok((await look(body.id)).url);
  t.tick(23 * 86_400_000);
  assert.equal((await look(body.id)).error.code, 100);
});

test("an upload is refused for its product, its type, its parameters, its size, its token", async () => {
  await using t = await start();
  const refusal = async (...given: [Buffer, string, object?]) => {
    const { status, body } = await upload(t, ...given);
    return `${status} ${body.error.code} ${JSON.stringify(body.error)}`;
  };
  assert.match(await refusal(FILES.png, "image/png", { product: null }), /^400 100 .*product/);
  assert.match(await refusal(FILES.png, "image/png", { product: "sms" }), /^400 100 .*product/);
  assert.match(await refusal(FILES.gif, "image/gif"), /^400 100 .*one of the following types/);
  assert.match(await refusal(FILES.ogg, "audio/ogg; codecs=opus"), /Received file of type/);
  assert.match(await refusal(Buffer.alloc(0), "image/png"), /^400 100 /);
  const large = Buffer.alloc(5 * 1024 * 1024 + 1);
  assert.match(await refusal(large, "image/jpeg"), /^400 100 .*Too Large/);
  assert.match(await refusal(FILES.png, "image/png", { token: "no" }), /^401 190 /);
  const plain = await t.post(
    { messaging_product: "whatsapp" },
    { path: `${NUMBER.phoneNumberId}/media` },
  );
  assert.match(plain.text, /The parameter file is required/);
});

test("a file is sent by the id of its upload, with caption and name", async () => {
  await using t = await start();
  const { body } = await upload(t, FILES.pdf, "application/pdf");
  const sent = await send(t, "document", { id: body.id, caption: "the bill", filename: "a.pdf" });
  assert.equal(sent.status, 200);
  const [message] = t.emulator.messages();
  assert.deepEqual(
    [message?.type, message?.text, message?.media],
    ["document", "the bill", { id: body.id, caption: "the bill", filename: "a.pdf" }],
  );
});

for (const [what, type, content] of [
  ["an unknown id", "image", { id: "1234567890123456" }],
  ["a caption on sound", "audio", { id: "1", caption: "no" }],
  ["a name on a picture", "image", { id: "1", filename: "a.png" }],
  ["neither id nor link", "image", { caption: "x" }],
  ["both id and link", "video", { id: "1", link: "https://x/y" }],
  ["a caption that is too long", "image", { id: "1", caption: "x".repeat(1025) }],
] as const) {
  test(`a send with ${what} is refused with 100`, async () => {
    await using t = await start();
    const answer = await send(t, type, content);
    assert.deepEqual([answer.status, answer.json().error.code], [400, 100]);
    assert.equal(t.emulator.messages().length, 0);
  });
}

test("a file of another kind, and one with other bytes than its type, fail by webhook with 131053", async () => {
  await using t = await start({ window: "off" });
  const failed = async (type: string, bytes: Buffer, mimeType: string) => {
    const { body } = await upload(t, bytes, mimeType);
    assert.equal((await send(t, type, { id: body.id })).status, 200);
    await t.emulator.flush();
    return t.receiver.statuses().at(-1);
  };
  const wrongKind = await failed("image", FILES.pdf, "application/pdf");
  assert.deepEqual([wrongKind?.status, wrongKind?.errors?.[0]?.code], ["failed", 131053]);
  const wrongBytes = await failed("image", FILES.jpeg, "image/png");
  assert.match(JSON.stringify(wrongBytes), /131053.*on processing/);
  const vorbis = Buffer.from("OggS vorbis only");
  assert.match(JSON.stringify(await failed("audio", vorbis, "audio/ogg")), /131053/);
  const sticker = Buffer.concat([FILES.webp, Buffer.alloc(100 * 1024)]);
  assert.match(JSON.stringify(await failed("sticker", sticker, "image/webp")), /131053/);
  assert.equal((await failed("audio", FILES.ogg, "audio/ogg"))?.status, "read");
});

test("a link is fetched: the file is sent, or fails by webhook with the server's answer", async () => {
  await using t = await start({ window: "off" });
  await using web = await startFileServer({ "/a.png": { type: "image/png", bytes: FILES.png } });
  const last = async (link: string) => {
    assert.equal((await send(t, "image", { link })).status, 200);
    await t.emulator.flush();
    return JSON.stringify(t.receiver.statuses().at(-1));
  };
  assert.match(await last(`${web.url}/a.png`), /"status":"read"/);
  assert.match(await last(`${web.url}/b.png`), /131053.*http code 404/);
  assert.match(await last("http://127.0.0.1:9/a.png"), /131053/);
  assert.deepEqual(web.asked, ["/a.png", "/b.png"]);
});

for (const file of [
  { type: "image", bytes: FILES.jpeg, mimeType: "image/jpeg", caption: "look" },
  { type: "audio", bytes: FILES.ogg, mimeType: "audio/ogg; codecs=opus", voice: true },
  { type: "video", bytes: FILES.mp4, mimeType: "video/mp4" },
  { type: "document", bytes: FILES.pdf, mimeType: "application/pdf", fileName: "a.pdf" },
  { type: "sticker", bytes: FILES.webp, mimeType: "image/webp", animated: false },
] as const) {
  test(`a customer's ${file.type} comes as the platform describes it and can be fetched`, async () => {
    await using t = await start();
    const answer = await fetch(`${t.emulator.url}/_sim/whatsapp/inbound`, {
      method: "POST",
      body: JSON.stringify({
        phoneNumberId: NUMBER.phoneNumberId,
        from: USER,
        file: { ...file, data: file.bytes.toString("base64") },
      }),
    });
    assert.equal(answer.status, 200);
    await t.emulator.flush();
    const [change] = t.receiver.changes();
    const message = JSON.parse(JSON.stringify(change)).value.messages[0];
    assert.equal(message.type, file.type);
    const body = message[file.type];
    assert.equal(body.mime_type, file.mimeType);
    const sha256 = createHash("sha256").update(file.bytes).digest("base64");
    assert.equal(body.sha256, sha256);
    assert.deepEqual(Buffer.from(await (await get(body.url)).arrayBuffer()), file.bytes);
    const found = await jsonOf(await get(`${t.emulator.apiUrl}/${body.id}`));
    assert.equal(found.mime_type, file.mimeType);
  });
}

test("faults of files: upload, look-up and download fail independently; cut, too large, redirected", async () => {
  await using t = await start();
  const { body } = await upload(t, FILES.png, "image/png");
  const { url } = await jsonOf(await get(`${t.emulator.apiUrl}/${body.id}`));
  t.emulator.fault({ kind: "code", code: 131016, on: "upload" });
  t.emulator.fault({ kind: "status", status: 503, on: "download" });
  t.emulator.fault({ kind: "code", code: 190, on: "media" });
  assert.equal((await upload(t, FILES.png, "image/png")).body.error.code, 131016);
  assert.equal((await get(url)).status, 503);
  assert.equal((await get(`${t.emulator.apiUrl}/${body.id}`)).status, 401);
  t.emulator.fault({ kind: "cut", on: "download" });
  await assert.rejects(async () => (await get(url)).arrayBuffer());
  t.emulator.fault({ kind: "oversize", bytes: 3_000_000, on: "download" });
  const large = await get(url);
  assert.equal(large.headers.get("content-length"), null);
  assert.equal((await large.arrayBuffer()).byteLength, 3_000_000);
  t.emulator.fault({ kind: "redirect", on: "download" });
  assert.equal((await fetch(url, { redirect: "manual" })).status, 302);
  t.emulator.fault({ kind: "slow", on: "download", delayMs: 60_000 });
  const slow = await get(url);
  t.emulator.release();
  assert.deepEqual(Buffer.from(await slow.arrayBuffer()), FILES.png);
});
