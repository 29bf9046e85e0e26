import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { buildApp } from "../../../src/app.ts";
import { QueryTimeout } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { AppError } from "../../../src/errors.ts";
import { errorAnswer, toAppError } from "../../../src/http/edge/errors.ts";
import { buildHttp } from "../../../src/http/server.ts";
import { GroupCommitFull } from "../../../src/lib/group-commit.ts";
import { startApi } from "../api.ts";

function database(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("m", 1, "error"), { code });
}

test("what passes is OVERLOADED, what is a defect is INTERNAL", () => {
  const connection = (code: string) => Object.assign(new Error(code), { code, syscall: "connect" });
  const busy = [
    new GroupCommitFull(),
    new QueryTimeout(),
    ...["53100", "53200", "53300", "57P01", "57P03", "08006", "57014", "40P01", "55P03"].map(
      database,
    ),
    connection("ECONNREFUSED"),
    connection("ENOENT"),
    new AggregateError([connection("ECONNREFUSED")]),
    new Error("Connection terminated unexpectedly"),
    new Error("timeout exceeded when trying to connect"),
  ];
  for (const error of busy) assert.equal(toAppError(error).code, "OVERLOADED", String(error));
  const missing = Object.assign(new Error("x"), { code: "ENOENT", syscall: "open" });
  for (const defect of [
    new Error("x"),
    new TypeError("x"),
    database("22P02"),
    database("23505"),
    missing,
    null,
    "x",
  ])
    assert.equal(toAppError(defect).code, "INTERNAL", String(defect));
});

test("INTERNAL tells the request id and nothing else, an error of the caller what explains it; OVERLOADED when to come again", () => {
  const internal = errorAnswer(new AppError("INTERNAL", { explanation: "secret" }), "r1");
  assert.deepEqual(JSON.parse(internal.body), {
    statusCode: 500,
    error: "Internal Server Error",
    message: "INTERNAL",
    requestId: "r1",
  });
  const missing = errorAnswer(new AppError("NOT_FOUND", { explanation: "no such template" }));
  assert.deepEqual(JSON.parse(missing.body).details, [{ path: "", message: "no such template" }]);
  const busy = errorAnswer(toAppError(new GroupCommitFull()));
  assert.deepEqual([busy.status, busy.retryAfterSeconds], [503, 5]);
});

test("a defect shows nothing of itself; a database that is gone is 503 with Retry-After", async () => {
  await using api = await startApi();
  assert.equal((await api.call("GET", "/usage")).status, 200);
  await api.app.db.query(sql`alter table usage_month rename to gone`);
  const defect = await api.call("GET", "/usage");
  assert.deepEqual([defect.status, defect.body.message], [500, "INTERNAL"]);
  assert.ok(!defect.text.includes("usage_month"));

  const config = { ...api.app.config, databaseUrl: "postgres://127.0.0.1:1/gone" };
  await using lost = await buildApp(config, { masterKey: Buffer.alloc(32) });
  const http = await buildHttp(lost);
  const answer = await http.inject({
    url: "/api/v1/usage",
    headers: { authorization: "Bearer pk_x:sk_x" },
  });
  assert.deepEqual([answer.statusCode, answer.headers["retry-after"]], [503, "5"]);
  assert.deepEqual(answer.json(), {
    statusCode: 503,
    error: "Service Unavailable",
    message: "OVERLOADED",
  });
  await http.close();
});
