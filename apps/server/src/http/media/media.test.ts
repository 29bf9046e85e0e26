import assert from "node:assert/strict";
import { rm, truncate } from "node:fs/promises";
import { after, before, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { sql } from "../../db/sql.ts";
import { MediaGround, PNG } from "../../media/media.fixture.ts";
import { readRange } from "./byte-range.ts";
import { contentDisposition } from "./content-disposition.ts";
import { buildHttp } from "../server.ts";

let ground: MediaGround;
let http: FastifyInstance;
before(async () => {
  ground = await MediaGround.open();
  http = await buildHttp(ground.t.app);
});
after(async () => {
  await http.close();
  await ground[Symbol.asyncDispose]();
});

/** A fetched file's path on our server. */
async function stored(bytes: Buffer, mimeType: string, fileName: string | null = null) {
  ground.answer = (_request, response) => response.end(bytes);
  const message = await ground.receives(`${ground.base}/file`, { mimeType, fileName });
  await ground.fetch();
  return pathOf(await ground.attachment(message));
}
const pathOf = (attachment: Record<string, unknown>) => new URL(String(attachment["url"])).pathname;
const get = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  http.inject({ method, url, headers });

test("a picture is shown in place, sandboxed, with a type that no browser guesses", async () => {
  const url = await stored(PNG, "image/png", "صورة.png");
  const answer = await get(url);
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.rawPayload, PNG);
  const { headers } = answer;
  assert.equal(headers["content-type"], "image/png");
  assert.equal(headers["content-length"], String(PNG.length));
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["content-security-policy"], "default-src 'none'; sandbox");
  assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
  assert.equal(headers["cache-control"], "private, max-age=31536000, immutable");
  assert.equal(
    headers["content-disposition"],
    `inline; filename="____.png"; filename*=UTF-8''%D8%B5%D9%88%D8%B1%D8%A9.png`,
  );
});

const HTML = Buffer.from("<!doctype html><script>1</script>");
const downloads: [name: string, bytes: Buffer, claimed: string, type: string, as: string][] = [
  ["x.html", HTML, "text/html", "application/octet-stream", "x.html.bin"],
  ["x.png", HTML, "image/png", "application/octet-stream", "x.png"],
  [
    "x.svg",
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "image/svg+xml",
    "application/octet-stream",
    "x.svg.bin",
  ],
  ["x.pdf", Buffer.from("%PDF-1.7\n%âãÏÓ\n"), "application/pdf", "application/pdf", "x.pdf"],
  ["x.txt", HTML, "text/plain", "text/plain; charset=utf-8", "x.txt"],
  // Its stored type is harmless, but opened from the disk under its name it would be a page.
  ["x.html", HTML, "text/plain", "text/plain; charset=utf-8", "x.html.txt"],
  ["X.HTM.", HTML, "text/plain", "text/plain; charset=utf-8", "X.HTM..txt"],
  [
    "x.xhtml",
    Buffer.from("%PDF-1.7\n<script>"),
    "application/pdf",
    "application/pdf",
    "x.xhtml.pdf",
  ],
  // Types that the system would run or follow when somebody opens them from the disk.
  ...["bat", "EXE", "js", "url", "lnk", "ps1", "vbs", "hta", "scr", "msi", "jar", "cmd", "com"].map(
    (ending): (typeof downloads)[number] => [
      `x.${ending}`,
      Buffer.from([0x4d, 0x5a, 0, 1]),
      "application/pdf",
      "application/octet-stream",
      `x.${ending}.bin`,
    ],
  ),
  ["x.js ", HTML, "text/plain", "text/plain; charset=utf-8", "x.js.txt"],
  ["x.bat..", HTML, "text/plain", "text/plain; charset=utf-8", "x.bat...txt"],
  ["x.json", HTML, "text/plain", "text/plain; charset=utf-8", "x.json"],
  ["a html", HTML, "text/plain", "text/plain; charset=utf-8", "a html"],
];
test("a picture without a name is saved with the extension of its type", async () => {
  const { headers } = await get(await stored(PNG, "image/png"));
  assert.equal(headers["content-disposition"], 'inline; filename="image.png"');
});

test("what could run is only ever downloaded, under a name that nothing opens as a page or runs", async () => {
  for (const [name, bytes, claimed, type, as] of downloads) {
    const { headers } = await get(await stored(bytes, claimed, name));
    assert.equal(headers["content-type"], type, name);
    assert.equal(headers["content-disposition"], `attachment; filename="${as}"`, name);
  }
});

test("a picture named as a page is shown as a picture and saved as one", async () => {
  const { headers } = await get(await stored(PNG, "image/png", "x.html"));
  assert.equal(headers["content-disposition"], 'inline; filename="x.html.png"');
});

test("film is read in ranges, and HEAD describes it without a byte", async () => {
  const bytes = Buffer.concat([
    Buffer.from("000000186674797069736f6d0000020069736f6d6d703431", "hex"),
    Buffer.alloc(5_000, "frame"),
  ]);
  const url = await stored(bytes, "video/mp4");
  const head = await get(url, {}, "HEAD");
  assert.deepEqual([head.statusCode, head.rawPayload.length], [200, 0]);
  assert.deepEqual(
    [head.headers["accept-ranges"], head.headers["content-length"], head.headers["content-type"]],
    ["bytes", String(bytes.length), "video/mp4"],
  );
  const some = await get(url, { range: "bytes=100-199" });
  assert.equal(some.statusCode, 206);
  assert.equal(some.headers["content-range"], `bytes 100-199/${bytes.length}`);
  assert.deepEqual(some.rawPayload, bytes.subarray(100, 200));
  assert.deepEqual((await get(url, { range: "bytes=-24" })).rawPayload, bytes.subarray(-24));
  const beyond = await get(url, { range: `bytes=${bytes.length}-` });
  assert.deepEqual(
    [beyond.statusCode, beyond.headers["content-range"]],
    [416, `bytes */${bytes.length}`],
  );
  const stale = await get(url, { range: "bytes=0-1", "if-range": '"other"' });
  assert.deepEqual([stale.statusCode, stale.rawPayload.length], [200, bytes.length]);
  const etag = String(head.headers["etag"]);
  assert.equal((await get(url, { "if-none-match": `"x", ${etag}` })).statusCode, 304);
});

