import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { sql } from "../../src/db/sql.ts";
import { createTestWorkspace } from "../../src/sandbox/create-test-workspace.ts";
import { discardSuggestion } from "../../src/inbox/suggest-reply.ts";
import { newSecret, signatureHeaders } from "../../src/webhooks/sign.ts";
import { FILES } from "../files.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";
import { blocksIn } from "./blocks.ts";
import { freePort } from "../free-port.ts";
import { startProgram } from "./project.ts";
import {
  folderOf,
  FULL_DISK,
  LANGUAGES,
  NEARLY_FULL,
  output,
  PAGES,
  READERS_ENV,
} from "./reader.ts";

const run = promisify(execFile);
let home = "";
before(async () => {
  home = await mkdtemp(path.join(tmpdir(), "parley-programs-"));
});
after(() => rm(home, { recursive: true, force: true }));

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

/** Begins a run that waits for an answer of the API for as long as nothing ends it. Its end is that of its block, also where an assertion fails. */
async function beginAndHang(
  [command = "", ...parameters]: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<AsyncDisposable> {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const PARLEY_URL = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const options = { cwd, env: { ...process.env, ...env, PARLEY_URL } };
  const child = spawn(command, parameters, { ...options, stdio: "ignore" });
  const closed = once(child, "close");
  await Promise.race([once(silent, "request"), closed.then(() => assert.fail("it ended"))]);
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await closed;
      silent.closeAllConnections();
      silent.close();
    },
  };
}

