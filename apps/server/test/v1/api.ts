import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { FastifyInstance, InjectOptions } from "fastify";
import { createKey } from "../../src/api-keys/create-key.ts";
import type { App } from "../../src/app.ts";
import { openapiDocument } from "../../src/http/openapi/openapi.ts";
import { buildHttp } from "../../src/http/server.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp, type TestClock } from "../harness.ts";

export { TestClock } from "../harness.ts";

type Method = "GET" | "POST" | "HEAD" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** An answer; `body` is what its JSON says. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  readonly body: Record<string, unknown> & {
    message?: string;
    details?: { path: string; message: string }[];
  };
}

export interface CallOptions {
  readonly bearer?: string | null;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** False for what is no route of the document. */
  readonly documented?: boolean;
}

export interface Api extends AsyncDisposable {
  readonly app: App;
  readonly clock: TestClock;
  readonly http: FastifyInstance;
  readonly databaseUrl: string;
  readonly workspaceId: string;
  readonly bearer: string;
  newWorkspace(plan?: "free" | "business"): Promise<{ workspaceId: string; bearer: string }>;
  key(scopes?: readonly string[], workspaceId?: string): Promise<string>;
  /** Calls `/api/v1<path>` and holds the answer against the document: status, code and every member. */
  call(method: Method, path: string, options?: CallOptions): Promise<Answered>;
}

/** An app with its HTTP side, a workspace and a key with full access. */
export async function startApi(options?: Parameters<typeof startTestApp>[0]): Promise<Api> {
  const t: TestApp = await startTestApp(options);
  const http = await buildHttp(t.app);
  const key = async (scopes: readonly string[] = [], workspaceId = first.workspaceId) =>
    (await createKey(OPERATOR, t.app, workspaceId, { scopes })).bearer;
  const newWorkspace = async (plan: "free" | "business" = "free") => {
    const { id } = await createWorkspace(OPERATOR, t.app, { name: "Test", plan });
    return { workspaceId: id, bearer: (await createKey(OPERATOR, t.app, id)).bearer };
  };
  const first = await newWorkspace();
  return {
    app: t.app,
    clock: t.clock,
    http,
    databaseUrl: t.databaseUrl,
    ...first,
    newWorkspace,
    key,
    async call(method, path, { bearer = first.bearer, json, raw, headers, documented } = {}) {
      const request: InjectOptions = {
        method,
        url: `/api/v1${path}`,
        headers: {
          ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
          ...(json !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
      };
      const payload = raw ?? (json === undefined ? undefined : JSON.stringify(json));
      const response = await http.inject(payload === undefined ? request : { ...request, payload });
      const answered: Answered = {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        body: response.body === "" ? {} : (JSON.parse(response.body) as Answered["body"]),
      };
      assert.match(String(answered.headers["x-request-id"]), /^[0-9a-f-]{36}$/);
      if (documented !== false) checkAgainstDocument(method, path, answered);
      return answered;
    },
    async [Symbol.asyncDispose]() {
      await http.close();
      await t[Symbol.asyncDispose]();
    },
  };
}

const document = closed(openapiDocument());
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document as object, "document");
const checks = new Map<string, ValidateFunction>();

/** Fails when the document does not promise this status, this code or these members. */
function checkAgainstDocument(method: string, path: string, answered: Answered): void {
  const template = templateOf(path.split("?", 1)[0] ?? "");
  const paths = at(document, "paths");
  const operation = at(at(paths, `/v1${template}`), method.toLowerCase());
  const response = at(at(operation, "responses"), String(answered.status));
  assert.ok(
    response,
    `${method} ${template} answers ${answered.status} ${answered.text}, which the document does not know`,
  );
  const pointer = [
    "paths",
    `/v1${template}`,
    method.toLowerCase(),
    "responses",
    String(answered.status),
    "content",
    "application/json",
    "schema",
  ]
    .map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  let check = checks.get(pointer);
  if (!check) checks.set(pointer, (check = ajv.compile({ $ref: `document#/${pointer}` })));
  assert.ok(check(answered.body), `${answered.text}: ${ajv.errorsText(check.errors)}`);
  if (answered.status >= 400) {
    const examples = at(at(at(response, "content"), "application/json"), "examples");
    const code = answered.body.message?.replaceAll(":", ".") ?? "";
    assert.ok(
      at(examples, code),
      `${method} ${template} ${answered.status} ${code} is not in the document`,
    );
    assert.equal(answered.body["statusCode"], answered.status);
  }
}

/** The path as the document writes it; one without a name between braces is meant first. */
function templateOf(path: string): string {
  const steps = path.split("/");
  const fits = (template: string) => {
    const wanted = template.split("/");
    return (
      wanted.length === steps.length &&
      wanted.every((step, index) => step.startsWith("{") || step === steps[index])
    );
  };
  const all = Object.keys(Object(at(document, "paths"))).map((one) => one.slice("/v1".length));
  return all.toSorted((a, b) => a.split("{").length - b.split("{").length).find(fits) ?? path;
}

function at(value: unknown, key: string): unknown {
  return value !== null && typeof value === "object" && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** The document with every shape closed: a member that leaves although no shape names it is a fault here. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(
    ([key, member]) =>
      [key, key === "example" || key === "examples" ? member : closed(member)] as const,
  );
  const copy = Object.fromEntries(entries);
  const open =
    copy["type"] === "object" && "properties" in copy && !("additionalProperties" in copy);
  return open ? { ...copy, additionalProperties: false } : copy;
}
