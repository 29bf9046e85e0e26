import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { rotateSecret } from "../../src/webhooks/rotate-secret.ts";
import { startTestApp } from "../harness.ts";
import { bareWorkspace, emitSome, startReceiver, type Received } from "../webhook-receiver.ts";

const SCRIPT = path.join(import.meta.dirname, "../data/verify_webhook.py");
const python = spawnSync("python3", ["--version"], { encoding: "utf8" }).status === 0;

/** What a receiver in another language, written from the documents alone, says of a request: both signature forms. */
function verdict(request: Received, secret: string, nowMs: number): unknown {
  const { status, stdout, stderr } = spawnSync("python3", [SCRIPT], {
    encoding: "utf8",
    input: JSON.stringify({
      headers: request.headers,
      body: Buffer.from(request.body).toString("base64"),
      secret,
      now: Math.floor(nowMs / 1_000),
    }),
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test(
  "a receiver in Python verifies every attempt, through a rotation, and nothing else",
  { skip: !python && "there is no python3 here" },
  async () => {
    await using t = await startTestApp();
    const receiver = await startReceiver();
    try {
      const id = await bareWorkspace(t);
      const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/py` });
      receiver.answers.set("/py", (response) => response.writeHead(503).end());
      const now = () => t.clock.now().getTime();
      await emitSome(t, id);
      await t.app.drain();
      const { secret } = await rotateSecret(OPERATOR, t.app, id, endpoint.id);
      t.clock.advance(20_000);
      await t.app.drain();
      const [first, second] = receiver.received;
      assert.ok(first && second);
      const fine = ["ok", "ok", true];
      const unsigned = ["no signature fits", "no signature fits", true];
      assert.deepEqual(verdict(first, endpoint.secret, now()), fine);
      assert.deepEqual(verdict(first, secret, now()), unsigned);
      assert.deepEqual(verdict(second, endpoint.secret, now()), fine);
      // Standard Webhooks carries both meanwhile; the spec's header has one signature, of the old secret.
      assert.deepEqual(verdict(second, secret, now()), ["no signature fits", "ok", true]);
      t.clock.advance(24 * 60 * 60 * 1_000);
      await t.app.drain();
      const third = receiver.received[2];
      assert.ok(third);
      assert.deepEqual(verdict(third, endpoint.secret, now()), unsigned);
      assert.deepEqual(verdict(third, secret, now()), fine);
      const changed = { ...third, body: third.body.replace('"usage":8', '"usage":9') };
      assert.notEqual(changed.body, third.body);
      assert.deepEqual(verdict(changed, secret, now()), unsigned);
      const late = ["the time is too far off", "the time is too far off", true];
      assert.deepEqual(verdict(third, secret, now() + 302_000), late);
    } finally {
      receiver.close();
    }
  },
);
