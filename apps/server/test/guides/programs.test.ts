import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { PHP_COMMAND, PYTHON_COMMAND, without } from "../../../../packages/sdk/test/languages.ts";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { createTestWorkspace } from "../../src/sandbox/create-test-workspace.ts";
import { discardSuggestion } from "../../src/inbox/suggest-reply.ts";
import { sql } from "../../src/db/sql.ts";
import { newSecret, signatureHeaders } from "../../src/webhooks/sign.ts";
import type { HttpRequest, HttpResponse } from "../../src/lib/http.ts";
import { FILES } from "../files.ts";
import { streaming } from "../streaming.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";
import { addTemplate } from "../v1/fixtures.ts";
import { blocksIn, type Block } from "./blocks.ts";
import { freePort, startProgram } from "./project.ts";
import { startStand, type Stand } from "./stand.ts";

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "../../../..");
const PAGES = path.join(ROOT, "docs/programs");
let stand: Stand;
let home = "";
/** A customer to whom the platform delivers nothing for now, and may later. */
const REFUSED = "201009990002";
let refusing = true;
let calls = 0;
const providerHttp = {
  async request({ body }: HttpRequest): Promise<HttpResponse> {
    const refused = refusing && typeof body === "string" && body.includes(REFUSED);
    const error = { code: 131049, message: "This message was not delivered" };
    const answer = refused ? { error } : { messages: [{ id: `wamid.${++calls}` }] };
    const json = Buffer.from(JSON.stringify({ success: true, ...answer }));
    return { status: refused ? 400 : 200, headers: {}, body: json };
  },
};
before(async () => {
  stand = await startStand({ providerHttp: streaming(providerHttp) });
  stand.api.http.server.on("request", ({ headers }) => {
    lastKey = String(headers["idempotency-key"] ?? lastKey);
  });
  home = await mkdtemp(path.join(tmpdir(), "parley-programs-"));
  // As the demo workspace has them.
  const language = "en_US";
  await addTemplate(stand.api, stand.channelId, { name: "order_update", language });
  const offer = { name: "season_offer", language, body: "{{1}}, everything is 20 % off." };
  await addTemplate(stand.api, stand.channelId, offer);
  for (const phone of ["+201009990001", REFUSED]) {
    const json = { phone, name: "Mona Adel", tags: ["vip"] };
    await stand.api.call("POST", "/contacts", { json });
  }
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
async function folderOf(
  page: string,
  language: string,
  blocks: readonly Block[],
  kind: "program" | "receiver" = "program",
) {
  const folder = path.join(home, `${page}-${language}-${kind}`);
  await mkdir(path.join(folder, "node_modules/@parley"), { recursive: true });
  await symlink(path.join(ROOT, "packages/sdk"), path.join(folder, "node_modules/@parley/sdk"));
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  await cp(path.join(ROOT, "packages/sdk-php"), path.join(folder, "parley-sdk"), {
    recursive: true,
  });
  for (const { words, code } of blocks)
    if (words[0] !== undefined && /\.\w+$/.test(words[0]))
      await writeFile(path.join(folder, words[0]), code);
  if (page === "crm") await cp(path.join(folder, "crm.json"), path.join(folder, "first.json"));
  const program = blocks.filter((one) => one.language === language && one.words[0] === kind);
  assert.equal(program.length, 1, `${page} has one ${kind} in ${language}`);
  const { file = "" } = LANGUAGES[language] ?? {};
  // The languages share a workspace: each sends a campaign of its own name.
  const code = program[0]?.code.replace("December 2026", `of ${language}`) ?? "";
  await writeFile(path.join(folder, file), code);
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

/** What the server has to do is done until the program ended. */
async function workUntil(
  closed: Promise<unknown>,
  child: ChildProcess,
  work: () => Promise<unknown> = () => stand.api.app.drain(),
): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    await work();
    await Promise.race([closed, new Promise((later) => setTimeout(later, 100))]);
  }
  await closed;
}

/** Runs it once; while it runs, what the server has to do is done. */
async function output(
  [command = "", ...parameters]: readonly string[],
  cwd: string,
  env: Record<string, string>,
  work?: () => Promise<unknown>,
  status = 0,
): Promise<string> {
  const child = spawn(command, parameters, { cwd, env: { ...process.env, ...env } });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => printed.push(data.toString()));
  const closed = once(child, "close");
  await workUntil(closed, child, work);
  assert.equal(child.exitCode, status, printed.join(""));
  return printed.join("");
}

