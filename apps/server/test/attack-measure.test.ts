import { fork } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { OPERATOR } from "../src/actor.ts";
import { OURS, PASSWORD } from "../src/http/dashboard/people.fixture.ts";
import { buildHttp } from "../src/http/server.ts";
import { MediaGround } from "../src/media/media.fixture.ts";
import { createMember } from "../src/workspaces/create-member.ts";
import { createWorkspace } from "../src/workspaces/create-workspace.ts";
test("measure", { timeout: 300_000 }, async () => {
  await using ground = await MediaGround.open();
  const http = await buildHttp(ground.t.app);
  ground.answer = (_request, response) => response.end("hello");
  const message = await ground.receives(`${ground.base}/file`, {
    mimeType: "text/plain",
    fileName: "a.txt",
  });
  await ground.fetch();
  const path = new URL(String((await ground.attachment(message))["url"])).pathname;
  const w = await createWorkspace(OPERATOR, ground.t.app, { name: "B" });
  const email = "o@example.com";
  await createMember(OPERATOR, ground.t.app, w.id, {
    email,
    name: "O",
    role: "owner",
    password: PASSWORD,
  });
  await http.listen({ port: 0, host: "127.0.0.1" });
  const a = http.server.address();
  const base = typeof a === "object" && a ? `http://127.0.0.1:${a.port}` : "";
  for (const face of ["resets", "set-up"]) {
    const start = (ROLE: string) =>
      fork("/tmp/attacker.mjs", [base, path, email, PASSWORD, face], {
        env: { ...process.env, ROLE, OURS: JSON.stringify(OURS) },
        execArgv: [],
      });
    const files = start("files");
    await once(files, "message");
    const attack = start("attack");
    const [done] = await once(attack, "message");
    const last = once(files, "message");
    setTimeout(() => files.send("stop"), 300);
    const [seen] = await last;
    console.log("FIGURES", face, JSON.stringify(done), JSON.stringify(seen));
  }
  await http.close();
});
