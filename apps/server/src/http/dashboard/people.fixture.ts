import { startTestApp } from "../../../test/harness.ts";
import { OPERATOR, type MemberRole } from "../../actor.ts";
import type { App } from "../../app.ts";
import type { Config } from "../../config.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { buildHttp } from "../server.ts";

export const PASSWORD = "correct horse battery";
/** The header that a page of ours sends. */
export const OURS = {
  "x-parley": "1",
  "content-type": "application/json",
  "sec-fetch-site": "same-origin",
};

/** An answer of the dashboard's API. */
export interface Asked {
  readonly status: number;
  readonly code: string | undefined;
  /** The new session's secret; empty when the cookie was ended. */
  readonly token: string | undefined;
  /** The secret of a sign-in that waits for its code. */
  readonly step: string | undefined;
  readonly cookie: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly json: unknown;
}

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The dashboard's API of an app, and signed-in members of its workspaces who call it. */
export async function openBrowsers(app: App) {
  const http = await buildHttp(app);
  /** A new member of a workspace, signed in. A `Buffer` is sent as it is, everything else as JSON. */
  const signIn = async (workspaceId: string, role: MemberRole, name: string = role) => {
    const email = `${app.ids.next()}@example.com`;
    const input = { email, name, role, password: PASSWORD };
    const { id } = await createMember(OPERATOR, app, workspaceId, input);
    const session = await http.inject({
      method: "POST",
      url: "/api/app/sign-in",
      headers: OURS,
      payload: JSON.stringify({ email, password: PASSWORD }),
    });
    const [cookie = ""] = String(session.headers["set-cookie"]).split(";");
    const { "content-type": json, ...ours } = OURS;
    const send = (method: HttpMethod, path: string, body?: object, headers = {}) =>
      http.inject({
        method,
        url: `/api/app${path}`,
        headers: { ...ours, cookie, ...(body && { "content-type": json }), ...headers },
        ...(body && { payload: body instanceof Buffer ? body : JSON.stringify(body) }),
      });
    const ask = async <T>(...given: Parameters<typeof send>) => {
      const answer = await send(...given);
      return { status: answer.statusCode, json: answer.json<T>() };
    };
    return { id, cookie, send, ask };
  };
  return { signIn, [Symbol.asyncDispose]: () => http.close() };
}
export type Browsers = Awaited<ReturnType<typeof openBrowsers>>;

/** A server with the dashboard's API, and people who call it. */
export async function openHouse(publicUrl = "http://127.0.0.1:0", config: Partial<Config> = {}) {
  const t = await startTestApp({ config: { publicUrl, ...config } });
  const fastify = await buildHttp(t.app);
  const ask = async (
    method: HttpMethod,
    path: string,
    given: { as?: string; step?: string; body?: object; headers?: Record<string, string> } = {},
  ): Promise<Asked> => {
    const { as, step, body, headers = OURS } = given;
    const cookies = [
      ...(as ? [`a=1; parley=${as}`] : []),
      ...(step ? [`parley-code=${step}`] : []),
    ];
    const answer = await fastify.inject({
      method,
      url: `/api/app${path}`,
      headers: { ...headers, ...(cookies.length > 0 && { cookie: cookies.join("; ") }) },
      ...(body && { payload: JSON.stringify(body) }),
    });
    const cookie = String(answer.headers["set-cookie"] ?? "");
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    const json: unknown = isJson ? answer.json() : undefined;
    const code =
      typeof json === "object" && json !== null && "message" in json
        ? String(json.message)
        : undefined;
    return {
      status: answer.statusCode,
      code,
      token: /parley=([\w-]*)/.exec(cookie)?.[1],
      step: /parley-code=([\w-]+)/.exec(cookie)?.[1],
      headers: answer.headers,
      cookie,
      json,
    };
  };
  const signIn = async (email: string, password = PASSWORD, more: object = {}) =>
    ask("POST", "/sign-in", { body: { email, password, ...more } });
  /** A member of a new or given workspace, signed in. */
  const member = async (role: MemberRole, workspaceId?: string) => {
    const w =
      workspaceId ?? (await createWorkspace(OPERATOR, t.app, { name: "W", plan: "growth" })).id;
    const email = `${t.app.ids.next()}@example.com`;
    const one = await createMember(OPERATOR, t.app, w, {
      email,
      name: "M",
      role,
      password: PASSWORD,
    });
    const { token = "" } = await signIn(email);
    return { ...one, token };
  };
  return {
    t,
    /** The server itself, for its other doors. */
    fastify,
    ask,
    signIn,
    member,
    async [Symbol.asyncDispose]() {
      await fastify.close();
      await t[Symbol.asyncDispose]();
    },
  };
}
