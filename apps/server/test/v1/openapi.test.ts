import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { validate } from "@readme/openapi-parser";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { REPLIES_PER_MESSAGE, REPLY_WINDOW_HOURS } from "../../src/conversations/reply-window.ts";
import { EVENTS } from "../../src/wire/event.ts";
import { openapiDocument, openapiText } from "../../src/http/openapi/openapi.ts";
import { STATUS } from "../../src/http/edge/errors.ts";
import { EVENT_KINDS } from "../../src/wire/words.ts";
import { LONG } from "../group.ts";
import { ROUTES } from "./every-route/routes.ts";

const FILE = path.join(import.meta.dirname, "../../openapi.json");

interface Operation {
  operationId: string;
  description: string;
  "x-required-scope": string;
  responses: Record<
    string,
    {
      headers?: object;
      content?: Record<
        string,
        {
          schema: object;
          example?: unknown;
          examples?: Record<string, { value: { statusCode: number } }>;
        }
      >;
    }
  >;
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, unknown>;
  components: { schemas: Record<string, object> };
}
const document = openapiDocument() as unknown as Document;
const operations = Object.entries(document.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ url, method, operation })),
);

test("the committed document is the one the routes make: else run `npm run openapi`", () => {
  assert.ok(readFileSync(FILE, "utf8") === openapiText(), "openapi.json is stale");
});

test("what any address can answer is told for all, codes stand as they are sent, and a 402 of a rate says when", () => {
  const { description } = openapiDocument()["info"] as { description: string };
  for (const code of ["ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "MALFORMED_REQUEST"])
    assert.ok(description.includes(code), code);
  const { responses } = document.paths["/v1/otp/send"]?.["post"] ?? assert.fail();
  assert.match(JSON.stringify(responses["403"]), /"description":"MISSING_SCOPE:otp:send"/);
  assert.ok("Retry-After" in (responses["402"]?.headers ?? {}));
});

test("the reply window of every channel stands where one sends, in the reference and in the documents", () => {
  const docs = path.join(import.meta.dirname, "../../../../docs");
  const read = (name: string) => readFileSync(path.join(docs, name), "utf8");
  const { description } = document.paths["/v1/messages"]?.["post"] ?? assert.fail();
  const table = read("messages.md").split("## The reply window")[1] ?? "";
  assert.match(read("guides/first-message.md").split("## With the client")[0] ?? "", /24 hours/);
  const names = { WHATSAPP: "WhatsApp", MESSENGER: "Messenger", INSTAGRAM: "Instagram", TELEGRAM: "Telegram", TIKTOK: "TikTok", WEB: "web chat" } as const;
  for (const [type, name] of Object.entries(names) as [keyof typeof names, string][]) {
    const hours = REPLY_WINDOW_HOURS[type];
    const row = table.split("\n").find((line) => line.startsWith("|") && line.includes(name)) ?? "";
    assert.match(row, hours === null ? /always open/ : new RegExp(`\\b${hours} hours`), name);
    const most = REPLIES_PER_MESSAGE[type];
    if (most !== null) assert.match(row, new RegExp(`at most ${most} messages`));
    const told = description.split(/;/).find((part) => part.includes(name)) ?? "";
    assert.match(told, hours === null ? /no window/ : new RegExp(`\\b${hours} hours`), `POST /v1/messages: ${name}`);
  }
  assert.match(description, /`131047`/);
}); // oxfmt-ignore

test("it is a valid OpenAPI 3.1 document; in the long suite a second judge, which knows nothing of the first, says so too", async () => {
  assert.equal(document.openapi, "3.1.1");
  const result = await validate(JSON.parse(openapiText()) as Parameters<typeof validate>[0]);
  assert.equal(result.valid, true, JSON.stringify(result));
  if (!LONG) return;
  const redocly = path.join(
    import.meta.dirname,
    "../../../../node_modules/@redocly/cli/bin/cli.js",
  );
  // Two addresses that one path fits are told apart by their method, as the next test says.
  const rules = ["--extends", "minimal", "--skip-rule", "no-ambiguous-paths"];
  const lint = spawnSync(process.execPath, [redocly, "lint", ...rules, FILE], {
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  assert.equal(lint.status, 0, lint.stdout + lint.stderr);
  assert.doesNotMatch(lint.stderr + lint.stdout, /warning/i);
});

test("no path fits two addresses of one method where neither is the plainer one", () => {
  const isName = (step: string | undefined) => step?.startsWith("{") === true;
  for (const one of operations)
    for (const other of operations) {
      if (one.method !== other.method || one.url >= other.url) continue;
      const [steps, theirs] = [one.url.split("/"), other.url.split("/")];
      const meet =
        steps.length === theirs.length &&
        steps.every((step, at) => step === theirs[at] || isName(step) || isName(theirs[at]));
      const plainer = (a: string[], b: string[]) =>
        a.every((step, at) => !isName(step) || isName(b[at]));
      const isClear = plainer(steps, theirs) || plainer(theirs, steps);
      assert.ok(!meet || isClear, `${one.method} ${one.url} and ${other.url}`);
    }
});

/** Ids in paths of the calls stand for any. */
const templateOf = (path: string) => path.replace(/\/none(?=\/|$)/, "/{id}");

test("it has the routes of the table with their scopes, the nine of the spec first, and no other", () => {
  assert.deepEqual(
    operations
      .map(({ url, method, operation }) => `${method} ${url} ${operation["x-required-scope"]}`)
      .sort(),
    [
      ...ROUTES.map(
        ({ method, path: url, template = templateOf(url), scope }) =>
          `${method.toLowerCase()} /v1${template} ${scope}`,
      ),
      "get /v1/events/stream messages:read",
    ].sort(),
  );
  const names = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(names).size, ROUTES.length + 1);
});

test("it names the shapes of the spec and describes every event", () => {
  const names = Object.keys(document.components.schemas);
  for (const name of [
    "Contact",
    "NewContact",
    "ContactPage",
    "Segment",
    "NewMessage",
    "MessageAccepted",
    "NewOtp",
    "SmsResult",
    "Template",
    "Broadcast",
    "ChannelUsage",
    "UsageSummary",
    "Error",
    "PlanLimitError",
  ])
    assert.ok(names.includes(name), name);
  // A turn of an external bot is posted and signed as they are, but is no event.
  assert.deepEqual(Object.keys(document.webhooks), [...EVENT_KINDS, "bot.turn"]);
});

test("every example fits the shape it stands under, and every error its status", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, "d");
  // The same few shapes stand under hundreds of examples: each is compiled once.
  const compiled = new Map<string, ValidateFunction>();
  const fits = (schema: object, value: unknown, what: string) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"d#/');
    const judge = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, judge);
    assert.ok(judge(value), `${what}: ${ajv.errorsText(judge.errors)}`);
  };
  for (const { url, method, operation } of operations) {
    const body = operation.requestBody?.content["application/json"];
    if (body) fits(body.schema, body.example, `${method} ${url} body`);
    for (const [status, { content, headers }] of Object.entries(operation.responses)) {
      const [json] = Object.values(content ?? {});
      assert.ok(json);
      for (const [code, { value }] of Object.entries(json.examples ?? {})) {
        fits(json.schema, value, `${method} ${url} ${code}`);
        assert.equal(value.statusCode, Number(status));
      }
      if (json.example !== undefined) fits(json.schema, json.example, `${method} ${url} ${status}`);
      assert.equal(Number(status) !== 401, Object.hasOwn(headers ?? {}, "RateLimit-Limit"));
    }
  }
});

