import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { listTemplates } from "../templates/list-templates.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import type { ConnectInput } from "./account-form.ts";
import { connectAccount } from "./connect-account.ts";
import { findChannel } from "./list-channels.ts";

const META = { accessToken: "EAAB-token", appSecret: "secret", verifyToken: "verify" };
const COMPONENTS = [{ type: "BODY", text: "Hi" }];
const TEMPLATES = {
  status: 200,
  body: JSON.stringify({
    data: [{ id: "1", name: "hi", language: "en", status: "APPROVED", components: COMPONENTS }],
  }),
};
const NOT_THE_PLATFORM = { status: 404, body: "<h1>no such page</h1>" };

let t: TestApp;
let platform: Server;
let apiUrl: string;
let workspaceId: string;
let answer: { status: number; body: string };
before(async () => {
  t = await startTestApp();
  platform = createServer((request, response) => {
    const { status, body } = request.url?.includes("/message_templates") ? TEMPLATES : answer;
    request.resume().on("end", () => response.writeHead(status).end(body));
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => platform.once("listening", listening));
  apiUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  workspaceId = (await createWorkspace(OPERATOR, t.app, { name: "Shop", plan: "business" })).id;
});
beforeEach(() => {
  answer = NOT_THE_PLATFORM;
});
after(async () => {
  platform.close();
  platform.closeAllConnections();
  await t[Symbol.asyncDispose]();
});

const ACCOUNTS: readonly Exclude<ConnectInput, { type: "WEB" }>[] = [
  { type: "MESSENGER", name: "Page", pageId: "2001", ...META },
  { type: "INSTAGRAM", name: "Profile", accountId: "3001", ...META },
  { type: "TELEGRAM", name: "Bot", botToken: "4001:AAH-token_of_the_bot" },
  { type: "TIKTOK", name: "Account", businessId: "5001", accessToken: "act", appSecret: "secret" },
];

for (const account of ACCOUNTS) {
  test(`${account.type}: an answer of something in the platform's place, at a connect, does not put the channel in error`, async () => {
    const channel = await connectAccount(OPERATOR, t.app, workspaceId, { ...account, apiUrl });
    assert.deepEqual([channel.status, channel.statusReason], ["connected", null]);
    assert.match(channel.syncError ?? "", /^HTTP_404: /);
  });
}

test("WhatsApp: templates are read at once after a connect whose setup could not be done", async () => {
  const { id } = await connectAccount(OPERATOR, t.app, workspaceId, {
    type: "WHATSAPP",
    name: "Number",
    phoneNumberId: "6001",
    wabaId: "6002",
    apiUrl,
    ...META,
  });
  // The clock does not move: what is due is due now.
  await t.app.drain();
  assert.deepEqual(
    (await listTemplates(t.app, workspaceId)).map(({ name }) => name),
    ["hi"],
  );
  const channel = await findChannel(t.app, workspaceId, id);
  assert.deepEqual([channel.status, channel.syncError?.slice(0, 8)], ["connected", "HTTP_404"]);
});

test("once the platform itself answers, its refusal puts the channel in error and its consent ends the error", async () => {
  const account: ConnectInput = { type: "MESSENGER", name: "Page", pageId: "2002", ...META };
  const { id } = await connectAccount(OPERATOR, t.app, workspaceId, { ...account, apiUrl });
  const lookAgain = async () => {
    t.clock.advance(600_000);
    await t.app.drain();
    return findChannel(t.app, workspaceId, id);
  };
  const error = { message: "Missing permission", type: "OAuthException", code: 200 };
  answer = { status: 403, body: JSON.stringify({ error }) };
  const refused = await lookAgain();
  assert.equal(refused.status, "error");
  assert.match(refused.statusReason ?? "", /^200: /);
  answer = NOT_THE_PLATFORM;
  assert.equal((await lookAgain()).status, "error");
  answer = { status: 200, body: JSON.stringify({ success: true }) };
  const taken = await lookAgain();
  assert.deepEqual([taken.status, taken.syncError], ["connected", null]);
});
