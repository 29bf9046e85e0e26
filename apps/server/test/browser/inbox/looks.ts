import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { LONG } from "../../group.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** How far the window, the frame's page or what is in it scrolls sideways, or is cut where nothing scrolls. */
const TOO_WIDE = `Math.max(...[document.documentElement, ...document.querySelectorAll(".frame-page, main")]
  .map((one) => one.scrollWidth - one.clientWidth))`;

/**
 * What axe calls serious or critical on these pages, which of them are too wide at 320 or 768 pixels, and which mix the
 * numbers in a table with Arabic words. In the long suite each page is looked at twice: in English and light, in Arabic
 * and dark. That is enough: names depend on the language alone, and colours on the theme alone. In the short one each is
 * looked at once, every other one in Arabic and dark.
 */
export async function faultsOfLooks(page: Page, routes: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [turn, lang, theme] of [[0, "en", "light"] as const, [1, "ar", "dark"] as const]) {
    const own = LONG ? routes : routes.filter((_, index) => index % 2 === turn);
    for (const [index, route] of own.entries()) {
      if (index > 0) await goTo(page, route);
      else await page.goto(`${route}${route.includes("?") ? "&" : "?"}lang=${lang}&theme=${theme}`);
      await page.locator(`html[lang=${lang}][data-theme=${theme}] h1`).first().waitFor();
      await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
      // A page loads itself anew when one of its parts did not come. The script is then put into the new page.
      const script = `if (!window.axe) { ${AXE} }`;
      await page
        .evaluate(script)
        .catch(() => page.waitForLoadState().then(() => page.evaluate(script)));
      const note = (found: readonly string[]) =>
        faults.push(...found.map((one) => `${route} ${lang} ${theme}: ${one}`));
      note(await serious(page));
      if (lang === "ar") note(await mixedCells(page));
      const size = page.viewportSize();
      for (const width of [768, 320]) {
        await page.setViewportSize({ width, height: 640 });
        const wide = await widthBeyond(page);
        if (wide > 0) note([`is ${wide} pixels too wide at ${width}`]);
      }
      if (size) await page.setViewportSize(size);
    }
  }
  return faults;
}

/** How long a page may be too wide after its window was made narrower, in ms: what it draws by the window's size follows. */
const SETTLES_MS = 20_000;

async function widthBeyond(page: Page): Promise<number> {
  const end = performance.now() + SETTLES_MS;
  let wide = await page.evaluate<number>(TOO_WIDE);
  while (wide > 0 && performance.now() < end) {
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(drawn))");
    wide = await page.evaluate<number>(TOO_WIDE);
  }
  return wide;
}

/**
 * Goes to a page of the dashboard: as one of its links does where that leads to another heading, because a load takes
 * Chromium as much processor time as ten such turns. A thread opens within its list, and a step within its form: neither
 * has a heading of its own, and both are loaded. Ends when the new page's heading is there.
 */
export async function goTo(page: Page, address: string): Promise<void> {
  const [path] = address.split("?");
  const there = new URL(page.url()).pathname;
  if (there === path || there.startsWith("/inbox") || address.startsWith("/inbox"))
    return void (await page.goto(address));
  await page.evaluate(`{
    for (const heading of document.querySelectorAll("h1")) heading.dataset.left = "";
    history.pushState(null, "", ${JSON.stringify(address)});
  }`);
  await page.locator("h1:not([data-left])").first().waitFor();
}

/** The cells in which a date, a number or a phone is set in one line with whatever is beside it, and so out of order. */
function mixedCells(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll("tbody :is(th, td)")].flatMap((cell) => {
    const mixed = [];
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (!/\\d/.test(text.data)) continue;
      let around = text.parentElement;
      while (around !== cell && getComputedStyle(around).unicodeBidi === "normal")
        around = around.parentElement;
      if (around === cell) mixed.push("mixed in a cell: " + text.data);
    }
    return mixed;
  })`);
}

function serious(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ["violations"] })
    .then(({ violations }) => violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html.slice(0, 160) + " " + node.failureSummary.slice(0, 200))))`);
}
