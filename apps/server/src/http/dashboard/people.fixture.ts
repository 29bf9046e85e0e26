import { startTestApp } from "../../../test/harness.ts";
import { OPERATOR, type MemberRole } from "../../actor.ts";
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

/** A server with the dashboard's API, and people who call it. */
export async function openHouse(publicUrl = "http://127.0.0.1:0", config: Partial<Config> = {}) {
  const t = await startTestApp({ config: { publicUrl, ...config } });
  const fastify = await buildHttp(t.app);
  const ask = async (
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
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
    const json: unknown = answer.json();
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
