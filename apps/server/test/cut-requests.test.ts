import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import net from "node:net";
import { Writable } from "node:stream";
import { test } from "node:test";
import { pino } from "pino";
import { sql } from "../src/db/sql.ts";
import { startTestApp } from "./harness.ts";
import { serve, WebShop } from "./web-shop.ts";

test("a client that hangs up in a request leaves no fault and no overload in the log", async () => {
  let written = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  await using t = await startTestApp({ overrides: { log: pino({ level: "warn" }, stream) } });
  const { server, base } = await serve(t.app);
  const shop = await WebShop.open(t.app, base);
  const { token } = await shop.visitor();
  const chat = `/chat/v1/${shop.channelId}`;
  const { port } = new URL(base);
  /** A request whose last bytes never come: its connection ends as soon as the server has begun with it. */
  const cut = async (path: string, headers: string) => {
    const asked = once(server.server, "request") as Promise<[IncomingMessage]>;
    const socket = net.connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\norigin: https://shop.example\r\ncontent-length: 5000\r\n${headers}\r\n\r\n{"name":"`,
    );
    const [request] = await asked;
    const ended = new Promise((resolve) => request.once("close", resolve));
    request.socket.destroy();
    await ended;
  };
  try {
    const bearer = `authorization: Bearer ${token}`;
    await cut(`${chat}/files?name=a.txt`, `content-type: text/plain\r\n${bearer}`);
    await cut(`${chat}/messages`, `content-type: application/json\r\n${bearer}`);
    await cut(`${chat}/session`, "content-type: application/json");
    // What each of them still asked of the database is answered by then.
    for (let asked = 0; asked < 20; asked++) await t.app.db.query(sql`select 1`);
  } finally {
    await server.close();
  }
  assert.equal(written, "");
});
