import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { pino } from "pino";
import { sql } from "../src/db/sql.ts";
import { startApi } from "./v1/api.ts";

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
  const levelOf = ({ headers }: { headers: Record<string, unknown> }) =>
    lines.find((line) => line["requestId"] === headers["x-request-id"])?.["level"];
  const [debug, info] = [20, 30];
  assert.deepEqual([made, probe, lost].map(levelOf), [info, debug, info], "a probe is no news");
  const failed = lines.find((line) => line["msg"] === "request failed");
  assert.deepEqual([failed?.["code"], failed?.["constraint"]], ["23514", "broken"]);
  for (const hidden of [secret, "anary", "201009998877", "earer"])
    assert.ok(!written.includes(hidden), `${hidden} is in the log`);
});
