import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { startSession, type Session } from "../black-box/command-session.ts";
import { createTestDatabase } from "../harness.ts";
import { freePort } from "../free-port.ts";
import { launch, privateFolder, type Launched } from "./launch.ts";

/** Every command of docs/sandbox.md, in its order, as pasted, against a server of its own. */
const DOCUMENT = path.resolve(import.meta.dirname, "../../../../docs/sandbox.md");
const run = promisify(execFile);
const folder = privateFolder();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let environment: Record<string, string>;
let base: string;
let server: Launched;
let session: Session;

before(async () => {
  database = await createTestDatabase();
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  environment = {
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DATA_DIR: folder.path,
    PORT: String(port),
  };
  server = launch("main.ts", [], environment);
  session = startSession(environment);
  await server.serves;
});
after(async () => {
  server.child.kill("SIGTERM");
  await server.ended;
  await session[Symbol.asyncDispose]();
  await database.drop();
  folder[Symbol.dispose]();
});

type Json = Readonly<Record<string, unknown>>;
/** What stands in the document for something of one's own. */
const known = new Map<string, string>();
let shown = "";
let watch: Launched | undefined;

/** The lines of the document's shell blocks. */
function commands(): string[] {
  const blocks = readFileSync(DOCUMENT, "utf8").matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  // Those that name a language are programs and answers.
  return [...blocks].flatMap(([, language, block = ""]) =>
    language === "" ? block.trim().split("\n") : [],
  );
}

/** The words of a line as a shell takes them: plain, or in quotes. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");

function learn(words: readonly string[], answer: Json): void {
  const note = (name: string, value: unknown) =>
    typeof value === "string" && known.set(name, value);
  const { id, token, bearer, conversationId } = answer;
  switch (words.slice(0, 2).join(" ")) {
    case "workspace create":
      return void note("WORKSPACE", id);
    case "key create":
      return void note("KEY", bearer);
    case "sandbox add":
      // CHANNEL is the one whose phones the document shows.
      if (words[2] === "WEB") note("WEBCHANNEL", id);
      if (words[2] !== "WHATSAPP") return;
      note("CHANNEL", id);
      note("TOKEN", token);
      return;
    case "broadcast create":
      return void note("BROADCAST", id);
    case "sandbox say":
      return void (known.has("CONVERSATION") || note("CONVERSATION", conversationId));
    default:
  }
}

/** Waits until the watch shows the words. */
async function seen(words: string): Promise<void> {
  const begun = performance.now();
  while (!shown.includes(words)) {
    assert.ok(performance.now() - begun < 180_000, `the watch shows ${words}: ${shown}`);
    await sleep(50);
  }
}

async function paste(line: string): Promise<void> {
  if (line.startsWith("curl ")) {
    const { stdout } = await run("sh", ["-c", `${line} --silent --show-error --fail-with-body`]);
    const answer: unknown = JSON.parse(stdout);
    assert.ok(Object(answer), line);
    for (const template of Array.isArray(answer) ? (answer as Json[]) : [])
      if (template["name"] === "new_arrival") known.set("TEMPLATE", String(template["id"]));
    return;
  }
  const [program, ...words] = wordsOf(line);
  assert.equal(program, "./bin/parley", line);
  if (words[1] === "watch") {
    watch = launch("cli/main.ts", words, environment);
    watch.child.stdout?.on("data", (data: string) => void (shown += data));
    return;
  }
  const done = await session.run(...words);
  assert.deepEqual([done.code, done.stderr], [0, ""], line);
  if (words.includes("--json")) learn(words, JSON.parse(done.stdout) as Json);
  // A campaign goes by itself: what follows would spoil its sends.
  if (words[0] === "broadcast" && words[1] === "start") await seen("new_arrival");
}

test("every command of the document does what it says when it is pasted", async () => {
  const receipt = path.join(folder.path, "receipt.pdf");
  writeFileSync(receipt, "%PDF-1.4\n");
  const jacket = path.join(folder.path, "jacket.jpg");
  writeFileSync(jacket, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]));
  known.set("receipt.pdf", receipt).set("jacket.jpg", jacket).set("http://127.0.0.1:3000", base);
  const lines = commands();
  assert.ok(lines.length > 20, "the blocks were found");
  for (const line of lines) {
    let pasted = line;
    for (const [name, value] of known)
      pasted = pasted.replaceAll(new RegExp(`(?<![A-Z_])${name}(?![A-Z])`, "g"), value);
    await paste(pasted);
  }
  for (const words of ["→ Hello, is it in stock?", "] The receipt", "← Yes", "→ And in red?"])
    await seen(words);
  watch?.child.kill("SIGINT");
  assert.equal((await watch?.ended)?.code, 0);
});
