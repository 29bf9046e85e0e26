import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Context } from "../../context.ts";
import { join } from "../../db/sql.ts";
import { broadcastQueue } from "../../broadcasts/record/broadcast-sql.ts";
import { failureQueue } from "../../messages/receive/inbound-failure-sql.ts";
import { replyQueue } from "../../messages/send/outbox-sql.ts";
import { deliveryQueue } from "../../webhooks/delivery-sql.ts";
import type { RequestRoom } from "../edge/request-room.ts";
import { VERSION } from "../../version.ts";

const QUEUES = join([replyQueue, deliveryQueue, broadcastQueue, failureQueue], " union all ");

export interface Metrics {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Prometheus text. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** Counts of this process, and the depth of the queues as the database knows them. */
export function createMetrics(
  context: Pick<Context, "db" | "rateLimits">,
  room?: RequestRoom,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "parley_http_request_duration_seconds",
    help: "Time from the request line to the last byte of the answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const build = new Gauge({
    name: "parley_build_info",
    help: "Always 1; the labels say which Parley and which Node run",
    labelNames: ["version", "node"],
    registers: [registry],
  });
  build.set({ version: VERSION, node: process.versions.node }, 1);
  const queues = new Gauge({
    name: "parley_queue_rows",
    help: "Rows that wait, by queue and state",
    labelNames: ["queue", "state"],
    registers: [registry],
    async collect() {
      this.reset();
      const rows = await context.db
        .slowQuery<{ queue: string; state: string; n: number }>(QUEUES, 2_000)
        // Without a database the other figures matter all the more.
        .catch(() => []);
      for (const { queue, state, n } of rows) this.set({ queue, state }, n);
    },
  });
  registry.registerMetric(queues);
  const fallback = new Gauge({
    name: "parley_rate_limits_fallback",
    help: "1 while Redis is away and PostgreSQL counts the rate limits",
    registers: [registry],
    collect() {
      this.set(context.rateLimits.usesFallback() ? 1 : 0);
    },
  });
  registry.registerMetric(fallback);
  if (room) countRoom(registry, room);
  return {
    observe: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** The requests that this process works on, and those that it refused because it had enough to do. */
function countRoom(registry: Registry, room: RequestRoom): void {
  const refused = new Counter({
    name: "parley_requests_refused_total",
    help: "Requests answered 503 because this process had enough to do, by importance and cause",
    labelNames: ["importance", "cause"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { importance, cause, count } of room.refusals())
        this.inc({ importance, cause }, count);
    },
  });
  const working = new Gauge({
    name: "parley_requests_in_flight",
    help: "Requests that this process works on",
    registers: [registry],
    collect() {
      this.set(room.inFlight);
    },
  });
  for (const one of [refused, working]) registry.registerMetric(one);
}
