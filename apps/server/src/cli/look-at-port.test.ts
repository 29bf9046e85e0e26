import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttp } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { serve } from "../../test/web-shop.ts";
import { askProcesses, lookAtPort, publicUrlWarning } from "./look-at-port.ts";

const host = "127.0.0.1";

async function listening(server: Server): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

test("doctor distinguishes a free port, Parley's own port and another program's port", async () => {
  await using t = await startTestApp();
  const { server, base } = await serve(t.app);
  const web = createHttp((_request, response) => response.end('{"status":"ok"}'));
  const silent = createServer((socket) => socket.destroy());
  try {
    const ours = Number(new URL(base).port);
    const fine = { fault: null };
    assert.deepEqual(await lookAtPort({ host, port: ours }, "running"), {
      port: "Parley",
      ...fine,
    });
    assert.deepEqual(await lookAtPort({ host, port: ours }, "unknown"), {
      port: "Parley",
      ...fine,
    });
    assert.deepEqual(await lookAtPort({ host, port: ours }, "not running"), {
      port: "another Parley",
      fault: `PORT ${ours} on ${host} is taken by a Parley with another data folder; set another PORT`,
    });
    for (const other of [web, silent]) {
      const port = await listening(other);
      assert.deepEqual(await lookAtPort({ host, port }, "not running"), {
        port: "another program",
        fault: `PORT ${port} on ${host} is taken by another program; set another PORT`,
      });
      assert.deepEqual(await lookAtPort({ host, port }, "running"), {
        port: "another program",
        ...fine,
      });
    }
  } finally {
    await server.close();
    web.close();
    silent.close();
  }
});

test("doctor asks each process of this machine at its own address, and none of another machine", async () => {
  await using t = await startTestApp();
  const { server, base } = await serve(t.app);
  const silent = createServer((socket) => socket.destroy());
  const deaf = `http://${host}:${await listening(silent)}`;
  try {
    const machine = "here";
    const places = [
      { role: "api", machine, address: base },
      { role: "worker", machine, address: deaf },
      { role: "worker", machine: "there", address: deaf },
    ];
    const { processes, faults } = await askProcesses(places, machine);
    assert.deepEqual(
      processes.map(({ answers }) => answers),
      [true, false, null],
    );
    assert.deepEqual(faults, [`the worker process at ${deaf} runs but does not answer`]);
  } finally {
    await server.close();
    silent.close();
  }
});

test("doctor says why nothing can listen at an impossible address", async () => {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, "close");
  assert.deepEqual(await lookAtPort({ host, port }, "not running"), { port: "free", fault: null });
  assert.deepEqual(await lookAtPort({ host, port: 0 }, "not running"), {
    port: "chosen at start",
    fault: null,
  });
  // Beside a server, too: its next start would fail.
  for (const server of ["not running", "running"] as const)
    assert.deepEqual(await lookAtPort({ host: "192.0.2.1", port }, server), {
      port: "no",
      fault: "HOST 192.0.2.1 is no address of this machine",
    });
});

test("doctor says where PARLEY_PUBLIC_URL leads when that is no Parley", async () => {
  await using t = await startTestApp();
  const { server, base } = await serve(t.app);
  const elsewhere = createHttp((_request, response) =>
    response.writeHead(301, { location: "https://chat.example.com/" }).end(),
  );
  try {
    assert.equal(await publicUrlWarning(base), null);
    const other = `http://${host}:${await listening(elsewhere)}`;
    assert.match(
      (await publicUrlWarning(other)) ?? "",
      /^PARLEY_PUBLIC_URL http:.* answers there, with 301 to https:\/\/chat.example.com\/\./,
    );
  } finally {
    await server.close();
    elsewhere.close();
    await once(elsewhere, "close");
  }
  assert.match(
    (await publicUrlWarning(base)) ?? "",
    /does not lead here, seen from this machine: \S/,
  );
});
