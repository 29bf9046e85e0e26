import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Desk, FakeGraph, json, type SentBody } from "../../../test/messaging.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { buildApp, type App } from "../../app.ts";
import type { Config } from "../../config.ts";
import type { Clock } from "../../lib/clock.ts";
import { attributeTerms } from "../../contacts/attributes/attribute-terms.ts";
import { sql } from "../../db/sql.ts";
import type { HttpResponse } from "../../lib/http.ts";
import type { Plan } from "../../wire/words.ts";
import type { Broadcast } from "./broadcast.ts";
import { createBroadcast, type NewBroadcast } from "./create-broadcast.ts";
import { findBroadcast } from "./find-broadcast.ts";
import { startBroadcast } from "./start-broadcast.ts";

/** For the tests of campaigns: an app, a Graph API in the process, and a shop with contacts and a template. */
export interface Ground<G extends FakeGraph = FakeGraph> extends AsyncDisposable {
  readonly t: TestApp;
  readonly graph: G;
  /** A second process on the same database, with the test's clock unless it is given another. */
  another(as?: { clock?: Clock; role?: Config["role"] }): Promise<App>;
}

export function startGround(): Promise<Ground> {
  return startGroundOn(new FakeGraph());
}

/** The same with other platforms in the process. */
export async function startGroundOn<G extends FakeGraph>(graph: G): Promise<Ground<G>> {
  const outer = await startTestApp();
  const { clock, databaseUrl } = outer;
  const secrets = { masterKey: randomBytes(32) };
  const another: Ground["another"] = ({ clock: own = clock, role = "all" } = {}) =>
    buildApp({ ...outer.app.config, role }, secrets, { clock: own, providerHttp: graph });
  const app = await another();
  const dispose = async () => {
    await app[Symbol.asyncDispose]();
    await outer[Symbol.asyncDispose]();
  };
  const t = { app, clock, databaseUrl, [Symbol.asyncDispose]: dispose };
  return { t, graph, another, [Symbol.asyncDispose]: dispose };
}

export const BODY = "Hello {{1}}, your code is {{2}}";

export interface NewPerson {
  readonly phone?: string | null;
  readonly name?: string | null;
  readonly optedOut?: boolean;
  readonly attributes?: Record<string, unknown>;
}

/** A workspace with a WhatsApp channel and an approved template of two variables. */
export class Shop {
  readonly ground: Ground;
  readonly desk: Desk;
  readonly templateId: string;
  constructor(ground: Ground, desk: Desk, templateId: string) {
    this.ground = ground;
    this.desk = desk;
    this.templateId = templateId;
  }

  static async open(
    ground: Ground,
    options: { plan?: Plan; messages?: number | null } = {},
  ): Promise<Shop> {
    const desk = await Desk.open(ground, options);
    // The first sync of the templates, which finds none.
    await ground.t.app.drain();
    const shop = new Shop(ground, desk, ground.t.app.ids.next());
    const components = JSON.stringify([{ type: "BODY", text: BODY }]);
    await shop.app.db.query(sql`
      insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
        body_variable_count, last_synced_at)
      values (${desk.workspaceId}, ${shop.templateId}, ${desk.account.channelId}, '77', 'code', 'en', 'MARKETING',
        'APPROVED', ${components}, 2, ${ground.t.clock.now()})`);
    return shop;
  }

  get app(): App {
    return this.ground.t.app;
  }
  get id(): string {
    return this.desk.workspaceId;
  }

  /** Puts contacts straight into the table; gives their ids in order. */
  async people(list: readonly NewPerson[]): Promise<string[]> {
    const ids = list.map(() => this.app.ids.next());
    const at = this.ground.t.clock.now();
    await this.app.db.query(sql`
      insert into contact (workspace_id, id, name, phone, attributes, attribute_terms, opted_out_at, search, created_at,
        updated_at)
      select ${this.id}, t.id, t.name, t.phone, t.attributes, t.terms::tsvector, case when t.opted_out then ${at}::timestamptz end, '',
        ${at}, ${at}
      from unnest(${ids}::uuid[], ${list.map((one) => (one.name === undefined ? "Sara Ali" : one.name))}::text[],
        ${list.map((one) => (one.phone === undefined ? null : one.phone))}::text[],
        ${list.map((one) => JSON.stringify(one.attributes ?? {}))}::json[],
        ${list.map((one) => attributeTerms(one.attributes ?? {}))}::text[],
        ${list.map((one) => one.optedOut ?? false)}::boolean[]) as t (id, name, phone, attributes, terms, opted_out)`);
    const out = list.flatMap((one) => (one.optedOut && one.phone ? [one.phone] : []));
    await this.app.db.query(sql`insert into opted_out_phone (workspace_id, phone, since)
      select ${this.id}, u.phone, ${at} from unnest(${out}::text[]) as u (phone) on conflict do nothing`);
    return ids;
  }

