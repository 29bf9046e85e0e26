import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { multipart } from "./multipart.ts";
import { createProviderHttp } from "./outbound-http.ts";

const bytes = Buffer.from([0, 13, 10, 45, 45, 255, 254, 0]);
const file = {
  name: "file",
  fileName: "a.png",
  mimeType: "image/png",
  size: bytes.length,
  async *open() {
    yield bytes.subarray(0, 3);
    yield bytes.subarray(3);
  },
};

/** Reads the form with Node's own parser, which is not ours. */
async function readBack({ headers, body }: ReturnType<typeof multipart>): Promise<FormData> {
  const whole = await buffer(body);
  assert.equal(headers["content-length"], String(whole.length));
  return new Response(whole, { headers }).formData();
}

test("values and the file come back byte for byte", async () => {
  const form = await readBack(
    multipart(
      [
        ["messaging_product", "whatsapp"],
        ["caption", 'مرحبا\n"سارة"\r\n--x 😀'],
      ],
      file,
    ),
  );
  assert.equal(form.get("messaging_product"), "whatsapp");
  assert.equal(form.get("caption"), 'مرحبا\n"سارة"\r\n--x 😀');
  const got = form.get("file");
  assert.ok(got instanceof File);
  assert.deepEqual([got.name, got.type], ["a.png", "image/png"]);
  assert.deepEqual(Buffer.from(await got.arrayBuffer()), bytes);
});

const names: [given: string, written: string][] = [
  ["فاتورة 2026.pdf", 'filename="فاتورة 2026.pdf"'],
  ['a"b\\c.txt', 'filename="a%22b\\c.txt"'],
  ['x.png"\r\nX-Evil: 1\r\n\r\nboo', 'filename="x.png%22%0D%0AX-Evil: 1%0D%0A%0D%0Aboo"'],
  ["half \ud83d.png", 'filename="half \ufffd.png"'],
  ["nul\0.png", 'filename="nul.png"'],
];
test("a file's name is escaped as browsers do it, and never begins a header", async () => {
  for (const [fileName, written] of names) {
    const form = multipart([], { ...file, fileName });
    const text = (await buffer(form.body)).toString("utf8");
    const head = text.slice(0, text.indexOf("\r\n\r\n"));
    assert.ok(head.includes(written), head);
    assert.equal(head.split("\r\n").length, 3, "boundary, disposition, type");
    assert.ok((await readBack(form)).get("file") instanceof File);
  }
});

test("a text that is no media type is not written into a header", async () => {
  for (const mimeType of ["", "image", "image/png\r\nX-Evil: 1", "text/html; a=b; c\n"]) {
    const form = multipart([], { ...file, mimeType });
    const text = (await buffer(form.body)).toString("latin1");
    assert.match(text, /Content-Type: application\/octet-stream\r\n\r\n/);
  }
});

test("a form is sent with its length, in one piece", async () => {
  const { promise, resolve } =
    Promise.withResolvers<[string | undefined, string | undefined, Buffer]>();
  const server = createServer((request, response) => void take(request, response));
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    const body = await buffer(request);
    response.end();
    resolve([length, encoding, body]);
  };
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const form = multipart([["a", "b"]], file);
  const answer = await createProviderHttp().request({
    method: "POST",
    url: `http://127.0.0.1:${port}/`,
    ...form,
  });
  const [length, encoding, body] = await promise;
  server.close();
  assert.deepEqual(
    [answer.status, length, encoding, body.length],
    [200, form.headers["content-length"], undefined, Number(length)],
  );
});
