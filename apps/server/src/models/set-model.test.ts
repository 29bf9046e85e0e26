import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createModelEmulator } from "@parley/emulators";
import { startApi, type Api } from "../../test/v1/api.ts";
import { OPERATOR, type Actor } from "../actor.ts";
import { sql } from "../db/sql.ts";
import { answerOf } from "../write.ts";
import { modelOf, readModel, writeEmulation } from "./find-model.ts";
import { emulationKey } from "./model.ts";
import { setModel } from "./set-model.ts";
import { testModel } from "./test-model.ts";

const OWNER: Actor = {
  kind: "member",
  memberId: "01a3b0e2-7c00-7000-8000-0123456789ab",
  role: "owner",
};
const ALLOWED = "http://127.0.0.1:11434/v1";

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api[Symbol.asyncDispose]());

test("an operator names any address, a workspace public ones and those of the setting; the key is sealed", async () => {
  const { workspaceId } = await api.newWorkspace();
  const byMembers = {
    ...api.app,
    operator: false,
    config: { ...api.app.config, modelUrls: [ALLOWED], outboundAllow: [] },
  };
  const named = { protocol: "openai-chat", name: "m" } as const;
  const given = { ...named, key: "sk-secret" };
  const set = (url: string, more: object = {}) =>
    setModel(OWNER, byMembers, workspaceId, { ...given, url, ...more });
  for (const url of [
    "http://127.0.0.1:9/v1",
    "https://10.0.0.1",
    "ftp://x",
    "https://a:b@203.0.114.7",
  ])
    await assert.rejects(set(url), /^AppError: url: /);
  await set(`${ALLOWED}/`);
  const shown = await readModel(OWNER, api.app, workspaceId, {});
  assert.deepEqual([shown.url, shown.hasKey, shown.emulated], [ALLOWED, true, false]);
  assert.ok(!JSON.stringify(shown).includes("sk-secret"));
  const [row] = await api.app.db.query<{ stored: string }>(
    sql`select encode(key_sealed, 'escape') || model::text as stored from model where workspace_id = ${workspaceId}`,
  );
  assert.ok(row && !row.stored.includes("sk-secret"));
  assert.equal((await modelOf(api.app, workspaceId, { sandbox: false }))?.profile.key, "sk-secret");

  await setModel(OWNER, byMembers, workspaceId, { ...named, name: "n", url: ALLOWED });
  assert.equal((await modelOf(api.app, workspaceId, { sandbox: false }))?.profile.key, "sk-secret");
  // A stored key goes to no other address.
  await assert.rejects(
    setModel(OWNER, { ...byMembers, operator: true }, workspaceId, {
      ...named,
      url: "https://203.0.114.7",
    }),
    /key: is required/,
  );
});

test("without a model, the emulation answers on the sandbox alone; it may move", async () => {
  await using model = await createModelEmulator({ key: emulationKey(api.app.sealer) });
  const { workspaceId } = await api.newWorkspace();
  await writeEmulation(api.app.db, model.url);
  assert.equal(await modelOf(api.app, workspaceId, { sandbox: false }), null);
  const found = await modelOf(api.app, workspaceId, { sandbox: true });
  assert.ok(found?.profile.emulated);
  const tested = answerOf(await testModel(OPERATOR, api.app, workspaceId, {}));
  assert.deepEqual(Object.entries(Object(tested)).slice(0, 2), [
    ["ok", true],
    ["outcome", "ok"],
  ]);
  const { key, url } = model;
  const given = { protocol: "anthropic-messages", name: "fault:401", key, url } as const;
  await setModel(OPERATOR, { ...api.app, operator: true }, workspaceId, given);
  await writeEmulation(api.app.db, "http://127.0.0.1:1");
  const moved = await modelOf(api.app, workspaceId, { sandbox: false });
  assert.deepEqual([moved?.profile.url, moved?.profile.emulated], ["http://127.0.0.1:1", true]);
  await writeEmulation(api.app.db, url);
  const refused: unknown = answerOf(await testModel(OPERATOR, api.app, workspaceId, {}));
  const { ok, outcome, detail } = Object(refused) as Record<string, unknown>;
  assert.deepEqual([ok, outcome, detail], [false, "misconfigured", "401 authentication_error"]);
});
