import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import type { HttpRequest, HttpResponse } from "../../src/lib/http.ts";
import { streaming } from "../streaming.ts";
import { addTemplate, openConversation } from "../v1/fixtures.ts";
import { blocksIn } from "./blocks.ts";
import { folderOf, FULL_DISK, LANGUAGES, output, PAGES, READERS_ENV, workUntil } from "./reader.ts";
import { startStand, type Stand } from "./stand.ts";

const drain = () => stand.api.app.drain();
let stand: Stand;
let home = "";
/** A customer whose messages the platform refuses with a passing fault: a campaign sends again to those. */
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

async function envOf(workspaceId?: string): Promise<Record<string, string>> {
  return {
    PARLEY_URL: stand.baseUrl,
    PARLEY_KEY: await stand.api.key([], workspaceId),
    ...READERS_ENV,
    WEBHOOK_URL: `${stand.baseUrl}/in`,
    CONVERSATION_ID: stand.conversationId,
  };
}

/**
 * A run of the same program that was begun before. It is stopped at its first call of `heldAt`. Afterwards it is killed, or
 * it goes on and must print `ends`.
 */
interface Beside {
  readonly heldAt: string;
  readonly ends: "killed" | RegExp;
}
/** A run that is held. It is ended where nothing let it go, as after an assertion that failed: the test would never end. */
interface Held extends AsyncDisposable {
  /** Lets it go, to its end. */
  letGo(): Promise<void>;
}
/** Begins a run and holds it. */
async function held(
  [command = "", ...parameters]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Record<string, string> },
  { heldAt, ends }: Beside,
): Promise<Held> {
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
  return {
    async letGo() {
      child.kill(ends === "killed" ? "SIGKILL" : "SIGCONT");
      await workUntil(closed, child, drain);
      if (ends !== "killed") assert.match(printed.join(""), ends);
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await closed;
    },
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
  /** Its exit status; absent: 0. "crashed" is that of an error which the program passes on. */
  readonly status?: number | "crashed";
  /** What the key of this run may do; absent: all. */
  readonly scopes?: readonly string[];
  /** The words after the program's name. */
  readonly words?: readonly string[];
  /** Nothing can be written, as when the disk is full. */
  readonly fullDisk?: boolean;
  readonly beside?: Beside;
  readonly before?: (at: At) => Promise<unknown>;
  readonly after?: (at: At) => Promise<unknown>;
}
const callAs = (
  bearer: string,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  at: string,
  json?: object,
) => stand.api.call(method, at, { bearer, ...(json && { json }) });

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
  JSON.parse(await readFile(path.join(folder, "sent.json"), "utf8")) as {
    done: Record<string, string>;
    after: number;
    batch: object | null;
  };
const writeSent = (folder: string, sent: object) =>
  writeFile(path.join(folder, "sent.json"), JSON.stringify(sent));
const writeOrders = (folder: string, ...lines: readonly string[]) =>
  writeFile(
    path.join(folder, "orders-2026-11-29.csv"),
    ["phone,name,order", ...lines, ""].join("\n"),
  );
const channelIs = (status: "connected" | "error") =>
  stand.api.app.db.query(sql`update channel set status = ${status} where id = ${stand.channelId}`);

let secretBefore = "";
const secretIn = (folder: string) => readFile(path.join(folder, "webhook-secret"), "utf8");

/** Writes to the customer of the only conversation of a workspace. */
async function reply(key: string, text: string): Promise<void> {
  const { body } = await callAs(key, "GET", "/conversations");
  const [one] = body["items"] as { id: string }[];
  const sent = await callAs(key, "POST", "/messages", { conversationId: one?.id, text });
  assert.equal(sent.status, 201);
}

interface CrmFile {
  readonly people: Record<string, unknown>[];
}
const crmIn = async (folder: string): Promise<CrmFile> =>
  JSON.parse(await readFile(path.join(folder, "crm.json"), "utf8")) as CrmFile;

const rulesAre = (tag: string) =>
  stand.api.app.db.query(
    sql`update segment set definition = ${JSON.stringify({ match: "all", rules: [{ field: "tag", op: "eq", value: tag }] })}::jsonb where name = 'VIP customers'`,
  );
async function editPeople(
  folder: string,
  edit: (people: Record<string, unknown>[]) => Promise<void>,
): Promise<void> {
  const crm = await crmIn(folder);
  await edit(crm.people);
  await writeFile(path.join(folder, "crm.json"), JSON.stringify(crm));
}
/** The e-mail address and the opt-out of the first three people: in the CRM, and in Parley. */
async function bothSides(folder: string, key: string): Promise<unknown[][]> {
  const { people } = await crmIn(folder);
  return Promise.all(
    people.slice(0, 3).map(async ({ contactId, email, optedOut }) => {
      const { body } = await callAs(key, "GET", `/contacts/${String(contactId)}`);
      return [email, optedOut, body["email"], body["optedOut"]];
    }),
  );
}

/** Parley stores these otherwise than the file writes them: the blanks, and the number under which the contact is known. */
const LINA = "+201001234569,Lina\t,1044";
const MONA = '+52 55 1234 5678,"Haddad,      Mona ",1045';

export const RUNS: Record<string, readonly Run[]> = {
  "order-updates": [
    {
      // A key that may not send: nothing went, and the batch is made again by the next run.
      scopes: ["messages:read"],
      prints: /MISSING_SCOPE/,
      status: "crashed",
      after: async ({ folder }) => {
        const { done, batch } = await sentIn(folder);
        assert.deepEqual([done, batch], [{}, null]);
      },
    },
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
      status: 1,
    },
    { prints: /^accepted 0 of 3$/m, status: 1 },
    {
      // The name is mended, an order is new, and one line is empty, two others odd. The first two are written in another way.
      before: ({ folder }) =>
        writeOrders(
          folder,
          '"+201001234567","Sara","1042"',
          "00201001234568,Omar S.,1043",
          LINA,
          "",
          "+201001234571,Zoe",
          "+201001234572,Za\0ra,1050",
          MONA,
        ),
      prints:
        /^refused \+201001234571,Zoe not three columns\nrefused .*1050 has a NUL.*\naccepted 2 of 6$/m,
      status: 1,
    },
    {
      // The program died after the answer and before the file was written. It sends the batch again under the same key,
      // which reaches no one twice.
      before: async ({ folder, key }) => {
        const { done, after: place } = await sentIn(folder);
        assert.deepEqual(Object.keys(done), ["1042", "1043", "1044", "1045"]);
        const batch = { key: lastKey, at: Date.now(), after: 0, lines: [LINA, MONA] };
        const { 1042: first, 1043: second } = done;
        await writeSent(folder, { done: { 1042: first, 1043: second }, after: place, batch });
        usedBefore = await usedIn(key);
      },
      prints: /^accepted 2 of 6$/m,
      status: 1,
      after: async ({ folder, key }) => {
        assert.equal(await usedIn(key), usedBefore);
        assert.equal(Object.keys((await sentIn(folder)).done).length, 4);
      },
    },
    {
      // It is started a day after it died, when the server knows the key no longer: only the line that never went goes,
      // however the file writes the numbers. The program that died was an older one, which kept no ids of messages.
      before: async ({ folder }) => {
        await appendFile(path.join(folder, "orders-2026-11-29.csv"), "+201001234571,Zoe,1046\n");
        const other = LINA.replace("+201001234569", "00\u0662\u0660 100 123 45\u0666\u0669");
        const lines = [other, MONA, "+201001234571,Zoe,1046"];
        const batch = { key: "forgotten", at: 0, after: placeBefore, lines };
        await writeSent(folder, { done: ["1042", "1043"], batch });
      },
      prints: /^accepted 3 of 7$/m,
      status: 1,
      after: async ({ folder, key }) => {
        assert.equal(await usedIn(key), usedBefore + 1);
        const { done } = await sentIn(folder);
        assert.deepEqual(Object.keys(done), ["1042", "1043", "1044", "1045", "1046"]);
        const ids = Object.values(done).slice(2);
        assert.equal(new Set(ids).size, 3);
        for (const id of ids)
          assert.equal((await callAs(key, "GET", `/messages/${id}`)).status, 200);
      },
    },
    {
      // A message fails after it was accepted: the next run names its order, of all that failed meanwhile.
      before: async ({ folder, key }) => {
        await writeOrders(folder);
        refusing = true;
        const template = { name: "order_update", language: "en_US" };
        const { after: place } = await sentIn(folder);
        const message = { to: REFUSED, template, body: ["Mona", "1047"] };
        const { body } = await callAs(key, "POST", "/template-messages", message);
        await drain();
        await writeSent(folder, { done: { 1047: body["id"] }, after: place, batch: null });
      },
      prints: /^accepted 0 of 0\nfailed 1047 131049 \S.*\n$/,
      status: 1,
      after: async ({ folder }) => {
        // As if its answer had been lost, it is named again in the next run, and may have arrived.
        const { done, ...others } = await sentIn(folder);
        await writeSent(folder, { done, ...others, after: placeBefore, failed: [] });
        await stand.api.app.db.query(
          sql`update event set body = replace(body::text, '"131049"', '"OUTCOME_UNKNOWN"')::json where body::text like ${`%${done["1047"]}%`} and type = 'message.status'`,
        );
      },
    },
    { prints: /^accepted 0 of 0\nfailed 1047 OUTCOME_UNKNOWN \S.*\n$/, status: 1 },
    { prints: /^accepted 0 of 0\n$/ },
    {
      // A message fails as it is accepted. It is not sent again automatically,
      before: async ({ folder }) => {
        await channelIs("error");
        await writeOrders(folder, "+201001234572,Tarek,1048");
      },
      prints: /^accepted 0 of 1\nfailed 1048 CHANNEL_ERROR \S.*\n$/,
      status: 1,
      after: () => channelIs("connected"),
    },
    { prints: /^accepted 0 of 1\n$/ },
    {
      // but with this word, once.
      before: async ({ folder, key }) => {
        assert.deepEqual(Object.keys((await sentIn(folder)).done), ["1047", "1048"]);
        usedBefore = await usedIn(key);
      },
      words: ["again"],
      prints: /^accepted 1 of 1\n$/,
    },
    {
      words: ["again"],
      prints: /^accepted 0 of 1\n$/,
      after: async ({ key }) => {
        assert.equal(await usedIn(key), usedBefore + 1);
      },
    },
    {
      // A full disk: nothing goes, and what was kept stays.
      before: ({ folder }) => writeOrders(folder, "+201001234573,Nour,1049"),
      fullDisk: true,
      prints: /disk|too large|could not be written/i,
      status: "crashed",
      after: async ({ folder, key }) => {
        assert.equal(await usedIn(key), usedBefore + 1);
        assert.deepEqual(Object.keys((await sentIn(folder)).done), ["1047", "1048"]);
      },
    },
    {
      // Of a file that is not UTF-8 nothing goes, also not of the lines without an accent.
      before: ({ folder }) => {
        const lines = "phone,name,order\n+201001234567,Sara,2042\n+201001234568,Jos\u00e9,2043\n";
        const csv = path.join(folder, "orders-2026-11-29.csv");
        return writeFile(csv, Buffer.from(lines, "latin1"));
      },
      prints: /utf-8/i,
      status: "crashed",
      after: async ({ key }) => {
        assert.equal(await usedIn(key), usedBefore + 1);
      },
    },
  ],
  crm: [
    {
      // Two runs at once: the second does nothing. The first dies, and holds up no later run.
      beside: { heldAt: "/api/v1/contacts/batch", ends: "killed" },
      prints: /another run is at work/,
      status: 1,
    },
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
      // The CRM changes everybody, also the one that Parley made and the one without a phone, which opts out there.
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
        Object.assign(crm.people[2] ?? {}, { optedOut: true });
        await writeFile(path.join(folder, "crm.json"), JSON.stringify(crm));
      },
      prints: /^sent 4 read \d+$/m,
    },
    {
      // What the CRM emptied is emptied in Parley. Of a person whose other values are refused the opt-out goes all the
      // same; an older event, which says that there is none, does not undo it.
      before: async ({ folder, key }) => {
        await editPeople(folder, async ([sara, omar, lina]) => {
          await callAs(key, "PATCH", `/contacts/${String(sara?.["contactId"])}`, {
            notes: "Called.",
          });
          Object.assign(sara ?? {}, { changed: true, optedOut: true, email: "sara@" });
          Object.assign(omar ?? {}, { changed: true, email: null });
          Object.assign(lina ?? {}, { changed: true, email: "" });
        });
      },
      prints:
        /^refused 44 CONTACT_NEEDS_IDENTITY.*\nrefused 42 VALIDATION_FAILED [^]*^sent 1 read \d+$/m,
      status: 1,
      after: async ({ folder, key }) => {
        assert.deepEqual(await bothSides(folder, key), [
          ["sara@", true, null, true],
          [null, false, null, false],
          ["", true, "lina@example.com", true],
        ]);
      },
    },
    {
      // The customer opts in again meanwhile. The opt-out was sent once, so this holds.
      before: ({ folder, key }) =>
        editPeople(folder, async ([sara, , lina]) => {
          await callAs(key, "PATCH", `/contacts/${String(sara?.["contactId"])}`, {
            optedOut: false,
          });
          Object.assign(lina ?? {}, { email: "lina@example.com" });
        }),
      prints: /^refused 42 VALIDATION_FAILED [^]*^sent 1 read \d+$/m,
      status: 1,
    },
    {
      // The mended person goes, and opts out once more. A value that only Parley has is taken over.
      before: ({ folder, key }) =>
        editPeople(folder, async ([sara, omar]) => {
          assert.equal(sara?.["optedOut"], false);
          Object.assign(sara, { optedOut: true, email: "sara@example.com" });
          const email = "omar@example.org";
          await callAs(key, "PATCH", `/contacts/${String(omar?.["contactId"])}`, { email });
        }),
      prints: /^sent 1 read \d+$/m,
      after: async ({ folder, key }) => {
        assert.deepEqual(await bothSides(folder, key), [
          ["sara@example.com", true, "sara@example.com", true],
          ["omar@example.org", false, "omar@example.org", false],
          ["lina@example.com", true, "lina@example.com", true],
        ]);
      },
    },
    {
      // The customer opts in again, and the CRM changes another value before it knows: the opt-in holds.
      before: ({ folder, key }) =>
        editPeople(folder, async ([sara]) => {
          const contact = `/contacts/${String(sara?.["contactId"])}`;
          await callAs(key, "PATCH", contact, { optedOut: false });
          Object.assign(sara ?? {}, { changed: true });
        }),
      prints: /^sent 1 read \d+$/m,
      after: async ({ folder, key }) => {
        const [sara] = await bothSides(folder, key);
        assert.deepEqual(sara, ["sara@example.com", false, "sara@example.com", false]);
      },
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
        const out = (body["items"] as { name: string; optedOut: boolean }[]).filter(
          (one) => one.optedOut,
        );
        assert.deepEqual(
          out.map((one) => one.name),
          ["Lina Aziz II"],
        );
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
    },
    {
      // Another person of the same phone, whose digits are Arabic.
      before: ({ folder }) =>
        editPeople(folder, async (people) => {
          const phone = "+\u0662\u0660\u0661\u0660\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667";
          people.push({ id: "45", name: "Mona Haddad", phone, email: null, changed: true });
        }),
      prints: /^refused 45 CONTACT_CONFLICT [^]*^sent 0 read \d+$/m,
      status: 1,
    },
    {
      before: ({ folder }) =>
        editPeople(folder, async (people) => {
          Object.assign(people[2] ?? {}, { shared: true });
        }),
      prints: /^sent 1 read \d+$/m,
      after: async ({ folder, key }) => {
        const { people } = await crmIn(folder);
        const { body } = await callAs(key, "GET", `/contacts/${String(people[2]?.["contactId"])}`);
        assert.deepEqual([body["name"], body["phone"]], ["Mona Haddad", "201001234567"]);
        assert.notEqual(people[2]?.["contactId"], people[0]?.["contactId"]);
      },
    },
    {
      // On a full disk the file stays whole.
      fullDisk: true,
      prints: /disk|too large|could not be written/i,
      status: "crashed",
      after: async ({ folder }) => {
        const { people } = await crmIn(folder);
        assert.deepEqual(
          people.map((one) => one["id"]),
          ["42", "43", "45"],
        );
      },
    },
  ],
  mirror: [
    {
      // The first run is killed after the contacts were copied, and holds up no later run.
      before: async ({ key }) => {
        await callAs(key, "POST", "/contacts", { phone: "201001230002", name: "Omar" });
        const workspaceId = String((await callAs(key, "GET", "/me")).body["workspaceId"]);
        await openConversation(stand.api, { workspaceId, phone: "201001230001" });
        await reply(key, "Where is it going?");
      },
      beside: { heldAt: "/api/v1/conversations", ends: "killed" },
      prints: /another run is at work/,
      status: 1,
    },
    { prints: /^read \d+ contacts 2 conversations 1 messages 1$/m },
    { prints: /^read 0 contacts 2 conversations 1 messages 1$/m },
    {
      // A reply and a new contact arrive by the feed; of two contacts one is made.
      before: async ({ key }) => {
        await reply(key, "It is on its way.");
        const huda = { phone: "201001230003", name: "Huda" };
        const made = await callAs(key, "POST", "/contacts", huda);
        const omar = await callAs(key, "GET", "/contacts/by/phone/201001230002");
        const into = { mergedId: made.body["id"] };
        const merged = `/contacts/${String(omar.body["id"])}/merge`;
        assert.equal((await callAs(key, "POST", merged, into)).status, 200);
      },
      prints: /^read \d+ contacts 2 conversations 1 messages 2$/m,
    },
    {
      // Who is erased leaves nothing in the copy.
      before: async ({ key }) => {
        const sara = await callAs(key, "GET", "/contacts/by/phone/201001230001");
        const erased = await callAs(key, "DELETE", `/contacts/${String(sara.body["id"])}`);
        assert.equal(erased.status, 202);
      },
      prints: /^read \d+ contacts 1 conversations 0 messages 0$/m,
      after: async ({ folder }) => {
        const copy = await readFile(path.join(folder, "mirror.db"));
        assert.equal(copy.includes("It is on its way."), false);
      },
    },
    {
      // Of a contact that a job deletes the conversation stays.
      before: async ({ key }) => {
        const workspaceId = String((await callAs(key, "GET", "/me")).body["workspaceId"]);
        const id = await openConversation(stand.api, { workspaceId, phone: "201001230005" });
        await callAs(key, "PATCH", `/conversations/${id}`, { addLabels: ["shop"] });
        await reply(key, "We are open.");
        const rules = [{ field: "phone", op: "eq", value: "201001230005" }];
        const filter = { definition: { match: "all", rules } };
        const job = { filter, change: { action: "delete" } };
        assert.equal((await callAs(key, "POST", "/contact-jobs", job)).status, 202);
        await drain();
      },
      prints: /^read \d+ contacts 1 conversations 1 messages 1$/m,
    },
    {
      // As after a restored backup: the place was never given out, and everything is copied again.
      before: async ({ folder }) => {
        using copy = new DatabaseSync(path.join(folder, "mirror.db"));
        copy.exec("UPDATE place SET after = 99999999");
      },
      prints:
        /^older events are no longer kept[^]*^read \d+ contacts 1 conversations 1 messages 1$/m,
    },
    {
      // On a full disk the file stays whole.
      before: ({ key }) =>
        callAs(key, "POST", "/contacts", { phone: "201001230004", name: "Lina" }),
      fullDisk: true,
      prints: /disk|full|too large/i,
      status: "crashed",
    },
    { prints: /^read \d+ contacts 2 conversations 1 messages 1$/m },
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
        const name = `Season offer, of ${language} `;
        const { body } = await callAs(key, "POST", "/broadcasts/search", { name });
        assert.equal((body["items"] as object[]).length, 1);
      },
    },
    // The same again: it follows the campaign that is there.
    { prints: /^COMPLETED sent 1 failed 1 of 2\n$/ },
    {
      // Who failed is not sent to again before the campaign is over.
      before: () =>
        stand.api.app.db.query(
          sql`update broadcast set status = 'SCHEDULED', scheduled_at = '2100-01-01' where name like 'Season offer%'`,
        ),
      words: ["again"],
      prints: /it is SCHEDULED: it is sent again when it is over/,
      status: 1,
    },
    {
      before: () => {
        refusing = false;
        return stand.api.app.db.query(
          sql`update broadcast set status = 'COMPLETED', scheduled_at = null where name like 'Season offer%'`,
        );
      },
      words: ["again"],
      prints: /^would reach 1 skipped .*$[^]*^COMPLETED sent 1 failed 0 of 1$/m,
    },
    { words: ["again"], prints: /^COMPLETED sent 1 failed 0 of 1\n$/ },
    {
      // As after a refused token: no run waits for what no program mends.
      before: () =>
        stand.api.app.db.query(
          sql`update broadcast set status = 'PAUSED', status_reason = 'CHANNEL_DISCONNECTED' where name like 'Season offer%'`,
        ),
      prints: /^PAUSED sent 1 failed 1 of 2$[^]*it is paused: Its channel was disconnected/m,
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
      // A segment of that name with other rules is another audience: nothing is sent to it.
      before: () => rulesAre("gold"),
      prints: /the segment VIP customers has other rules/,
      status: 1,
      after: () => rulesAre("vip"),
    },
    {
      // The server broke off while it sent to the other: with this word it goes once more, in the same campaign.
      before: async () => {
        const { db } = stand.api.app;
        await db.query(
          sql`update broadcast set status = 'COMPLETED', status_reason = null where name like 'Season offer%'`,
        );
        await db.query(
          sql`update broadcast_recipient set reason = 'OUTCOME_UNKNOWN' where status = 'failed'`,
        );
      },
      words: ["unknown"],
      prints: /^COMPLETED sent 2 failed 0 of 2$/m,
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
      prints: /^SCHEDULED sent 2 failed 0 of 2$[^]*it is still SCHEDULED/m,
      status: 1,
    },
  ],
  deploy: [
    {
      prints: /^endpoint created$/m,
      after: async ({ folder }) => {
        secretBefore = await secretIn(folder);
        assert.match(secretBefore, /^whsec_/);
      },
    },
    {
      prints: /^endpoint unchanged$/m,
      after: async ({ folder, key }) => {
        assert.equal(await secretIn(folder), secretBefore);
        const { body } = await callAs(key, "GET", "/saved-replies");
        const shortcuts = (body["items"] as { shortcut: string }[]).map((one) => one.shortcut);
        assert.deepEqual(shortcuts, ["hours"]);
      },
    },
    {
      // The run before died between the answer and the file, and left nothing in it.
      before: ({ folder }) => writeFile(path.join(folder, "webhook-secret"), ""),
      prints: /^a new secret\nendpoint unchanged$/m,
      after: async ({ folder }) => {
        assert.match(await secretIn(folder), /^whsec_/);
        assert.notEqual(await secretIn(folder), secretBefore);
      },
    },
    {
      // The disk is full as it writes the secret of the endpoint: the next run makes another.
      before: ({ folder }) => rm(path.join(folder, "webhook-secret")),
      fullDisk: true,
      prints: /disk|too large|could not be written/i,
      status: "crashed",
    },
    {
      prints: /^a new secret\nendpoint unchanged$/m,
      after: async ({ folder }) => {
        assert.match(await secretIn(folder), /^whsec_/);
      },
    },
  ],
};

