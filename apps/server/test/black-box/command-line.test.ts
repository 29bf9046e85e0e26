import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createTwilioEmulator, type TwilioEmulator } from "@parley/emulators";
import { createTestDatabase } from "../harness.ts";
import { launch, type Launched } from "../process/launch.ts";
import { startReceiver, type Receiver } from "../webhook-receiver.ts";
import { startSession, type Session } from "./command-session.ts";

/** Every command of the contract beside a running server, as an operator would use it. */
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: Launched;
let url: string;
let session: Session;
let twilio: TwilioEmulator;
let receiver: Receiver;
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-commands-"));

before(async () => {
  database = await createTestDatabase();
  const environment = {
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_OUTBOUND_ALLOW: "127.0.0.0/8",
    PARLEY_DATA_DIR: folder,
    PARLEY_DEMO: "off",
    PORT: "0",
  };
  server = launch("main.ts", [], environment);
  url = await server.serves;
  session = startSession(environment);
  twilio = await createTwilioEmulator({ delivery: "manual" });
  receiver = await startReceiver();
});
after(async () => {
  await session[Symbol.asyncDispose]();
  server.child.kill("SIGTERM");
  await server.ended;
  await twilio.close();
  receiver.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

type Json = Record<string, unknown>;

/** Runs a command; words with blanks in them stand apart from the others. */
const run = (command: string, ...words: string[]) => session.run(...command.split(" "), ...words);

/** Runs a command with --json; it succeeds and prints one document on one line and nothing else. */
async function ok<T = Json>(command: string, ...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(command, ...words, "--json");
  assert.deepEqual([code, stderr], [0, ""], command);
  assert.match(stdout, /^[^\n]+\n$/, command);
  return JSON.parse(stdout) as T;
}

async function api(bearer: string, url_: string, body?: object) {
  const response = await fetch(`${url}/api/v1${url_}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

let workspace: string;
let bearer: string;

test("workspace create and update say what is in force", async () => {
  const made = await ok(
    "workspace create --name",
    "Al Noor متجر",
    ..."--plan starter --sms-credits 5".split(" "),
  );
  workspace = String(made["id"]);
  assert.deepEqual(
    [made["name"], made["plan"], made["smsCredits"], made["suspendedAt"]],
    ["Al Noor متجر", "starter", 5, null],
  );
  assert.deepEqual(made["limits"], {
    messages: 5000,
    seats: 5,
    bots: 3,
    channels: 5,
    aiReplies: 1000,
  });
  const suspended = await ok(`workspace update ${workspace} --suspend --plan growth`);
  assert.equal(typeof suspended["suspendedAt"], "string");
  assert.equal((suspended["limits"] as Json)["messages"], 50_000);
  const again = await ok(
    `workspace update ${workspace} --activate --limit messages=3 --limit bots=0`,
  );
  assert.equal(again["suspendedAt"], null);
  assert.deepEqual(again["limits"], {
    messages: 3,
    seats: 20,
    bots: 0,
    channels: 15,
    aiReplies: 10_000,
  });
  assert.equal((await ok(`workspace update ${workspace} --sms-credits 9`))["smsCredits"], 9);
  const freed = await ok(
    `workspace update ${workspace} --sms-credits unlimited --limit bots=unlimited --limit messages=default`,
  );
  assert.equal(freed["smsCredits"], null);
  assert.equal((freed["limits"] as Json)["bots"], null);
  assert.equal((freed["limits"] as Json)["messages"], 50_000);
});

test("user create without a password prints a link with which the person chooses one", async () => {
  const user = await ok(
    `user create --workspace ${workspace} --email Sara@X.co --name Sara --role admin`,
  );
  assert.deepEqual(Object.keys(user).sort(), [
    "createdAt",
    "email",
    "id",
    "link",
    "linkExpiresAt",
    "name",
    "role",
    "workspaceId",
  ]);
  assert.match(String(user["link"]), /^http:\/\/[\w.:]+\/reset\/[\w-]{43}$/);
});

test("a key works as it is printed, with its scopes, until it is revoked", async () => {
  const key = await ok(`key create --workspace ${workspace}`);
  bearer = String(key["bearer"]);
  assert.equal(key["bearer"], `${String(key["publicKey"])}:${String(key["secret"])}`);
  assert.equal((await api(bearer, "/usage")).status, 200);
  const narrow = await ok(
    `key create --workspace ${workspace} --name till --scope usage:read --scope otp:send --expires-at 2090-01-01T00:00:00Z`,
  );
  assert.deepEqual(
    [narrow["name"], narrow["scopes"], narrow["expiresAt"]],
    ["till", ["usage:read", "otp:send"], "2090-01-01T00:00:00.000Z"],
  );
  assert.equal((await api(String(narrow["bearer"]), "/usage")).status, 200);
  assert.deepEqual(
    (await api(String(narrow["bearer"]), "/contacts")).body["message"],
    "MISSING_SCOPE:contacts:read",
  );
  const list = await ok<Json[]>(`key list --workspace ${workspace}`);
  assert.equal(list.length, 2);
  // An empty list would say that a key without scopes may do nothing.
  const read = await run(`key list --workspace ${workspace}`);
  assert.deepEqual(read.stdout.match(/(?<=^scopes +)\S.*/gm)?.toSorted(), [
    '["usage:read","otp:send"]',
    "everything",
  ]);
  assert.ok(!JSON.stringify(list).includes(String(key["secret"])));
  assert.ok(!list.some((one) => "secret" in one || "bearer" in one));
  const revoked = await ok(`key revoke ${String(narrow["id"])}`);
  assert.equal(typeof revoked["revokedAt"], "string");
  // How soon is measured in api-keys.test.ts, with a clock of its own: five seconds.
  const deadline = performance.now() + 180_000;
  while ((await api(String(narrow["bearer"]), "/usage")).status !== 401) {
    assert.ok(performance.now() < deadline, "a running server comes to know");
    await sleep(100);
  }
});

test("a channel is connected, listed and disconnected, and shows no credential", async () => {
  const made = await ok(
    `channel connect whatsapp --workspace ${workspace} --name Main --phone-number-id 1111 --waba-id 22 --access-token hush-token --app-secret hush-secret --verify-token hush-verify --api-url http://127.0.0.1:9/v1`,
  );
  const channel = String(made["id"]);
  assert.deepEqual([made["type"], made["status"]], ["WHATSAPP", "connected"]);
  assert.ok(String(made["webhookUrl"]).endsWith(`/hooks/whatsapp/${channel}`));
  const list = await ok<Json[]>(`channel list --workspace ${workspace}`);
  assert.deepEqual(
    list.map((one) => one["id"]),
    [channel],
  );
  assert.ok(!JSON.stringify([made, list]).includes("hush"));
  const sync = await run(`channel sync-templates ${channel} --json`);
  assert.deepEqual([sync.code, sync.stdout], [2, ""]);
  assert.match(sync.stderr, /^parley: the platform refused: [^\n]+\n$/);
  assert.equal((await ok(`channel disconnect ${channel}`))["status"], "disconnected");
});

test("an SMS account is used once its test send was taken", async () => {
  const [accountSid, authToken, from] = [`AC${"0".repeat(32)}`, "hush-token", "+15005550006"];
  twilio.addAccount({ accountSid, authToken, numbers: [{ number: from }] });
  const set = await ok(
    `sms-provider set --workspace ${workspace} --provider twilio --account-sid ${accountSid} --auth-token ${authToken} --from ${from} --api-url ${twilio.url}`,
  );
  assert.equal(set["verifiedAt"], null);
  assert.ok(!JSON.stringify(set).includes("hush"));
  const otp = { mobile: "201001234567", message: "Code 1" };
  assert.equal((await api(bearer, "/otp/send", otp)).body["message"], "SMS_PROVIDER_NOT_VERIFIED");
  assert.equal(
    (await ok(`sms-provider test --workspace ${workspace} --to +201001234567`))["sent"],
    true,
  );
  assert.deepEqual((await api(bearer, "/otp/send", otp)).body["sent"], true);
});

test("a webhook is created, changed, disabled, enabled, asked about and sent again", async () => {
  const made = await ok(
    `webhook create --workspace ${workspace} --url ${receiver.base}/in --event contact.created`,
  );
  const id = String(made["id"]);
  assert.match(String(made["secret"]), /^whsec_/);
  await api(bearer, "/contacts", { email: "a@b.co" });
  const deadline = performance.now() + 180_000;
  while (receiver.received.length === 0) {
    assert.ok(performance.now() < deadline, "the event comes");
    await sleep(20);
  }
  const [list] = await ok<Json[]>(`webhook list --workspace ${workspace}`);
  assert.deepEqual(
    [list?.["id"], list?.["events"], "secret" in (list ?? {})],
    [id, ["contact.created"], false],
  );
  const updated = await ok(`webhook update ${id} --event message.status --event contact.created`);
  assert.deepEqual(updated["events"], ["message.status", "contact.created"]);
  assert.equal(typeof (await ok(`webhook disable ${id}`))["disabledAt"], "string");
  assert.equal((await ok(`webhook enable ${id}`))["disabledAt"], null);
  const rotated = await ok(`webhook rotate-secret ${id}`);
  assert.match(String(rotated["secret"]), /^whsec_/);
  assert.notEqual(rotated["secret"], made["secret"]);
  const deliveries = await ok<Json[]>(`webhook deliveries ${id}`);
  assert.equal(deliveries.length, 1);
  const event = JSON.parse(receiver.received[0]?.body ?? "") as Json;
  assert.equal(
    (await ok(`webhook redeliver ${id} --event-id ${String(event["id"])}`))["redelivered"],
    1,
  );
  const tried = await ok(`webhook test ${id}`);
  assert.equal(tried["type"], "endpoint.test");
  await ok(`webhook delivery ${id} ${String(tried["eventId"])}`);
});

let segment: string;

test("a segment and a campaign through their states", async () => {
  const definition = { match: "all", rules: [{ field: "tag", op: "eq", value: "vip" }] };
  const made = await ok(
    `segment create --workspace ${workspace} --name VIP --definition`,
    JSON.stringify(definition),
  );
  segment = String(made["id"]);
  assert.deepEqual(made["definition"], definition);
  const campaign = await ok(
    `broadcast create --workspace ${workspace} --name Sale --kind SMS --body`,
    "Hi {{name}}",
    "--segment",
    segment,
    "--rate-limit",
    "10",
  );
  const broadcast = String(campaign["id"]);
  assert.deepEqual(
    [campaign["status"], campaign["rateLimitPerMinute"], campaign["channelType"]],
    ["DRAFT", 10, "WHATSAPP"],
  );
  const state = async (words: string) => (await ok(`broadcast ${words}`))["status"];
  assert.equal(
    await state(`schedule ${broadcast} --scheduled-at 2090-01-01T00:00:00Z`),
    "SCHEDULED",
  );
  assert.equal(await state(`unschedule ${broadcast}`), "DRAFT");
  assert.equal(await state(`show ${broadcast}`), "DRAFT");
  assert.equal(((await ok(`broadcast report ${broadcast}`))["broadcast"] as Json)["totalCount"], 0);
  assert.equal(await state(`cancel ${broadcast}`), "CANCELLED");
});

test("contacts go in and come out as files, and every refused row is told", async () => {
  const csv = path.join(folder, "c.csv");
  writeFileSync(
    csv,
    'name,email,phone,tags\n"Sara, ""S""",s@x.co,+20 100 111,VIP\nBad,,,\nمنى,m@x.co,,\n',
  );
  const report = await ok(`contacts import --workspace ${workspace}`, csv);
  assert.deepEqual([report["rows"], report["created"], report["refused"]], [3, 2, 1]);
  assert.deepEqual(
    (report["refusedRows"] as Json[]).map((one) => one["line"]),
    [3],
  );
  const all = await run(`contacts export --workspace ${workspace}`);
  assert.deepEqual([all.code, all.stderr, all.stdout.trim().split("\n").length], [0, "", 4]);
  assert.ok(all.stdout.includes('"Sara, ""S"""') && all.stdout.includes("منى"));
  const vips = await run(`contacts export --workspace ${workspace} --segment ${segment}`);
  assert.equal(vips.stdout.trim().split("\n").length, 2);
});

test("doctor, migrate and backup tell what they found and did", async () => {
  const report = await ok("doctor");
  assert.deepEqual(report["faults"], []);
  // Its settings name another port than the server's.
  const running = { role: "all", machine: os.hostname(), address: url, answers: true };
  assert.deepEqual(report["processes"], [running]);
  assert.deepEqual(await ok("migrate"), { applied: [] });
  const file = path.join(folder, "b.gz");
  assert.ok(Number((await ok("backup", file))["rows"]) > 5);
});

test("a schema that somebody changed by hand is not ready, and doctor names every difference", async () => {
  const operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
  const ready = async (status: number) => {
    const deadline = Date.now() + 180_000;
    while ((await fetch(`${url}/readyz`)).status !== status) assert.ok(Date.now() < deadline);
  };
  try {
    await operator.query(
      "alter table notice drop mail_attempts; alter table notice alter kind drop not null",
    );
    await ready(503);
    const { code, stdout, stderr } = await run("doctor", "--json");
    const differences = [
      'column notice.kind is "text" instead of "text not null"',
      "column notice.mail_attempts is missing",
    ];
    assert.deepEqual((JSON.parse(stdout) as Json)["faults"], differences);
    assert.notEqual(code, 0);
    assert.match(
      stderr,
      /^[^\n]*the schema is not the one that this version makes: column notice.kind is [^\n]* \(and 1 more: parley doctor names them\); start the version [^\n]*\n$/,
    );
  } finally {
    await operator.query(
      "alter table notice add mail_attempts integer not null default 0; alter table notice alter kind set not null",
    );
    await operator.end();
  }
  await ready(200);
});

test("a chat window is connected, changed and its secrets rotated; the secret is shown once", async () => {
  const { id } = await ok("workspace create --name Site --plan business");
  const channel = await ok(
    `channel connect web --workspace ${String(id)} --name Site --allowed-origin https://Shop.Example:443`,
    ..."--allowed-origin https://*.shop.example --color #0a7cff --greeting".split(" "),
    "أهلا بكم",
  );
  const chat = String(channel["id"]);
  // The command has its own settings, so another port than the server beside it.
  assert.match(
    String(channel["scriptTag"]),
    new RegExp(
      `^<script src="http://[^"]+/chat/widget.js" data-channel="${chat}" async></script>$`,
    ),
  );
  assert.match(String(channel["identitySecret"]), /^[\w-]{43}$/);
  const settings = channel["settings"] as Json;
  assert.equal(settings["allowedOrigins"], "https://shop.example https://*.shop.example");
  const session_ = async (origin: string) => {
    const answer = await fetch(`${url}/chat/v1/${chat}/session`, {
      method: "POST",
      headers: { origin },
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const opened = await session_("https://shop.example");
  assert.equal((opened.body["settings"] as Json)["greeting"], "أهلا بكم");
  assert.equal((await session_("https://other.example")).status, 403);

  const changed = await ok(`channel update web ${chat} --allowed-origin https://other.example`);
  assert.equal(changed["identitySecret"], undefined);
  assert.equal((await session_("https://other.example")).status, 200);
  assert.equal((await session_("https://shop.example")).status, 403);
  const rotated = await ok(
    `channel update web ${chat} --rotate-identity-secret --rotate-visitor-tokens --any-origin`,
  );
  assert.notEqual(rotated["identitySecret"], channel["identitySecret"]);
  const after_ = rotated["settings"] as Json;
  assert.deepEqual(
    [after_["allowedOrigins"], after_["tokenVersion"] === settings["tokenVersion"]],
    ["*", false],
  );

  for (const wrong of [
    "--allowed-origin shop.example",
    "--allowed-origin https://*.com",
    "--allowed-origin https://shop.example/path",
    "--allowed-origin https://shop.example --any-origin",
    "--color red",
    "--position middle",
  ]) {
    const { code, stdout, stderr } = await run(`channel update web ${chat} ${wrong}`);
    assert.deepEqual([code, stdout], [2, ""], wrong);
    assert.match(stderr, /^[^\n]+\n$/, wrong);
  }
});
