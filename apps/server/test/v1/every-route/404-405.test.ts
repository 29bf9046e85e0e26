import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";
import { ROUTES } from "./routes.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());
const stranger = { bearer: null, documented: false } as const;

test("an address that is none answers 404 without a credential, whatever the method and body", async () => {
  for (const path of [
    "",
    "/",
    "/contact",
    "/contacts/",
    "/contacts/1/2",
    "/broadcasts/1/2",
    "/events/1",
    "/%ff",
    "/broadcasts/%ff/start",
    "/../v2/contacts",
    "//contacts",
  ])
    for (const method of ["GET", "POST", "DELETE"] as const) {
      const answer = await api.call(method, path, {
        ...stranger,
        raw: "{",
        headers: { "content-type": "text/x" },
      });
      const near =
        path === "/contact" ? "; one like it is /api/v1/contacts. /api/docs lists them" : FAR;
      assert.deepEqual(
        answer.body,
        {
          statusCode: 404,
          error: "Not Found",
          message: "ROUTE_NOT_FOUND",
          details: said(`no call has this address${near}`),
        },
        `${method} ${path}`,
      );
    }
});

test("the address that a wrong base of a client makes says what is wrong with the base", async () => {
  const ends = "the base address of a client ends in /api";
  for (const path of ["/v1/contacts", "/api/v1/contacts"]) {
    const twice = await api.call("GET", path, stranger);
    assert.deepEqual(twice.body.details, said(`/v1 is here twice: ${ends}`));
  }
  const bare = await api.http.inject({ method: "GET", url: "/v1/contacts" });
  const { message, details } = bare.json<{ message: string; details: unknown }>();
  assert.deepEqual(
    [message, details],
    ["ROUTE_NOT_FOUND", said(`/api is missing before /v1: ${ends}`)],
  );
});

test("an address that is nearly one of the API is answered with that one, and a list that takes no POST with how to create", async () => {
  const webhooks = await api.call("POST", "/webhooks", stranger);
  assert.deepEqual(
    webhooks.body.details,
    said(
      "no call has this address; one like it is /api/v1/webhook-endpoints. /api/docs lists them",
    ),
  );
  for (const [path, create] of [
    ["/webhook-endpoints", "/api/v1/webhook-endpoints/by-name/{name}"],
    ["/labels", "/api/v1/labels/{name}"],
  ] as const) {
    const { status, body } = await api.call("POST", path, stranger);
    assert.deepEqual(
      [status, body.details],
      [405, said(`this address takes GET, HEAD; to create one: PUT ${create}`)],
    );
  }
});

test("an id that is unknown is said with the address that has it", async () => {
  const id = "01920000-0000-7000-8000-00000000dead";
  for (const [path, shown] of [
    [`/contacts/${id}`, "/v1/contacts/{id}"],
    [`/messages/${id}`, "/v1/messages/{id}"],
    [`/conversations/${id}`, "/v1/conversations/{id}"],
  ] as const) {
    const { status, body } = await api.call("GET", path);
    const details = said(`nothing of this workspace has the id in ${shown}`);
    assert.deepEqual(
      [status, body],
      [404, { statusCode: 404, error: "Not Found", message: "NOT_FOUND", details }],
    );
  }
});

/** What an address that is like none of the API is answered with. */
const FAR =
  ": /api/docs lists them, and /api/openapi.json is the document; each begins with /api/v1";
const said = (message: string) => [{ path: "", message }];

/** Whether a route takes a path: `/contacts/{id}` takes `/contacts/upsert` too, as the path of a record. */
function reaches({ path, template = path }: (typeof ROUTES)[number], asked: string): boolean {
  const steps = asked.split("/");
  const own = template.split("/");
  return (
    own.length === steps.length &&
    own.every((step, at) => step === steps[at] || step === "none" || step.startsWith("{"))
  );
}

test("a method the route does not have is 405 with Allow, without a credential", async () => {
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const taking = ROUTES.filter((route) => reaches(route, path));
    const has = [...new Set(taking.map(({ method }) => String(method)))];
    // A file is sent as it is read: HEAD would read all of it.
    const heads = has.includes("GET") && !/\.csv$|\/(refused|content|export)$/.test(path);
    const allow = [...has, ...(heads ? ["HEAD"] : []), "OPTIONS"].sort().join(", ");
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
      if (has.includes(method)) continue;
      const answer = await api.call(method, path, {
        ...stranger,
        raw: "{",
        headers: { "content-type": "text/x" },
      });
      const { details, ...rest } = answer.body;
      assert.deepEqual(
        rest,
        { statusCode: 405, error: "Method Not Allowed", message: "METHOD_NOT_ALLOWED" },
        `${method} ${path}`,
      );
      const takes = `this address takes ${[...has, ...(heads ? ["HEAD"] : [])].sort().join(", ")}`;
      const [said405] = details as { path: string; message: string }[];
      assert.equal(said405?.message.split(";")[0], takes, `${method} ${path}`);
      assert.equal(answer.headers["allow"], allow);
    }
    const options = await api.call("OPTIONS", path, stranger);
    assert.deepEqual([options.status, options.headers["allow"], options.text], [204, allow, ""]);
  }
});

test("HEAD answers as GET does, without the body", async () => {
  const head = await api.call("HEAD", "/usage", { documented: false });
  const get = await api.call("GET", "/usage");
  assert.deepEqual([head.status, head.text], [200, ""]);
  assert.equal(head.headers["content-length"], get.headers["content-length"]);
  assert.equal((await api.call("HEAD", "/usage", stranger)).status, 401);
});
