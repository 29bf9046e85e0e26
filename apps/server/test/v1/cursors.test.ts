import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../src/actor.ts";
import { removeMember } from "../../src/conversations/remove-member.ts";
import { openapiDocument } from "../../src/http/openapi/openapi.ts";
import { createMember } from "../../src/workspaces/create-member.ts";
import { startApi, type Api } from "./api.ts";

let api: Api;
let shop: { readonly workspaceId: string; readonly bearer: string };
before(async () => {
  api = await startApi();
  shop = await api.newWorkspace("business");
});
after(() => api[Symbol.asyncDispose]());

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get?: { readonly parameters?: readonly { readonly name: string }[] } }
    >
  >;
}

/** Their cursors are names and values: any text may be one. */
const BY_NAME = ["/labels", "/contact-attributes", "/contacts/duplicates"];

/** Every list of the document that takes a cursor and needs no id. */
const cursorLists = (): string[] => {
  const { paths } = openapiDocument() as unknown as Document;
  return Object.entries(paths)
    .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === "cursor"))
    .map(([path]) => path.replace("/v1", ""))
    .filter((path) => !path.includes("{") && !BY_NAME.includes(path));
};

test("each list refuses a cursor that no page gave: a cut one must not look like the end, or begin the list again", async () => {
  const { body: endpoint } = await api.call("PUT", "/webhook-endpoints/by-name/crm", {
    bearer: shop.bearer,
    json: { url: "https://example.com/hook" },
  });
  const lists = cursorLists();
  assert.ok(lists.length >= 8, lists.join());
  for (const path of [...lists, `/webhook-endpoints/${String(endpoint["id"])}/deliveries`])
    for (const cursor of ["x", api.app.ids.next().slice(0, -1), "2026-13", "💩"]) {
      const answer = await api.call("GET", `${path}?cursor=${encodeURIComponent(cursor)}`, shop);
      assert.deepEqual(
        [answer.status, answer.body.message, answer.body.details?.[0]?.path],
        [400, "VALIDATION_FAILED", "cursor"],
        `${path} ${cursor}`,
      );
    }
});

test("a page of members goes on behind its cursor when that member was removed meanwhile", async () => {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const names = ["Ada", "Ben", "Cem"];
  for (const name of names)
    await createMember(OPERATOR, api.app, workspaceId, {
      email: `${name}@example.com`,
      name,
      role: name === "Ada" ? "owner" : "agent",
    });
  const page = async (query: string) => {
    const { body } = await api.call("GET", `/members?${query}`, { bearer });
    const items = body["items"] as readonly { readonly name: string }[];
    return { names: items.map(({ name }) => name), next: String(body["nextCursor"]) };
  };
  const first = await page("limit=2");
  assert.deepEqual(first.names, ["Ada", "Ben"]);
  await removeMember(OPERATOR, api.app, workspaceId, first.next);
  assert.deepEqual((await page(`cursor=${first.next}`)).names, ["Cem"]);
});
