import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { forPeople } from "../../src/cli/command-line.ts";
import { mailFault } from "../../src/workspaces/mail-notices.ts";
import { createTestDatabase } from "../harness.ts";
import { startSmtpServer } from "../process/smtp-server.ts";
import { startSession, type Session } from "./command-session.ts";

/** Mistakes on the command line, without a server. */
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let session: Session;
let workspace: string;
let campaign: string;
let env: Record<string, string>;
const MAIN = path.resolve(import.meta.dirname, "../../src/cli/main.ts");

before(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, PARLEY_MASTER_KEY: randomBytes(32).toString("base64") };
  session = startSession(env);
  const made = await session.run("workspace", "create", "--name", "A", "--json");
  workspace = (JSON.parse(made.stdout) as { id: string }).id;
  const words = `broadcast create --workspace ${workspace} --name B --kind SMS --body x --json`;
  const draft = await session.run(...words.split(" "));
  campaign = (JSON.parse(draft.stdout) as { id: string }).id;
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await database.drop();
});

/** `W` stands for the workspace, `B` for its draft campaign, `NOBODY` for an id that nothing has. */
const MISTAKES = [
  "nope",
  "workspace create",
  "workspace create --name --json",
  "workspace create --name --help",
  "workspace create --plan free --name --plan business",
  "workspace create --name X extra",
  "workspace create --name X --bogus",
  "workspace create --name X --sms-credits many",
  "workspace update NOBODY --plan free",
  "workspace update nonsense --plan free",
  "workspace update W",
  "workspace update W --plan gold",
  "workspace update W --suspend --activate",
  "workspace update W --limit messages=-1",
  "workspace update W --limit messages=1e3",
  "workspace update W --limit mesages=1",
  "user create --workspace NOBODY --email a@b.co --name A --role agent",
  "user create --workspace W --email bad --name A --role agent",
  "user create --workspace W --email a@b.co --name A --role boss",
  "key create --workspace NOBODY",
  "key create --workspace W --scope contacts",
  "key create --workspace W --expires-at tomorrow",
  "key create --workspace W --expires-at 2020-01-01T00:00:00Z",
  "key revoke",
  "key revoke NOBODY",
  "key revoke \u0000",
  "key revoke 'or",
  "channel connect",
  "channel connect fax",
  "channel connect whatsapp --workspace W --name N",
  "channel disconnect NOBODY",
  "channel sync-templates NOBODY",
  "sms-provider set --workspace W --provider pigeon",
  "sms-provider show --workspace NOBODY",
  "sms-provider show --workspace W",
  "sms-provider test --workspace W --to nobody",
  "sms-provider test --workspace W --to 201001234567",
  "webhook create --workspace W --url ftp://example.com",
  "webhook create --workspace W --url http://10.0.0.1/x",
  "webhook create --workspace W --url https://127.0.0.1/x",
  "webhook create --workspace W --url https://[::1]/x",
  "webhook create --workspace W --url https://user:pass@example.com/",
  "webhook create --workspace W --url https://example.com/ --event message.seen",
  "webhook update NOBODY --url https://example.com/",
  "webhook enable NOBODY",
  "webhook deliveries NOBODY",
  "webhook redeliver NOBODY",
  "segment create --workspace W --name S --definition {",
  'segment create --workspace W --name S --definition {"match":"none","rules":[]}',
  'segment create --workspace W --name S --definition {"match":"all","rules":[{"field":"age","op":"eq","value":1}]}',
  "broadcast create --workspace W --name B --kind FAX",
  "broadcast create --workspace W --name B --kind SMS",
  "broadcast create --workspace W --name B --kind TEXT --body x",
  "broadcast create --workspace W --name B --kind WHATSAPP_TEMPLATE",
  "broadcast create --workspace W --name B --kind SMS --body x --rate-limit 9",
  "broadcast create --workspace W --name B --kind SMS --body x --rate-limit 1000001",
  "broadcast create --workspace W --name B --kind SMS --body x --segment NOBODY",
  "broadcast create --workspace W --name B --kind SMS --body x --scheduled-at 2020-01-01T00:00:00Z",
  "broadcast create --workspace W --name B --kind SMS --body x --scheduled-at 2099-01-01T09:00:00",
  "broadcast schedule B --scheduled-at 2099-01-01T09:00",
  "broadcast start NOBODY",
  "broadcast test B --contact NOBODY",
  "broadcast test B --contact nonsense",
  "broadcast preview B --contact NOBODY",
  "broadcast pause B",
  "broadcast unschedule B",
  "broadcast schedule B",
  "broadcast schedule B --scheduled-at 2020-01-01T00:00:00Z",
  "contacts import --workspace W /dev/null/c.csv",
  "contacts import --workspace W /etc/hostname",
  "contacts export --workspace NOBODY",
  "contacts merge nonsense NOBODY --workspace W",
  "segment update NOBODY --workspace W",
  "contacts export --workspace W --segment NOBODY",
  "backup /dev/null/b.gz",
  "restore /dev/null/b.gz",
  "restore /etc/hostname",
  "sandbox",
  "sandbox add FAX --workspace W",
  "sandbox add WHATSAPP",
  "sandbox add WHATSAPP --workspace NOBODY",
  "sandbox list --workspace NOBODY",
  // An empty one, as a script's variable that is not set.
  "sandbox list --workspace ",
  "sandbox say hello",
  "sandbox say hello --channel NOBODY",
  "sandbox say hello --channel 'or",
  "sandbox watch --channel NOBODY",
  "sandbox watch",
  "sandbox fault token --channel NOBODY",
  "sandbox fault token --channel NOBODY --next some",
  "sandbox magic --type FAX",
  "user list --workspace NOBODY",
  "key list --workspace NOBODY",
  "channel list --workspace NOBODY",
  "webhook list --workspace NOBODY",
  "segment list --workspace NOBODY",
  "broadcast list --workspace NOBODY",
];

