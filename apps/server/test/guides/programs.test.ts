import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { PHP_COMMAND, PYTHON_COMMAND, without } from "../../../../packages/sdk/test/languages.ts";
import { newSecret, signatureHeaders } from "../../src/webhooks/sign.ts";
import { addTemplate } from "../v1/fixtures.ts";
import { blocksIn, type Block } from "./blocks.ts";
import { freePort, startProgram } from "./project.ts";
import { startStand, type Stand } from "./stand.ts";

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "../../../..");
const PAGES = path.join(ROOT, "docs/programs");
let stand: Stand;
let home = "";
before(async () => {
  stand = await startStand();
  home = await mkdtemp(path.join(tmpdir(), "parley-programs-"));
  // As the demo workspace has them.
  const language = "en_US";
  await addTemplate(stand.api, stand.channelId, { name: "order_update", language });
  const offer = { name: "season_offer", language, body: "{{1}}, everything is 20 % off." };
  await addTemplate(stand.api, stand.channelId, offer);
  const tagged = { phone: "+201009990001", name: "Mona Adel", tags: ["vip"] };
  await stand.api.call("POST", "/contacts", { json: tagged });
});
after(async () => {
  await rm(home, { recursive: true, force: true });
  await stand[Symbol.asyncDispose]();
});

interface Language {
  readonly skip: string | false;
  readonly file: string;
  /** The page's own command, and of a server another. */
  readonly command: readonly string[];
  readonly server?: (port: number) => readonly string[];
}
const PHP_STRICT = ["-d", "error_reporting=-1", "-d", "display_errors=1"];
/** As the page says it; what each installs is installed once, by the tests of the packages. */
const LANGUAGES: Record<string, Language> = {
  ts: { skip: false, file: "program.ts", command: [process.execPath, "program.ts"] },
  python: {
    skip: without("Python"),
    file: "program.py",
    command: [PYTHON_COMMAND ?? "", "program.py"],
  },
  php: {
    skip: without("PHP"),
    file: "program.php",
    command: [PHP_COMMAND ?? "", ...PHP_STRICT, "program.php"],
    server: (port) => [PHP_COMMAND ?? "", "-S", `127.0.0.1:${port}`, "program.php"],
  },
};

/** A folder as the reader has it after `start.md`, with the files that the page shows. */
async function folderOf(page: string, language: string, blocks: readonly Block[]) {
  const folder = path.join(home, `${page}-${language}`);
  await mkdir(path.join(folder, "node_modules/@parley"), { recursive: true });
  await symlink(path.join(ROOT, "packages/sdk"), path.join(folder, "node_modules/@parley/sdk"));
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  await cp(path.join(ROOT, "packages/sdk-php"), path.join(folder, "parley-sdk"), {
    recursive: true,
  });
  for (const { words, code } of blocks)
    if (words[0] !== undefined && /\.\w+$/.test(words[0]))
      await writeFile(path.join(folder, words[0]), code);
  const program = blocks.filter((one) => one.language === language && one.words[0] === "program");
  assert.equal(program.length, 1, `${page} has one program in ${language}`);
  const { file = "" } = LANGUAGES[language] ?? {};
  await writeFile(path.join(folder, file), program[0]?.code ?? "");
  return folder;
}

async function envOf(workspaceId?: string): Promise<Record<string, string>> {
  return {
    PARLEY_URL: stand.baseUrl,
    PARLEY_KEY: await stand.api.key([], workspaceId),
    PYTHONPATH: path.join(ROOT, "packages/sdk-python/src"),
    PYTHONDONTWRITEBYTECODE: "1",
    WEBHOOK_URL: `${stand.baseUrl}/in`,
    CONVERSATION_ID: stand.conversationId,
  };
}

/** Runs it once; while it runs, what the server has to do is done. */
async function output(
  [command = "", ...parameters]: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<string> {
  const child = spawn(command, parameters, { cwd, env: { ...process.env, ...env } });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => printed.push(data.toString()));
  const closed = once(child, "close");
  while (child.exitCode === null && child.signalCode === null) {
    await stand.api.app.drain();
    await Promise.race([closed, new Promise((later) => setTimeout(later, 100))]);
  }
  await closed;
  assert.equal(child.exitCode, 0, printed.join(""));
  return printed.join("");
}

