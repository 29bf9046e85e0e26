import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { connectChannel } from "../channels/connect-channel.ts";
import { sql } from "../db/sql.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { createFetcher } from "./fetch-media.ts";
import { bareSource, MediaGround, PNG } from "./media.fixture.ts";
import { settleAttachment } from "../messages/record/settle-attachment.ts";

const MAX = 64 * 1024;
let ground: MediaGround;
before(async () => {
  ground = await MediaGround.open({ mediaMaxBytes: MAX });
});
after(() => ground[Symbol.asyncDispose]());

const rowOf = async (attachment: Record<string, unknown>) => {
  const [row] = await ground.t.app.db.query<Record<string, unknown>>(sql`
    select state, reason, attempts, source_sealed, available_at, encode(sha256, 'hex') as sha256
    from media where id = ${String(attachment["mediaId"])}`);
  return row ?? {};
};

test("a file is pending when its message comes; then it is fetched, kept and shown as stored", async () => {
  ground.answer = (_request, response) =>
    response.writeHead(200, { "content-type": "image/png" }).end(PNG);
  const message = await ground.receives(`${ground.base}/a.png`, {
    fileName: "../../إيصال \u202egnp.png",
  });
  const pending = await ground.attachment(message);
  assert.equal(pending["status"], "pending");
  assert.match(String(pending["url"]), /\/media\/[0-9a-f-]{36}\/[\w-]{64}$/);
  await ground.fetch();
  const stored: Record<string, unknown> = await ground.attachment(message);
  const wanted: Record<string, unknown> = {
    ...pending,
    status: "stored",
    mimeType: "image/png",
    size: PNG.length,
    fileName: "إيصال gnp.png",
  };
  assert.deepEqual(stored, wanted);
  const told = await ground.t.app.db.query<{ data: Record<string, unknown> }>(sql`
    select body::json->'data' as data from event
    where workspace_id = ${ground.account.workspaceId} and type = 'media.stored'`);
  const { mediaId, mimeType, size, fileName } = told[0]?.data ?? {};
  assert.deepEqual(
    [told.length, mediaId, mimeType, size, fileName],
    [1, stored["mediaId"], "image/png", PNG.length, "إيصال gnp.png"],
  );
  const row = await rowOf(stored);
  assert.deepEqual(row, {
    state: "stored",
    reason: null,
    attempts: 1,
    source_sealed: null,
    available_at: null,
    sha256: createHash("sha256").update(PNG).digest("hex"),
  });
  const [file = "", ...others] = await ground.files();
  assert.equal(others.length, 0);
  const id = String(stored["mediaId"]);
  assert.equal(file, path.join(ground.account.workspaceId, id.slice(-2), id));
  const place = path.join(ground.t.app.config.dataDir, "uploads", file);
  assert.deepEqual(await readFile(place), PNG);
  assert.equal((await stat(place)).mode & 0o777, 0o600);
  assert.equal((await stat(path.dirname(place))).mode & 0o777, 0o700);
});

test("the same call again stores no second file", async () => {
  const before = await ground.t.app.db.query(sql`select 1 from media`);
  const { app, clock } = ground.t;
  const again = {
    account: ground.account,
    event: {
      kind: "message",
      accountExternalId: "1001",
      externalMessageId: "in.1",
      from: { externalId: "96550000001", phone: "96550000001", name: "Mona" },
      occurredAt: clock.now(),
      content: { type: "image", text: null, attachments: [{ type: "image" }], media: [] },
      opensWindow: true,
    },
  } as const;
  await receiveEvents(app, [again]);
  assert.equal((await app.db.query(sql`select 1 from media`)).length, before.length);
});

const html = Buffer.from("<!DOCTYPE html><script>alert(1)</script>");
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const xml = Buffer.concat([Buffer.from('<?xml version="1.0"?>'), svg]);
const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffdb", "hex");
const types: [name: string, claimed: string | null, bytes: Buffer, kept: string][] = [
  ["HTML that is called a PNG", "image/png", html, "application/octet-stream"],
  ["HTML that is called HTML", "text/html", html, "application/octet-stream"],
  ["HTML that is called nothing", null, html, "application/octet-stream"],
  ["SVG that is called SVG", "image/svg+xml", svg, "application/octet-stream"],
  ["SVG that the bytes show as XML, called nothing", null, xml, "application/octet-stream"],
  ["SVG that the bytes show as XML, called XML", "text/xml", xml, "application/octet-stream"],
  ["a JPEG that is called a PNG", "image/png", jpeg, "image/jpeg"],
  ["a PNG that is called a PDF", "application/pdf", PNG, "application/octet-stream"],
  ["a PNG that is called HTML", "text/html; charset=utf-8", PNG, "application/octet-stream"],
  ["a PNG without a type", null, PNG, "image/png"],
  ["a text", "text/plain", Buffer.from("مرحبا"), "text/plain"],
  ["bytes that are called text", "text/plain", Buffer.of(1, 0, 2), "application/octet-stream"],
];
test("the bytes decide a file's type; a file that is active or falsely named is only a download", async () => {
  for (const [name, mimeType, bytes, kept] of types) {
    ground.answer = (_request, response) =>
      response.writeHead(200, mimeType === null ? {} : { "content-type": mimeType }).end(bytes);
    const message = await ground.receives(`${ground.base}/x`, { mimeType });
    await ground.fetch();
    const { status, mimeType: told } = await ground.attachment(message);
    assert.deepEqual([status, told], ["stored", kept], name);
  }
});