/** The pages whose programs a test file runs here. */
export function runPages(names: readonly string[]): void {
  before(async () => {
    stand = await startStand({ providerHttp: streaming(providerHttp) });
    stand.api.http.server.on("request", ({ headers }) => {
      lastKey = String(headers["idempotency-key"] ?? lastKey);
    });
    home = await mkdtemp(path.join(tmpdir(), "parley-programs-"));
    // As the demo workspace has them.
    const language = "en_US";
    await addTemplate(stand.api, stand.channelId, { name: "order_update", language });
    await stand.api.call("POST", "/contacts", { json: { phone: "5215512345678", name: "Mona" } });
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
  for (const page of names) {
    const each = RUNS[page];
    assert.ok(each, page);
    describe(`${page}.md`, () => {
      for (const [language, { skip, file, command }] of Object.entries(LANGUAGES)) {
        // PHP has SQLite only where its operator installed it.
        if (page === "mirror" && language === "php") continue;
        test(`${language}: the program runs as the page shows it`, { skip }, async () => {
          const blocks = blocksIn(path.join(PAGES, `${page}.md`));
          const folder = await folderOf(home, page, language, blocks);
          // What a workspace has once is made for the first language alone: each has its own.
          const own = page === "deploy" || page === "crm" || page === "mirror";
          const workspaceId = own ? (await stand.api.newWorkspace()).workspaceId : undefined;
          const env = await envOf(workspaceId);
          const at = { folder, language, file, key: env["PARLEY_KEY"] ?? "" };
          for (const {
            before: first,
            words = [],
            fullDisk = false,
            beside,
            scopes,
            prints,
            after: last,
            ...one
          } of each) {
            await first?.(at);
            await using other = beside ? await held(command, { cwd: folder, env }, beside) : null;
            const called = [...(fullDisk ? FULL_DISK : []), ...command, ...words];
            const less = scopes && { ...env, PARLEY_KEY: await stand.api.key(scopes, workspaceId) };
            const crashed = language === "php" ? 255 : 1;
            const status = one.status === "crashed" ? crashed : one.status;
            assert.match(await output(called, folder, less ?? env, drain, status), prints);
            await other?.letGo();
            await last?.(at);
          }
        });
      }
    });
  }
}
