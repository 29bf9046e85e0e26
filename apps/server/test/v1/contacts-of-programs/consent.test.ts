import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { changeConsents } from "../../../src/contacts/consent/set-consent.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

/** A contact who wrote STOP now. */
async function stopped() {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const made = await api.call("POST", "/contacts", { json: { phone: "201001234567" }, bearer });
  const contactId = String(made.body["id"]);
  const at = api.clock.now();
  const stop = { workspaceId, contactId, optedOut: true, source: "stop_word", detail: "STOP", at };
  await api.app.db.transaction((tx) => changeConsents(api.app, tx, [stop]));
  api.clock.advance(60_000);
  const put = (json: object, key = bearer) =>
    api.call("PUT", `/contacts/${contactId}/consent`, { json, bearer: key });
  const read = async () =>
    (await api.call("GET", `/contacts/${contactId}/consent`, { bearer })).body;
  return { workspaceId, bearer, contactId, stoppedAt: at, put, read };
}

test("after the customer's STOP a key opts in with newer evidence only, and the ledger keeps it", async () => {
  const { put, read, stoppedAt } = await stopped();
  const bare = await put({ optedOut: false });
  assert.deepEqual([bare.status, bare.body.message], [409, "CONSENT_HELD"]);
  const before = new Date(stoppedAt.getTime() - 60_000).toISOString();
  const old = await put({ optedOut: false, evidence: "Form", at: before });
  assert.deepEqual([old.status, old.body.message], [409, "CONSENT_HELD"]);
  const ahead = new Date(api.clock.now().getTime() + 3_600_000).toISOString();
  assert.equal((await put({ optedOut: false, evidence: "Form", at: ahead })).status, 400);
  assert.equal((await read())["optedOut"], true);
  const given = await put({ optedOut: false, source: "shop", evidence: "Form at the till" });
  assert.equal(given.status, 200, given.text);
  assert.equal(given.body["optedOut"], false);
  const entries = given.body["entries"] as Record<string, unknown>[];
  assert.deepEqual(
    entries.map(({ optedOut, source, evidence, givenSource }) => [
      optedOut,
      source,
      evidence,
      givenSource,
    ]),
    [
      [false, "api", "Form at the till", "shop"],
      [true, "stop_word", null, null],
    ],
  );
  assert.deepEqual((await put({ optedOut: false })).body, given.body, "the same again: nothing");
});

test("only a key with contacts:consent changes it, and contacts:read reads it", async () => {
  const { workspaceId, put, contactId } = await stopped();
  const writer = await api.key(["contacts:write"], workspaceId);
  assert.equal((await put({ optedOut: true }, writer)).status, 403);
  const reader = await api.key(["contacts:read"], workspaceId);
  const path = `/contacts/${contactId}/consent`;
  assert.equal((await api.call("GET", path, { bearer: reader })).status, 200);
  const consenting = await api.key(["contacts:consent"], workspaceId);
  assert.equal((await put({ optedOut: false, evidence: "Form" }, consenting)).status, 200);
  const unknown = "/contacts/01a3b0e2-7c00-7000-8000-0123456789ab/consent";
  assert.equal((await api.call("GET", unknown, { bearer: reader })).status, 404);
});