/** Another run, begun before and held at its first call of this path; afterwards it is killed, or ends by itself with this. */
interface Beside {
  readonly heldAt: string;
  readonly ends: "killed" | RegExp;
}
/** Begins a run and holds it. What is given back lets it go, to its end. */
async function held(
  [command = "", ...parameters]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Record<string, string> },
  { heldAt, ends }: Beside,
): Promise<() => Promise<void>> {
  const child = spawn(command, parameters, { cwd, env: { ...process.env, ...env } });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => printed.push(data.toString()));
  const closed = once(child, "close");
  const { server } = stand.api.http;
  await new Promise<void>((done, fail) => {
    const look = ({ url = "" }: { readonly url?: string | undefined }) => {
      if (!url.startsWith(heldAt)) return;
      child.kill("SIGSTOP");
      server.off("request", look);
      done();
    };
    server.on("request", look);
    void closed.then(() => fail(new Error(`it was never held: ${printed.join("")}`)));
  });
  return async () => {
    child.kill(ends === "killed" ? "SIGKILL" : "SIGCONT");
    await workUntil(closed, child);
    if (ends !== "killed") assert.match(printed.join(""), ends);
  };
}

interface At {
  readonly folder: string;
  readonly language: string;
  /** The program's. */
  readonly file: string;
  readonly key: string;
}
/** What a run must print in every language, what happens before it and what is so after it. */
interface Run {
  readonly prints: RegExp;
  /** Its exit status; absent: 0. */
  readonly status?: number;
  /** The words after the program's name. */
  readonly words?: readonly string[];
  readonly beside?: Beside;
  readonly before?: (at: At) => Promise<unknown>;
  readonly after?: (at: At) => Promise<unknown>;
}
const runs = (...patterns: readonly RegExp[]): readonly Run[] =>
  patterns.map((prints) => ({ prints }));

const callAs = (bearer: string, method: "GET" | "POST" | "DELETE", at: string, json?: object) =>
  stand.api.call(method, at, { bearer, ...(json && { json }) });

/** The key of the last call that had one, and how many messages the workspace had used then. */
let lastKey = "";
let usedBefore = 0;
/** The place in the events at which a language begins. */
let placeBefore = 0;
const usedIn = async (key: string): Promise<number> => {
  const { body } = await callAs(key, "GET", "/usage");
  return (body["usage"] as { messages: number }).messages;
};
const sentIn = async (folder: string) =>
  JSON.parse(await readFile(path.join(folder, "sent.json"), "utf8")) as { done: string[] };

interface CrmFile {
  readonly people: Record<string, unknown>[];
}
const crmIn = async (folder: string): Promise<CrmFile> =>
  JSON.parse(await readFile(path.join(folder, "crm.json"), "utf8")) as CrmFile;