test("while a file is fetched its address says so; a file that never comes is 404", async () => {
  ground.answer = (_request, response) => response.writeHead(404).end();
  const message = await ground.receives(`${ground.base}/gone`);
  const url = pathOf(await ground.attachment(message));
  const waiting = await get(url);
  assert.deepEqual([waiting.statusCode, waiting.headers["retry-after"]], [503, "5"]);
  assert.equal(waiting.json<{ message: string }>().message, "MEDIA_PENDING");
  await ground.fetch();
  assert.equal((await get(url)).statusCode, 404);
});

test("only addresses that we gave out lead anywhere", async () => {
  const url = await stored(PNG, "image/png");
  const other = await stored(PNG, "image/png");
  const [, , id = "", token = ""] = url.split("/");
  const [, , , otherToken = ""] = other.split("/");
  const bytes = Buffer.from(token, "base64url");
  const forged: string[] = [otherToken, "", "x", token.slice(1), `${token}A`, "A".repeat(64)];
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    forged.push(changed.toString("base64url"));
  }
  for (const one of forged) assert.equal((await get(`/media/${id}/${one}`)).statusCode, 404, one);
  for (const one of [id.toUpperCase(), `${id}%00`, "..", "%2e%2e%2fmaster.key"])
    assert.equal((await get(`/media/${one}/${token}`)).statusCode, 404, one);
  assert.equal((await get(url)).statusCode, 200);
});

test("a file that the store has lost is 404, and only the operator is told", async () => {
  const url = await stored(PNG, "image/png");
  await rm(await placeOf(url));
  const answer = await get(url);
  assert.equal(answer.json<{ message: string }>().message, "NOT_FOUND");
  const { "cache-control": cache, "content-disposition": disposition } = answer.headers;
  assert.deepEqual([answer.statusCode, cache, disposition], [404, undefined, undefined]);
});

/** The place of the file behind an address. */
async function placeOf(url: string): Promise<string> {
  const [, , id = ""] = url.split("/");
  const file = (await ground.files()).find((one) => one.endsWith(id)) ?? assert.fail();
  return `${ground.t.app.config.dataDir}/uploads/${file}`;
}

test("a truncated file is 404, whole or in part", async () => {
  const url = await stored(PNG, "image/png");
  await truncate(await placeOf(url), PNG.length - 1);
  for (const headers of [{}, { range: "bytes=0-9" }, { range: "bytes=-1" }]) {
    const answer = await get(url, headers);
    assert.equal(answer.statusCode, 404);
    assert.deepEqual(answer.json<{ message: string }>().message, "NOT_FOUND");
  }
});

test("when a file is truncated while it is read, the connection breaks and the log says so", async () => {
  const url = await stored(PNG, "image/png");
  const [, , id = ""] = url.split("/");
  const size = 64 * 1024 * 1024;
  const place = await placeOf(url);
  await truncate(place, size);
  await ground.t.app.db.query(sql`update media set size = ${size} where id = ${id}`);
  const said = Promise.withResolvers<object>();
  const stream = { write: (line: string) => said.resolve(JSON.parse(line) as object) };
  const log = pino({ level: "error" }, stream);
  const server = await buildHttp({ ...ground.t.app, log });
  try {
    const base = await server.listen({ host: "127.0.0.1", port: 0 });
    const answer = await fetch(`${base}${url}`);
    assert.deepEqual([answer.status, answer.headers.get("content-length")], [200, String(size)]);
    const reading = answer.body?.getReader() ?? assert.fail();
    await reading.read();
    await truncate(place, 1_000_000);
    await assert.rejects(async () => {
      while (!(await reading.read()).done);
    }, /terminated/);
    assert.partialDeepStrictEqual(await said.promise, { mediaId: id, error: "Error" });
  } finally {
    await server.close();
  }
});

const ranges: [header: string | undefined, size: number, wanted: ReturnType<typeof readRange>][] = [
  [undefined, 10, null],
  ["bytes=0-0", 10, { start: 0, end: 0 }],
  ["bytes=2-", 10, { start: 2, end: 9 }],
  ["bytes=2-99", 10, { start: 2, end: 9 }],
  ["bytes=-3", 10, { start: 7, end: 9 }],
  ["bytes=-99", 10, { start: 0, end: 9 }],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=5-4", 10, null],
  ["bytes=0-1,3-4", 10, null],
  ["bytes=-", 10, null],
  ["items=0-1", 10, null],
  ["bytes=0x1-2", 10, null],
  ["bytes=99999999999999999999-", 10, null],
];
test("ranges as RFC 9110 has them", () => {
  for (const [header, size, wanted] of ranges)
    assert.deepEqual(readRange(header, size), wanted, String(header));
});

test("a file's name cannot end a header and is readable in every language", () => {
  const name = 'a"; filename="b.exe\r\nX-Evil: 1 (*) ü.png';
  const value = contentDisposition(false, name);
  assert.doesNotMatch(value, /[\r\n]/);
  const [, encoded = ""] = /filename\*=UTF-8''([\w%.!~-]+)$/.exec(value) ?? [];
  assert.equal(decodeURIComponent(encoded), name);
  assert.equal(contentDisposition(true, "a b.png"), 'inline; filename="a b.png"');
});