test("a file of unannounced length is counted as it comes and broken off at the limit", async () => {
  let given = 0;
  ground.answer = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384))) given += 16_384;
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  };
  const before = await ground.files();
  const message = await ground.receives(`${ground.base}/endless`);
  await ground.fetch();
  const { status, reason } = await ground.attachment(message);
  assert.deepEqual([status, reason], ["failed", "too_large"]);
  assert.ok(given < 64 * MAX, `${given} bytes were taken`);
  assert.deepEqual(await ground.files(), before, "nothing is left of it");
});

test("a false length does no harm: a file announced as too large is not read, and one that ends early is not kept", async () => {
  ground.answer = (_request, response) => {
    response.writeHead(200, { "content-length": "999999999" }).write("x");
  };
  const announced = await ground.receives(`${ground.base}/huge`);
  await ground.fetch();
  assert.equal((await ground.attachment(announced))["reason"], "too_large");
  ground.answer = (_request, response) => {
    response.writeHead(200, { "content-length": "1000" }).write(PNG);
    setImmediate(() => response.destroy());
  };
  const short = await ground.receives(`${ground.base}/short`);
  await ground.fetch();
  const attachment = await ground.attachment(short);
  assert.equal(attachment["status"], "pending");
  assert.equal((await rowOf(attachment))["attempts"], 1);
  ground.answer = (_request, response) => response.end(PNG);
  ground.t.clock.advance(5_000);
  await ground.fetch();
  assert.equal((await ground.attachment(short))["status"], "stored");
});

test("a file of exactly the largest size is taken", async () => {
  ground.answer = (_request, response) => response.end(Buffer.alloc(MAX));
  const message = await ground.receives(`${ground.base}/most`);
  await ground.fetch();
  assert.equal((await ground.attachment(message))["size"], MAX);
});

test("a file that comes too slowly is broken off when its time is over, and tried again", async () => {
  ground.answer = (_request, response) => {
    const drip = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(drip));
  };
  const message = await ground.receives(`${ground.base}/drip`);
  await ground.fetch({ fetchMs: 100 });
  const attachment = await ground.attachment(message);
  assert.deepEqual([attachment["status"], (await rowOf(attachment))["attempts"]], ["pending", 1]);
  ground.answer = (_request, response) => response.end(PNG);
  ground.t.clock.advance(5_000);
  await ground.fetch();
  assert.equal((await ground.attachment(message))["status"], "stored");
});

test("after a failure that may pass a file is tried six times in two hours with growing gaps; then the agent reads why", async () => {
  ground.answer = (_request, response) => response.writeHead(503).end();
  const message = await ground.receives(`${ground.base}/down`);
  const waits: number[] = [];
  for (let waited = 0; (await ground.attachment(message))["status"] === "pending";) {
    const asked = ground.asked.length;
    await ground.fetch();
    if (ground.asked.length > asked) waits.push(waited);
    ground.t.clock.advance(5_000);
    waited = ground.asked.length > asked ? 5 : waited + 5;
  }
  assert.deepEqual(waits, [0, 5, 30, 120, 900, 6_000]);
  const { reason, detail } = await ground.attachment(message);
  assert.deepEqual([reason, detail], ["unreachable", "503: no file"]);
});

