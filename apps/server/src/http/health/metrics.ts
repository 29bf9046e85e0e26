import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Context } from "../../context.ts";
import { join } from "../../db/sql.ts";
import { broadcastQueue } from "../../broadcasts/record/broadcast-sql.ts";
import { failureQueue } from "../../messages/receive/inbound-failure-sql.ts";
import { replyQueue } from "../../messages/send/outbox-sql.ts";
import { deliveryQueue } from "../../webhooks/delivery-sql.ts";
import { VERSION } from "../../version.ts";

const QUEUES = join([replyQueue, deliveryQueue, broadcastQueue, failureQueue], " union all ");

export interface Metrics {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Prometheus text. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** Counts of this process, and the depth of the queues as the database knows them. */
export function createMetrics(context: Pick<Context, "db" | "rateLimits">): Metrics {
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
  return {
    observe: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
