import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AppError } from "../../src/errors.ts";
import { sandboxHandlers as sandbox } from "../../src/http/dashboard/sandbox.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

const refusedAs = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code;

test("a member plays a customer, sets a fault and clears it, here and from a process without the sandbox", async () => {
  const shop = await stand.open("WHATSAPP");
  const other = await stand.open("TELEGRAM");
  const here = stand.t.app;
  const elsewhere = { ...here, sandbox: { ...here.sandbox, desk: null } };
  const caller = { workspaceId: shop.workspaceId };
  const { phones } = await sandbox.listPhones(here, { caller });
  assert.deepEqual(
    phones.map(({ id, type, customer }) => ({ id, type, customer })),
    [{ id: shop.added.id, type: "WHATSAPP", customer: "96550001234" }],
  );
  const params = { id: shop.added.id };
  const customer = "96550007777";
  for (const [context, text] of [
    [here, "first"],
    [elsewhere, "second"],
  ] as const) {
    const body = { customer, text };
    const { conversationId } = await sandbox.sayOnPhone(context, { caller, params, body });
    assert.ok(conversationId);
    const fault = { caller, params, body: { kind: "rejected" } } as const;
    assert.deepEqual(await sandbox.setPhoneFault(context, fault), { waiting: 1 });
    const screen = await sandbox.readPhone(context, { caller, params, query: { customer } });
    const last = screen.messages.at(-1);
    assert.deepEqual([last?.text, last?.by, last?.tick], [text, "customer", "delivered"]);
    assert.equal(screen.faults, 1);
    assert.deepEqual(await sandbox.clearPhoneFaults(context, { caller, params }), { waiting: 0 });
  }
  const stranger = { caller: { workspaceId: other.workspaceId }, params, query: { customer } };
  await assert.rejects(sandbox.readPhone(here, stranger), refusedAs("NOT_FOUND"));
  const odd = { caller, params, body: { customer: "Sara", text: "x" } };
  for (const context of [here, elsewhere])
    await assert.rejects(sandbox.sayOnPhone(context, odd), refusedAs("VALIDATION_FAILED"));
});
