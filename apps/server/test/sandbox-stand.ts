import { OPERATOR } from "../src/actor.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createKey } from "../src/api-keys/create-key.ts";
import type { Config } from "../src/config.ts";
import { sql } from "../src/db/sql.ts";
import { buildHttp } from "../src/http/server.ts";
import type { Said, SayInput } from "../src/lib/sandbox-slot.ts";
import { addSandboxChannel, type AddedLine } from "../src/sandbox/add-sandbox-channel.ts";
import { startSandboxKeeper, type SandboxKeeper } from "../src/sandbox/sandbox-keeper.ts";
import { sandboxToken } from "../src/sandbox/sandbox-token.ts";
import type { RunningLine } from "../src/sandbox/line.ts";
import { createWorkspace } from "../src/workspaces/create-workspace.ts";
import { freePort } from "./free-port.ts";
import { startTestApp, type TestApp } from "./harness.ts";
import type { SandboxType } from "../src/wire/words.ts";

type Json = Readonly<Record<string, unknown>>;

/** A message as it is stored. */
export interface Stored {
  readonly status: string;
  readonly code: string | null;
  readonly providerMessageId: string | null;
}

/** One workspace with one sandbox channel, worked over HTTP on both sides: as a customer and as an API client. */
export interface SandboxShop {
  readonly workspaceId: string;
  readonly bearer: string;
  readonly added: AddedLine;
  readonly line: RunningLine;
  say(input: SayInput): Promise<Said>;
  /** As the phone screen would: any call below `/sandbox/v1/{id}`. */
  phone(method: string, path: string, body?: object, token?: string): Promise<Answer>;
  api(method: string, path: string, body?: object): Promise<Answer>;
  stored(messageId: string): Promise<Stored>;
  channel(): Promise<{ status: string; throttled: boolean }>;
  /** Events of a kind, oldest first: their data. */
  events(kind: string): Promise<Json[]>;
}
export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export interface SandboxStand extends AsyncDisposable {
  readonly t: TestApp;
  readonly base: string;
  readonly keeper: SandboxKeeper;
  open(type: SandboxType): Promise<SandboxShop>;
  /** Serves the channels that were added meanwhile. */
  look(): Promise<void>;
  /** Runs what is due on our side and at the platforms until nothing moves. */
  settle(): Promise<void>;
}

/** The server at an address of its own with a sandbox that sends nothing by itself; `dashboard`: the folder of its pages. */
export async function startSandboxStand(
  config: Partial<Config> = {},
  dashboard: string | null = null,
  masterKey: Buffer = randomBytes(32),
): Promise<SandboxStand> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const t = await startTestApp({ config: { publicUrl: base, ...config }, masterKey });
  const server = await buildHttp(t.app, dashboard);
  await server.listen({ host: "127.0.0.1", port });
  const keeper = await startSandboxKeeper(t.app, {
    publicUrl: base,
    address: base,
    delivery: "manual",
    timed: false,
    always: true,
  });
  const settle = async () => {
    for (let round = 0; round < 3; round++) {
      await t.app.drain();
      await keeper.sandbox?.flush();
    }
    await t.app.drain();
  };
  return {
    t,
    base,
    keeper,
    settle,
    look: () => keeper.look(),
    async open(type) {
      const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
        name: "Shop",
        plan: "business",
        smsCredits: 1_000,
      });
      const added = await addSandboxChannel(OPERATOR, t.app, workspaceId, { type });
      await keeper.look();
      const { bearer } = await createKey(OPERATOR, t.app, workspaceId);
      return shopOf(t, base, keeper, { workspaceId, bearer, added });
    },
    async [Symbol.asyncDispose]() {
      await keeper.close();
      await server.close();
      await t[Symbol.asyncDispose]();
    },
  };
}

function shopOf(
  t: TestApp,
  base: string,
  keeper: SandboxKeeper,
  facts: Pick<SandboxShop, "workspaceId" | "bearer" | "added">,
): SandboxShop {
  const { workspaceId, bearer, added } = facts;
  const call = async (
    method: string,
    url: string,
    token: string,
    body?: object,
  ): Promise<Answer> => {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };
  const phone: SandboxShop["phone"] = (method, path, body, token = sandboxToken(t.app, added.id)) =>
    call(method, `${base}/sandbox/v1/${added.id}${path}`, token, body);
  return {
    ...facts,
    get line() {
      const line = keeper.sandbox?.line(added.id);
      assert.ok(line, "the channel is served");
      return line;
    },
    phone,
    async say(input) {
      const { status, body } = await phone("POST", "/say", input);
      assert.equal(status, 201, JSON.stringify(body));
      return body as unknown as Said;
    },
    api: (method, path, body) => call(method, `${base}/api/v1${path}`, bearer, body),
    async stored(messageId) {
      const [row] = await t.app.db.query<Stored>(
        sql`select status, error_code as code, provider_message_id as "providerMessageId" from message
          where workspace_id = ${workspaceId} and id = ${messageId}`,
      );
      assert.ok(row);
      return { ...row };
    },
    async channel() {
      const [row] = await t.app.db.query<{ status: string; until: Date | null }>(
        sql`select status, throttled_until as until from channel where workspace_id = ${workspaceId} and id = ${added.id}`,
      );
      const throttled = (row?.until?.getTime() ?? 0) > t.clock.now().getTime();
      return { status: row?.status ?? "", throttled };
    },
    async events(kind) {
      const rows = await t.app.db.query<{ body: string }>(
        sql`select body from event where workspace_id = ${workspaceId} order by sequence`,
      );
      return rows
        .map(({ body }) => JSON.parse(body) as { type: string; data: Json })
        .filter(({ type }) => type === kind)
        .map(({ data }) => data);
    },
  };
}