const RUNS: Record<string, readonly Run[]> = {
  "order-updates": [
    {
      // Two runs at once: the second sends nothing. The first dies before it has its answer, and holds up no later run.
      before: async ({ key }) => {
        const { body } = await callAs(key, "GET", "/events?after=latest");
        placeBefore = Number(body["nextAfter"]);
      },
      beside: { heldAt: "/api/v1/template-messages", ends: "killed" },
      prints: /another run is sending/,
      status: 1,
    },
    {
      prints: /^refused \+201001234569,,1044 VALIDATION_FAILED body\.0: .+\naccepted 2 of 3$/m,
    },
    { prints: /^accepted 0 of 3$/m },
    {
      // The name is mended, an order is new, and one line is empty, another odd.
      before: ({ folder }) =>
        writeFile(
          path.join(folder, "orders-2026-11-29.csv"),
          "phone,name,order\n+201001234567,Sara,1042\n+201001234568,Omar,1043\n" +
            '+201001234569,Lina,1044\n\n+201001234571,Zoe\n+201001234570,"Haddad, Mona",1045\n',
        ),
      prints: /^refused \+201001234571,Zoe not three columns$[^]*^accepted 2 of 5$/m,
    },
    {
      // The program died after the answer and before the file was written. It sends the batch again under the same key,
      // which reaches no one twice.
      before: async ({ folder, key }) => {
        const { done } = await sentIn(folder);
        const batch = { key: lastKey, at: Date.now(), after: 0, lines: done.slice(-2) };
        const left = JSON.stringify({ done: done.slice(0, -2), batch });
        await writeFile(path.join(folder, "sent.json"), left);
        usedBefore = await usedIn(key);
      },
      prints: /^accepted 2 of 5$/m,
      after: async ({ folder, key }) => {
        assert.equal(await usedIn(key), usedBefore);
        assert.equal((await sentIn(folder)).done.length, 4);
      },
    },
    {
      // It is started a day after it died, when the server knows the key no longer: only the line that never went goes.
      before: async ({ folder }) => {
        const { done } = await sentIn(folder);
        await appendFile(path.join(folder, "orders-2026-11-29.csv"), "+201001234571,Zoe,1046\n");
        const lines = [...done.slice(-2), "+201001234571,Zoe,1046"];
        const batch = { key: "forgotten", at: 0, after: placeBefore, lines };
        await writeFile(
          path.join(folder, "sent.json"),
          JSON.stringify({ done: done.slice(0, -2), batch }),
        );
      },
      prints: /^accepted 3 of 6$/m,
      after: async ({ folder, key }) => {
        assert.equal(await usedIn(key), usedBefore + 1);
        assert.equal((await sentIn(folder)).done.length, 5);
      },
    },
  ],
  crm: [
    { prints: /^sent 3 read \d+$/m },
    {
      // The program died after the batch was sent and before the file was written. Each person is still in the file once,
      // also the one with an e-mail address alone and the one whose number is written with spaces.
      before: ({ folder }) => cp(path.join(folder, "first.json"), path.join(folder, "crm.json")),
      prints: /^sent 3 read \d+$/m,
      after: async ({ folder, key }) => {
        const { people } = await crmIn(folder);
        assert.deepEqual(
          people.map((one) => one["id"]),
          ["42", "43", "44"],
        );
        const { body } = await callAs(key, "GET", "/contacts");
        assert.equal((body["items"] as object[]).length, 3);
      },
    },
    {
      // Someone is made in Parley, and reaches the CRM; the run after that gives the ref.
      before: ({ key }) =>
        callAs(key, "POST", "/contacts", { name: "Huda", phone: "201001234599" }),
      prints: /^sent 0 read \d+$/m,
    },
    { prints: /^sent 1 read \d+$/m },
    {
      // The CRM changes everybody, also the one that Parley made and the one without a phone.
      before: async ({ folder }) => {
        const crm = await crmIn(folder);
        assert.deepEqual(
          crm.people.map((one) => [one["name"], one["phone"], typeof one["contactId"]]),
          [
            ["Sara Haddad", "201001234567", "string"],
            ["Omar Said", "201001234568", "string"],
            ["Lina Aziz", null, "string"],
            ["Huda", "201001234599", "string"],
          ],
        );
        for (const one of crm.people)
          Object.assign(one, { changed: true, name: `${String(one["name"])} II` });
        await writeFile(path.join(folder, "crm.json"), JSON.stringify(crm));
      },
      prints: /^sent 4 read \d+$/m,
    },
    {
      // One is merged into another, and one is erased.
      before: async ({ folder, key }) => {
        const { people } = await crmIn(folder);
        const [sara, omar, , huda] = people.map((one) => String(one["contactId"]));
        const { body } = await callAs(key, "GET", "/contacts");
        const named = await callAs(key, "GET", `/contacts/by/refs.crm/${huda}`);
        assert.equal(named.body["id"], huda);
        const names = (body["items"] as { name: string }[]).map((one) => one.name).toSorted();
        assert.deepEqual(names, ["Huda II", "Lina Aziz II", "Omar Said II", "Sara Haddad II"]);
        const into = { mergedId: omar };
        assert.equal((await callAs(key, "POST", `/contacts/${sara}/merge`, into)).status, 200);
        assert.equal((await callAs(key, "DELETE", `/contacts/${huda}`)).status, 202);
      },
      prints: /^sent 0 read \d+$/m,
      after: async ({ folder }) => {
        const { people } = await crmIn(folder);
        const ids = people.map((one) => one["id"]);
        assert.deepEqual(ids, ["42", "43", "44"]);
        assert.equal(people[0]?.["contactId"], people[1]?.["contactId"]);
      },
    },
    {
      // The CRM deletes one: Parley erases the person,
      before: async ({ folder }) => {
        const crm = await crmIn(folder);
        Object.assign(crm.people[2] ?? {}, { deleted: true });
        await writeFile(path.join(folder, "crm.json"), JSON.stringify(crm));
      },
      prints: /^sent 0 read \d+$/m,
      after: async ({ key }) => {
        const { body } = await callAs(key, "GET", "/contacts");
        assert.equal((body["items"] as object[]).length, 1);
      },
    },
    {
      // and the event of it removes the person from the file.
      prints: /^sent 0 read \d+$/m,
      after: async ({ folder }) => {
        const { people } = await crmIn(folder);
        assert.deepEqual(
          people.map((one) => one["id"]),
          ["42", "43"],
        );
      },
    },
  ],
  campaign: [
    {
      // Two runs at once: neither finds a campaign, and both follow the same one.
      before: () => {
        refusing = true;
        return Promise.resolve();
      },
      beside: {
        heldAt: "/api/v1/broadcasts/search",
        ends: /^COMPLETED sent 1 failed 1 of 2$/m,
      },
      prints: /^would reach 2 skipped .*$[^]*^COMPLETED sent 1 failed 1 of 2$/m,
      after: async ({ key, language }) => {
        const name = `Season offer, of ${language}`;
        const { body } = await callAs(key, "POST", "/broadcasts/search", { name });
        assert.equal((body["items"] as object[]).length, 1);
      },
    },
    // The same again: it follows the campaign that is there.
    { prints: /^COMPLETED sent 1 failed 1 of 2\n$/ },
    {
      before: () => {
        refusing = false;
        return Promise.resolve();
      },
      words: ["again"],
      prints: /^would reach 1 skipped .*$[^]*^COMPLETED sent 1 failed 0 of 1$/m,
    },
    { words: ["again"], prints: /^COMPLETED sent 1 failed 0 of 1\n$/ },
    {
      // As after a refused token: no run waits for what no program mends.
      before: () =>
        stand.api.app.db.query(
          sql`update broadcast set status = 'PAUSED' where name like 'Season offer%'`,
        ),
      prints: /^PAUSED sent 1 failed 1 of 2$[^]*it is paused/m,
      status: 1,
    },
    {
      before: () =>
        stand.api.app.db.query(
          sql`update broadcast set status = 'FAILED' where name like 'Season offer%'`,
        ),
      prints: /^FAILED sent 1 failed 1 of 2$[^]*it ended as FAILED/m,
      status: 1,
    },
    {
      // It takes longer than the program follows: two hours, which are over at once here.
      before: async ({ folder, file }) => {
        const code = await readFile(path.join(folder, file), "utf8");
        const hasty = code.replace(/2 \* 3_?600(_000)?/, "-1");
        assert.notEqual(hasty, code);
        await writeFile(path.join(folder, file), hasty);
        const later = sql`update broadcast set status = 'SCHEDULED', scheduled_at = '2100-01-01' where name like 'Season offer%'`;
        await stand.api.app.db.query(later);
      },
      prints: /^SCHEDULED sent 1 failed 1 of 2$[^]*it is still SCHEDULED/m,
      status: 1,
    },
  ],
  deploy: runs(/^endpoint created$/m, /^endpoint unchanged$/m),
};

