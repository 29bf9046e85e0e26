import assert from "node:assert/strict";
import { test } from "node:test";
import type { SandboxLine } from "../../lib/sandbox-slot.ts";
import { PhoneLog } from "../../sandbox/phone-log.ts";
import { SlowReader } from "../connections/slow-reader.fixture.ts";
import { streamLine } from "./stream.ts";

const AT = new Date("2026-01-01T00:00:00Z");

function phones() {
  const log = new PhoneLog();
  const nothing = () => assert.fail("the stream only listens");
  const line: SandboxLine = {
    id: "line",
    workspaceId: "shop",
    type: "WHATSAPP",
    thread: (query) => log.read(query),
    listen: (listener) => log.listen(listener),
    say: nothing,
    act: nothing,
    setFault: nothing,
    clearFaults: nothing,
    setMagic: nothing,
    faultCount: 0,
    remember: nothing,
  };
  const say = (text: string, customer = "1") =>
    log.add(customer, { kind: "message", by: "business", messageId: "m", text, type: "text" }, AT);
  return { line, say };
}

test("a stuck phone is held with a bounded buffer, and gets what is kept once it reads again", async () => {
  const { line, say } = phones();
  const reader = new SlowReader();
  const end = streamLine(line, { after: undefined, customer: undefined }, reader);
  reader.stuck = true;
  for (let n = 1; n <= 2_000; n++) say(`#${n} ${"x".repeat(500)}`);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(reader.writableLength < 80 * 1024, `${reader.writableLength} bytes wait`);
  reader.release();
  await reader.heard("#2000 ");
  end();
  assert.match(reader.text, /event: end\ndata: {"reason":"shutdown"}/);
});

test("a reader that was gone before the stream began is not subscribed", () => {
  const { line } = phones();
  let listening = 0;
  const listen = () => {
    listening++;
    return () => listening--;
  };
  const reader = new SlowReader();
  reader.destroy();
  reader.removeAllListeners();
  streamLine({ ...line, listen }, { after: undefined, customer: undefined }, reader);
  assert.equal(listening, 0);
});
