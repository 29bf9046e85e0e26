import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../../../test/v1/api.ts";

// What a handler writes itself obeys `Connection: close` as every other answer does; `/mcp`: `mcp.test.ts`.

let api: Api;
let base: URL;
before(async () => {
  api = await startApi();
  base = new URL(await api.http.listen({ host: "127.0.0.1", port: 0 }));
});
after(() => api[Symbol.asyncDispose]());

for (const path of [
  "/api/v1/usage",
  "/api/v1/none",
  "/api/v1/events/stream",
  "/chat/widget.js",
  "/docs/events.md",
  "/healthz",
])
  test(`${path} says that it closes`, async () => {
    const socket = connect(Number(base.port), base.hostname);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${base.host}\r\nAuthorization: Bearer ${api.bearer}\r\nConnection: close\r\n\r\n`,
    );
    let head = "";
    while (!head.includes("\r\n\r\n")) head += String((await once(socket, "data"))[0]);
    assert.match(head, /^connection: close\r$/im);
    // A stream of events ends with its client.
    if (path.endsWith("/stream")) return void socket.destroy();
    socket.resume();
    await once(socket, "close");
  });