  /** This many contacts with phones of their own. */
  crowd(count: number, prefix = "9655"): Promise<string[]> {
    return this.people(
      Array.from({ length: count }, (_, n) => ({
        phone: `${prefix}${String(n).padStart(7, "0")}`,
      })),
    );
  }

  draft(more: Partial<NewBroadcast> = {}): Promise<Broadcast> {
    return createBroadcast(OPERATOR, this.app, this.id, {
      name: "News",
      kind: "WHATSAPP_TEMPLATE",
      channelId: this.desk.account.channelId,
      templateId: this.templateId,
      variables: { "1": "{{first_name}}", "2": "A-17" },
      rateLimitPerMinute: 1_000_000,
      ...more,
    });
  }

  text(body: string, more: Partial<NewBroadcast> = {}): Promise<Broadcast> {
    const { channelId } = this.desk.account;
    return createBroadcast(OPERATOR, this.app, this.id, {
      name: "Text",
      kind: "TEXT",
      channelId,
      body,
      rateLimitPerMinute: 1_000_000,
      ...more,
    });
  }

  start(id: string): Promise<Broadcast> {
    return startBroadcast(OPERATOR, this.app, this.id, id);
  }
  find(id: string): Promise<Broadcast> {
    return findBroadcast(this.app, this.id, id);
  }
  key(id: string): { workspaceId: string; id: string } {
    return { workspaceId: this.id, id };
  }

  /** The recipients' states in words, in the order of their contacts: "sent", "failed 131026", "skipped opted_out". */
  async outcomes(id: string): Promise<string[]> {
    const rows = await this.app.db.query<{ word: string }>(sql`
      select concat_ws(' ', status, reason) as word from broadcast_recipient
      where workspace_id = ${this.id} and broadcast_id = ${id} order by contact_id`);
    return rows.map((row) => row.word);
  }

  /** Checks that the counts of the row equal a recount, and add up (contract §5, Recipients). */
  async checkCounts(id: string): Promise<Broadcast> {
    const broadcast = await this.find(id);
    const sums: Record<string, number> = {};
    const counted = await this.app.db.query<{ status: string; count: number }>(sql`
      select status, count(*) as count from broadcast_recipient
      where workspace_id = ${broadcast.workspaceId} and broadcast_id = ${id} group by status`);
    for (const { status, count } of counted) sums[status] = count;
    const of = (...statuses: string[]) =>
      statuses.reduce((sum, status) => sum + (sums[status] ?? 0), 0);
    assert.deepEqual(
      {
        total: broadcast.totalCount,
        sent: broadcast.sentCount,
        delivered: broadcast.deliveredCount,
        read: broadcast.readCount,
        failed: broadcast.failedCount,
        skipped: broadcast.skippedCount,
      },
      {
        total: of("pending", "sending", "sent", "delivered", "read", "failed", "skipped"),
        sent: of("sent", "delivered", "read"),
        delivered: of("delivered", "read"),
        read: of("read"),
        failed: of("failed"),
        skipped: of("skipped"),
      },
    );
    return broadcast;
  }

  /** The statuses that events told of, in order. */
  async told(): Promise<string[]> {
    return (await this.desk.events("broadcast.status")).map((data) => String(data["status"]));
  }
}

/** How often each address was called. */
export function callsByAddress(sent: readonly SentBody[]): Map<string, number> {
  const calls = new Map<string, number>();
  for (const { to } of sent) calls.set(to, (calls.get(to) ?? 0) + 1);
  return calls;
}

/** An error answer of the Graph API, with a wait in its header, in minutes, if one is given. */
export const refusal = (status: number, code: number): HttpResponse =>
  json(status, { error: { code, message: `error ${code}`, type: "OAuthException" } });