test("every mistake ends with 2, one line on stderr and nothing on stdout", async () => {
  const places: Record<string, string> = {
    W: workspace,
    B: campaign,
    NOBODY: "01a1fe4e-130a-7000-8f38-000000000000",
  };
  for (const mistake of MISTAKES) {
    // `B` names a campaign only where no option comes before it.
    const words = mistake
      .split(" ")
      .map((word, index, all) => (all[index - 1] === "--name" ? word : (places[word] ?? word)));
    const json = mistake.startsWith("contacts export") ? [] : ["--json"];
    const { code, stdout, stderr } = await session.run(...words, ...json);
    assert.deepEqual([code, stdout], [2, ""], mistake);
    assert.match(stderr, /^parley: [^\n]{5,}\n$/, mistake);
    assert.doesNotMatch(stderr, /TypeError|at file:|undefined|invalid input syntax/, mistake);
  }
});

test("flags that contradict each other are refused, before anything is looked up", async () => {
  for (const words of [
    "workspace update W --suspend --activate",
    "webhook update E --event message.status --all-events",
    "webhook redeliver E --event-id V --since 2026-12-01T09:00:00Z",
  ]) {
    const { code, stderr } = await session.run(...words.split(" "));
    assert.equal(code, 2, words);
    assert.match(stderr, /^parley: option '--[^']+' cannot be used with option '--[^']+'\n$/);
  }
});

test("a value that does not fit names what it is of and what fits", async () => {
  const pace = await session.run("channel", "pace", workspace, "fast");
  assert.match(
    pace.stderr,
    /argument 'rate'.* It takes a whole number from 10 to 1,000,000, or none\.\n$/,
  );
  const words =
    "sms-provider test --workspace 01a1fe4e-130a-7000-8f38-000000000000 --to 96550000001";
  const { stderr } = await session.run(...words.split(" "));
  assert.match(stderr, /there is no workspace 01a1fe4e/, "not that it has no gateway");
});

