import assert from "node:assert/strict";
import net, { type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { sql } from "../db/sql.ts";
import { MediaGround, PNG } from "./media.fixture.ts";

/** A customer's message may name any address for its file. */
let ground: MediaGround;
let connections = 0;
const inner = net.createServer((socket) => {
  connections++;
  socket.on("error", () => {});
  socket.end("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret");
});
let port = 0;
before(async () => {
  ground = await MediaGround.open();
  await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
  port = (inner.address() as AddressInfo).port;
});
after(async () => {
  inner.close();
  await ground[Symbol.asyncDispose]();
});

test("no address inside our network is called, however it is spelled, and the agent reads why", async () => {
  const addresses = [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `https://localhost:${port}/`,
    `https://2130706433:${port}/`,
    `https://0x7f.1:${port}/`,
    `https://0177.0.0.1:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://①②⑦.0.0.1:${port}/`,
    `${ground.base}@127.0.0.1:${port}/`,
    `http://user:pass@127.0.0.1:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254/",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://[fd00::1]/",
    "https://metadata.google.internal/",
    "https://parley/",
    "http://93.184.215.14/plain-http",
    "file:///etc/passwd",
    "data:text/plain,secret",
  ];
  for (const url of addresses) {
    const message = await ground.receives(url);
    await ground.fetch();
    const { status, reason } = await ground.attachment(message);
    assert.deepEqual([status, reason], ["failed", "blocked_address"], url);
  }
  assert.equal(connections, 0);
  assert.deepEqual(await ground.files(), []);
});

test("a redirect into our network is not followed, not even from the platform's own address", async () => {
  ground.answer = (_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
  const message = await ground.receives(`${ground.base}/moved`);
  await ground.fetch();
  assert.equal((await ground.attachment(message))["reason"], "gone");
  assert.equal(connections, 0);
});

test("the account's own address is called as the operator set it, private or not", async () => {
  ground.answer = (_request, response) => response.end(PNG);
  const message = await ground.receives(`${ground.base}/mine`);
  await ground.fetch();
  assert.equal((await ground.attachment(message))["status"], "stored");
});

test("the address of a file, which may hold a token, is not readable in the database", async () => {
  await ground.receives(`${ground.base}/bot123:TOKEN/file`);
  const rows = await ground.t.app.db.query<{ row: string }>(
    sql`select m::text as row from media m`,
  );
  const text = rows.map(({ row }) => row).join();
  assert.doesNotMatch(text, new RegExp(`TOKEN|${Buffer.from("TOKEN").toString("hex")}`));
  await ground.fetch();
});
