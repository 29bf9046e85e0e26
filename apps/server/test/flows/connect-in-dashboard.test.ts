import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import {
  createInstagramEmulator,
  createMessengerEmulator,
  createTelegramEmulator,
  createTikTokEmulator,
  createTwilioEmulator,
  createWhatsAppEmulator,
} from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { OPERATOR, type MemberRole } from "../../src/actor.ts";
import { recordHookCalls } from "../../src/channels/record-hook-calls.ts";
import type { ChannelDetail, WebLookJson } from "../../src/http/dashboard/contract/channels.ts";
import type { ChannelRecordJson } from "../../src/wire/channel.ts";
import type { SmsAccountJson } from "../../src/http/dashboard/contract/sms.ts";
import { buildHttp } from "../../src/http/server.ts";
import { createMember } from "../../src/workspaces/create-member.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import type { ChannelType } from "../../src/wire/words.ts";
import { startTestApp, type TestApp } from "../harness.ts";

/** Every account that the settings can connect, with each of its values wrong in turn, against its emulated platform. */

const PASSWORD = "correct horse battery";
const OURS = {
  "x-parley": "1",
  "sec-fetch-site": "same-origin",
  "content-type": "application/json",
};

interface Account {
  readonly apiUrl: string;
  readonly fields: Readonly<Record<string, string>>;
}

let t: TestApp;
let http: FastifyInstance;
const closing: (() => Promise<void>)[] = [];
/** One good account a platform. */
const ACCOUNTS = new Map<ChannelType, Account>();
let sms: Awaited<ReturnType<typeof createTwilioEmulator>>;

before(async () => {
  t = await startTestApp({ overrides: { operator: false } });
  http = await buildHttp(t.app);
  const options = { delivery: "manual", clock: t.clock } as const;
  const whatsapp = await createWhatsAppEmulator(options);
  const messenger = await createMessengerEmulator(options);
  const instagram = await createInstagramEmulator(options);
  const telegram = await createTelegramEmulator(options);
  const tiktok = await createTikTokEmulator(options);
  sms = await createTwilioEmulator(options);
  closing.push(
    () => whatsapp.close(),
    () => messenger.close(),
    () => instagram.close(),
    () => telegram.close(),
    () => tiktok.close(),
    () => sms.close(),
  );
  const number = { phoneNumberId: "106540352242", wabaId: "102290129340" };
  const meta = { accessToken: "EAAB-good", appSecret: "app-secret" };
  whatsapp.addNumber({ ...number, ...meta });
  messenger.addPage({ id: "1784140001", ...meta });
  instagram.addPage({ id: "1784140002", ...meta });
  telegram.addBot({ token: "700001:AAEverySecretPartOfTokens" });
  const business = {
    businessId: "-000biz",
    accessToken: "act.good",
    appId: "7300000000000000001",
    appSecret: "tt-secret",
  };
  tiktok.addBusiness(business);
  const verifyToken = "verify-me";
  ACCOUNTS.set("WHATSAPP", { apiUrl: whatsapp.url, fields: { ...number, ...meta, verifyToken } });
  const page = { ...meta, verifyToken };
  ACCOUNTS.set("MESSENGER", {
    apiUrl: messenger.apiUrl,
    fields: { pageId: "1784140001", ...page },
  });
  ACCOUNTS.set("INSTAGRAM", {
    apiUrl: instagram.apiUrl,
    fields: { accountId: "1784140002", ...page },
  });
  ACCOUNTS.set("TELEGRAM", {
    apiUrl: telegram.url,
    fields: { botToken: "700001:AAEverySecretPartOfTokens" },
  });
  ACCOUNTS.set("TIKTOK", { apiUrl: tiktok.url, fields: business });
});
after(async () => {
  for (const close of closing) await close();
  await http.close();
  await t[Symbol.asyncDispose]();
});

