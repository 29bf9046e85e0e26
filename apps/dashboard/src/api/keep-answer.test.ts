import assert from "node:assert/strict";
import { test } from "node:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { keepAnswer } from "./keep-answer.ts";

const client = new QueryClient();

test("a read that began before a write does not put the old back", async () => {
  const queryKey = ["bot", "1"];
  const reads = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let asked = 0;
  const queryFn = () => reads[asked++]?.promise ?? assert.fail("a third read");
  const page = new QueryObserver(client, { queryKey, queryFn });
  const leave = page.subscribe(() => undefined);
  keepAnswer(client, queryKey, "new");
  reads[0]?.resolve("old");
  await reads[0]?.promise;
  assert.equal(client.getQueryData(queryKey), "new");
  reads[1]?.resolve("newest");
  const last = await page.refetch({ cancelRefetch: false });
  assert.equal(last.data, "newest");
  leave();
});

test("without a read under way the answer is kept and nothing is asked", () => {
  const queryKey = ["bot", "2"];
  keepAnswer(client, queryKey, "new");
  assert.equal(client.getQueryData(queryKey), "new");
  keepAnswer<string>(client, queryKey, (known) => known && `${known}er`);
  assert.equal(client.getQueryData(queryKey), "newer");
  assert.equal(client.isFetching(), 0);
});
