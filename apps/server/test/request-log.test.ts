import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { pino } from "pino";
import { sql } from "../src/db/sql.ts";
import { startApi } from "./v1/api.ts";
import { WebShop } from "./web-shop.ts";

test("the log names the request, route, status and key, and holds no body, query or secret", async () => {
  let written = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  await using api = await startApi({ overrides: { log: pino({ level: "trace" }, stream) } });
  const bearer = await api.key();
  const [publicKey = "", secret = ""] = bearer.split(":");
  const json = { email: "canary@example.com", phone: "201009998877", name: "Canary" };
  const made = await api.call("POST", "/contacts", { json, bearer });
  await api.call("GET", "/contacts?search=canary", { bearer });
  await api.call("GET", "/contacts", { bearer: `${publicKey}:${secret}canary` });
  await api.call("POST", "/contacts", {
    raw: '{"canary',
    headers: { "content-type": "application/json" },
  });
  // A defect whose words quote the row.
  await api.app.db.query(
    sql`alter table contact add constraint broken check (name <> 'Canary') not valid`,
  );
  assert.equal((await api.call("POST", "/contacts", { json, bearer })).status, 500);
  const probe = await api.http.inject({ url: "/healthz" });
  const lost = await api.http.inject({ method: "POST", url: "/hooks/whatsapp/none" });

  const lines = written
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const first = lines.find((line) => line["requestId"] === made.headers["x-request-id"]);
  assert.deepEqual(
    [first?.["method"], first?.["route"], first?.["status"], first?.["key"], typeof first?.["ms"]],
    ["POST", "/api/v1/contacts", 201, publicKey, "number"],
  );
  assert.equal(first?.["workspace"], api.workspaceId);
  const levelOf = ({ headers }: { headers: Record<string, unknown> }) =>
    lines.find((line) => line["requestId"] === headers["x-request-id"])?.["level"];
  const [debug, info] = [20, 30];
  assert.deepEqual([made, probe, lost].map(levelOf), [info, debug, info], "a probe is no news");
  const failed = lines.find((line) => line["msg"] === "request failed");
  assert.deepEqual([failed?.["code"], failed?.["constraint"]], ["23514", "broken"]);
  for (const hidden of [secret, "anary", "201009998877", "earer"])
    assert.ok(!written.includes(hidden), `${hidden} is in the log`);
});

test("a request's line names its workspace at every door, and the id under which a trusted proxy logged it", async () => {
  let written = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  await using api = await startApi({
    config: { trustedProxies: ["127.0.0.1"] },
    overrides: { log: pino({ level: "trace" }, stream) },
  });
  const shop = await WebShop.open(api.app, "");
  const lineOf = async (
    path: string,
    headers: Record<string, string>,
    { from = "127.0.0.1", method = "GET" as "GET" | "POST" } = {},
  ) => {
    const payload = method === "POST" ? { payload: {} } : {};
    const { headers: answer } = await api.http.inject({
      method,
      url: path,
      headers,
      remoteAddress: from,
      ...payload,
    });
    const lines = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = lines.find((one) => one["requestId"] === answer["x-request-id"]);
    return [line?.["workspace"], line?.["proxyRequestId"]];
  };
  const proxied = { "x-forwarded-for": "192.0.2.7", "x-request-id": "0af7651916cd43dd-8448" };
  const bearer = { authorization: `Bearer ${api.bearer}` };
  const contacts = "/api/v1/contacts";
  assert.deepEqual(await lineOf(contacts, { ...bearer, ...proxied }), [
    api.workspaceId,
    proxied["x-request-id"],
  ]);
  for (const id of ["", "with a space", 'quoted"', "x".repeat(129)])
    assert.deepEqual(await lineOf(contacts, { ...bearer, ...proxied, "x-request-id": id }), [
      api.workspaceId,
      undefined,
    ]);
  // Whoever is no trusted proxy writes no id into the log.
  assert.deepEqual(await lineOf(contacts, { ...bearer, ...proxied }, { from: "192.0.2.9" }), [
    api.workspaceId,
    undefined,
  ]);
  assert.deepEqual(await lineOf(contacts, proxied), [undefined, proxied["x-request-id"]]);
  const session = `/chat/v1/${shop.channelId}/session`;
  const origin = { origin: "https://shop.example" };
  assert.deepEqual(await lineOf(session, origin, { method: "POST" }), [
    shop.workspaceId,
    undefined,
  ]);
});
