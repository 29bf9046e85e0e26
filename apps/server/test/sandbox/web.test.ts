import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { loadAccounts } from "../../src/channels/load-accounts.ts";
import { identityHash } from "../../src/chat/identity-proof.ts";
import { addSandboxWeb } from "../../src/sandbox/add-sandbox-channel.ts";
import { findPhone, listLines } from "../../src/sandbox/list-lines.ts";
import { sandboxToken } from "../../src/sandbox/sandbox-token.ts";
import { sayAsVisitor } from "../../src/sandbox/say-as-visitor.ts";
import { FILES } from "../files.ts";
import { startSandboxStand, type SandboxShop, type SandboxStand } from "../sandbox-stand.ts";

/** A web chat of the sandbox: visitors by command, the same ones in the real chat window. */
let stand: SandboxStand;
let shop: SandboxShop;
let channelId: string;
before(async () => {
  stand = await startSandboxStand();
  shop = await stand.open("SMS");
  channelId = (await addSandboxWeb(OPERATOR, stand.t.app, shop.workspaceId)).id;
});
after(() => stand[Symbol.asyncDispose]());

test("the same visitor has one conversation, with a name, files and the answer, and sees it in the chat window", async () => {
  const { app } = stand.t;
  const first = await sayAsVisitor(app, channelId, { from: "mona", name: "Mona", text: "Hello" });
  const file = { fileName: "a.png", mimeType: "image/png", bytes: FILES.png };
  const second = await sayAsVisitor(app, channelId, { from: "mona", text: "look", file });
  const other = await sayAsVisitor(app, channelId, { text: "me too" });
  assert.ok(first.takenIn && first.conversationId !== null);
  assert.equal(second.conversationId, first.conversationId);
  assert.notEqual(other.conversationId, first.conversationId);
  const text = "Nice!";
  await shop.api("POST", "/messages", { conversationId: first.conversationId, text });
  await stand.settle();

  const account = (await loadAccounts(app, [{ workspaceId: shop.workspaceId, channelId }])).get(
    channelId,
  );
  const hash = identityHash(account?.secrets["identitySecret"] ?? "", "mona");
  const response = await fetch(`${stand.base}/chat/v1/${channelId}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user: { id: "mona", hash } }),
  });
  const session = (await response.json()) as {
    messages: { from: string; text: string; attachments: { mimeType: string }[] }[];
  };
  assert.deepEqual(
    session.messages.map((one) => [one.from, one.text, one.attachments[0]?.mimeType]),
    [
      ["visitor", "Hello", undefined],
      ["visitor", "look", "image/png"],
      ["agent", "Nice!", undefined],
    ],
  );
  const received = await shop.events("message.received");
  assert.equal(received.length, 3);
  const { body } = await shop.api("GET", "/contacts?search=Mona");
  assert.equal(body["total"], 1);
});

test("a web chat is listed with its page and has no phones", async () => {
  const lines = await listLines(stand.t.app, shop.workspaceId);
  const page = `${stand.base}/chat/try/${channelId}`;
  const name = "Web chat sandbox";
  const web = { id: channelId, workspaceId: shop.workspaceId, type: "WEB", name, page };
  assert.deepEqual(
    lines.find(({ type }) => type === "WEB"),
    web,
  );
  assert.equal((await fetch(page)).status, 200);
  await assert.rejects(findPhone(stand.t.app, channelId), /which has no phones: open http/);
  const answer = await fetch(`${stand.base}/sandbox/v1/${channelId}/thread`, {
    headers: { authorization: `Bearer ${sandboxToken(stand.t.app, channelId)}` },
  });
  assert.equal(answer.status, 404);
  assert.equal(stand.keeper.sandbox?.line(channelId), null);
});
