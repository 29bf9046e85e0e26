import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from "playwright-core";
import { OPERATOR, type MemberRole } from "../../../src/actor.ts";
import { buildApp } from "../../../src/app.ts";
import { makeLiveBot } from "../../../src/bots/bot.fixture.ts";
import { createBroadcast } from "../../../src/broadcasts/record/create-broadcast.ts";
import { recordHookCalls } from "../../../src/channels/record-hook-calls.ts";
import { importContacts } from "../../../src/contacts/import/import-contacts.ts";
import { sql } from "../../../src/db/sql.ts";
import { buildDashboardPages } from "../../../src/http/dashboard/built-dashboard.ts";
import { buildHttp } from "../../../src/http/server.ts";
import type { Config } from "../../../src/config.ts";
import { CALM, type TestClock } from "../../harness.ts";
import { unhindered } from "../../../src/lib/background.fixture.ts";
import type { Said } from "../../../src/lib/sandbox-slot.ts";
import { addSandboxChannel, addSandboxWeb } from "../../../src/sandbox/add-sandbox-channel.ts";
import type { SandboxType } from "../../../src/wire/words.ts";
import { playCustomer } from "../../../src/sandbox/play-phone.ts";
import { createTestWorkspace } from "../../../src/sandbox/create-test-workspace.ts";
import { sayAsVisitor } from "../../../src/sandbox/say-as-visitor.ts";
import { recordGap } from "../../../src/knowledge/record-gap.ts";
import { listKnowledge } from "../../../src/knowledge/list-sources.ts";
import { addSnippet, saveSource } from "../../../src/knowledge/write-snippet.ts";
import { createMember } from "../../../src/workspaces/create-member.ts";
import { listTemplates } from "../../../src/templates/list-templates.ts";
import { freePort } from "../../free-port.ts";
import { startSandboxStand, type SandboxShop, type SandboxStand } from "../../sandbox-stand.ts";
import { Shared } from "../../group.ts";
import { inBrowserOnly, leaveBrowser, newContext, sharedBrowser } from "../stand.ts";

export const PASSWORD = "correct horse battery";

/** Browsers that are open for the test that runs. */
const open = new Set<SeatBrowser>();

/**
 * A test in a browser. It is left out where there is none, and `npm test` says so at its end. The
 * browsers that it opened are left when it ends: a page that stays open goes on asking and drawing beside later tests.
 */
export function inBrowser(name: string, run: (t: TestContext) => void | Promise<void>): void {
  test(name, inBrowserOnly, async (t) => {
    open.clear();
    let passed = false;
    try {
      await run(t);
      passed = true;
    } finally {
      await Promise.all([...open].map((one) => (passed ? one.leave() : one.context.close())));
    }
  });
}

/**
 * Waits until the server has a message that a member sent: its bubble is in the thread as soon as it is written. What is
 * sent out then goes with it, and a page that is left then has nothing under way that it would send once more.
 */
export const withServer = (bubble: Locator): Promise<void> =>
  bubble
    .locator(".said-queued, .said-sent, .said-delivered, .said-read")
    .first()
    .waitFor({ state: "attached" });

/** So long a page may take to be left, in ms; then its browser is closed. One that hung there held its test for three minutes. */
const LEAVES_MS = 20_000;

/** A member at a browser of their own. */
export interface Seat {
  readonly page: Page;
  /** What a console or a policy complained of. */
  readonly complaints: string[];
  /** Requests to any other host than the server. */
  readonly foreign: string[];
  /** The paths below `/api/app` that the page asked for, with their methods. */
  readonly asked: string[];
}

/** How a seat's browser is set. `fresh`: one that no test had before, with nothing in its caches. */
type SeatOptions = BrowserContextOptions & { readonly fresh?: boolean };

/**
 * The browser of a seat. The next test gets it again with another session and an empty storage: a page whose process and
 * scripts are there loads in a third of the processor time of a new one (0.55 s instead of 1.57 for the contacts).
 */
