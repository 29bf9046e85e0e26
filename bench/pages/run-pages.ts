import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { buildDashboardPages } from "../../apps/server/src/http/dashboard/built-dashboard.ts";
import { wholeChromium } from "../../apps/server/test/browser/stand.ts";
import { startTestPostgres } from "../../apps/server/test/postgres.ts";
import { Child } from "../child.ts";
import type { Answer, Ask } from "../server.ts";
import { columns } from "../table.ts";
import { IN_PAGE } from "./in-page.ts";
import { longThread, seedPages, TOKEN, type PagesSize } from "./seed-pages.ts";

/** Fast 3G, as Chromium's own tools mean it. */
const FAST_3G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
} as const;
const FULL: PagesSize = { conversations: 100_000, messages: 10_000 };
const QUICK: PagesSize = { conversations: 5_000, messages: 2_000 };
const LOADS = 7;
const OPENED = 200;
const VIEWS = ["unassigned", "unanswered", "all", "resolved", "snoozed", "mentions"] as const;

/** One line of the table: what was measured, in the order of measuring. */
interface Figure {
  readonly name: string;
  readonly values: readonly number[];
  readonly goal: number;
  /** What of the values the goal is for. */
  readonly by: "median" | "p95";
  readonly unit: string;
}

/** Measures the pages of the inbox in Chromium, and prints them beside their goals. */
export async function runPages(quick: boolean, tell: (line: string) => void): Promise<void> {
  const size = quick ? QUICK : FULL;
  const postgres = await startTestPostgres();
  const databaseUrl = postgres.url;
  tell(`seeds ${size.conversations.toLocaleString("en")} conversations`);
  await seedPages(databaseUrl, size);
  const log = { info: () => {}, error: (facts: unknown) => tell(JSON.stringify(facts)) };
  const pages = await buildDashboardPages({ dataDir: os.tmpdir(), log });
  const [server, ready] = await Child.start<Ask, Answer, Answer>("server.ts", [
    databaseUrl,
    "all",
    pages ?? "",
  ]);
  const browser = await chromium.launch({
    ...(wholeChromium !== undefined && { executablePath: wholeChromium }),
    args: ["--no-sandbox"],
  });
  try {
    const figures: Figure[] = [];
    const bench = new PageBench(browser, ready.origin ?? "", size);
    for (const [name, measure] of [
      ["first load", () => bench.loads()],
      ["first load, slow", () => bench.slowLoads()],
      ["views", () => bench.views()],
      ["next conversation", () => bench.next()],
      ["typing", () => bench.typing()],
      ["the long list", () => bench.longList()],
      ["the long thread", () => bench.longThread()],
      ["two hundred conversations", () => bench.heap()],
    ] as const) {
      tell(name);
      try {
        figures.push(...(await measure()));
      } catch (error) {
        process.stderr.write(`\npages: ${name} broke off: ${String(error)}\n`);
        process.exitCode = 1;
      }
    }
    print(figures);
  } finally {
    await browser.close();
    await server.ask("end");
    await server[Symbol.asyncDispose]();
    await postgres.stop();
  }
}

/** Calls of what `IN_PAGE` puts into a page. */
const inPage = <T>(page: Page, call: string): Promise<T> => page.evaluate<T>(`bench.${call}`);

class PageBench {
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #size: PagesSize;
  constructor(browser: Browser, origin: string, size: PagesSize) {
    this.#size = size;
    this.#browser = browser;
    this.#origin = origin;
  }