const pages = (await readdir(PAGES)).map((name) => path.basename(name, ".md"));

test("each page of a program is run", () => {
  assert.deepEqual(
    pages.toSorted(),
    [...Object.keys(RUNS), "assistant", "bot", "files", "start"].toSorted(),
  );
});

for (const [page, each] of Object.entries(RUNS))
  describe(`${page}.md`, () => {
    for (const [language, { skip, file, command }] of Object.entries(LANGUAGES))
      test(`${language}: the program runs as the page shows it`, { skip }, async () => {
        const blocks = blocksIn(path.join(PAGES, `${page}.md`));
        const folder = await folderOf(page, language, blocks);
        // What a workspace has once is made for the first language alone: each has its own.
        const own = page === "deploy" || page === "crm";
        const env = await envOf(own ? (await stand.api.newWorkspace()).workspaceId : undefined);
        const at = { folder, language, file, key: env["PARLEY_KEY"] ?? "" };
        for (const { before: first, words = [], beside, prints, status, after: last } of each) {
          await first?.(at);
          const letGo = beside && (await held(command, { cwd: folder, env }, beside));
          const called = [...command, ...words];
          assert.match(await output(called, folder, env, undefined, status), prints);
          await letGo?.();
          await last?.(at);
        }
      });
  });

let sandbox: SandboxStand;
before(async () => {
  sandbox = await startSandboxStand();
});
after(() => sandbox[Symbol.asyncDispose]());

