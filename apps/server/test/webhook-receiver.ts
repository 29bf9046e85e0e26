import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "../src/db/sql.ts";
import { emitEvents } from "../src/webhooks/emit-events.ts";
import type { TestApp } from "./harness.ts";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
export type Answer = (response: ServerResponse, request: Received) => void;
export const good: Answer = (response) => response.writeHead(204).end();
export const bad: Answer = (response) => response.writeHead(500).end("broken \0 here");

/** A customer's webhook receiver on a loopback port. */
export interface Receiver {
  readonly base: string;
  readonly received: readonly Received[];
  /** The most requests that were open at one time. */
  readonly most: number;
  /** How a path answers; 204 when nothing is said. */
  readonly answers: Map<string, Answer>;
  clear(): void;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers = new Map<string, Answer>();
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    most = Math.max(most, ++open);
    response.on("close", () => open--);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const one = { path, headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      (answers.get(path) ?? good)(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    get most() {
      return most;
    },
    clear() {
      received.length = 0;
      answers.clear();
      most = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A workspace without anything. */
export async function bareWorkspace(t: TestApp): Promise<string> {
  const id = t.app.ids.next();
  await t.app.db.query(
    sql`insert into workspace (id, name, plan, created_at) values (${id}, 'A', 'free', ${t.clock.now()})`,
  );
  return id;
}

/** Emits events of one kind, all alike. */
export async function emitSome(t: TestApp, workspaceId: string, count = 1): Promise<void> {
  const event = {
    workspaceId,
    type: "usage.threshold",
    data: { percent: 80, limit: 10, usage: 8, periodStart: "a", periodEnd: "é" },
  } as const;
  const events = Array.from({ length: count }, () => event);
  await t.app.db.transaction((tx) => emitEvents(t.app, tx, events));
}