test("of a filter with a closed list an unknown value is refused with the list, of open codes it is not", async () => {
  for (const command of ["recipients", "export"]) {
    const of = (...rest: string[]) => session.run("broadcast", command, campaign, ...rest);
    const { code, stdout, stderr } = await of("--status", "skipped", "--reason", "opted-out");
    assert.deepEqual([code, stdout], [2, ""], command);
    assert.match(stderr, /reason: of the skipped must be one of opted_out, no_address, /, command);
    for (const reason of ["opted_out", "holdout"])
      assert.equal((await of("--status", "skipped", "--reason", reason)).code, 0, reason);
    assert.equal((await of("--reason", "30005")).code, 0, "a gateway's code");
  }
});

test("help takes the whole name of a command, however deep, and refuses one that is none", async () => {
  for (const name of ["webhook redeliver", "channel connect telegram", "doctor", "broadcast"]) {
    const asked = await session.run("help", ...name.split(" "));
    assert.deepEqual(asked, await session.run(...name.split(" "), "--help"), name);
    assert.match(asked.stdout, new RegExp(`^Usage: parley ${name} `), name);
  }
  assert.deepEqual(await session.run("help"), await session.run("--help"));
  for (const name of ["nonsense", "webhook nonsense", "doctor nonsense"]) {
    const { code, stdout, stderr } = await session.run("help", ...name.split(" "));
    const words = `parley: there is no command '${name}'; --help lists them\n`;
    assert.deepEqual([code, stdout, stderr], [2, "", words]);
  }
});

test("what SMS account is set, and whether it is verified, is shown without its secrets", async () => {
  const made = await session.run("workspace", "create", "--name", "C", "--json");
  const { id } = JSON.parse(made.stdout) as { id: string };
  const account = "--account-sid AC00000000000000000000000000000000 --from +15005550006";
  const set = `sms-provider set --workspace ${id} --provider twilio ${account} --json`;
  await session.run(...set.split(" "), "--auth-token", "never-to-be-seen");
  const show = ["sms-provider", "show", "--workspace", id];
  const { code, stdout } = await session.run(...show, "--json");
  assert.equal(code, 0);
  const shown = JSON.parse(stdout) as Record<string, unknown>;
  const { provider, verifiedAt, settings } = shown;
  assert.deepEqual([provider, verifiedAt], ["twilio", null]);
  assert.deepEqual(settings, {
    accountSid: "AC00000000000000000000000000000000",
    from: "+15005550006",
  });
  for (const text of [stdout, (await session.run(...show)).stdout])
    assert.doesNotMatch(text, /never-to-be-seen|secret|callbackToken/);
});

test("the help of a group with long names is folded to 80 columns like the others", async () => {
  const { stdout } = await session.run("contacts", "--help");
  for (const line of stdout.split("\n")) assert.ok(line.length <= 80, line);
});

test("doctor tells of a Redis and of a mail server that are set and not there", async () => {
  const mails = await startSmtpServer();
  const settings = { SMTP_URL: "smtp://127.0.0.1:1", REDIS_URL: "redis://127.0.0.1:1", PORT: "0" };
  const other = startSession({ ...env, ...settings });
  try {
    assert.equal(await mailFault(mails.url), null);
    assert.deepEqual(mails.mails, [], "asked without a mail");
    const { code, stdout } = await other.run("doctor", "--json");
    const { ready, faults } = JSON.parse(stdout) as { ready: boolean; faults: string[] };
    assert.deepEqual([code, ready], [2, false]);
    assert.deepEqual(faults, [
      "REDIS_URL: connect ECONNREFUSED 127.0.0.1:1",
      "SMTP_URL: connect ECONNREFUSED 127.0.0.1:1",
    ]);
  } finally {
    await other[Symbol.asyncDispose]();
    mails.close();
  }
});