test("the statuses of the spec are the statuses of the table", () => {
  const spec = {
    CONTACT_NEEDS_IDENTITY: 400,
    BROADCAST_NOT_STARTABLE: 400,
    MISSING_API_KEY: 401,
    MALFORMED_API_KEY: 401,
    INVALID_API_KEY: 401,
    OTP_RATE_LIMITED: 402,
    INSUFFICIENT_CREDITS: 402,
    MESSAGE_LIMIT_REACHED: 402,
    SUBSCRIPTION_SUSPENDED: 402,
    RATE_LIMITED: 429,
    BROADCAST_NOT_FOUND: 404,
    CONVERSATION_NOT_FOUND: 400,
  };
  for (const [code, status] of Object.entries(spec))
    assert.equal(Object.entries(STATUS).find(([name]) => name === code)?.[1], status, code);
});

test("every field, parameter, header and shape of the document is described", () => {
  const bare: string[] = [];
  const isRef = (schema: object) => "$ref" in schema;
  const walk = (schema: unknown, at: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    if ("properties" in schema && typeof schema.properties === "object" && schema.properties)
      for (const [name, member] of Object.entries(schema.properties) as [string, object][]) {
        // The narrowing of `anyOf` repeats a member that is described where it is declared.
        if (!isRef(member) && !("description" in member) && !at.includes("anyOf"))
          bare.push(`${at}.${name}`);
        walk(member, `${at}.${name}`);
      }
    for (const [key, member] of Object.entries(schema))
      if (["items", "allOf", "anyOf"].includes(key))
        for (const one of [member].flat() as unknown[]) walk(one, `${at}.${key}`);
  };
  const all = document as unknown as { components: { schemas: Record<string, object> } };
  for (const [name, schema] of Object.entries(all.components.schemas)) {
    if (!("description" in schema)) bare.push(name);
    walk(schema, name);
  }
  // A webhook's body narrows `type` and `data` of Event, which are described there.
  for (const [kind, { data }] of Object.entries(EVENTS)) walk(data, kind);
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      for (const one of (operation as { parameters?: object[] }).parameters ?? []) {
        if (isRef(one)) continue;
        const name = "name" in one ? String(one.name) : "?";
        if (!("description" in one)) bare.push(`${method} ${path} ${name} has no description`);
        if (!("example" in one)) bare.push(`${method} ${path} ${name} has no example`);
      }
  assert.deepEqual(bare, []);
});

test("every link of the document leads to an operation that takes its parameters", () => {
  const operations = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods),
  ) as unknown as {
    operationId: string;
    parameters?: { name?: string }[];
    responses: Record<
      string,
      { links?: Record<string, { operationId: string; parameters: object }> }
    >;
  }[];
  let links = 0;
  for (const { operationId, responses } of operations)
    for (const { links: own = {} } of Object.values(responses))
      for (const link of Object.values(own)) {
        links++;
        const target = operations.find((one) => one.operationId === link.operationId);
        assert.ok(target, `${operationId} links to ${link.operationId}`);
        for (const name of Object.keys(link.parameters))
          assert.ok(
            target.parameters?.some((one) => one.name === name),
            `${operationId}: ${link.operationId} takes no ${name}`,
          );
      }
  assert.ok(links > 15, `${links} links`);
});
