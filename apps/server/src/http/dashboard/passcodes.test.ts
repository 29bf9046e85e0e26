import assert from "node:assert/strict";
import { test } from "node:test";
import { startSandboxStand } from "../../../test/sandbox-stand.ts";
import { OPERATOR } from "../../actor.ts";
import { addSandboxChannel } from "../../sandbox/add-sandbox-channel.ts";
import { FACES, StockedWorkspace } from "./faces.fixture.ts";

const TEXT = "Your code is 482913";

test("an admin sends a passcode from the dashboard and sees it in the log, whose pages hold no text and nobody else's passcodes", async () => {
  await using stand = await startSandboxStand();
  const theirs = await StockedWorkspace.open(stand, "Theirs");
  const ours = await StockedWorkspace.open(stand, "Ours");
  for (const { id } of [theirs, ours])
    await addSandboxChannel(OPERATOR, stand.t.app, id, { type: "SMS" });
  // The sandbox serves both accounts and verifies each by a test message.
  await stand.look();
  const send = async (from: StockedWorkspace, mobile: string) =>
    from.ask("admin", FACES.sendPasscode, { body: { mobile, message: TEXT } });
  const log = async (query: { readonly before?: string } = {}) => {
    const { status, text } = await ours.ask("admin", FACES.listPasscodes, { query });
    assert.equal(status, 200, text);
    assert.ok(!text.includes("482913"), text);
    const page: {
      items: { id: string; mobile: string; status: string; memberId: string | null }[];
      next: string | null;
    } = JSON.parse(text);
    return page;
  };
  await send(theirs, "96551119999");
  assert.deepEqual(await log(), { items: [], next: null });
  for (let n = 0; n < 51; n++) {
    const { status, text } = await send(ours, `9655111${1000 + n}`);
    assert.equal(status, 200, text);
    assert.equal(JSON.parse(text).sent, true, text);
  }
  const first = await log();
  assert.deepEqual([first.items.length, first.items[0]?.mobile], [50, "96551111050"]);
  assert.ok(first.items.every(({ memberId }) => memberId !== null));
  assert.ok(first.items.every(({ status }) => status === "sent" || status === "delivered"));
  const rest = await log({ before: first.next ?? "" });
  assert.deepEqual([rest.items.map(({ mobile }) => mobile), rest.next], [["96551111000"], null]);
  // A refusal by the gateway is an ordinary answer, and its record says why.
  const refused = JSON.parse((await send(ours, "not a phone")).text);
  assert.deepEqual([refused.sent, refused.errorCode], [false, "INVALID_NUMBER"]);
  assert.equal((await log()).items[0]?.status, "failed");
});
