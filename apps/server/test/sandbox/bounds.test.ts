// alone: it counts the streams of its process.
import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { addSandboxChannel } from "../../src/sandbox/add-sandbox-channel.ts";
import { sandboxToken } from "../../src/sandbox/sandbox-token.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

test("a true channel has no phones and takes no faults, whatever the token", async () => {
  const { app } = stand.t;
  const { id: workspaceId } = await createWorkspace(OPERATOR, app, {
    name: "Real",
    plan: "business",
  });
  const { id } = await connectChannel(OPERATOR, app, workspaceId, {
    type: "TELEGRAM",
    name: "Real",
    botToken: "700000001:AAERealToken_0123456789012345678901",
    apiUrl: "http://127.0.0.1:9",
  });
  const authorization = `Bearer ${sandboxToken(app, id)}`;
  for (const [method, path, body] of [
    ["GET", "thread", undefined],
    ["GET", "stream", undefined],
    ["POST", "say", { text: "x" }],
    ["POST", "faults", { kind: "token" }],
    ["DELETE", "faults", undefined],
    ["POST", "remember", {}],
  ] as const) {
    const answer = await fetch(`${stand.base}/sandbox/v1/${id}/${path}`, {
      method,
      headers: { authorization, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.equal(answer.status, 404, path);
    await answer.body?.cancel();
  }
});

test("two hundred phones may listen at once, the next is told to wait, and has the place of one that left", async () => {
  const shop = await stand.open("WHATSAPP");
  const authorization = `Bearer ${sandboxToken(stand.t.app, shop.added.id)}`;
  const listen = async () => {
    const halt = new AbortController();
    const answer = await fetch(`${stand.base}/sandbox/v1/${shop.added.id}/stream`, {
      headers: { authorization },
      signal: halt.signal,
    });
    // The answer is held: one that nobody has any more is collected, and its stream ended with it.
    return { answer, status: answer.status, halt };
  };
  const phones = await Promise.all(Array.from({ length: 200 }, listen));
  assert.deepEqual([...new Set(phones.map(({ status }) => status))], [200]);
  const refused = await listen();
  assert.deepEqual([refused.status, refused.answer.headers.get("retry-after")], [503, "5"]);
  phones[0]?.halt.abort();
  let next = await listen();
  while (next.status === 503) next = await listen();
  assert.equal(next.status, 200);
  for (const { halt } of [...phones, next]) halt.abort();
});

test("a request for a channel that was added a moment ago waits until it is served", async () => {
  const { app } = stand.t;
  const { id: workspaceId } = await createWorkspace(OPERATOR, app, {
    name: "New",
    plan: "business",
  });
  const { id } = await addSandboxChannel(OPERATOR, app, workspaceId, { type: "TELEGRAM" });
  const { desk } = app.sandbox;
  const asked = Promise.withResolvers<void>();
  app.sandbox.desk = {
    line() {
      asked.resolve();
      return null;
    },
  };
  const answer = fetch(`${stand.base}/sandbox/v1/${id}/faults`, {
    headers: { authorization: `Bearer ${sandboxToken(app, id)}` },
  });
  await asked.promise;
  app.sandbox.desk = desk;
  await stand.keeper.look();
  assert.deepEqual(
    [(await answer).status, await (await answer).json()],
    [200, { type: "TELEGRAM", waiting: 0 }],
  );
});