interface Refused {
  readonly message: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** Somebody of a workspace of their own, signed in. */
async function person(role: MemberRole = "admin") {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "Shop", plan: "business" });
  const email = `${t.app.ids.next()}@example.com`;
  await createMember(OPERATOR, t.app, id, { email, name: "Sara", role, password: PASSWORD });
  const signedIn = await http.inject({
    method: "POST",
    url: "/api/app/sign-in",
    headers: OURS,
    payload: JSON.stringify({ email, password: PASSWORD }),
  });
  const [cookie = ""] = String(signedIn.headers["set-cookie"]).split(";");
  return async <T>(
    method: "GET" | "POST" | "PUT" | "PATCH",
    path: string,
    body?: object,
  ): Promise<{ status: number; json: T; text: string }> => {
    const answer = await http.inject({
      method,
      url: `/api/app${path}`,
      headers: { ...OURS, cookie },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, json: answer.json<T>(), text: answer.body };
  };
}

const good = (type: ChannelType): Account => {
  const account = ACCOUNTS.get(type);
  assert.ok(account);
  return account;
};

/** Each value that can be wrong, another value for it, and the values that the answer must name. */
const WRONG: readonly (readonly [
  type: ChannelType,
  field: string,
  value: string,
  named?: readonly string[],
])[] = [
  ["WHATSAPP", "phoneNumberId", "99887766"],
  ["WHATSAPP", "wabaId", "99887766"],
  ["WHATSAPP", "accessToken", "EAAB-of-nobody"],
  ["WHATSAPP", "appSecret", "of-another-app"],
  ["WHATSAPP", "verifyToken", "two words"],
  ["MESSENGER", "pageId", "99887766"],
  ["MESSENGER", "accessToken", "EAAB-of-nobody"],
  ["MESSENGER", "appSecret", "of-another-app"],
  ["MESSENGER", "verifyToken", ""],
  ["INSTAGRAM", "accountId", "99887766"],
  ["INSTAGRAM", "accessToken", "EAAB-of-nobody"],
  ["INSTAGRAM", "appSecret", "of-another-app"],
  ["INSTAGRAM", "verifyToken", ""],
  ["TELEGRAM", "botToken", "700009:AAEverySecretPartOfTokens"],
  ["TELEGRAM", "secretToken", "not allowed!"],
  ["TIKTOK", "businessId", "-000another"],
  ["TIKTOK", "accessToken", "act.of-nobody"],
  // Each alone is good: only the pair is wrong.
  ["TIKTOK", "appSecret", "of-another-app", ["appSecret", "appId"]],
  ["TIKTOK", "appId", "7300000000000000009", ["appSecret", "appId"]],
  ["WEB", "allowedOrigins", "shop.example"],
  ["WEB", "color", "petrol"],
  ["WEB", "position", "middle"],
];

/** Whoever connects nothing: one for all of these. */
let nobodys: ReturnType<typeof person> | undefined;
for (const [type, field, value, named = [field]] of WRONG) {
  test(`${type} with a wrong ${field} connects nothing and names it`, async () => {
    const ask = await (nobodys ??= person());
    const { apiUrl = "", fields } = type === "WEB" ? { fields: {} } : good(type);
    const body = {
      type,
      name: "Shop",
      ...(apiUrl !== "" && { apiUrl }),
      fields: { ...fields, [field]: value },
    };
    const refused = await ask<Refused>("POST", "/channels", body);
    assert.deepEqual([refused.status, refused.json.message], [400, "VALIDATION_FAILED"]);
    assert.deepEqual(
      refused.json.details?.map(({ path }) => path),
      named,
      refused.text,
    );
    const { json } = await ask<{ channels: ChannelRecordJson[] }>("GET", "/channels");
    assert.deepEqual(json.channels, []);
  });
}

