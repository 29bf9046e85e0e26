import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Server } from "node:net";
import { Writable } from "node:stream";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { createMember } from "./create-member.ts";
import { createWorkspace } from "./create-workspace.ts";
import { createMailer, mailFault, mailNotices } from "./mail-notices.ts";
import { notifyAdmins } from "./notify-admins.ts";

const PASSWORD = "pass %25 canary";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

/** A mail server that repeats what it refuses: the login, or the recipient's address. */
async function quotingServer(refuses: "login" | "recipient"): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.setEncoding("utf8").write("220 test\r\n");
    socket.on("data", (line: string) => {
      const plain = Buffer.from(/^AUTH PLAIN (\S+)/.exec(line)?.[1] ?? "", "base64").toString();
      if (/^EHLO/i.test(line)) socket.write("250-test\r\n250 AUTH PLAIN\r\n");
      else if (plain !== "" && refuses === "login")
        socket.write(`535 5.7.8 not ${line.trim()}, ${plain.replaceAll("\0", " ")}\r\n`);
      else if (plain !== "") socket.write("235 ok\r\n");
      else if (/^RCPT/i.test(line)) socket.write(`550 5.1.1 nobody is ${line.trim()}\r\n`);
      else socket.write("250 ok\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const urlOf = (server: Server) =>
  `smtp://ops:${encodeURIComponent(PASSWORD)}@127.0.0.1:${(server.address() as AddressInfo).port}`;

test("when a mail server repeats the login and the addresses, no log and no line of doctor shows them", async () => {
  let written = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const context = { db: t.app.db, clock: t.clock, log: pino({ level: "trace" }, stream) };
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "Shop" });
  const boss = { email: "boss@example.com", name: "Boss", role: "owner" as const };
  await createMember(OPERATOR, t.app, id, { ...boss, password: "long enough" });
  for (const refuses of ["login", "recipient"] as const) {
    const server = await quotingServer(refuses);
    await t.app.db.transaction((tx) =>
      notifyAdmins(t.app, tx, id, { kind: "x", subject: "Look", body: "At", dedupe: refuses }),
    );
    assert.equal(await mailNotices(context, createMailer(urlOf(server))), 1);
    if (refuses === "login") written += String(await mailFault(urlOf(server)));
    server.close();
  }
  assert.match(written, /535 5\.7\.8 not AUTH PLAIN …/);
  assert.match(written, /550 5\.1\.1 nobody is RCPT TO:<…>/);
  const plain = Buffer.from(`\0ops\0${PASSWORD}`).toString("base64");
  for (const hidden of [PASSWORD, plain, boss.email])
    assert.ok(!written.includes(hidden), `${hidden} in ${written}`);
});
