import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { createTestDatabase } from "../../test/harness.ts";
import { poolerFault } from "./pooler.ts";

/** PostgreSQL's message that it is ready for the next statement, outside of a transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Sends a request, and gives PostgreSQL's answer until it is ready again. */
async function ask(server: Socket, request: Buffer): Promise<Buffer> {
  server.write(request);
  let answer: Buffer = Buffer.alloc(0);
  while (!answer.subarray(-READY.length).equals(READY)) {
    const [more] = (await once(server, "data")) as [Buffer];
    answer = Buffer.concat([answer, more]);
  }
  return answer;
}

/**
 * A pooler in transaction mode that does not support prepared statements. Its `servers` connections serve every client
 * in turn; `next` says which one comes after which.
 */
async function openPooler(databaseUrl: string, servers: number) {
  const { searchParams, pathname } = new URL(databaseUrl.replace("@/", "@localhost/"));
  const directory = searchParams.get("host") ?? "";
  const startup = Buffer.from(`\0\x03\0\0user\0postgres\0database\0${pathname.slice(1)}\0\0`);
  const size = Buffer.alloc(4);
  size.writeInt32BE(4 + startup.length);
  const sockets: Socket[] = [];
  let greeting: Buffer = Buffer.alloc(0);
  for (let n = 0; n < servers; n++) {
    const server = connect(`${directory}/.s.PGSQL.5432`);
    sockets.push(server);
    greeting = await ask(server, Buffer.concat([size, startup]));
  }
  let turn = Promise.resolve();
  let served = 0;
  const listener = createServer((client) => {
    sockets.push(client);
    client.once("data", () => {
      client.write(greeting);
      client.on("data", (request: Buffer) => {
        turn = turn.then(async () => {
          // X: the client leaves.
          if (request[0] === 0x58) return void client.end();
          const server = sockets[served++ % servers];
          if (server !== undefined) client.write(await ask(server, request));
        });
      });
    });
  });
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const { port } = listener.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}${pathname}`,
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

for (const servers of [1, 2, 3])
  test(`a pooler that mixes up prepared statements is reported (${servers} connections in turn)`, async () => {
    const { url, drop } = await createTestDatabase();
    const pooler = await openPooler(url, servers);
    try {
      assert.match((await poolerFault(pooler.url)) ?? "", /^the pooler in front of it mixes up/);
    } finally {
      pooler.close();
      await drop();
    }
  });

test("PostgreSQL itself is not taken for such a pooler", async () => {
  const { url, drop } = await createTestDatabase();
  try {
    assert.deepEqual([await poolerFault(url), await poolerFault(url)], [null, null]);
  } finally {
    await drop();
  }
});
