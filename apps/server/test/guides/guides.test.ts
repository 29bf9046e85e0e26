import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { operationsOf, readDocument } from "../../../../packages/sdk/document.ts";
import { STATUS } from "../../src/http/edge/errors.ts";
import { PLAN_LIMITS } from "../../src/workspaces/plan-limits.ts";
import { blocksOf, GUIDES, guides } from "./blocks.ts";
import { makeProject } from "./project.ts";
import { startStand, type Stand } from "./stand.ts";

const run = promisify(execFile);
let stand: Stand;
let project: Awaited<ReturnType<typeof makeProject>>;
before(async () => {
  stand = await startStand();
  project = await makeProject();
});
after(async () => {
  await project[Symbol.asyncDispose]();
  await stand[Symbol.asyncDispose]();
});

/** What the reader of a guide must see: of its shell blocks, as one session, and of its JavaScript, as one program. */
const SEEN: Record<string, { sh?: RegExp[]; js?: RegExp[] }> = {
  "first-message.md": {
    sh: [/"nextCursor"/, /"status":"sent"/, /"direction":"outbound"/],
    js: [/^accepted sent [0-9a-f-]{36}$/m, /^contact [0-9a-f-]{36}$/m],
  },
  "otp.md": { sh: [/"status":"pending".*"triesLeft":4/, /"sent":true,"provider":"twilio"/], js: [/^sent [0-9a-f-]{36}$/m] },
  "errors.md": {
    sh: [/^\{"statusCode":400,"error":"Bad Request","message":"CONTACT_NEEDS_IDENTITY"\}$/],
    js: [/^VALIDATION_FAILED 400 \[/m, /path: 'name'/, /[0-9a-f-]{36}$/m],
  },
  "limits.md": {
    sh: [/ratelimit-limit: 120/i, /ratelimit-remaining: \d+/i, /ratelimit-reset: \d+/i],
    js: [/^free \d+ of 500 \d+ % used$/m, /^\d+ requests left$/m],
  },
  "idempotency.md": { sh: [/"email":"sara@example.com"/, /idempotency-replayed: true/i], js: [/^one contact$/m] },
  "conversations.md": { sh: [/"labels":\["refund"\]/, /"fileName":"thanks.txt"/] },
  "campaigns.md": { sh: [/"status":"QUEUED"/, /"estimate":\{"cannotRun":null,"recipients":1,/], js: [/^Campaign QUEUED 0 of 0$/m] },
  "assistants.md": { sh: [/"name":"search_contacts"/, /"name":"send_reply"/] },
  "self-hosting.md": { sh: [/^\{"status":"ok"\}/m] },
  "upgrading.md": { sh: [/^1\.0\.0$/m] },
}; // oxfmt-ignore

const LANGUAGES = new Set(["sh", "js"]);

for (const guide of guides().filter((name) => name !== "receiving-webhooks.md")) {
  const blocks = blocksOf(guide);
  test(`${guide}: its code does what it says, against a running server`, async () => {
    const seen = SEEN[guide];
    assert.ok(seen, `${guide} has no line in SEEN`);
    const env = {
      ...process.env,
      PARLEY_URL: stand.baseUrl,
      PARLEY_KEY: await stand.api.key(),
      BROADCAST_ID: stand.broadcastId,
    };
    const options = { env, cwd: project.folder, timeout: 300_000 };
    const textOf = (language: string) =>
      blocks.filter((block) => block.language === language).map((block) => block.code).join("\n"); // oxfmt-ignore
    const present = [...new Set(blocks.map((block) => block.language))].filter((one) =>
      LANGUAGES.has(one),
    );
    assert.deepEqual(
      present.toSorted(),
      Object.keys(seen).toSorted(),
      "every language is looked at",
    );
    if (seen.sh) {
      const session = `set -euo pipefail\n${textOf("sh")}`;
      const { stdout } = await run("bash", ["-c", session], options);
      for (const pattern of seen.sh) assert.match(stdout, pattern);
    }
    if (seen.js) {
      await writeFile(path.join(project.folder, "guide.mjs"), textOf("js"));
      const { stdout } = await run(process.execPath, ["guide.mjs"], options);
      for (const pattern of seen.js) assert.match(stdout, pattern);
    }
  });
}

const read = (file: string) => readFileSync(path.join(GUIDES, file), "utf8");

test("errors.md has every code of the document with its status, and none besides the three of other addresses", () => {
  const told = new Map(
    [...read("errors.md").matchAll(/^\| `([^`]+)` \| (\d+) \|/gm)].map(([, code, status]) => [code ?? "", Number(status)]),
  ); // oxfmt-ignore
  const documented = operationsOf(readDocument()).flatMap((operation) => operation.codes);
  const wanted = new Set(
    documented.map((code) => code.replace(/^MISSING_SCOPE:.*/, "MISSING_SCOPE:<scope>")),
  );
  for (const code of ["ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT"]) wanted.add(code);
  assert.deepEqual([...told.keys()].toSorted(), [...wanted].toSorted());
  for (const [code, status] of told)
    assert.equal(status, new Map<string, number>(Object.entries(STATUS)).get(code) ?? 403, code);
});

test("limits.md has the plans of the settings table", () => {
  const rows = Object.entries(PLAN_LIMITS).map(([plan, limits]) => {
    const { messages, seats, bots, channels, aiReplies } = limits;
    const shown = [messages, seats, bots, channels, aiReplies].map(
      (limit) => limit?.toLocaleString("en-US") ?? "unlimited",
    );
    return `| ${[plan, ...shown].join(" | ")} |`;
  });
  for (const row of rows) assert.ok(read("limits.md").includes(row), row);
});

test("every link of the guides leads to a file", () => {
  for (const guide of guides())
    for (const [, target = ""] of read(guide).matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(existsSync(path.join(GUIDES, target)), `${guide}: ${target}`);
});