describe("files.md", () => {
  for (const [language, { skip, command }] of Object.entries(LANGUAGES))
    test(
      `${language}: a picture is sent once, and a customer's is stored once`,
      { skip },
      async () => {
        const folder = await folderOf(
          home,
          "files",
          language,
          blocksIn(path.join(PAGES, "files.md")),
        );
        await writeFile(path.join(folder, "parcel.png"), FILES.png);
        const { base, bearer, call } = await readersWorkspace(language);
        // Its ending is that of its type, whatever the sender calls it.
        const { id: mediaId } = await call("/media?name=shell.php", new Uint8Array(FILES.png));
        const written = { channel: "WHATSAPP", from: "201001234567", name: "Sara", mediaId };
        const { conversationId } = await call("/test/inbound", JSON.stringify(written));
        await sandbox.settle();
        const env = {
          ...READERS_ENV,
          PARLEY_URL: base,
          PARLEY_KEY: bearer,
          CONVERSATION_ID: String(conversationId),
        };
        const first = await output(command, folder, env, () => sandbox.settle());
        const [, name = ""] =
          /^message sent ?\nstored (files\/\S+\.png) of Sara\n$/.exec(first) ?? [];
        assert.deepEqual(await readFile(path.join(folder, name)), FILES.png, first);
        // Again, as a day later, when the server knows the keys no longer.
        await sandbox.t.app.db.query(sql`delete from idempotency_key`);
        assert.equal(await output(command, folder, env, () => sandbox.settle()), "");
        // Another customer sends a file, and is erased before the program looks: the program passes it over.
        const { id: lost } = await call("/media?name=q.png", new Uint8Array(FILES.png));
        const other = { ...written, from: "201001234568", name: "Huda", mediaId: lost };
        const { contactId } = await call("/test/inbound", JSON.stringify(other));
        await sandbox.settle();
        const erase = async (id: unknown) => {
          const headers = { authorization: `Bearer ${bearer}` };
          const at = `${base}/v1/contacts/${String(id)}`;
          assert.equal((await fetch(at, { method: "DELETE", headers })).status, 202);
          await sandbox.settle();
        };
        await erase(contactId);
        assert.match(
          await output(command, folder, env, () => sandbox.settle()),
          /^no longer there \S+\n$/,
        );
        // The first customer turns out to be another contact, and is erased: the copies go too. The place where it
        // reads on survives a full disk.
        const { items: people } = await call("/contacts");
        const [sara] = people as { readonly id: string }[];
        const kept = await call(
          "/contacts",
          JSON.stringify({ name: "Sara II", email: "s@example.com" }),
        );
        await call(`/contacts/${String(kept["id"])}/merge`, JSON.stringify({ mergedId: sara?.id }));
        await sandbox.settle();
        // A run beside another does nothing.
        {
          await using _first = await beginAndHang(command, folder, env);
          const second = await output(command, folder, env, () => sandbox.settle(), 1);
          assert.match(second, /another run is at work/);
        }
        assert.equal(await output(command, folder, env, () => sandbox.settle()), "");
        const [copy = ""] = await readdir(path.join(folder, "files"));
        assert.ok(copy.startsWith(String(kept["id"])), copy);
        // A file for which the disk has no room: the part of it that was written is no file of the customer, and the next run stores it.
        const crashed = language === "php" ? 255 : 1;
        const large = Buffer.concat([FILES.png, Buffer.alloc(64 * 1_024)]);
        const { id: largeId } = await call("/media?name=large.png", new Uint8Array(large));
        const third = { ...written, from: "201001234569", name: "Nora", mediaId: largeId };
        const nora = await call("/test/inbound", JSON.stringify(third));
        await sandbox.settle();
        await output([...NEARLY_FULL, ...command], folder, env, () => sandbox.settle(), crashed);
        assert.deepEqual(await readdir(path.join(folder, "files")), [copy]);
        const later = await output(command, folder, env, () => sandbox.settle());
        const [, whole = ""] = /^stored (files\/\S+\.png) of Nora\n$/.exec(later) ?? [];
        assert.deepEqual(await readFile(path.join(folder, whole)), large, later);
        const { items } = await call(`/conversations/${String(conversationId)}/messages`);
        const kinds = (items as { direction: string; type: string }[]).map(
          (one) => `${one.direction} ${one.type}`,
        );
        assert.deepEqual(kinds, ["outbound image", "inbound image"]);
        const place = await readFile(path.join(folder, "after.txt"), "utf8");
        await erase(kept["id"]);
        await erase(nora["contactId"]);
        await output([...FULL_DISK, ...command], folder, env, () => sandbox.settle(), crashed);
        assert.equal(await readFile(path.join(folder, "after.txt"), "utf8"), place);
        await output(command, folder, env, () => sandbox.settle());
        assert.deepEqual(await readdir(path.join(folder, "files")), []);
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
        const folder = await folderOf(home, "deploy", language, blocks, "receiver");
        const [port, secret] = [await freePort(), newSecret()];
        const env = { ...READERS_ENV, WEBHOOK_SECRET: secret, PORT: String(port) };
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
        // It prints after it answered: the event, and why it refused the other.
        for (const line of ["contact.opted_out e-1", "WRONG_SIGNATURE"])
          while (!running.output().includes(line))
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
  const turn = (text: string, before: string[] = []) =>
    JSON.stringify({
      type: "bot.turn", token: "t", conversationId: "c",
      contact: { id: "p", firstName: "Sara", language: "en" },
      messages: [...before.map((one) => ["bot", one]), ["customer", text]].map(([from, words]) => ({
        id: "m", from, type: "text", text: words, pressed: null, at: new Date().toISOString(),
      })),
      variables: {},
    }); // oxfmt-ignore
  for (const [language, { skip, command, server }] of Object.entries(LANGUAGES))
    test(
      `${language}: the bot answers, hands over, and refuses what is forged`,
      { skip },
      async () => {
        const blocks = blocksIn(path.join(PAGES, "bot.md"));
        const folder = await folderOf(home, "bot", language, blocks);
        const [port, secret] = [await freePort(), newSecret()];
        const bare = { ...READERS_ENV, PORT: String(port) };
        const env = { ...bare, BOT_SECRET: secret };
        // Without a secret it does not start; PHP has no start of its own.
        if (!server)
          await assert.rejects(startProgram(command, { cwd: folder, env: bare }), /BOT_SECRET/);
        await using _running = await startProgram(server?.(port) ?? command, { cwd: folder, env });
        const known = (await (
          await ask(turn("When are you open?"), port, secret)
        ).json()) as object;
        assert.deepEqual(known, { messages: [{ text: "We are open from 9 to 17." }] });
        // Asked again, it varies its words: Parley ends a talk in which a bot says the same twice in a row.
        const said: string[] = [];
        for (let asked = 0; asked < 3; asked++) {
          const answer = await ask(turn("Which hours?", said), port, secret);
          const { messages } = (await answer.json()) as { messages: { text?: string }[] };
          const text = messages[0]?.text ?? "";
          assert.match(text, /9 to 17/);
          assert.notEqual(text, said.at(-1));
          said.push(text);
        }
        const unknown = (await (await ask(turn("My parcel?"), port, secret)).json()) as object;
        assert.deepEqual((unknown as { handOver: object }).handOver, { reason: "outside_scope", summary: "My parcel?" }); // oxfmt-ignore
        assert.equal((await ask(turn("When?"), port, newSecret())).status, 400);
      },
    );
});

/** Hands on what is asked, and answers every second call with 429 first. */
async function oftenBusy(base: string) {
  let [asked, refused] = [0, 0];
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      if (++asked % 2 === 0) {
        refused++;
        response.writeHead(429, { "retry-after": "0" }).end('{"message":"RATE_LIMITED"}');
        return;
      }
      const { authorization = "", accept = "" } = request.headers;
      const headers = { authorization, accept, "content-type": "application/json" };
      const at = new URL(request.url ?? "", base);
      const answer = await fetch(at, { method: "POST", headers, body: Buffer.concat(parts) });
      response.writeHead(answer.status).end(await answer.text());
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusals: () => refused,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe("assistant.md", () => {
  for (const [language, { skip, file, command }] of Object.entries(LANGUAGES))
    test(`${language}: an agent reads who waits, and suggests a reply`, { skip }, async () => {
      const blocks = blocksIn(path.join(PAGES, "assistant.md"));
      const folder = await folderOf(home, "assistant", language, blocks);
      const { workspaceId, base, bearer, call } = await readersWorkspace(language);
      const question = { channel: "WHATSAPP", from: "201001234567", text: "Where is my order?" };
      const { conversationId } = await call("/test/inbound", JSON.stringify(question));
      await sandbox.settle();
      const env = { ...READERS_ENV, PARLEY_URL: base, PARLEY_KEY: bearer };
      // The key has used its calls of this minute: the program waits as long as it is asked, and goes on.
      await using busy = await oftenBusy(base);
      const waiting = { ...env, PARLEY_URL: `${busy.base}/api` };
      const printed = await output(command, folder, waiting, () => sandbox.settle());
      assert.ok(busy.refusals() > 1);
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
      // What is refused stops no other suggestion, also not of the next page.
      const asking = ["201001234567", "201001234568"].map(async (from) => {
        const body = JSON.stringify({ ...question, from });
        return (await call("/test/inbound", body))["conversationId"];
      });
      const ids = await Promise.all(asking);
      await sandbox.settle();
      const code = await readFile(path.join(folder, file), "utf8");
      const linking = code
        .replace("We look at it today.", "See https://evil.example/x")
        .replace(/(recent\W+limit\W+)20/, "$11");
      await writeFile(path.join(folder, file), linking);
      const refused = await output(command, folder, env, () => sandbox.settle());
      for (const one of ids)
        assert.match(refused, new RegExp(`^refused ${String(one)} .*links to evil`, "m"));
    });
});

test("assistant.md: each configuration is JSON, and what checks it is answered", async () => {
  const blocks = blocksIn(path.join(PAGES, "assistant.md"));
  const settings = blocks.filter((one) => one.language === "json");
  assert.equal(settings.length, 2);
  for (const { code } of settings)
    assert.match(JSON.stringify(JSON.parse(code)), /\/mcp".*"Bearer /);
  const check = blocks.find((one) => one.language === "sh");
  const { base, bearer } = await readersWorkspace("check");
  const env = { ...process.env, PARLEY_URL: base, PARLEY_KEY: bearer };
  const { stdout } = await run("bash", ["-c", check?.code ?? ""], { env });
  assert.match(stdout, /workspaceId/);
});

describe("webhooks.md", () => {
  for (const [language, { skip, command, server }] of Object.entries(LANGUAGES))
    test(
      `${language}: what was delivered twice, or while it was away, is worked on once`,
      { skip },
      async () => {
        const blocks = blocksIn(path.join(PAGES, "webhooks.md"));
        const folder = await folderOf(home, "webhooks", language, blocks);
        const { base, bearer, call } = await readersWorkspace(language);
        const [port, old, next] = [await freePort(), newSecret(), newSecret()];
        const own = { PARLEY_URL: base, PARLEY_KEY: bearer, PORT: String(port) };
        const env = { ...READERS_ENV, ...own, WEBHOOK_SECRETS: `${next}, ${old}` };
        /** A customer writes. Gives the event, which no endpoint gets. */
        const write = async (text: string) => {
          const customer = { channel: "WHATSAPP", from: "201001234567" };
          await call("/test/inbound", JSON.stringify({ ...customer, text }));
          await sandbox.settle();
          const { items } = await call("/events?types=message.received");
          const event = (items as { readonly id: string }[]).at(-1);
          assert.ok(event);
          return event;
        };
        const deliver = async (event: { readonly id: string }, by: string) => {
          const body = JSON.stringify(event);
          const signed = { id: event.id, body: Buffer.from(body), at: new Date() };
          const headers = { "content-type": "application/json", ...signatureHeaders(signed, [by]) };
          const at = `http://127.0.0.1:${port}/webhooks/parley`;
          return (await fetch(at, { method: "POST", headers, body })).status;
        };
        const isDone = (id: string) => {
          const db = new DatabaseSync(path.join(folder, "events.db"), { timeout: 10_000 });
          const row = db.prepare("select done from event where id = ?").get(id);
          db.close();
          return Number(row?.["done"] ?? 0) > 0;
        };
        let optOuts = 0;
        /** Starts it; gives what it worked on, to the event that `meanwhile` names. PHP works in a process of its own. */
        const live = async (meanwhile: () => Promise<{ readonly id: string }>) => {
          await using running = await startProgram(server?.(port) ?? command, { cwd: folder, env });
          const printed = async (text: string) => {
            while (!running.output().includes(text))
              await new Promise((later) => setTimeout(later, 20));
            return running.output();
          };
          if (!server) await printed("caught up");
          const { id } = await meanwhile();
          const all = server
            ? await output(command, folder, env, () => sandbox.settle())
            : await printed(id);
          // It prints before it notes that the work is done. Ended between the two, it would do it once more.
          while (!server && !isDone(id)) await new Promise((later) => setTimeout(later, 20));
          optOuts += all.match(/^worked on contact\.opted_out /gm)?.length ?? 0;
          return [...all.matchAll(/^worked on message\.received (\S+)$/gm)].map(([, one]) => one);
        };
        await write("Long before");
        let first = { id: "" };
        const begun = await live(async () => {
          first = await write("Hi");
          const answers = [old, next, newSecret()].map((by) => deliver(first, by));
          assert.deepEqual(await Promise.all(answers), [204, 204, 400]);
          return first;
        });
        assert.deepEqual(begun, [first.id]);
        // The endpoint of deploy.md gets opt-outs too, so they are caught up as well.
        const missed = await write("STOP");
        let last = { id: "" };
        const caughtUp = await live(async () => {
          last = await write("Hello?");
          assert.deepEqual([await deliver(missed, old), await deliver(last, next)], [204, 204]);
          return last;
        });
        assert.deepEqual(caughtUp, [missed.id, last.id]);
        assert.equal(optOuts, 1);
        // What the page says to delete is what was done long ago.
        if (server) return;
        const text = await readFile(path.join(PAGES, "webhooks.md"), "utf8");
        const [, clean = ""] = /`(DELETE FROM event .+?)`/.exec(text) ?? [];
        const db = new DatabaseSync(path.join(folder, "events.db"));
        const days = `update event set done = done - 32 * 86400 where id = '${first.id}'`;
        for (const statement of [days, clean]) db.exec(statement);
        const left = db.prepare("select id from event order by sequence").all();
        db.close();
        assert.ok(!left.some(({ id }) => id === first.id));
        assert.ok([missed.id, last.id].every((one) => left.some(({ id }) => id === one)));
      },
    );

  const { skip = false, command = [], server } = LANGUAGES["php"] ?? {};
  const phpFolder = (name: string) =>
    folderOf(path.join(home, name), "webhooks", "php", blocksIn(path.join(PAGES, "webhooks.md")));

  test(
    "php: what cannot be written is not taken, also where PHP shows its errors",
    { skip },
    async () => {
      const folder = await phpFolder("full");
      const { base, bearer } = await readersWorkspace("full");
      const [port, secret] = [await freePort(), newSecret()];
      const own = { PARLEY_URL: base, PARLEY_KEY: bearer, PORT: String(port) };
      const env = { ...READERS_ENV, ...own, WEBHOOK_SECRETS: secret };
      await mkdir(path.join(folder, "events"));
      const [php = "", ...parameters] = server?.(port) ?? [];
      const shown = [...FULL_DISK, php, "-d", "display_errors=1", ...parameters];
      await using _running = await startProgram(shown, { cwd: folder, env });
      const body = JSON.stringify({ id: "e-1", type: "message.status", sequence: 1, data: {} });
      const signed = { id: "e-1", body: Buffer.from(body), at: new Date() };
      const headers = { "content-type": "application/json", ...signatureHeaders(signed, [secret]) };
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body });
      assert.equal(answer.status, 500);
      // Nor does the place in the feed become an empty file.
      await writeFile(path.join(folder, "after.txt"), "1");
      await output([...FULL_DISK, ...command], folder, env, () => sandbox.settle(), 255);
      assert.equal(await readFile(path.join(folder, "after.txt"), "utf8"), "1");
      assert.deepEqual(await readdir(path.join(folder, "events")), []);
    },
  );

  test("php: an event whose work fails is named, and stops no other", { skip }, async () => {
    const folder = await phpFolder("broken");
    const { base, bearer } = await readersWorkspace("broken");
    const program = path.join(folder, "program.php");
    const code = await readFile(program, "utf8");
    const strict = code.replace('    echo "worked on', "    strlen($event['data']['text']);\n$&");
    assert.notEqual(strict, code);
    await writeFile(program, strict);
    await mkdir(path.join(folder, "events"));
    for (const [id, text] of Object.entries({ a: [], b: "Hi" })) {
      const event = { id, type: "message.received", data: { text } };
      await writeFile(path.join(folder, `events/${id}.json`), JSON.stringify(event));
    }
    const env = { ...READERS_ENV, PARLEY_URL: base, PARLEY_KEY: bearer };
    const printed = await output(command, folder, env, () => sandbox.settle());
    assert.match(printed, /^tried again later events\/a\.json TypeError[^]*^worked on \S+ b$/m);
    assert.notEqual(await readFile(path.join(folder, "events/a.json"), "utf8"), "");
    assert.equal(await readFile(path.join(folder, "events/b.json"), "utf8"), "");
  });
});

test("webhooks.md catches up the kinds for which deploy.md registers the endpoint", () => {
  const kindsOf = (page: string) =>
    blocksIn(path.join(PAGES, `${page}.md`))
      .filter(({ words }) => words[0] === "program")
      .map(({ language, code }) => [
        language,
        [
          ...new Set(
            [...code.matchAll(/["']((?:message|contact)\.\w+)["']/g)].map(([, kind]) => kind),
          ),
        ],
      ]);
  assert.deepEqual(kindsOf("webhooks"), kindsOf("deploy"));
});
