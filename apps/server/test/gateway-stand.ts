import { OPERATOR } from "../src/actor.ts";
import assert from "node:assert/strict";
import type { SmsGateway } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { createKey } from "../src/api-keys/create-key.ts";
import { sql } from "../src/db/sql.ts";
import { buildHttp } from "../src/http/server.ts";
import { setProvider } from "../src/sms/set-provider.ts";
import type { SmsProviderInput } from "../src/sms/sms-provider.ts";
import { testProvider } from "../src/sms/test-provider.ts";
import { createWorkspace } from "../src/workspaces/create-workspace.ts";
import { freePort } from "./free-port.ts";
import { startTestApp, type TestApp } from "./harness.ts";

interface OtpAnswer {
  readonly requestId: string;
  readonly sent: boolean;
  readonly errorCode?: string;
  readonly error?: string;
}

/** A workspace whose passcodes go over real HTTP to an emulated gateway, which reports to our public address. */
export interface GatewayStand {
  readonly t: TestApp;
  readonly base: string;
  readonly workspaceId: string;
  readonly providerId: string;
  /** What a person must enter at the gateway; "" when nothing. */
  readonly receiptUrl: string;
  send(mobile: string, message?: string, lang?: "E" | "A"): Promise<OtpAnswer>;
  statusOf(requestId: string): Promise<{ status: string; code: string | null } | undefined>;
  credits(): Promise<number | null>;
  /** `otp.status` events as [previous, now]. */
  moves(requestId: string): Promise<[string | null, string][]>;
  /** Everything that was logged. */
  log(): string;
}

export type Shop = (
  input: (receiptUrl?: string) => SmsProviderInput,
  entered?: (receiptUrl: string) => void,
) => Promise<GatewayStand>;

/** Starts the server once; `shop` makes a workspace with 1,000 credits and a verified account on it. */
export async function startGatewayStand(): Promise<{ shop: Shop } & AsyncDisposable> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  let logged = "";
  const log = pino({ level: "trace" }, { write: (line: string) => void (logged += line) });
  const t = await startTestApp({ config: { publicUrl: base }, overrides: { log } });
  const server: FastifyInstance = await buildHttp(t.app);
  await server.listen({ host: "127.0.0.1", port });
  return {
    async shop(input, entered) {
      const { id } = await createWorkspace(OPERATOR, t.app, { name: "Shop", smsCredits: 1_000 });
      const provider = await setProvider(OPERATOR, t.app, id, input());
      entered?.(provider.receiptUrl ?? "");
      const tested = await testProvider(OPERATOR, t.app, id, "99950000001");
      assert.ok(tested.sent, JSON.stringify(tested));
      const { bearer } = await createKey(OPERATOR, t.app, id);
      return standOf(t, base, id, provider, bearer, () => logged);
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await t[Symbol.asyncDispose]();
    },
  };
}

function standOf(
  t: TestApp,
  base: string,
  workspaceId: string,
  provider: { readonly id: string; readonly receiptUrl?: string },
  bearer: string,
  log: () => string,
): GatewayStand {
  return {
    t,
    base,
    workspaceId,
    providerId: provider.id,
    receiptUrl: provider.receiptUrl ?? "",
    log,
    async send(mobile, message = "Your code is 482913", lang = "E") {
      const answer = await fetch(`${base}/api/v1/otp/send`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: JSON.stringify({ mobile, message, lang }),
      });
      assert.equal(answer.status, 201);
      return (await answer.json()) as OtpAnswer;
    },
    async statusOf(requestId) {
      const rows = await t.app.db.query<{ status: string; code: string | null }>(
        sql`select status, error_code as code from otp_record where id = ${requestId}`,
      );
      return rows[0];
    },
    async credits() {
      const rows = await t.app.db.query<{ n: number | null }>(
        sql`select sms_credits as n from workspace where id = ${workspaceId}`,
      );
      return rows[0]?.n ?? null;
    },
    async moves(requestId) {
      const rows = await t.app.db.query<{ body: string }>(
        sql`select body from event where workspace_id = ${workspaceId} order by sequence`,
      );
      return rows.flatMap(({ body }): [string | null, string][] => {
        const { type, data } = JSON.parse(body) as {
          type: string;
          data: { requestId: string; previousStatus: string | null; status: string };
        };
        const about = type === "otp.status" && data.requestId === requestId;
        return about ? [[data.previousStatus, data.status]] : [];
      });
    },
  };
}

/**
 * Sends passcodes that the gateway refuses while it quotes the whole request, in several ways, and gives the passcodes
 * and where they must not be.
 */
export async function canaries(stand: GatewayStand, gateway: SmsGateway, codes: readonly number[]) {
  const { t } = stand;
  const sent: string[] = [];
  const message = () => {
    const canary = `CANARY${sent.length}x${t.app.ids.next().slice(-12)}`;
    sent.push(canary);
    return `Your code is ${canary}, keep it`;
  };
  let results = JSON.stringify(await stand.send("99950007001", message()));
  for (const [index, code] of codes.entries()) {
    gateway.fault({ kind: "code", code, details: "Refused: {{request}}" });
    results += JSON.stringify(await stand.send(`9655000710${index}`, message()));
  }
  for (const [index, status] of [200, 400, 500].entries()) {
    const canary = message();
    gateway.fault({ kind: "status", status, body: canary });
    results += JSON.stringify(await stand.send(`9655000720${index}`, canary));
  }
  gateway.fault({ kind: "drop", accepted: true });
  results += JSON.stringify(await stand.send("99950007300", message()));
  await gateway.flush();
  return { sent, results };
}
