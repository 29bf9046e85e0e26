import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { createSealer } from "../lib/seal.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { checkMasterKey } from "./check-master-key.ts";

test("a database with a workspace accepts one master key and no other; an empty one accepts the next", async () => {
  await using t = await startTestApp();
  const [early, right, wrong] = [1, 2, 3].map(() => createSealer(randomBytes(32)));
  assert.ok(early && right && wrong);
  await checkMasterKey(t.app.db, early);
  await checkMasterKey(t.app.db, right);
  await createWorkspace(OPERATOR, t.app, { name: "W", plan: "free" });
  await checkMasterKey(t.app.db, right);
  for (const other of [early, wrong])
    await assert.rejects(checkMasterKey(t.app.db, other), /another master key: put that one/);
  await checkMasterKey(t.app.db, right);
});
