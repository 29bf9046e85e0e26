import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const PACKAGE = path.join(import.meta.dirname, "..");
const TSC = path.join(PACKAGE, "../../node_modules/typescript/bin/tsc");
let project = "";

before(async () => {
  project = await mkdtemp(path.join(tmpdir(), "parley-project-"));
  await run("npm", ["pack", "--pack-destination", project], { cwd: PACKAGE });
  const [archive = ""] = await readdir(project);
  assert.match(archive, /\.tgz$/);
  await writeFile(path.join(project, "package.json"), '{"name":"empty","private":true}');
  const quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run("npm", ["install", `./${archive}`, ...quiet], { cwd: project });
});
after(() => rm(project, { recursive: true, force: true }));

const USE = `
const parley = new Parley({ baseUrl: "http://127.0.0.1:9/api", apiKey: "a:b", maxRetries: 0 });
const error = await parley.messages.send({ conversationId: "1", text: "x" }).catch((thrown) => thrown);
const wrong = await verifyWebhook("{}", {}, "s").catch((thrown) => thrown);
console.log([error instanceof ParleyError, error.code, wrong.code].join(" "));`;

// The Node that runs the tests, and the system's own, which is another.
const nodes = [...new Set([process.execPath, "/usr/bin/node"])].filter(
  (node) => spawnSync(node, ["-v"]).status === 0,
);
for (const node of nodes) {
  const version = spawnSync(node, ["-v"], { encoding: "utf8" }).stdout.trim();
  test(`Node ${version}: the packed package is imported and required`, async () => {
    const names = "{ Parley, ParleyError, verifyWebhook }";
    await writeFile(path.join(project, "esm.mjs"), `import ${names} from "@parley/sdk";${USE}`);
    const required = `const ${names} = require("@parley/sdk");(async () => {${USE}})();`;
    await writeFile(path.join(project, "cjs.cjs"), required);
    for (const file of ["esm.mjs", "cjs.cjs"]) {
      const { stdout } = await run(node, [file], { cwd: project });
      assert.equal(stdout.trim(), "true CONNECTION_FAILED NO_SIGNATURE", file);
    }
  });
}

const RIGHT = `
import { Parley, ParleyError, verifyWebhook, type Contact, type ErrorCode, type WebhookEvent } from "@parley/sdk";
const parley = new Parley({ baseUrl: "https://a/api", apiKey: "a:b" });
export async function right(signal: AbortSignal): Promise<string> {
  const page = await parley.contacts.list({ search: "x", pageSize: 10 }, { signal });
  const first: Contact | undefined = page.items[0];
  for await (const contact of parley.contacts.iterate()) console.log(contact.phone?.length);
  const tags = ["vip"] as const;
  await parley.contacts.create({ phone: "1", tags, attributes: { city: "Cairo" } }, { idempotencyKey: "k" });
  const { status } = await parley.broadcasts.start("id");
  const running: boolean = status === "RUNNING";
  const { limits } = await parley.usage.get();
  const most: number | null = limits.messages;
  try {
    await parley.otp.send({ mobile: "96550000001", message: "1", lang: "A" });
  } catch (error) {
    if (error instanceof ParleyError && error.code === "OTP_RATE_LIMITED") return String(error.limit);
  }
  const code: ErrorCode = "MISSING_SCOPE:otp:send";
  const event: WebhookEvent = await verifyWebhook(new Uint8Array(), new Headers(), ["new", "old"]);
  if (event.type === "message.status") return event.data.messageId + event.data.status;
  if (event.type === "contact.created") return event.data.contact.id;
  if (event.type === "usage.threshold") return event.data.percent.toFixed();
  return [code, first?.id, running, most, event.sequence + 1].join();
}
`;

/** Each is wrong by itself. */
const WRONG: [why: string, line: string][] = [
  ["no key", 'new Parley({ baseUrl: "https://a/api" });'],
  ["no such option", 'new Parley({ baseUrl: "https://a/api", apiKey: "a:b", retries: 3 });'],
  ["no text", 'void parley.messages.send({ conversationId: "1" });'],
  ["a number for a text", 'void parley.messages.send({ conversationId: 1, text: "x" });'],
  ["no such member", 'void parley.messages.send({ conversationId: "1", txt: "x", text: "x" });'],
  ["no such language", 'void parley.otp.send({ mobile: "965", message: "1", lang: "F" });'],
  ["no id", "void parley.broadcasts.start();"],
  ["no such method", "void parley.broadcasts.launch('1');"],
  ["no such query", "void parley.contacts.list({ name: 'x' });"],
  ["a text for a number", "void parley.contacts.list({ page: '2' });"],
  ["no such status", "void parley.broadcasts.start('1').then((one) => one.status === 'STARTED');"],
  ["a member that may be absent", "void parley.broadcasts.start('1').then((one) => one.sentCount + 1);"],
  ["a null that may be", "void parley.usage.get().then((one) => one.limits.messages.toFixed());"],
  ["no such code", "if (error.code === 'MESSAGE_LIMIT') throw error;"],
  ["a parsed body", "void verifyWebhook({ type: 'x' }, {}, 's');"],
  ["no secret", "void verifyWebhook('x', {});"],
  ["no such kind", "if (event.type === 'message.sent') throw event;"],
  ["data of another kind", "if (event.type === 'contact.created') console.log(event.data.messageId);"],
  ["an event is not to be changed", "event.sequence = 1;"],
  ["inner parts are not for use", "parley.contacts.caller;"],
]; // oxfmt-ignore

const HEAD = `import { Parley, verifyWebhook, type ParleyError, type WebhookEvent } from "@parley/sdk";
declare const parley: Parley; declare const error: ParleyError; declare const event: WebhookEvent;
`;

async function check(files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(project, name), text);
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022"];
  const modules = ["--module", "nodenext", "--lib", "es2022,dom", "--types", ""];
  const { stdout } = spawnSync(
    process.execPath,
    [TSC, ...options, ...modules, ...Object.keys(files)],
    {
      cwd: project,
      encoding: "utf8",
    },
  );
  return stdout;
}

test("right use compiles, as an ES module and as CommonJS, with the libraries of the package checked", async () => {
  const required = `import sdk = require("@parley/sdk");\nexport const one = new sdk.Parley({ baseUrl: "", apiKey: "" });\n`;
  assert.equal(await check({ "right.mts": RIGHT, "right.cts": required }), "");
});

test("wrong use does not compile, line by line", async () => {
  const marked = WRONG.map(([why, line]) => `// @ts-expect-error ${why}\n${line}\n`).join("");
  assert.equal(await check({ "wrong.mts": HEAD + marked }), "");
  // And without the marks each of the lines is an error of its own: the marks excuse nothing else.
  const bare = await check({ "bare.mts": HEAD + WRONG.map(([, line]) => `${line}\n`).join("") });
  const lines = new Set([...bare.matchAll(/bare\.mts\((\d+),/g)].map(([, line]) => Number(line)));
  assert.deepEqual(
    [...lines],
    WRONG.map((_, index) => index + 3),
  );
});
