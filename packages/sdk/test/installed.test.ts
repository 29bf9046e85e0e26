import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { access, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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
  const gaps: (number | null)[] = [];
  const onGap = (gap: { oldestSequence: number | null }) => gaps.push(gap.oldestSequence);
  for await (const one of parley.events.iterate({ after: 1 }, { onGap })) console.log(one.sequence);
  for await (const one of parley.events.stream({ after: 1 }, { signal, onGap })) {
    if (one.type === "message.received") return one.data.message.id;
    break;
  }
  const tags = ["vip"] as const;
  const ids: string[] = [];
  await parley.contacts.create({ phone: "1", tags, attributes: { city: "Cairo" } }, { idempotencyKey: "k" });
  for await (const [message, result] of parley.templateMessages.sendAll([]))
    if (result.outcome === "accepted") ids.push(result.message.id);
    else console.log(message.to, result.error.details.length);
  const { results } = await parley.contacts.batch({ contacts: [] });
  for (const one of results)
    if (one.outcome === "refused") console.log(one.error.message);
    else ids.push(one.contactId);
  const [segment, etag] = await parley.segments.getWithEtag("id");
  await parley.segments.update(segment.id, { name: "x" }, { ifMatch: etag, signal });
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
  ["a member that may be absent", "void parley.broadcasts.start('1').then((one) => one.channelId.length);"],
  ["a null that may be", "void parley.usage.get().then((one) => one.limits.messages.toFixed());"],
  ["no version in a POST", "void parley.contacts.create({ phone: '1' }, { ifMatch: 'x' });"],
  ["a result that was not looked at", "void parley.contacts.batch({ contacts: [] }).then((one) => one.results[0]?.error.message);"],
  ["no such code", "if (error.code === 'MESSAGE_LIMIT') throw error;"],
  ["a parsed body", "void verifyWebhook({ type: 'x' }, {}, 's');"],
  ["no secret", "void verifyWebhook('x', {});"],
  ["no such kind", "if (event.type === 'message.sent') throw event;"],
  ["data of another kind", "if (event.type === 'contact.created') console.log(event.data.messageId);"],
  ["an event is not to be changed", "event.sequence = 1;"],
  ["a stream takes no key", "void parley.events.stream({}, { idempotencyKey: 'x' });"],
  ["a list of contacts has no gaps", "void parley.contacts.iterate({}, { onGap() {} });"],
  ["a failure's code is read only", "error.code = 'INTERNAL';"],
  ["no such page size", "void parley.contacts.list({ pageSize: 'all' });"],
  ["no such kind in a filter", "void parley.events.list({ types: 7 });"],
  ["inner parts are not for use", "parley.contacts.caller;"],
]; // oxfmt-ignore

const HEAD = `import { Parley, verifyWebhook, type ParleyError, type WebhookEvent } from "@parley/sdk";
declare const parley: Parley; declare const error: ParleyError; declare const event: WebhookEvent;
`;

/** How TypeScript finds a package: as Node does, as it did at first, and as bundlers do. */
const RESOLUTIONS: Record<string, readonly string[]> = {
  nodenext: ["--module", "nodenext"],
  node16: ["--module", "node16"],
  bundler: ["--module", "esnext", "--moduleResolution", "bundler"],
};

async function check(
  resolution: readonly string[],
  files: Record<string, string>,
): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(project, name), text);
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022"];
  const options = [...strict, ...resolution, "--lib", "es2022,dom", "--types", ""];
  const { stdout } = spawnSync(process.execPath, [TSC, ...options, ...Object.keys(files)], {
    cwd: project,
    encoding: "utf8",
  });
  return stdout;
}

const lines = WRONG.map(([, line]) => `${line}\n`);
const marked = WRONG.map(([why, line]) => `// @ts-expect-error ${why}\n${line}\n`).join("");

/** What a reader's own program has around the blocks. */
const AROUND = `
declare const conversationId: string, lastSequence: number, rawBody: Uint8Array, secret: string;
declare const request: { headers: Headers };
declare function handle(event: unknown): void;
declare const process: { env: Record<string, string | undefined> };
`;

test("what the README and the guides show of the client compiles as it stands, in the strictest TypeScript", async () => {
  const root = path.join(PACKAGE, "../..");
  const guides = (await readdir(path.join(root, "docs/guides"))).map((one) => `docs/guides/${one}`);
  const files: Record<string, string> = {};
  for (const name of ["packages/sdk/README.md", ...guides]) {
    const text = await readFile(path.join(root, name), "utf8");
    let before = "";
    for (const [, block = ""] of text.matchAll(/^```(?:ts|js)\n([^]*?)^```$/gm)) {
      // One without imports goes on from the one above it.
      before = block.includes('from "@parley/sdk"') ? block : before + block;
      const place = Object.keys(files).length;
      files[`${path.basename(name, ".md")}-${place}.mts`] = before + AROUND;
    }
  }
  assert.ok(Object.keys(files).length >= 8, Object.keys(files).join());
  assert.equal(await check(["--module", "nodenext"], files), "");
});

/** The short suite asks the newest and the laxest. */
const ASKED = Object.entries(RESOLUTIONS).filter(
  ([name]) => name !== "node16" || process.env["PARLEY_TEST_LONG"] === "1",
);

for (const [name, resolution] of ASKED)
  test(`${name}: right use compiles, wrong use does not, line by line, in every kind of module`, async () => {
    const required = `import sdk = require("@parley/sdk");\nexport const one = new sdk.Parley({ baseUrl: "", apiKey: "" });\n`;
    const files = { "right.mts": RIGHT, "right.cts": RIGHT, "right.ts": RIGHT };
    const more = name === "bundler" ? {} : { "required.cts": required };
    const names = ["wrong.mts", "wrong.cts"];
    const text = (body: string) => Object.fromEntries(names.map((one) => [one, HEAD + body]));
    assert.equal(await check(resolution, { ...files, ...more, ...text(marked) }), "");
    // And without the marks each of the lines is an error of its own: the marks excuse nothing else.
    const faults = await check(resolution, text(lines.join("")));
    for (const one of names) {
      const found = [...faults.matchAll(/^(\S+)\((\d+),/gm)].filter(([, file]) => file === one);
      const numbers = new Set(found.map(([, , line]) => Number(line)));
      assert.deepEqual([...numbers], WRONG.map((_, index) => index + 3)); // oxfmt-ignore
    }
  });

test("each way into the package has types of its own kind, and every file it names is packed", async () => {
  const root = path.join(project, "node_modules/@parley/sdk");
  const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as {
    exports: Record<string, Record<string, Record<string, string>>>;
  };
  const entry = manifest.exports["."];
  assert.ok(entry);
  const endings = { import: [".d.ts", ".js"], require: [".d.cts", ".cjs"] };
  assert.deepEqual(Object.keys(entry), Object.keys(endings));
  for (const [condition, [types = "", script = ""]] of Object.entries(endings)) {
    const files: Record<string, string> = entry[condition] ?? {};
    // The types first: TypeScript takes the first condition that fits.
    assert.deepEqual(Object.keys(files), ["types", "default"]);
    assert.ok(
      files["types"]?.endsWith(`index${types}`) && files["default"]?.endsWith(`index${script}`),
    );
    for (const file of Object.values(files)) await access(path.join(root, file));
  }
});

test("it may be built into what is not free: MIT, with its text in the package", async () => {
  const root = path.join(project, "node_modules/@parley/sdk");
  assert.match(await readFile(path.join(root, "package.json"), "utf8"), /"license": "MIT"/);
  assert.match(await readFile(path.join(root, "LICENSE"), "utf8"), /^MIT License\n/);
});