/** What each run of a program must print, in every language. */
const RUNS: Record<string, readonly RegExp[]> = {
  "order-updates": [/^accepted 2 of 2$/m, /^accepted 2 of 2$/m],
  crm: [/^read 0 sent 2$/m, /^read \d+ sent 0$/m],
  campaign: [/^would reach 1$[^]*^COMPLETED sent 1 of 1$/m],
  deploy: [/^endpoint created$/m, /^endpoint unchanged$/m],
  files: Array<RegExp>(2).fill(/^message sent ?$[^]*^fetched outbound invoice-1042\.txt$/m),
};

const pages = (await readdir(PAGES)).map((name) => path.basename(name, ".md"));

test("each page of a program is run", () => {
  assert.deepEqual(
    pages.toSorted(),
    [...Object.keys(RUNS), "assistant", "bot", "start"].toSorted(),
  );
});

for (const [page, runs] of Object.entries(RUNS))
  describe(`${page}.md`, () => {
    for (const [language, { skip, command }] of Object.entries(LANGUAGES))
      test(`${language}: the program runs as the page shows it`, { skip }, async () => {
        const blocks = blocksIn(path.join(PAGES, `${page}.md`));
        const folder = await folderOf(page, language, blocks);
        // What a workspace has once is made for the first language alone: each has its own.
        const own = page === "deploy" || page === "crm";
        const env = await envOf(own ? (await stand.api.newWorkspace()).workspaceId : undefined);
        for (const pattern of runs) assert.match(await output(command, folder, env), pattern);
      });
  });

describe("bot.md", () => {
  const ask = (body: string, port: number, secret: string) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...signatureHeaders({ id: "turn", body: Buffer.from(body), at: new Date() }, [secret]),
      },
      body,
    });
  const turn = (text: string) =>
    JSON.stringify({
      type: "bot.turn", token: "t", conversationId: "c",
      contact: { id: "p", firstName: "Sara", language: "en" },
      messages: [{ id: "m", from: "customer", type: "text", text, pressed: null, at: new Date().toISOString() }],
      variables: {},
    }); // oxfmt-ignore
  for (const [language, { skip, command, server }] of Object.entries(LANGUAGES))
    test(
      `${language}: the bot answers, hands over, and refuses what is forged`,
      { skip },
      async () => {
        const blocks = blocksIn(path.join(PAGES, "bot.md"));
        const folder = await folderOf("bot", language, blocks);
        const [port, secret] = [await freePort(), newSecret()];
        const env = { ...(await envOf()), BOT_SECRET: secret, PORT: String(port) };
        await using _running = await startProgram(server?.(port) ?? command, { cwd: folder, env });
        const known = (await (
          await ask(turn("When are you open?"), port, secret)
        ).json()) as object;
        assert.deepEqual(known, { messages: [{ text: "We are open from 9 to 17." }] });
        const unknown = (await (await ask(turn("My parcel?"), port, secret)).json()) as object;
        assert.deepEqual((unknown as { handOver: object }).handOver, { reason: "outside_scope", summary: "My parcel?" }); // oxfmt-ignore
        assert.equal((await ask(turn("When?"), port, newSecret())).status, 400);
      },
    );
});

test("assistant.md: each configuration is JSON, and what checks it is answered", async () => {
  const blocks = blocksIn(path.join(PAGES, "assistant.md"));
  const settings = blocks.filter((one) => one.language === "json");
  assert.equal(settings.length, 2);
  for (const { code } of settings)
    assert.match(JSON.stringify(JSON.parse(code)), /\/mcp".*"Bearer /);
  const check = blocks.find((one) => one.words[0] === "program");
  const env = { ...process.env, ...(await envOf()) };
  const { stdout } = await run("bash", ["-c", check?.code ?? ""], { env });
  assert.match(stdout, /workspaceId/);
});

test("the programs in TypeScript compile in the strictest way", async () => {
  const folder = path.join(home, "types");
  await mkdir(path.join(folder, "node_modules/@parley"), { recursive: true });
  await symlink(path.join(ROOT, "packages/sdk"), path.join(folder, "node_modules/@parley/sdk"));
  const files: string[] = [];
  for (const page of pages) {
    const file = path.join(PAGES, `${page}.md`);
    const program = blocksIn(file).find((one) => one.language === "ts");
    if (!program) continue;
    files.push(`${page}.mts`);
    await writeFile(path.join(folder, `${page}.mts`), program.code);
  }
  const types = ["--typeRoots", path.join(ROOT, "node_modules/@types"), "--types", "node"];
  const strict = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", ...types];
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, ...strict, ...files], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, "");
});
