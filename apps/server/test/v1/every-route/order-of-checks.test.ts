import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

// A call that is wrong in every way; taking the faults away one by one shows which is told first.
const wrong = { raw: "{", headers: { "content-type": "application/json" } };

test("credential, then rate, then scope, then validation, then the state of things", async () => {
  const codes: (string | undefined)[] = [];
  const ask = async (options: Parameters<Api["call"]>[2]) =>
    codes.push((await api.call("POST", "/messages", options)).body.message);

  await ask({ ...wrong, bearer: "pk_none:sk_none" });
  const spent = await api.key(["usage:read"]);
  await Promise.all(
    Array.from({ length: 120 }, () => api.call("GET", "/usage", { bearer: spent })),
  );
  await ask({ ...wrong, bearer: spent });
  await ask({ ...wrong, bearer: await api.key(["usage:read"]) });
  await ask({ ...wrong, bearer: await api.key(["messages:write"]) });
  await ask({ json: { conversationId: "", text: "" } });
  await ask({ json: { conversationId: "none", text: "Hi" } });
  assert.deepEqual(codes, [
    "INVALID_API_KEY",
    "RATE_LIMITED",
    "MISSING_SCOPE:messages:write",
    "MALFORMED_JSON",
    "VALIDATION_FAILED",
    "CONVERSATION_NOT_FOUND",
  ]);
});

test("a body too large is not read before the credential is known", async () => {
  const options = { raw: "x".repeat(300_000), headers: { "content-type": "text/plain" } };
  assert.equal((await api.call("POST", "/contacts", { ...options, bearer: null })).status, 401);
  assert.equal(
    (await api.call("POST", "/contacts", { ...options, bearer: await api.key(["usage:read"]) }))
      .status,
    403,
  );
});
