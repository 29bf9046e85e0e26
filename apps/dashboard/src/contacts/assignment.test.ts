import assert from "node:assert/strict";
import { test } from "node:test";
import { assignmentIn } from "./assignment.ts";

test("an assignment says who has it: no one, the member who took it, another one, and one who is no longer there", () => {
  const members = [{ id: "a", name: "Amal" }];
  const by = (to: string | null, actor = "member:b") => assignmentIn({ to, actor }, members);
  assert.equal(by(null), "none");
  assert.equal(by("a", "member:a"), "self");
  assert.deepEqual(by("a"), { name: "Amal" });
  assert.deepEqual(by("z"), { name: null });
});
