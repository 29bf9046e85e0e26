import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegment } from "../../../src/segments/create-segment.ts";
import { startApi } from "../api.ts";

test("every segment of the workspace, definitions as they were saved; none of another's", async () => {
  await using api = await startApi();
  const other = await api.newWorkspace();
  await createSegment(OPERATOR, api.app, other.workspaceId, {
    name: "Theirs",
    definition: { match: "all", rules: [] },
  });
  const empty = await api.call("GET", "/segments");
  assert.deepEqual([empty.status, empty.body], [200, []]);
  const definition = { match: "any", rules: [{ value: "vip", op: "eq", field: "tag" }] };
  await createSegment(OPERATOR, api.app, api.workspaceId, { name: "VIP", definition });
  await createSegment(OPERATOR, api.app, api.workspaceId, {
    name: "All",
    definition: { match: "all", rules: [] },
  });
  const answer = await api.call("GET", "/segments");
  const segments = answer.body as unknown as { name: string; definition: object }[];
  assert.deepEqual(segments.map((one) => one.name).sort(), ["All", "VIP"]);
  assert.equal(
    JSON.stringify(segments.find((one) => one.name === "VIP")?.definition),
    JSON.stringify(definition),
  );
});
