import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR, type MemberRole } from "../../src/actor.ts";
import { AppError } from "../../src/errors.ts";
import { openPhone } from "../../src/sandbox/open-phone.ts";
import { createMember } from "../../src/workspaces/create-member.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

const refusedAs = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code;

test("a customer is played, a fault set and cleared, here and from a process without the sandbox", async () => {
  const shop = await stand.open("WHATSAPP");
  const other = await stand.open("TELEGRAM");
  const here = stand.t.app;
  const elsewhere = { ...here, sandbox: { ...here.sandbox, desk: null } };
  const from = "96550007777";
  for (const [context, text] of [
    [here, "first"],
    [elsewhere, "second"],
  ] as const) {
    const phone = await openPhone(context, shop.workspaceId, shop.added.id);
    assert.ok((await phone.say({ from, text })).conversationId);
    assert.equal(await phone.setFault({ kind: "rejected", next: 1 }), 1);
    const { messages, faults } = await phone.show(from);
    const last = messages.at(-1);
    assert.deepEqual([last?.text, last?.by, last?.tick], [text, "customer", "delivered"]);
    assert.equal(faults, 1);
    await phone.clearFaults();
    assert.equal((await phone.show(from)).faults, 0);
    const odd = phone.say({ from: "Sara", text: "x" });
    await assert.rejects(odd, refusedAs("VALIDATION_FAILED"));
  }
  const stranger = openPhone(here, other.workspaceId, shop.added.id);
  await assert.rejects(stranger, refusedAs("NOT_FOUND"));
});

test("an agent plays the customer from the dashboard, and only an admin sets what goes wrong", async () => {
  const shop = await stand.open("WHATSAPP");
  const { workspaceId } = shop;
  const signedIn = async (role: MemberRole) => {
    const email = `${role}@${workspaceId}.example`;
    const password = "correct horse battery";
    await createMember(OPERATOR, stand.t.app, workspaceId, { email, name: role, role, password });
    const call = async (method: string, path: string, body?: object, cookie = "") => {
      const answer = await fetch(`${stand.base}/api/app${path}`, {
        method,
        headers: { "x-parley": "1", "content-type": "application/json", cookie },
        ...(body && { body: JSON.stringify(body) }),
      });
      const token = /parley=[\w-]+/.exec(answer.headers.get("set-cookie") ?? "")?.[0] ?? "";
      return { status: answer.status, token, text: await answer.text() };
    };
    const { token } = await call("POST", "/sign-in", { email, password });
    return (method: string, path: string, body?: object) => call(method, path, body, token);
  };
  const agent = await signedIn("agent");
  const admin = await signedIn("admin");
  assert.match((await agent("GET", "/sandbox/phones")).text, new RegExp(shop.added.id));
  const phone = `/sandbox/phones/${shop.added.id}`;
  const said = await agent("POST", `${phone}/say`, { customer: "96550001234", text: "hello" });
  assert.equal(said.status, 200);
  assert.match(said.text, /"conversationId":"[\w-]{36}"/);
  const fault = { kind: "rejected" };
  assert.equal((await agent("POST", `${phone}/faults`, fault)).status, 403);
  assert.equal((await admin("POST", `${phone}/faults`, fault)).text, '{"waiting":1}');
  assert.equal((await agent("DELETE", `${phone}/faults`)).status, 403);
  assert.equal((await admin("DELETE", `${phone}/faults`)).text, '{"waiting":0}');
  assert.equal((await agent("POST", "/sandbox/channels", { type: "TELEGRAM" })).status, 403);
  assert.equal((await admin("POST", "/sandbox/channels", { type: "TELEGRAM" })).status, 201);
  assert.match((await agent("GET", "/sandbox/phones")).text, /"type":"TELEGRAM"/);
});