/** A test workspace with a key, as a reader makes it, and what calls its API. */
async function readersWorkspace(name: string) {
  const { app } = sandbox.t;
  const workspace = await createTestWorkspace(OPERATOR, app, { name });
  const { bearer } = await createKey(OPERATOR, app, workspace.id);
  await sandbox.look();
  const base = `${sandbox.base}/api`;
  const call = async (at: string, body?: string | Uint8Array<ArrayBuffer>) => {
    const type = typeof body === "string" ? "application/json" : "image/png";
    const headers = { authorization: `Bearer ${bearer}`, ...(body && { "content-type": type }) };
    const method = body ? "POST" : "GET";
    const response = await fetch(`${base}/v1${at}`, { method, headers, ...(body && { body }) });
    assert.ok(response.ok, at);
    return (await response.json()) as Record<string, unknown>;
  };
  return { workspaceId: workspace.id, base, bearer, call };
}

describe("files.md", () => {
  for (const [language, { skip, command }] of Object.entries(LANGUAGES))
    test(
      `${language}: a picture is sent once, and a customer's is stored once`,
      { skip },
      async () => {
        const folder = await folderOf("files", language, blocksIn(path.join(PAGES, "files.md")));
        await writeFile(path.join(folder, "parcel.png"), FILES.png);
        const { base, bearer, call } = await readersWorkspace(language);
        const { id: mediaId } = await call("/media?name=p.png", new Uint8Array(FILES.png));
        const written = { channel: "WHATSAPP", from: "201001234567", name: "Sara", mediaId };
        const { conversationId } = await call("/test/inbound", JSON.stringify(written));
        await sandbox.settle();
        const env = {
          ...(await envOf()),
          PARLEY_URL: base,
          PARLEY_KEY: bearer,
          CONVERSATION_ID: String(conversationId),
        };
        const first = await output(command, folder, env, () => sandbox.settle());
        const [, name = ""] = /^message sent ?\nstored (\S+\.png) of Sara\n$/.exec(first) ?? [];
        assert.deepEqual(await readFile(path.join(folder, name)), FILES.png, first);
        assert.match(
          await output(command, folder, env, () => sandbox.settle()),
          /^message sent ?\n$/,
        );
        // Another customer sends a file, and is erased before the program looks: the program passes it over.
        const { id: lost } = await call("/media?name=q.png", new Uint8Array(FILES.png));
        const other = { ...written, from: "201001234568", name: "Huda", mediaId: lost };
        const { contactId } = await call("/test/inbound", JSON.stringify(other));
        await sandbox.settle();
        const erased = await fetch(`${base}/v1/contacts/${String(contactId)}`, {
          method: "DELETE",
          headers: { authorization: `Bearer ${bearer}` },
        });
        assert.equal(erased.status, 202);
        await sandbox.settle();
        assert.match(
          await output(command, folder, env, () => sandbox.settle()),
          /^message sent ?\nno longer there \S+\n$/,
        );
        const { items } = await call(`/conversations/${String(conversationId)}/messages`);
        const kinds = (items as { direction: string; type: string }[]).map(
          (one) => `${one.direction} ${one.type}`,
        );
        assert.deepEqual(kinds, ["outbound image", "inbound image"]);
      },
    );
});