class SeatBrowser {
  static readonly #left = new Map<string, SeatBrowser[]>();
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #key: string;
  readonly #options: BrowserContextOptions;
  #seat: Seat;

  private constructor(
    context: BrowserContext,
    page: Page,
    base: string,
    key: string,
    options: BrowserContextOptions,
  ) {
    this.context = context;
    this.page = page;
    this.#key = key;
    this.#options = options;
    this.#seat = { page, complaints: [], foreign: [], asked: [] };
    page.on("console", (message) => {
      // The machine's network changed: Chromium drops what it was loading and asks again.
      if (message.type() === "error" && !message.text().includes("ERR_NETWORK_CHANGED"))
        this.#seat.complaints.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => this.#seat.complaints.push(String(error)));
    page.on("request", (request) => {
      const { origin, protocol, pathname } = new URL(request.url());
      if (origin !== base && protocol.startsWith("http")) this.#seat.foreign.push(request.url());
      if (pathname.startsWith("/api/app"))
        this.#seat.asked.push(`${request.method()} ${pathname.slice("/api/app".length)}`);
    });
  }

  static async take(
    browser: Browser,
    base: string,
    { fresh = false, ...options }: SeatOptions,
  ): Promise<SeatBrowser> {
    const key = JSON.stringify([base, options]);
    const left = fresh ? undefined : SeatBrowser.#left.get(key)?.pop();
    if (left) return left;
    const context = await newContext(browser, {
      baseURL: base,
      viewport: { width: 1440, height: 900 },
      locale: "en-GB",
      reducedMotion: "reduce",
      ...options,
    });
    return new SeatBrowser(context, await context.newPage(), base, key, options);
  }

  /** Forgets those that were left: the browser program closes them. */
  static forget(): void {
    SeatBrowser.#left.clear();
  }

  sit(): Seat {
    this.#seat = { page: this.page, complaints: [], foreign: [], asked: [] };
    return this.#seat;
  }

  /** The next test may have it. It is closed when it cannot be made as it was. */
  async leave(): Promise<void> {
    const left = SeatBrowser.#left.get(this.#key) ?? [];
    if (await this.#clean().catch(() => false)) SeatBrowser.#left.set(this.#key, [...left, this]);
    else await this.context.close();
  }

  async #clean(): Promise<boolean> {
    const { context, page } = this;
    if (page.isClosed()) return false;
    const others = context.pages().filter((one) => one !== page);
    await Promise.all(others.map((one) => one.close()));
    page.removeAllListeners("dialog");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.unrouteAll({ behavior: "ignoreErrors" });
    // A page of the same origin without a script: the process stays, and so does what it compiled.
    await page.goto("/healthz", { timeout: LEAVES_MS });
    // A clock that a test has set stays in the pages for ever.
    if (await page.evaluate<boolean>("'__pwClock' in globalThis")) return false;
    await page.evaluate(`(async () => {
      localStorage.clear();
      sessionStorage.clear();
      for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
    })()`);
    await context.clearCookies();
    await context.clearPermissions();
    const { permissions, viewport } = this.#options;
    if (permissions) await context.grantPermissions(permissions);
    await page.setViewportSize(viewport ?? { width: 1440, height: 900 });
    return true;
  }
}

/** Another process on the same database, as the database sees it: nothing in memory is shared with the first. */
export interface SecondServer {
  readonly base: string;
  close(): Promise<void>;
}

/** The server with the dashboard's pages, on a database and in a folder of its own. */
class DashboardServer implements AsyncDisposable {
  readonly sandbox: SandboxStand;
  readonly folder: string;
  readonly pages: string;
  readonly masterKey: Buffer;
  /** How many stands it has served. */
  stands = 0;

  private constructor(sandbox: SandboxStand, folder: string, pages: string, masterKey: Buffer) {
    this.sandbox = sandbox;
    this.folder = folder;
    this.pages = pages;
    this.masterKey = masterKey;
  }

  static async start(config: Partial<Config> = {}): Promise<DashboardServer> {
    const folder = await mkdtemp(path.join(tmpdir(), "parley-inbox-"));
    const faults: string[] = [];
    const pages = await buildDashboardPages({
      dataDir: folder,
      log: { info: () => {}, error: (facts: unknown) => faults.push(JSON.stringify(facts)) },
    });
    assert.ok(pages !== null, faults.join("\n"));
    const masterKey = randomBytes(32);
    const sandbox = await startSandboxStand({ dataDir: folder, ...config }, pages, masterKey);
    return new DashboardServer(sandbox, folder, pages, masterKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** One server for the files of a group; each file has a workspace of its own in it. */
const sharedServer = new Shared(() => DashboardServer.start());

/** Longer than any limit of tries counts: the files of a group do not count for each other. */
const BETWEEN_STANDS_MS = 24 * 3_600_000;

/** A workspace with a WhatsApp sandbox, on a server with the dashboard's pages, and one browser program. */
export class InboxStand implements AsyncDisposable {
  readonly #sandbox: SandboxStand;
  readonly #browser: Browser;
  readonly #server: DashboardServer;
  readonly #release: () => Promise<void>;
  readonly shop: SandboxShop;
  readonly base: string;
  readonly #number: number;

  private constructor(
    server: DashboardServer,
    release: () => Promise<void>,
    browser: Browser,
    shop: SandboxShop,
  ) {
    this.#server = server;
    this.#release = release;
    this.#sandbox = server.sandbox;
    this.#browser = browser;
    this.#number = server.stands;
    this.shop = shop;
    this.base = server.sandbox.base;
  }

  /** With settings of its own the server is the stand's own, too. */
  static async start(config?: Partial<Config>): Promise<InboxStand> {
    const server = await (config ? DashboardServer.start(config) : sharedServer.take());
    const release = config ? () => server[Symbol.asyncDispose]() : () => sharedServer.release();
    if (server.stands++ > 0) server.sandbox.t.clock.advance(BETWEEN_STANDS_MS);
    const shop = await server.sandbox.open("WHATSAPP");
    return new InboxStand(server, release, await sharedBrowser.take(), shop);
  }

  async secondServer(): Promise<SecondServer> {
    const { app } = this.#sandbox.t;
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const other = await buildApp(
      { ...app.config, publicUrl: base },
      { masterKey: this.#server.masterKey },
      { clock: app.clock, background: unhindered, pressure: CALM },
    );
    const http = await buildHttp(other, this.#server.pages);
    await http.listen({ host: "127.0.0.1", port });
    return {
      base,
      async close() {
        await http.close();
        await other[Symbol.asyncDispose]();
      },
    };
  }

  /** The server's clock, which stands still until a test moves it. */
  get clock(): TestClock {
    return this.#sandbox.t.clock;
  }

  /** A live bot that answers on every channel. Its turns run when the test settles. Gives its id. */
  liveBot(): Promise<string> {
    return makeLiveBot(this.#sandbox.t.app, this.shop.workspaceId);
  }

  /** A live flow that only assistants begin; it is called "Shop assistant" as well. */
  liveFlow(): Promise<string> {
    const flow = {
      format: 1,
      kind: "flow",
      name: "Shop assistant",
      trigger: { when: "by_assistant" },
    };
    const document = { ...flow, entry: "a", steps: { a: { type: "end" } } };
    return makeLiveBot(this.#sandbox.t.app, this.shop.workspaceId, document);
  }

  /** What is written of a bot and not published. */
  async draftOf(id: string): Promise<Readonly<Record<string, unknown>>> {
    const { db } = this.#sandbox.t.app;
    const [row] = await db.query<{ draft: Readonly<Record<string, unknown>> }>(
      sql`select draft from bot where id = ${id}`,
    );
    return row?.draft ?? {};
  }

  /** Adds a snippet that bots may answer from. */
  async snippet(title: string, text: string): Promise<void> {
    const snippet = { lang: "en", title, text } as const;
    await addSnippet(OPERATOR, this.#sandbox.t.app, this.shop.workspaceId, snippet);
  }

  /** Changes what a snippet says. */
  async changeSnippet(title: string, text: string): Promise<void> {
    const { app } = this.#sandbox.t;
    const { workspaceId } = this.shop;
    const { items } = await listKnowledge(OPERATOR, app, workspaceId, {});
    const id = items.find((one) => one.title === title)?.id ?? "";
    await saveSource(OPERATOR, app, workspaceId, { id, title, texts: { en: text } });
  }

  /** Keeps a question that no source answered, as a bot does. */
  async gap(question: string): Promise<void> {
    const { app } = this.#sandbox.t;
    const one = { question, contactId: null, conversationId: null, botId: null };
    await app.db.transaction((tx) =>
      recordGap(app, tx, this.shop.workspaceId, { ...one, why: "no_source" }),
    );
  }

  /** A new member; gives the address for `sit`. */
  async member(name: string, role: MemberRole): Promise<string> {
    // An address signs in once on a server, whatever the workspace.
    const email = `${name.toLowerCase()}@shop${this.#number}.example`;
    const { workspaceId } = this.shop;
    const input = { email, name, role, password: PASSWORD };
    await createMember(OPERATOR, this.#sandbox.t.app, workspaceId, input);
    return email;
  }

  /** The owner of a new test workspace; gives the address for `sit`. */
  async testOwner(name: string): Promise<string> {
    const { app } = this.#sandbox.t;
    const { id } = await createTestWorkspace(OPERATOR, app, { name: "Desert Rose" });
    const email = `${name.toLowerCase()}@test${this.#number}.example`;
    await createMember(OPERATOR, app, id, { email, name, role: "owner", password: PASSWORD });
    return email;
  }

  /** A browser with nothing in it but the member's session, on a page of the dashboard; without `email` nobody is signed in. */
  async sit(email: string | null, address: string, options: SeatOptions = {}): Promise<Seat> {
    const taken = await SeatBrowser.take(this.#browser, this.base, options);
    open.add(taken);
    const { context, page } = taken;
    if (email !== null) {
      const answer = await context.request.post("/api/app/sign-in", {
        headers: { "x-parley": "1" },
        data: { email, password: PASSWORD },
      });
      assert.equal(answer.status(), 200, await answer.text());
    }
    const seat = taken.sit();
    await page.goto(address);
    return seat;
  }

  /** A customer writes; the message is stored when this ends. */
  say(text: string, from = "96550001234", name = "Sara"): Promise<Said> {
    return this.shop.say({ from, name, text });
  }

  /** One more sandbox channel of the workspace; gives its id. */
  async channel(type: Exclude<SandboxType, "SMS"> | "WEB"): Promise<string> {
    const { app } = this.#sandbox.t;
    const { workspaceId } = this.shop;
    if (type === "WEB") return (await addSandboxWeb(OPERATOR, app, workspaceId)).id;
    const { id } = await addSandboxChannel(OPERATOR, app, workspaceId, { type });
    await this.#sandbox.look();
    return id;
  }

  /** A customer writes on another channel than the first. Gives the conversation's id. */
  async sayOn(
    channel: { readonly id: string; readonly type: string },
    from: string,
    name: string,
    text: string,
  ): Promise<string> {
    const { app } = this.#sandbox.t;
    const input = { from, name, text };
    const { conversationId } =
      channel.type === "WEB"
        ? await sayAsVisitor(app, channel.id, input)
        : await playCustomer(OPERATOR, app, this.shop.workspaceId, channel.id, input);
    assert.ok(conversationId, `nothing was stored on ${channel.type}`);
    return conversationId;
  }

  /** A conversation of a new customer. Gives its id. */
  async conversation(from: string, name: string, text = "hello"): Promise<string> {
    const { conversationId } = await this.say(text, from, name);
    assert.ok(conversationId);
    return conversationId;
  }

  /** A program answers in a conversation, over the API. */
  async answer(conversationId: string, text: string): Promise<void> {
    const { status, body } = await this.shop.api("POST", "/messages", { conversationId, text });
    assert.equal(status, 201, JSON.stringify(body));
  }

  /** A campaign with a template to these phones, and everything that the platform says of it. */
  async campaign(phones: readonly string[]): Promise<void> {
    await this.finishCampaign(await this.startCampaign(phones));
  }

  /** A campaign with a template to these phones, of which nothing was sent yet. Gives its id. */
  async startCampaign(phones: readonly string[]): Promise<string> {
    const { app } = this.#sandbox.t;
    const { workspaceId, added } = this.shop;
    await this.settle();
    const file = Readable.from([Buffer.from(["phone", ...phones].join("\n"))]);
    await importContacts(app, workspaceId, file, { format: "csv" });
    const offer = (await listTemplates(app, workspaceId)).find(
      ({ name, language }) => name === "season_offer" && language === "en_US",
    );
    const { id } = await createBroadcast(OPERATOR, app, workspaceId, {
      name: "Offer",
      kind: "WHATSAPP_TEMPLATE",
      channelId: added.id,
      templateId: offer?.id ?? "",
      variables: { "1": "friend" },
      rateLimitPerMinute: 1_000_000,
    });
    await this.shop.api("POST", `/broadcasts/${id}/start`);
    return id;
  }

  /** Sends all of a campaign. */
  async finishCampaign(id: string): Promise<void> {
    for (let tick = 0; tick < 20; tick++) {
      await this.settle();
      this.clock.advance(5_000);
      const { body } = await this.shop.api("GET", `/broadcasts/${id}`);
      if (body["status"] === "COMPLETED") return;
    }
    assert.fail("the campaign did not end");
  }

  /** So long goes by on the server's clock. */
  pass(ms: number): void {
    this.#sandbox.t.clock.advance(ms);
  }

  /** What a campaign's recipients are, counted in their rows: the figures that its page shows. */
  async campaignRows(id: string): Promise<Record<string, number>> {
    const rows = await this.#sandbox.t.app.db.query<{ status: string; n: number }>(
      sql`select status, count(*)::int as n from broadcast_recipient
        where workspace_id = ${this.shop.workspaceId} and broadcast_id = ${id} group by status`,
    );
    const of = (...statuses: string[]) =>
      rows.reduce((sum, { status, n }) => sum + (statuses.includes(status) ? n : 0), 0);
    return {
      total: rows.reduce((sum, { n }) => sum + n, 0),
      waiting: of("pending", "sending"),
      sent: of("sent", "delivered", "read"),
      delivered: of("delivered", "read"),
      read: of("read"),
      failed: of("failed"),
      skipped: of("skipped"),
    };
  }

  /** How the runs of bots ended, counted in their rows; `open`: they go on. */
  async runRows(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.#sandbox.t.app.db.query<{ outcome: string; n: number }>(
      sql`select coalesce(outcome, 'open') as outcome, count(*)::int as n from bot_run
        where workspace_id = ${this.shop.workspaceId} group by 1`,
    );
    return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]));
  }

  /** Stores what platforms' calls came to, some time later: what pages show of them. */
  async recordCalls(laterMs = 0): Promise<void> {
    const { app, clock } = this.#sandbox.t;
    clock.advance(laterMs);
    await recordHookCalls(app);
  }

  /** Sends what waits, and takes in what the platform says of it. */
  settle(): Promise<void> {
    return this.#sandbox.settle();
  }

  /** The texts that were stored of a conversation in one direction, oldest first. */
  async stored(conversationId: string, direction: "inbound" | "outbound"): Promise<string[]> {
    const rows = await this.#sandbox.t.app.db.query<{ text: string | null }>(
      sql`select text from message where workspace_id = ${this.shop.workspaceId}
        and conversation_id = ${conversationId} and direction = ${direction} order by id`,
    );
    return rows.map(({ text }) => text ?? "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    SeatBrowser.forget();
    await leaveBrowser(this.#browser);
    await this.#release();
  }
}