test("doctor tells of a port that somebody else has, and of names that are no settings", async () => {
  const stranger = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(stranger, "listening");
  const { port } = stranger.address() as AddressInfo;
  const settings = { PORT: String(port), PARLEY_DATABSE_URL: "x", PARLEY_TEST_POSTGRES: "x" };
  const other = startSession({ ...env, ...settings });
  try {
    const { code, stdout, stderr } = await other.run("doctor", "--json");
    const told = JSON.parse(stdout) as Record<string, unknown>;
    const fault = `PORT ${port} on 127.0.0.1 is taken by another program; set another PORT`;
    assert.deepEqual([code, told["port"], told["faults"]], [2, "another program", [fault]]);
    assert.equal(stderr, `parley: ${fault}\n`);
    assert.deepEqual(told["warnings"], [
      "PARLEY_DATABSE_URL is no setting and is ignored; DATABASE_URL may be meant",
    ]);
  } finally {
    await other[Symbol.asyncDispose]();
    stranger.close();
  }
});

test("doctor measures how far the machine's own clock is off, not how far PostgreSQL's is from itself", async () => {
  const shift = `const True = Date; globalThis.Date = class extends True {
    constructor(...a) { a.length > 0 ? super(...a) : super(True.now() + 3_600_000); }
    static now() { return True.now() + 3_600_000; } };`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(shift)}`;
  const other = startSession({ ...env, NODE_OPTIONS, PORT: "0" });
  try {
    const { stdout } = await other.run("doctor", "--json");
    const told = JSON.parse(stdout) as { clockDifferenceMs: number };
    // What PostgreSQL takes to answer counts half.
    assert.ok(Math.abs(told.clockDifferenceMs + 3_600_000) < 60_000, stdout);
  } finally {
    await other[Symbol.asyncDispose]();
  }
});

test("a reader that closes early is no mistake", async () => {
  const words = ["contacts", "export", "--workspace", workspace];
  const child = spawn(process.execPath, [MAIN, ...words], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  assert.deepEqual([code, said], [0, ""]);
});

test("people read what has members of its own below its name", () => {
  const report = { status: "PAUSED", funnel: { total: 12, sent: 3 }, skipped: {}, tags: ["a"] };
  const lines = [
    "status   PAUSED",
    "funnel",
    "  total  12",
    "  sent   3",
    "skipped  {}",
    'tags     ["a"]',
  ];
  assert.equal(forPeople(report), `${lines.join("\n")}\n`);
});

test("campaigns are listed as a table", async () => {
  const { stdout } = await session.run("broadcast", "list", "--workspace", workspace);
  const [head = "", line = ""] = stdout.split("\n");
  assert.match(head, /^ID +NAME +KIND +STATUS +SENT +FAILED +SKIPPED +OF +CREATED$/);
  assert.match(line, new RegExp(`^${campaign} +B +SMS +DRAFT +0 +0 +0 +0 +\\d{4}-`));
});

test("help names what a command needs first", async () => {
  const { stdout } = await session.run("broadcast", "create", "--help");
  assert.match(stdout, /Options:\n {2}--workspace <id> +needed\.?\n {2}--name <name> +needed/);
  assert.match(stdout, /Examples:\n {2}\.\/bin\/parley broadcast create/);
});

test("--help is everywhere and ends with 0", async () => {
  for (const command of [
    "",
    "workspace",
    "workspace update",
    "key create",
    "channel connect whatsapp",
    "sms-provider set",
    "webhook redeliver",
    "broadcast schedule",
    "contacts import",
    "sandbox",
    "sandbox add",
    "sandbox say",
    "sandbox watch",
    "sandbox fault",
    "sandbox magic",
    "demo reset",
    "doctor",
  ]) {
    const { code, stdout, stderr } = await session.run(
      ...command.split(" ").filter(Boolean),
      "--help",
    );
    assert.deepEqual([code, stderr], [0, ""], command);
    assert.match(stdout, /^Usage: parley/, command);
  }
});

test("--version tells what is installed", async () => {
  const { version } = createRequire(import.meta.url)("../../../../package.json") as {
    version: string;
  };
  assert.deepEqual(await session.run("--version"), { code: 0, stdout: `${version}\n`, stderr: "" });
});