describe("deploy.md: the receiver", () => {
  for (const [language, { skip, command, server }] of Object.entries(LANGUAGES))
    test(
      `${language}: takes what Parley signed, and refuses what is forged`,
      { skip },
      async () => {
        const blocks = blocksIn(path.join(PAGES, "deploy.md"));
        const folder = await folderOf("deploy", language, blocks, "receiver");
        const [port, secret] = [await freePort(), newSecret()];
        const env = { ...(await envOf()), WEBHOOK_SECRET: secret, PORT: String(port) };
        await using running = await startProgram(server?.(port) ?? command, { cwd: folder, env });
        const event = { id: "e-1", type: "contact.opted_out", sequence: 1, data: {} };
        const body = JSON.stringify(event);
        const post = async (by: string) => {
          const signed = { id: "e-1", body: Buffer.from(body), at: new Date() };
          const headers = { "content-type": "application/json", ...signatureHeaders(signed, [by]) };
          const at = `http://127.0.0.1:${port}/webhooks/parley`;
          return (await fetch(at, { method: "POST", headers, body })).status;
        };
        assert.deepEqual([await post(secret), await post(newSecret())], [204, 400]);
        // It prints after it answered.
        while (!running.output().includes("contact.opted_out e-1"))
          await new Promise((later) => setTimeout(later, 20));
      },
    );
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
        const bare = { ...(await envOf()), PORT: String(port) };
        const env = { ...bare, BOT_SECRET: secret };
        // Without a secret it does not start; PHP has no start of its own.
        if (!server)
          await assert.rejects(startProgram(command, { cwd: folder, env: bare }), /BOT_SECRET/);
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

describe("assistant.md", () => {
  for (const [language, { skip, command }] of Object.entries(LANGUAGES))
    test(`${language}: an agent reads who waits, and suggests a reply`, { skip }, async () => {
      const blocks = blocksIn(path.join(PAGES, "assistant.md"));
      const folder = await folderOf("assistant", language, blocks);
      const { workspaceId, base, bearer, call } = await readersWorkspace(language);
      const question = { channel: "WHATSAPP", from: "201001234567", text: "Where is my order?" };
      const { conversationId } = await call("/test/inbound", JSON.stringify(question));
      await sandbox.settle();
      const env = { ...(await envOf()), PARLEY_URL: base, PARLEY_KEY: bearer };
      const printed = await output(command, folder, env, () => sandbox.settle());
      const id = String(conversationId);
      assert.match(printed, /^tools .*\bsuggest_reply\b.*\ncustomer: Where is my order\?\n/);
      assert.ok(printed.endsWith(`\nsuggested ${id} open\n`), printed);
      const { id: suggestion, text, state } = await call(`/conversations/${id}/suggestion`);
      assert.deepEqual([text, state], ["Thank you. We look at it today.", "open"]);
      // It is discarded, and not suggested again before the customer writes.
      const { app } = sandbox.t;
      await discardSuggestion(OPERATOR, app, workspaceId, { id: String(suggestion) });
      const again = await output(command, folder, env, () => sandbox.settle());
      assert.match(again, /^tools .*\n$/);
      await call("/test/inbound", JSON.stringify({ ...question, text: "Hello?" }));
      await sandbox.settle();
      const later = await output(command, folder, env, () => sandbox.settle());
      assert.ok(later.endsWith(`\ncustomer: Hello?\nsuggested ${id} open\n`), later);
    });
});

test("assistant.md: each configuration is JSON, and what checks it is answered", async () => {
  const blocks = blocksIn(path.join(PAGES, "assistant.md"));
  const settings = blocks.filter((one) => one.language === "json");
  assert.equal(settings.length, 2);
  for (const { code } of settings)
    assert.match(JSON.stringify(JSON.parse(code)), /\/mcp".*"Bearer /);
  const check = blocks.find((one) => one.language === "sh");
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
    for (const { language, words, code } of blocksIn(file)) {
      const [kind = ""] = words;
      if (language !== "ts" || !["program", "receiver"].includes(kind)) continue;
      files.push(`${page}-${kind}.mts`);
      await writeFile(path.join(folder, `${page}-${kind}.mts`), code);
    }
  }
  const types = ["--typeRoots", path.join(ROOT, "node_modules/@types"), "--types", "node"];
  const strict = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", ...types];
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, ...strict, ...files], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, "");
});
