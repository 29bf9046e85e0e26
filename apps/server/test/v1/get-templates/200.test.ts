import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../api.ts";
import { addTemplate, connectWhatsApp } from "../fixtures.ts";

test("approved ones only, by name, components verbatim; none of another workspace", async () => {
  await using api = await startApi();
  const other = await api.newWorkspace();
  const channelId = await connectWhatsApp(api);
  for (const name of ["welcome", "bill", "order"]) await addTemplate(api, channelId, { name });
  for (const status of ["PENDING", "REJECTED", "PAUSED", "DISABLED"])
    await addTemplate(api, channelId, { name: `x_${status}`, status });
  await addTemplate(api, channelId, { name: "theirs", workspaceId: other.workspaceId });
  const answer = await api.call("GET", "/templates");
  assert.equal(answer.status, 200);
  const templates = answer.body as unknown as {
    name: string;
    channelId: string;
    status: string;
    bodyVariableCount: number;
  }[];
  assert.deepEqual(
    templates.map((one) => one.name),
    ["bill", "order", "welcome"],
  );
  assert.deepEqual([...new Set(templates.map((one) => one.status))], ["APPROVED"]);
  assert.deepEqual([...new Set(templates.map((one) => one.channelId))], [channelId]);
  assert.equal(templates[0]?.bodyVariableCount, 2);
  assert.ok(
    answer.text.includes(
      '{"type":"BODY","text":"Hello {{1}}, {{2}} and {{1}}","zeta":1,"alpha":2}',
    ),
  );
});

test("status=all, channelId and name narrow or widen the list; unknown names and words are refused", async () => {
  await using api = await startApi();
  const channelId = await connectWhatsApp(api);
  await addTemplate(api, channelId, { name: "order" });
  await addTemplate(api, channelId, { name: "bill", status: "PENDING" });
  await addTemplate(api, channelId, { name: "old", status: "DELETED" });
  const names = async (query: string) => {
    const { status, body, text } = await api.call("GET", `/templates${query}`);
    assert.equal(status, 200, text);
    return (body as unknown as { name: string }[]).map(({ name }) => name);
  };
  assert.deepEqual(await names(""), ["order"]);
  assert.deepEqual(await names("?status=all"), ["bill", "order"]);
  assert.deepEqual(await names(`?status=all&name=bill&channelId=${channelId}`), ["bill"]);
  assert.deepEqual(await names("?name=bill"), []);
  assert.deepEqual(await names("?name=ord"), []);
  assert.deepEqual(await names("?channelId=none"), []);
  for (const query of ["?status=PENDING", "?page=1"])
    assert.equal((await api.call("GET", `/templates${query}`)).status, 400, query);
});
