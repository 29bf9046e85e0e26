import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import {
  createHttpGatewayEmulator,
  createInfobipEmulator,
  createKwtSmsEmulator,
  createUnifonicEmulator,
  createVonageEmulator,
  type SmsGateway,
} from "@parley/emulators";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/record/find-broadcast.ts";
import { startBroadcast } from "../../src/broadcasts/record/start-broadcast.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { sql } from "../../src/db/sql.ts";
import { startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** The odd cases that all gateways over HTTP have in common (channels §9), each over real HTTP. */
let stands: Awaited<ReturnType<typeof startGatewayStand>>;
const shops: { name: string; gateway: SmsGateway; stand: GatewayStand }[] = [];
/** Where a redirect leads. */
let followed = 0;
const elsewhere = createServer((request, response) => {
  followed++;
  request.resume();
  response.end("{}");
});

async function open(name: string, gateway: SmsGateway, input: object): Promise<void> {
  const enter = (url: string) => {
    if ("enterReceiptUrl" in gateway && typeof gateway.enterReceiptUrl === "function")
      gateway.enterReceiptUrl("s3cret", url);
  };
  const stand = await stands.shop(() => ({ provider: name, apiUrl: gateway.url, ...input }), enter);
  shops.push({ name, gateway, stand });
}

before(async () => {
  stands = await startGatewayStand();
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const delivery = "manual" as const;
  const vonage = await createVonageEmulator({
    delivery,
    accounts: [{ apiKey: "k", apiSecret: "s3cret" }],
  });
  await open("vonage", vonage, { apiKey: "k", apiSecret: "s3cret", from: "SHOP" });
  const infobip = await createInfobipEmulator({ delivery, apiKeys: ["s3cret"] });
  await open("infobip", infobip, { apiKey: "s3cret", from: "SHOP" });
  const unifonic = await createUnifonicEmulator({
    delivery,
    accounts: [{ appSid: "s3cret", senders: ["SHOP"] }],
  });
  await open("unifonic", unifonic, { appSid: "s3cret", from: "SHOP" });
  const kwtsms = await createKwtSmsEmulator({
    delivery,
    accounts: [{ username: "u", password: "s3cret", senders: ["SHOP"] }],
  });
  await open("kwtsms", kwtsms, { username: "u", password: "s3cret", from: "SHOP" });
  const http = await createHttpGatewayEmulator({ delivery, password: "s3cret" });
  const url = `${http.url}/send?UID=user&P=s3cret&S={{from}}&G={{to}}&M={{text}}&IID={{id}}&L={{lang}}&D={{receipt_url}}`;
  const rules = {
    url,
    from: "SHOP",
    langE: "L",
    langA: "A",
    success: "regex:^100",
    messageId: "regex:id=(\\w{1,40})",
    errorCode: "regex:^(\\d{3})",
    errorCodes: '{"102":"GATEWAY_AUTH","108":"INVALID_NUMBER","110":"GATEWAY_RATE_LIMITED"}',
    receiptId: "msgid",
    receiptStatus: "state",
    receiptDelivered: "DELIVRD",
  };
  const stand = await stands.shop(() => ({ provider: "http", ...rules }));
  shops.push({ name: "http", gateway: http, stand });
});
after(async () => {
  await stands[Symbol.asyncDispose]();
  for (const { gateway } of shops) await gateway.close();
  elsewhere.close();
});
beforeEach(() => {
  for (const { gateway } of shops) gateway.clear();
});

let next = 0;
const mobile = (): string => `9655001${String(++next).padStart(4, "0")}`;

test("an answer that is none (HTML, empty, cut off, huge, a redirect, HTTP 500) leaves a passcode unknown: it is not sent again, no redirect is followed", async () => {
  const { port } = elsewhere.address() as AddressInfo;
  for (const { name, gateway, stand } of shops)
    for (const fault of [
      { kind: "html" },
      { kind: "empty" },
      { kind: "truncated" },
      { kind: "status", status: 200, body: "x".repeat(600_000), accepted: true },
      { kind: "redirect", location: `http://127.0.0.1:${port}/`, accepted: true },
      { kind: "redirect", status: 307, location: `http://127.0.0.1:${port}/`, accepted: true },
      { kind: "status", status: 500, body: "oops", accepted: true },
      { kind: "drop", accepted: true },
    ] as const) {
      // Half of a plain text is a plain text: nobody can tell.
      if (name === "http" && fault.kind === "truncated") continue;
      const before_ = gateway.ledger.total;
      gateway.fault(fault);
      const { requestId, sent } = await stand.send(mobile());
      const about = `${name} ${JSON.stringify(fault).slice(0, 60)}`;
      assert.equal(sent, false, about);
      const status = (await stand.statusOf(requestId))?.status;
      assert.ok(
        status === "unknown" || (fault.kind === "redirect" && status === "failed"),
        `${about}: ${status}`,
      );
      assert.ok(gateway.ledger.total - before_ <= 1, about);
    }
  assert.equal(followed, 0);
});

test("a gateway that throttles halves the campaign's rate once per episode, and everybody is reached once", async () => {
  const codes: Readonly<Record<string, number>> = {
    vonage: 1,
    infobip: 429,
    unifonic: 429,
    kwtsms: 13,
    http: 110,
  };
  for (const { name, gateway, stand } of shops) {
    const { app } = stand.t;
    const numbers = [mobile(), mobile(), mobile()];
    for (const phone of numbers)
      await createContact(OPERATOR, app, stand.workspaceId, { name: phone, phone });
    const draft = { name: "Sale", kind: "SMS", body: "hello", rateLimitPerMinute: 600 } as const;
    const { id } = await createBroadcast(OPERATOR, app, stand.workspaceId, draft);
    // Of a gateway with a pace of its own two are called at once; a third refusal would be of the next batch.
    gateway.fault({ kind: "code", code: codes[name] ?? 0, next: name === "kwtsms" ? 2 : 3 });
    await startBroadcast(OPERATOR, app, stand.workspaceId, id);
    for (let round = 0; round < 12; round++) {
      await app.drain();
      stand.t.clock.advance(40_000);
      await gateway.advance(40_000);
    }
    const done = await findBroadcast(app, stand.workspaceId, id);
    assert.equal(done.status, "COMPLETED", `${name}: ${done.status}`);
    assert.deepEqual([gateway.ledger.total, gateway.ledger.repeated()], [3, []], name);
    const [row] = await app.db.query<{ rate: number }>(
      sql`select rate_limit_per_minute as rate from broadcast where id = ${id}`,
    );
    // The refusals of one batch are one episode.
    assert.equal(row?.rate, 300, name);
  }
});

test("a number that is none fails alone; refused credentials pause the campaign and burn nobody", async () => {
  const bad: Readonly<Record<string, string>> = {
    vonage: "99950000006",
    infobip: "99950000014",
    unifonic: "99950000010",
    kwtsms: "99950000025",
    http: "99950000008",
  };
  const auth: Readonly<Record<string, number>> = {
    vonage: 4,
    infobip: 401,
    unifonic: 401,
    kwtsms: 3,
    http: 102,
  };
  for (const { name, gateway, stand } of shops) {
    const { app } = stand.t;
    await app.db.query(sql`delete from contact where workspace_id = ${stand.workspaceId}`);
    for (const phone of [bad[name] ?? "", mobile()])
      await createContact(OPERATOR, app, stand.workspaceId, { name: phone, phone });
    const run = async () => {
      const draft = { name: "Sale", kind: "SMS", body: "hello" } as const;
      const { id } = await createBroadcast(OPERATOR, app, stand.workspaceId, draft);
      await startBroadcast(OPERATOR, app, stand.workspaceId, id);
      for (let round = 0; round < 6; round++) {
        await app.drain();
        stand.t.clock.advance(20_000);
        await gateway.advance(20_000);
      }
      return findBroadcast(app, stand.workspaceId, id);
    };
    const alone = await run();
    assert.deepEqual([alone.status, alone.sentCount, alone.failedCount], ["COMPLETED", 1, 1], name);
    gateway.fault({ kind: "code", code: auth[name] ?? 0, next: 50 });
    const paused = await run();
    assert.deepEqual([paused.status, paused.sentCount, paused.failedCount], ["PAUSED", 0, 0], name);
  }
});
