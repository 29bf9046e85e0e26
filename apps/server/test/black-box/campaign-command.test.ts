import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { openDatabase } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { createTestDatabase } from "../harness.ts";
import { FILES } from "../files.ts";
import { startSession, type Session } from "./command-session.ts";

/** The life of a campaign by command, before it runs: times, header, preview, estimate, copies, and every mistake. */
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-campaign-"));
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let session: Session;
before(async () => {
  database = await createTestDatabase();
  session = startSession({
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DATA_DIR: folder,
    PARLEY_DEMO: "off",
  });
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

type Json = Record<string, unknown>;
async function ok(...words: string[]): Promise<Json> {
  const { code, stdout, stderr } = await session.run(...words, "--json");
  assert.deepEqual([code, stderr], [0, ""], words.join(" "));
  return JSON.parse(stdout) as Json;
}
async function mistake(words: string[], wanted: RegExp): Promise<void> {
  const { code, stdout, stderr } = await session.run(...words, "--json");
  assert.deepEqual([code, stdout], [2, ""], words.join(" "));
  assert.match(stderr, wanted);
  assert.equal(stderr.trimEnd().split("\n").length, 1);
}

/** A workspace with two contacts; gives its id and theirs. */
async function openShop(): Promise<{ workspace: string; contacts: string[] }> {
  const { id } = await ok("workspace", "create", "--name", "Shop", "--plan", "free");
  const file = path.join(folder, "people.csv");
  writeFileSync(file, "name,phone\nSara Ali,96551110001\nMona K,96551110002\n");
  await session.run("contacts", "import", "--workspace", String(id), file);
  const db = openDatabase({ connectionString: database.url, onError: () => {} });
  const rows = await db.query<{ id: string }>(
    sql`select id from contact where workspace_id = ${String(id)} order by id`,
  );
  await db.close();
  assert.equal(rows.length, 2);
  return { workspace: String(id), contacts: rows.map((row) => row.id) };
}

test("an SMS campaign with times of the day: preview, estimate, duplicate, test", async () => {
  const { workspace, contacts } = await openShop();
  const made = await ok(
    "broadcast",
    "create",
    "--workspace",
    workspace,
    "--name",
    "News",
    "--kind",
    "SMS",

    "--body",
    "Hi {{first_name}}",
    "--time-zone",
    "Asia/Kuwait",
    "--quiet-hours",
    "21:00-08:30",
    "--local-time",
    "--scheduled-at",
    "2099-01-01T06:00:00Z",
  );
  assert.deepEqual(
    [made["status"], made["timeZone"], made["localTime"], made["quietFrom"], made["quietUntil"]],
    ["SCHEDULED", "Asia/Kuwait", true, 1_260, 510],
  );
  const id = String(made["id"]);
  const preview = await ok("broadcast", "preview", id);
  assert.equal(preview["cannotRun"], "SMS_PROVIDER_NOT_VERIFIED");
  const only = await ok("broadcast", "preview", id, "--contact", contacts[1] ?? "", "--count", "1");
  const [shown] = only["contacts"] as Json[];
  assert.deepEqual([shown?.["name"], shown?.["skipped"]], ["Mona K", null]);
  const estimate = await ok("broadcast", "estimate", id);
  assert.deepEqual(
    [estimate["summary"], estimate["recipients"], estimate["covered"]],
    ["2 recipients, 500 slots left", 2, true],
  );
  const copy = await ok("broadcast", "duplicate", id, "--name", "Again");
  assert.deepEqual([copy["name"], copy["status"], copy["scheduledAt"]], ["Again", "DRAFT", null]);
  const trial = await ok("broadcast", "test", id, "--contact", contacts[0] ?? "");
  assert.deepEqual(
    [trial["status"], trial["parentId"], trial["contactIds"]],
    ["QUEUED", id, [contacts[0]]],
  );
  await mistake(["broadcast", "resend-failed", id], /a SCHEDULED campaign cannot be resent/);
  await ok("broadcast", "cancel", id);
  await mistake(
    ["broadcast", "resend-failed", id, "--all"],
    /has no failed recipients that can be retried/,
  );
  await mistake(["broadcast", "estimate", id], /a CANCELLED campaign is not estimated/);
});

test("a header's file and buttons by command, each missing part refused by its name", async () => {
  const { workspace } = await openShop();
  const channel = await ok(
    ..."channel connect whatsapp --name Shop --phone-number-id 1 --waba-id 1".split(" "),
    ..."--access-token t --app-secret s --verify-token v --api-url http://127.0.0.1:9".split(" "),
    "--workspace",
    workspace,
  );
  const channelId = String(channel["id"]);
  const components = JSON.stringify([
    { type: "HEADER", format: "IMAGE" },
    { type: "BODY", text: "Hello {{1}}" },
    { type: "BUTTONS", buttons: [{ type: "URL", url: "https://x/{{1}}" }] },
  ]);
  const template = "01a1feed-0000-7000-8000-000000000001";
  const db = openDatabase({ connectionString: database.url, onError: () => {} });
  await db.query(sql`
    insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
      body_variable_count, last_synced_at)
    values (${workspace}, ${template}, ${channelId}, '7', 'sale', 'en', 'MARKETING', 'APPROVED', ${components}, 1,
      ${new Date()})`);
  await db.close();
  const create = [
    "broadcast",
    "create",
    "--workspace",
    workspace,
    "--name",
    "Sale",
    "--channel",
    channelId,
    "--kind",
    "WHATSAPP_TEMPLATE",
    "--template",
    template,
    "--variable",
    "1={{first_name}}",
  ];
  const file = path.join(folder, "sale.png");
  writeFileSync(file, FILES.png);
  const whole = [...create, "--header-file", file, "--button", "0=orders/{{phone}}"];
  await mistake(create, /header\.media: is needed by the template's header/);
  await mistake([...create, "--header-file", file], /buttons\[0\]: is needed/);
  await mistake([...whole, "--header-text", "x"], /header: has a text or a file, not both/);
  await mistake([...create, "--header-file", path.join(folder, "none.png")], /ENOENT|no such file/);
  const made = await ok(...whole);
  assert.deepEqual(made["buttonTexts"], [{ index: 0, kind: "url", text: "orders/{{phone}}" }]);
  const arm = (name: string, header: Json) => ({
    name,
    share: 0.5,
    templateId: template,
    header,
    variables: { "1": "x" },
    buttons: { "0": "y" },
  });
  const split = (...arms: Json[]) => [...create.slice(0, -4), "--variants", JSON.stringify(arms)];
  const { variants } = await ok(...split(arm("A", { file }), arm("B", { file })));
  const [a, b] = variants as Json[];
  assert.ok(a?.["headerMediaId"] && a["headerMediaId"] === b?.["headerMediaId"]);
  await mistake(split(arm("A", { file }), arm("B", {})), /variants\[1\]\.header\.media: is needed/);
  const { contacts } = await ok("broadcast", "preview", String(made["id"]), "--count", "1");
  const [shown] = contacts as Json[];
  assert.deepEqual(
    [shown?.["text"], shown?.["buttons"]],
    ["Hello Sara", [{ index: 0, kind: "url", text: "orders/96551110001" }]],
  );
});

test("the workspace's zone is its campaigns' and its days'; the pace is set by command and shows in the timeline", async () => {
  const zoned = await ok("workspace", "create", "--name", "Z", "--time-zone", "Asia/Tokyo");
  assert.equal(zoned["timeZone"], "Asia/Tokyo");
  const { workspace } = await openShop();
  const update = ["workspace", "update", workspace, "--time-zone"];
  await mistake([...update, "Mars/Base"], /time zone like Asia\/Kuwait/);
  assert.equal((await ok(...update, "Asia/Kuwait"))["timeZone"], "Asia/Kuwait");
  const create = "broadcast create --name N --kind SMS --body x --workspace".split(" ");
  const { id, timeZone } = await ok(...create, workspace);
  assert.equal(timeZone, "Asia/Kuwait");
  const pace = ["broadcast", "pace", String(id)];
  await mistake(
    [...pace, "--rate-limit", "9"],
    /rateLimitPerMinute: must be a whole number from 10/,
  );
  await mistake([...pace, "--rate-limit", "x"], /whole number/);
  await mistake(pace, /--rate-limit/);
  assert.equal((await ok(...pace, "--rate-limit", "77"))["rateLimitPerMinute"], 77);
  const timeline = await ok("broadcast", "timeline", String(id), "--by", "day");
  assert.deepEqual([timeline["timeZone"], timeline["chart"]], ["Asia/Kuwait", []]);
  const [entry] = timeline["entries"] as Json[];
  const { kind, actor, rateFrom, rateTo } = entry ?? {};
  assert.deepEqual([kind, actor, rateFrom, rateTo], ["paced", "cli", 600, 77]);
  await ok("broadcast", "cancel", String(id));
  await mistake([...pace, "--rate-limit", "80"], /a CANCELLED campaign has no pace to set/);
});

test("what is no campaign, contact, zone or time of the day ends with 2 and one line", async () => {
  const { workspace } = await openShop();
  const create = [
    "broadcast",
    "create",
    "--workspace",
    workspace,
    "--name",
    "n",
    "--kind",
    "SMS",
    "--body",
    "x",
  ];
  await mistake([...create, "--time-zone", "Mars/Base"], /time zone like Asia\/Kuwait/);
  for (const hours of ["21-08", "21:00", "21:00-21:00", "25:00-08:00", "1:00-2:00-3:00"])
    await mistake([...create, "--quiet-hours", hours], /two times of the day/);
  const { id } = await ok(...create);
  const draft = String(id);
  await mistake(["broadcast", "test", draft], /--contact/);
  await mistake(["broadcast", "test", draft, "--contact", "x"], /there is no contact x/);
  await mistake(["broadcast", "preview", draft, "--count", "0"], /count: must be 1 to 100/);
  for (const name of ["duplicate", "resend-failed", "preview", "estimate"])
    await mistake(["broadcast", name, "nothing"], /there is no broadcast nothing/);
  for (const name of [
    "duplicate",
    "resend-failed",
    "test",
    "preview",
    "estimate",
    "create",
    "pace",
  ]) {
    const { code, stdout } = await session.run("broadcast", name, "--help");
    assert.deepEqual([code, /Usage: parley broadcast/.test(stdout)], [0, true], name);
  }
});
