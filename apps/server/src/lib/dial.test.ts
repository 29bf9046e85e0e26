import assert from "node:assert/strict";
import net, { type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { dial } from "./dial.ts";

const server = net.createServer((socket) => socket.destroy());
let port = 0;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
after(() => server.close());

test("when an address refuses, the next one is tried at once", async () => {
  // With a wait for each of them, the time would be over before the last.
  const refuse = Array.from({ length: 30 }, (_, at) => `127.0.0.${at + 3}`);
  const socket = await dial([...refuse, "127.0.0.1", "::1"], port);
  assert.equal(socket.remoteAddress, "127.0.0.1");
  socket.destroy();
});

test("when an address is silent, the next one is tried beside it, and the silent one is dropped once that answers", async (t) => {
  const { connect } = net;
  const silent = new net.Socket();
  t.mock.method(net, "connect", (options: net.TcpNetConnectOpts) =>
    options.host === "127.0.0.3" ? silent : connect(options),
  );
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const dialled = dial(["127.0.0.3", "127.0.0.1"], port);
  t.mock.timers.tick(250);
  const socket = await dialled;
  assert.deepEqual([socket.remoteAddress, silent.destroyed], ["127.0.0.1", true]);
  socket.destroy();

  const late = dial(["127.0.0.3"], port);
  t.mock.timers.tick(5_000);
  await assert.rejects(late, /timed out/);
});

test("when no address accepts, the error is that of the first", async () => {
  const error = await dial(["127.0.0.3", "::1"], port).then(
    () => assert.fail("connected"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error && "address" in error);
  assert.deepEqual([error.address, "code" in error && error.code], ["127.0.0.3", "ECONNREFUSED"]);
});