for (const type of ["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK"] as const) {
  test(`${type} connects, is tested, gets another value, is renamed and disconnected; no secret comes back`, async () => {
    const ask = await person();
    const { apiUrl, fields } = good(type);
    const seen: string[] = [];
    const look = async <T>(...given: Parameters<typeof ask>) => {
      const answer = await ask<T>(...given);
      seen.push(answer.text);
      return answer;
    };
    const made = await look<ChannelRecordJson>("POST", "/channels", {
      type,
      name: "Shop",
      apiUrl,
      fields,
    });
    assert.equal(made.status, 201, made.text);
    const { id, status, hookUrl } = made.json;
    assert.deepEqual([status, made.json.problems], ["connected", []]);
    assert.ok(hookUrl?.endsWith(`/hooks/${type.toLowerCase()}/${id}`));
    const tested = await look<{ fault: object | null }>("POST", `/channels/${id}/test`);
    assert.deepEqual([tested.status, tested.json.fault], [200, null]);
    const token = type === "TELEGRAM" ? "botToken" : "accessToken";
    const wrong = type === "TELEGRAM" ? "700001:AAofNobodyAtAll0000000" : "of-nobody";
    const bad = await look<Refused>("PATCH", `/channels/${id}`, { fields: { [token]: wrong } });
    assert.deepEqual([bad.status, bad.json.details?.[0]?.path], [400, token], bad.text);
    // An address that gets what is called with needs it anew: a kept token goes to no other server.
    const moved = await look<Refused>("PATCH", `/channels/${id}`, {
      apiUrl: "http://127.0.0.1:9",
    });
    assert.equal(moved.status, 400);
    assert.match(moved.json.details?.[0]?.message ?? "", /is required with another address/);
    const named = await look<ChannelRecordJson>("PATCH", `/channels/${id}`, { name: "Shop 2" });
    assert.deepEqual(
      [named.status, named.json.name, named.json.status],
      [200, "Shop 2", "connected"],
    );
    const paced = await look<object>("PUT", `/channels/${id}/pace`, { most: 600 });
    assert.deepEqual([paced.status, paced.json], [200, { most: 600, ceiling: null }]);
    const detail = await look<ChannelDetail>("GET", `/channels/${id}`);
    assert.deepEqual(
      [detail.json.pace.most, detail.json.campaigns, detail.json.templates],
      [600, [], type === "WHATSAPP" ? { count: 0, readAt: null, due: true } : null],
    );
    await t.app.drain();
    const { templates } = (await look<ChannelDetail>("GET", `/channels/${id}`)).json;
    assert.equal(templates?.due ?? false, false, "its templates are read without waiting");
    const gone = await look<ChannelRecordJson>("POST", `/channels/${id}/disconnect`);
    assert.deepEqual([gone.status, gone.json.status], [200, "disconnected"]);
    const after = await look<Refused>("POST", `/channels/${id}/test`);
    assert.equal(after.json.message, "NOT_ALLOWED_IN_STATE");
    const secrets = ["accessToken", "appSecret", "verifyToken", "botToken"];
    for (const secret of secrets.flatMap((name) => fields[name] ?? []))
      assert.ok(!seen.some((text) => text.includes(secret)), `an answer holds ${secret}`);
  });
}

test("what only the first call can show is told by the value's name: a wrong app secret, another verify token", async () => {
  const ask = await person();
  const { apiUrl, fields } = good("WHATSAPP");
  const made = await ask<ChannelRecordJson>("POST", "/channels", {
    type: "WHATSAPP",
    name: "Shop",
    apiUrl,
    fields,
  });
  const { id } = made.json;
  const url = `/hooks/whatsapp/${id}`;
  const handshake = await http.inject(
    `${url}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=another`,
  );
  assert.equal(handshake.statusCode, 403);
  const body = JSON.stringify({ object: "whatsapp_business_account", entry: [] });
  const signed = (secret: string) => ({
    "content-type": "application/json",
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  });
  await http.inject({ method: "POST", url, headers: signed("of-another-app"), payload: body });
  await recordHookCalls(t.app);
  const problems = async () =>
    (await ask<ChannelDetail>("GET", `/channels/${id}`)).json.channel.problems;
  assert.deepEqual(
    (await problems()).map(({ kind, field }) => [kind, field]),
    [
      ["wrong_signature", "appSecret"],
      ["wrong_verify_token", "verifyToken"],
    ],
  );
  t.clock.advance(61_000);
  const taken = await http.inject({
    method: "POST",
    url,
    headers: signed("app-secret"),
    payload: body,
  });
  assert.equal(taken.statusCode, 200);
  await recordHookCalls(t.app);
  assert.deepEqual(
    (await problems()).map(({ kind, othersRight }) => [kind, othersRight]),
    [["wrong_signature", true]],
  );
});

