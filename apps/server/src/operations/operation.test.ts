import assert from "node:assert/strict";
import { test } from "node:test";
import { Nothing } from "../wire/schema.ts";
import { operation } from "./operation.ts";
import { EVERYONE } from "./roles.ts";

test("what assistants reach says its tool, its class and its scope, or it does not compile", () => {
  const common = {
    says: "Read it",
    at: "GET /things",
    input: {},
    answer: Nothing,
    example: { input: {}, answer: {} },
    errors: [],
    roles: EVERYONE,
    bots: false,
    trace: null,
  } as const;
  const tool = { name: "list_things", class: "read" } as const;
  const scope = "messages:read";
  const whole = operation("thing.list", { ...common, scope, tool, doors: ["mcp"] });
  // @ts-expect-error the door without its tool
  operation("thing.list", { ...common, scope, doors: ["v1", "mcp"] });
  // @ts-expect-error a tool without its class
  operation("thing.list", { ...common, scope, tool: { name: "things" }, doors: ["mcp"] });
  // @ts-expect-error no key may, so no assistant can
  operation("thing.list", { ...common, scope: null, tool, doors: ["mcp"] });
  // @ts-expect-error a tool without the door
  operation("thing.list", { ...common, scope, tool, doors: ["v1"] });
  // @ts-expect-error it takes no such member
  operation("thing.list", { ...common, scope, tool: { ...tool, reaches: ["id"] }, doors: ["mcp"] });
  assert.equal(whole.doors[0], "mcp");
});
