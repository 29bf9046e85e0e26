import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());
const get = async (query: string) =>
  api.call("GET", `/contacts?${query}`, { bearer: await api.key() });

test("page and pageSize take whole numbers from 1", async () => {
  for (const name of ["page", "pageSize"])
    for (const value of [
      "0",
      "-1",
      "-0",
      "1.5",
      "abc",
      "",
      "1x",
      "0x10",
      "NaN",
      "Infinity",
      "-Infinity",
      "1e999",
      "-1e999",
      "null",
      "true",
      "%201",
      "1%00",
      "٣",
      "1,2",
      "[1]",
    ]) {
      const answer = await get(`${name}=${value}`);
      assert.deepEqual(
        [answer.status, answer.body.message],
        [400, "VALIDATION_FAILED"],
        `${name}=${value}`,
      );
      assert.deepEqual(
        answer.body.details?.map((one) => one.path),
        [name],
        `${name}=${value}`,
      );
    }
});

test("search takes 200 characters and no more", async () => {
  assert.equal((await get(`search=${"s".repeat(200)}`)).status, 200);
  assert.equal((await get(`search=${encodeURIComponent("🙂".repeat(200))}`)).status, 200);
  assert.deepEqual(
    (await get(`search=${"s".repeat(201)}`)).body.details?.map((one) => one.path),
    ["search"],
  );
});

test("text that is none is refused", async () => {
  for (const bad of [
    "search=%00",
    "search=a%00b",
    "search=%ff",
    "search=%ed%a0%80",
    "search=%",
    "search=%c3",
    "a%00=1",
    "%ff=1",
  ])
    assert.equal((await get(bad)).body.message, "VALIDATION_FAILED", bad);
});

test("a parameter given twice is refused", async () => {
  for (const twice of ["page=1&page=1", "search=a&search=b", "pageSize=5&page=1&pageSize=5"])
    assert.equal((await get(twice)).body.message, "VALIDATION_FAILED", twice);
});

test("every fault is named", async () => {
  const answer = await get(`page=0&pageSize=x&search=${"s".repeat(201)}`);
  assert.deepEqual(answer.body.details?.map((one) => one.path).sort(), [
    "page",
    "pageSize",
    "search",
  ]);
});