test("a chat window is designed, its look taken away again, and its secret told once", async () => {
  const ask = await person();
  const made = await ask<ChannelRecordJson & { identitySecret: string }>("POST", "/channels", {
    type: "WEB",
    name: "Shop",
    fields: { allowedOrigins: "https://shop.example https://www.shop.example" },
  });
  const { id } = made.json;
  assert.ok(made.json.identitySecret.length >= 32);
  const look = {
    title: "Desert Rose",
    ask: "name email",
    askWhen: "before",
    greeting: "Hello",
    color: "#0b5f59",
    position: "left",
    locale: "ar",
  };
  const change = (body: object) =>
    ask<{ web: WebLookJson; identitySecret: string | null }>("PATCH", `/channels/${id}/web`, body);
  const { json } = await change({ ...look, origins: [] });
  assert.deepEqual(
    { ...json.web, scriptTag: json.web.scriptTag.includes(id) },
    {
      ...look,
      logo: null,
      origins: [],
      maxFileBytes: null,
      scriptTag: true,
      tryPage: `${t.app.config.publicUrl}/chat/try/${id}`,
    },
  );
  assert.equal(json.identitySecret, null);
  const cleared = await change({
    title: "",
    ask: "",
    askWhen: "",
    greeting: "",
    color: "",
    position: "",
    locale: "",
  });
  const { title, ask: asked, greeting, color, position, locale } = cleared.json.web;
  assert.deepEqual(
    [title, asked, greeting, color, position, locale],
    [null, null, null, null, null, null],
  );
  const rotated = await change({ rotateIdentitySecret: true });
  assert.notEqual(rotated.json.identitySecret, made.json.identitySecret);
  assert.ok(
    !(await ask("GET", `/channels/${id}`)).text.includes(String(rotated.json.identitySecret)),
  );
  const wrong = await ask<Refused>("PATCH", `/channels/${id}/web`, { origins: ["shop"] });
  assert.equal(wrong.json.details?.[0]?.path, "allowedOrigins");
});

test("SMS: wrong values are named, a secret that is left out stays, a test send verifies, another address gets nothing", async () => {
  const ask = await person();
  const account = {
    accountSid: `AC${"0".repeat(32)}`,
    authToken: "token-of-twilio",
    from: "+15551234567",
  };
  sms.addAccount({
    accountSid: account.accountSid,
    authToken: account.authToken,
    numbers: [{ number: account.from }],
  });
  const save = (fields: object, apiUrl = sms.url) =>
    ask<{ account: SmsAccountJson } & Refused>("PUT", "/sms", {
      provider: "twilio",
      fields,
      apiUrl,
    });
  for (const [field, value] of [
    ["accountSid", "AC 1"],
    ["authToken", ""],
    ["from", "a sender that is too long"],
  ] as const) {
    const { json } = await save({ ...account, [field]: value });
    assert.equal(json.details?.[0]?.path, field);
  }
  const saved = await save(account);
  assert.deepEqual([saved.status, saved.json.account.verifiedAt], [200, null]);
  assert.ok(!saved.text.includes(account.authToken));
  // The token is not given again: it stays, as long as the address does.
  const { authToken: _kept, ...open } = account;
  assert.equal((await save(open)).status, 200);
  const elsewhere = await save(open, "http://127.0.0.1:9");
  assert.equal(elsewhere.json.details?.[0]?.path, "authToken");
  const tryIt = (to: string) =>
    ask<{ sent: boolean; errorCode: string | null; account: SmsAccountJson }>("POST", "/sms/test", {
      to,
    });
  const { json: sent } = await tryIt("+96550001234");
  assert.equal(sent.sent, true, JSON.stringify(sent));
  assert.ok(sent.account.verifiedAt);
  await save({ ...account, authToken: "another" });
  const { json: failed } = await tryIt("+96550001234");
  assert.deepEqual([failed.sent, failed.errorCode], [false, "GATEWAY_AUTH"]);
  // The account that was verified before goes on sending.
  assert.equal(failed.account.verifiedAt, sent.account.verifiedAt);
  assert.equal((await (await person("agent"))("GET", "/sms")).status, 403);
});