  async #context(): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      baseURL: this.#origin,
      viewport: { width: 1440, height: 900 },
      locale: "en-GB",
    });
    await context.addCookies([{ name: "parley", value: TOKEN, url: this.#origin }]);
    await context.addInitScript(IN_PAGE);
    return context;
  }

  async #open(address: string): Promise<Page> {
    const page = await (await this.#context()).newPage();
    await page.goto(address);
    await page.locator(".row").first().waitFor();
    return page;
  }

  /** The largest paint of a page that is loaded until its list is there. */
  async #load(context: BrowserContext, slow = false): Promise<number> {
    const page = await context.newPage();
    if (slow) {
      const cdp = await context.newCDPSession(page);
      await cdp.send("Network.enable");
      await cdp.send("Network.emulateNetworkConditions", FAST_3G);
      await cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    }
    await page.goto("/inbox/all");
    await page.locator(".row").first().waitFor();
    await page.waitForLoadState("load");
    // Later ones would replace it: web fonts, faces.
    await sleep(slow ? 2_500 : 500);
    const lcp = await inPage<number>(page, "lcp()");
    await page.close();
    return lcp;
  }

  async loads(): Promise<Figure[]> {
    const [cold, warm]: [number[], number[]] = [[], []];
    for (let n = 0; n < LOADS; n++) {
      const context = await this.#context();
      cold.push(await this.#load(context));
      warm.push(await this.#load(context));
      await context.close();
    }
    const rest = { goal: 1_200, by: "median", unit: "ms" } as const;
    return [
      { name: "LCP, first visit", values: cold, ...rest },
      { name: "LCP, later visit", values: warm, ...rest },
    ];
  }

  async slowLoads(): Promise<Figure[]> {
    const values: number[] = [];
    const context = await this.#context();
    await this.#load(context);
    for (let n = 0; n < 5; n++) values.push(await this.#load(context, true));
    await context.close();
    const name = "LCP, later visit, 4× slower processor and Fast 3G";
    return [{ name, values, goal: 2_500, by: "median", unit: "ms" }];
  }

  async views(): Promise<Figure[]> {
    const [cold, cached]: [number[], number[]] = [[], []];
    for (let round = 0; round < 3; round++) {
      const here = await this.#open("/inbox/all");
      for (const values of [cold, cached, cached])
        for (const view of VIEWS) {
          values.push(await inPage<number>(here, `view("${view}")`));
          await here.waitForTimeout(100);
        }
      await here.context().close();
    }
    return [
      { name: "view switch, cold", values: cold, goal: 250, by: "median", unit: "ms" },
      { name: "view switch, cached", values: cached, goal: 100, by: "median", unit: "ms" },
    ];
  }

  async next(): Promise<Figure[]> {
    const page = await this.#open("/inbox/all");
    await page.locator(".row-link").nth(1).click();
    await page.getByRole("log").getByRole("article").first().waitFor();
    const values: number[] = [];
    for (let n = 0; n < 30; n++) {
      // As long as somebody looks at it; the neighbours come meanwhile.
      await page.waitForTimeout(400);
      values.push(await inPage<number>(page, "next()"));
    }
    await page.context().close();
    return [{ name: "next conversation, cached", values, goal: 50, by: "median", unit: "ms" }];
  }

  async typing(): Promise<Figure[]> {
    const page = await this.#open("/inbox/all");
    await page.locator(".row-link").nth(1).click();
    await page.getByRole("textbox", { name: "Message", exact: true }).click();
    await inPage(page, "watchKeys()");
    for (const letter of "The order is on its way, and will be there tomorrow at noon. ".repeat(
      2,
    )) {
      await page.keyboard.press(letter === " " ? "Space" : letter);
      await page.waitForTimeout(30);
    }
    const values = await inPage<number[]>(page, "keys");
    await page.context().close();
    return [{ name: "key to glyph", values, goal: 16, by: "median", unit: "ms" }];
  }

  async longList(): Promise<Figure[]> {
    const first: number[] = [];
    for (let n = 0; n < 5; n++) {
      const page = await this.#open("/inbox/unassigned");
      first.push(await inPage<number>(page, `view("all")`));
      await page.context().close();
    }
    const page = await this.#open("/inbox/all");
    const { frames, most } = await inPage<Scrolled>(page, `scroll(".list-rows", 60, ".row")`);
    await page.context().close();
    const of = this.#size.conversations.toLocaleString("en");
    return [
      { name: `first page of ${of}`, values: first, goal: 300, by: "median", unit: "ms" },
      { name: `frame, scrolling ${of}`, values: frames, goal: 20, by: "p95", unit: "ms" },
      { name: `rows in the page of ${of}`, values: [most], goal: 60, by: "p95", unit: "" },
    ];
  }

  async longThread(): Promise<Figure[]> {
    const page = await this.#open("/inbox/all");
    // What threads are drawn by comes with the first one.
    await page.locator(".row-link").nth(2).click();
    await page.getByRole("log").getByRole("article").first().waitFor();
    const first = await inPage<number>(page, `thread("${longThread}")`);
    await page.waitForTimeout(1_000);
    const { frames, most } = await inPage<Scrolled>(
      page,
      `scroll("[role=log]", -60, "[role=log] article")`,
    );
    await page.context().close();
    const of = this.#size.messages.toLocaleString("en");
    return [
      { name: `thread of ${of}: opened`, values: [first], goal: 300, by: "median", unit: "ms" },
      {
        name: `thread of ${of}: frame, scrolling`,
        values: frames,
        goal: 20,
        by: "p95",
        unit: "ms",
      },
      {
        name: `thread of ${of}: messages in the page`,
        values: [most],
        goal: 60,
        by: "p95",
        unit: "",
      },
    ];
  }

  async heap(): Promise<Figure[]> {
    const page = await this.#open("/inbox/all");
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable");
    await page.locator(".row-link").first().click();
    await page.getByRole("log").getByRole("article").first().waitFor();
    for (let n = 0; n < OPENED; n++) {
      await inPage<number>(page, "next()");
      // A member may ask 600 times a minute.
      await page.waitForTimeout(600);
    }
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    const used = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
    await page.context().close();
    const name = `JavaScript heap after ${OPENED} conversations`;
    return [{ name, values: [used / 1_048_576], goal: 200, by: "median", unit: "MB" }];
  }
}

interface Scrolled {
  readonly frames: readonly number[];
  /** The most rows that were in the page at a time. */
  readonly most: number;
}

function print(figures: readonly Figure[]): void {
  const at = (values: readonly number[], part: number) => {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  };
  const shown = (value: number, unit: string) =>
    `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`.trim();
  const lines = figures.map(({ name, values, goal, by, unit }) => {
    const [median, p95] = [at(values, 0.5), at(values, 0.95)];
    const judged = by === "median" ? median : p95;
    return [
      name,
      String(values.length),
      shown(median, unit),
      shown(p95, unit),
      `${by} ≤ ${shown(goal, unit)}`,
      judged <= goal ? "met" : "MISSED",
    ];
  });
  columns([["pages", "n", "median", "p95", "goal", "met"], ...lines], (line) =>
    process.stdout.write(line),
  );
  process.stdout.write(
    `\nLoad of the machine ${os
      .loadavg()
      .map((load) => load.toFixed(1))
      .join(
        ", ",
      )}; ${os.availableParallelism()} cores shared by PostgreSQL, the server and Chromium; Node ${process.versions.node}.\n`,
  );
}