test("a final refusal is not tried again, and a throttled call waits as long as the platform asked", async () => {
  const wanted: [number, string, string | undefined][] = [
    [404, "failed", "gone"],
    [401, "failed", "refused"],
  ];
  for (const [status, state, reason] of wanted) {
    ground.answer = (_request, response) => response.writeHead(status).end();
    const message = await ground.receives(`${ground.base}/${status}`);
    await ground.fetch();
    const attachment = await ground.attachment(message);
    assert.deepEqual([attachment["status"], attachment["reason"]], [state, reason]);
    assert.equal((await rowOf(attachment))["source_sealed"], null);
  }
  ground.answer = (_request, response) => response.writeHead(429).end();
  const message = await ground.receives(`${ground.base}/429`);
  await ground.fetch();
  const asked = ground.asked.length;
  ground.t.clock.advance(59_999);
  await ground.fetch();
  assert.equal(ground.asked.length, asked);
  ground.answer = (_request, response) => response.end(PNG);
  ground.t.clock.advance(1);
  await ground.fetch();
  assert.equal((await ground.attachment(message))["status"], "stored");
});

test("each file waits on its own: an answer about one changes no other file of the workspace", async () => {
  ground.answer = ({ url }, response) => response.writeHead(url === "/busy" ? 503 : 429).end();
  for (const name of ["busy", "throttled"]) await ground.receives(`${ground.base}/${name}`);
  const from = ground.asked.length;
  await ground.fetch();
  for (const wait of [5_000, 55_000]) {
    ground.t.clock.advance(wait);
    await ground.fetch();
  }
  const asked = ground.asked.slice(from);
  assert.deepEqual(asked.slice(0, 2).toSorted(), ["/busy", "/throttled"]);
  assert.deepEqual(asked.slice(2).toSorted(), ["/busy", "/busy", "/throttled"]);
  ground.answer = (_request, response) => response.end(PNG);
  ground.t.clock.advance(3_600_000);
  await ground.fetch();
});

test("a worker that stops gives back the file that it was reading, and the try does not count", async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  ground.answer = (_request, response) => {
    response.writeHead(200).write("x");
    resolve();
  };
  const message = await ground.receives(`${ground.base}/long`);
  const fetcher = createFetcher(ground.t.app, settleAttachment, { sourceFor: () => bareSource });
  await fetcher.claim();
  await begun;
  await fetcher.stop();
  assert.equal(await fetcher.claim(), 0);
  const row = await rowOf(await ground.attachment(message));
  assert.deepEqual([row["state"], row["attempts"]], ["pending", 0]);
  ground.answer = (_request, response) => response.end(PNG);
  await ground.fetch();
  assert.equal((await ground.attachment(message))["status"], "stored");
});

test("a slow platform takes at most half of the running fetches, however its files come; the others get the rest", async () => {
  const { t, account, base } = ground;
  const connect = async (phoneNumberId: string) =>
    connectChannel(OPERATOR, t.app, account.workspaceId, {
      type: "WHATSAPP",
      name: phoneNumberId,
      phoneNumberId,
      wabaId: "5467",
      accessToken: "token",
      appSecret: "secret",
      verifyToken: "verify",
      apiUrl: base,
    });
  const { promise: enough, resolve: letGo } = Promise.withResolvers<void>();
  ground.answer = (_request, response) => void enough.then(() => response.end(PNG));
  const fetcher = createFetcher(t.app, settleAttachment, { sourceFor: () => bareSource });
  const files = async (count: number) => {
    for (let n = 0; n < count; n++) await ground.receives(`${base}/many`);
  };
  await files(3);
  assert.equal(await fetcher.claim(), 3);
  await files(9);
  for (const number of ["1002", "1003"]) {
    const { id } = await connect(number);
    await t.app.db.query(sql`
      update media set channel_id = ${id} where id in (
        select id from media where state = 'pending' and attempts = 0 and channel_id = ${account.channelId}
        order by id desc limit 3)`);
  }
  assert.equal(await fetcher.claim(), 5);
  const air = () =>
    t.app.db.query(sql`
    select channel_id <> ${account.channelId} as others, count(*)::int as files from media
    where state = 'pending' and attempts = 1 group by 1 order by 1`);
  assert.deepEqual(await air(), [
    { others: false, files: 4 },
    { others: true, files: 4 },
  ]);
  letGo();
  await Promise.all(fetcher.inFlight);
  await ground.fetch();
  assert.deepEqual(await air(), []);
});

test("a disconnected channel and an unsupported one: the file says so", async () => {
  const message = await ground.receives(`${ground.base}/a.png`);
  await ground.fetch({ sourceFor: () => null });
  assert.equal((await ground.attachment(message))["reason"], "unsupported");
  const orphan = await ground.receives(`${ground.base}/b.png`);
  await ground.t.app.db.query(sql`update channel set status = 'disconnected'`);
  await ground.fetch();
  assert.equal((await ground.attachment(orphan))["reason"], "channel_disconnected");
  await ground.t.app.db.query(sql`update channel set status = 'connected'`);
});
