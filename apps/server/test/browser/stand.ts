import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from "playwright-core";
import { createKey } from "../../src/api-keys/create-key.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import type { ConnectWeb } from "../../src/channels/web-form.ts";
import { sql } from "../../src/db/sql.ts";
import { buildHttp } from "../../src/http/server.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { Shared } from "../group.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { Cable } from "./cable.ts";
import { sitePage, type SiteOptions } from "./site.ts";

const found = (...files: (string | undefined)[]): string | undefined =>
  files.find((file) => file !== undefined && existsSync(file));

/** The whole browser, where there is one: what people have, and what figures are measured in. */
export const wholeChromium = found(
  process.env["PARLEY_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
);

/**
 * The browser's program for tests, where there is one. The headless shell opens no windows, and a page costs it half the
 * processor time (1.4 s instead of 2.6 for the inbox, a thread and the contacts).
 */
export const chromiumFile = found(
  process.env["PARLEY_CHROMIUM"],
  "/usr/bin/chromium-headless-shell",
  wholeChromium,
);

/** One browser program for the files of a group; each visitor has a context of their own in it. */
export const sharedBrowser = new Shared(() =>
  chromium.launch({
    ...(chromiumFile !== undefined && { executablePath: chromiumFile }),
    args: ["--no-sandbox"],
  }),
);

/** For `{ skip }` of the tests that need a browser. */
export const skip = chromiumFile === undefined ? "no Chromium here: set PARLEY_CHROMIUM" : false;

/**
 * So long a page, or a call beside it, may take to do what a test waits for. It only ends what hangs: a quiet machine
 * needs a hundredth of it, and one that does other work beside the tests has needed a third.
 */
export const PATIENCE_MS = 180_000;

/** For `test`: it needs a browser, and has the time for a few waits that hang. */
export const inBrowserOnly = { skip, timeout: 5 * PATIENCE_MS };

/** A browser with nothing in it, whose pages and calls have the patience of tests. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** Closes what is open in the shared browser: the next file finds nothing in it. */
export async function leaveBrowser(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await sharedBrowser.release();
}

export const IDENTITY_SECRET = "parley-identity-secret";

export interface Shop {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly bearer: string;
}

export interface Visitor {
  readonly page: Page;
  /** What a console or a policy complained of. */
  readonly complaints: string[];
}

/** A site with a strict policy on one origin, Parley behind a cable on another, and a browser. */
export class Stand {
  readonly t: TestApp;
  readonly cable: Cable;
  readonly #http: FastifyInstance;
  readonly #site: Server;
  readonly #browser: Browser;
  readonly #folder: string;
  readonly #direct: string;
  readonly siteOrigin: string;
  readonly chatOrigin: string;

  private constructor(parts: {
    t: TestApp;
    cable: Cable;
    http: FastifyInstance;
    site: Server;
    browser: Browser;
    folder: string;
  }) {
    this.t = parts.t;
    this.cable = parts.cable;
    this.#http = parts.http;
    this.#site = parts.site;
    this.#browser = parts.browser;
    this.#folder = parts.folder;
    this.#direct = `http://127.0.0.1:${(parts.http.server.address() as AddressInfo).port}`;
    this.siteOrigin = `http://127.0.0.1:${(parts.site.address() as AddressInfo).port}`;
    this.chatOrigin = `http://127.0.0.1:${parts.cable.port}`;
  }

  static async start(): Promise<Stand> {
    const folder = await mkdtemp(path.join(tmpdir(), "parley-browser-"));
    const cable = await Cable.lay();
    const publicUrl = `http://127.0.0.1:${cable.port}`;
    const t = await startTestApp({ config: { publicUrl, dataDir: folder } });
    const http = await buildHttp(t.app);
    await http.listen({ port: 0, host: "127.0.0.1" });
    cable.leadTo((http.server.address() as AddressInfo).port);
    const site = createServer((request, response) => {
      const { headers, body } = sitePage(request.url ?? "/", publicUrl);
      response.writeHead(200, headers).end(body);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const browser = await sharedBrowser.take();
    return new Stand({ t, cable, http, site, browser, folder });
  }

  async close(): Promise<void> {
    await leaveBrowser(this.#browser);
    this.#site.closeAllConnections();
    this.#site.close();
    await this.cable.close();
    await this.#http.close();
    await this.t[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A workspace with a web channel of its own. */
  async shop(settings: Partial<ConnectWeb> = {}): Promise<Shop> {
    const { id: workspaceId } = await createWorkspace(OPERATOR, this.t.app, {
      name: "Shop",
      plan: "business",
    });
    const channel = await connectChannel(OPERATOR, this.t.app, workspaceId, {
      type: "WEB",
      name: "Team B, web (internal)",
      title: "Desert Rose",
      allowedOrigins: this.siteOrigin,
      identitySecret: IDENTITY_SECRET,
      greeting: "Hello! How can we help?",
      locale: "auto",
      ...settings,
    });
    const { bearer } = await createKey(OPERATOR, this.t.app, workspaceId);
    return { workspaceId, channelId: channel.id, bearer };
  }

  /** A browser with nothing in it, on a page of the site. */
  async visit(
    shop: Shop,
    site: Omit<SiteOptions, "channel"> = {},
    browser: BrowserContextOptions = {},
  ): Promise<Visitor> {
    const context = await newContext(this.#browser, {
      viewport: { width: 1000, height: 760 },
      locale: "en-GB",
      ...browser,
    });
    return this.tab({ page: await context.newPage(), complaints: [] }, shop, site);
  }

  /** Another tab of the same browser, or the same one on a page of the site. */
  async tab(
    visitor: Visitor,
    shop: Shop,
    site: Omit<SiteOptions, "channel"> = {},
  ): Promise<Visitor> {
    const { page, complaints } = visitor;
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    const query = new URLSearchParams({ channel: shop.channelId, ...site });
    await page.goto(`${this.siteOrigin}/?${query.toString()}`);
    await page.locator(".launcher").waitFor({ state: "attached" });
    return visitor;
  }

  /** An empty page, for what needs a document and nothing else. */
  async blank(): Promise<Page> {
    return (await newContext(this.#browser, {})).newPage();
  }

  /** The conversations of a shop, in the order they began. */
  async conversations(shop: Shop): Promise<string[]> {
    const rows = await this.t.app.db.query<{ id: string }>(
      sql`select id from conversation where workspace_id = ${shop.workspaceId} order by id`,
    );
    return rows.map((row) => row.id);
  }

  /** What is stored of a shop, oldest first. */
  async stored(shop: Shop): Promise<{ text: string | null; direction: string; status: string }[]> {
    return this.t.app.db.query(sql`select text, direction, status from message
      where workspace_id = ${shop.workspaceId} order by id`);
  }

  /** An agent answers over the API, past the cable. */
  async reply(shop: Shop, conversationId: string | undefined, text: string): Promise<void> {
    const answer = await fetch(`${this.#direct}/api/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${shop.bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ conversationId, text }),
    });
    assert.equal(answer.status, 201, await answer.text());
  }
}
