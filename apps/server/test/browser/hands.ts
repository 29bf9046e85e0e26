import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { PATIENCE_MS } from "./stand.ts";

/** What a person does with the widget and sees of it. English unless said otherwise. */
export async function open(page: Page): Promise<void> {
  await page.locator(".launcher").click();
  await page.getByRole("dialog").waitFor();
}

/** Writes a message and sends it, without waiting for the server. */
export async function write(page: Page, text: string): Promise<void> {
  const box = page.getByRole("textbox");
  await box.fill(text);
  await box.press("Enter");
}

/** Writes a message and waits until the server has it. */
export async function say(page: Page, text: string): Promise<void> {
  await write(page, text);
  await page.locator('.entry.mine[data-status="sent"]', { hasText: text }).waitFor();
}

export async function seen(page: Page, text: string): Promise<void> {
  await page.getByRole("log").getByText(text, { exact: true }).waitFor();
}

/** The texts of the conversation as they stand on the screen, waiting and failed ones too. */
export function bubbles(page: Page): Promise<string[]> {
  return page.locator(".bubble").allInnerTexts();
}

/** Stops the page's own clock (`page.clock.install()`), at most a second ahead of its time. */
export async function stopTime(page: Page): Promise<void> {
  const stop = async () => page.clock.pauseAt(await page.evaluate<number>("Date.now() + 1_000"));
  // A crowded machine may need longer than that second from one call to the other. By then the clock is stopped.
  await stop().catch(stop);
}

/** What the machine gets of its own time for each second of a page's: the network answers in that, not in the page's. */
const REAL_MS = 20;

/**
 * Lets the page's own clock (`page.clock.install()`) go on, a second at a time, until something has come about, and at
 * least `least` seconds. Gives how many went by, 300 at most.
 */
export async function passTime(
  page: Page,
  done: () => Promise<boolean>,
  least = 0,
): Promise<number> {
  for (let second = 0; second < 300; second++) {
    if (second >= least && (await done())) return second;
    await page.clock.runFor(1_000);
    await pause(REAL_MS);
  }
  return 300;
}

/** The value of an expression in the page; `root` is the widget's shadow root. */
export function inside<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate<T>(`(() => {
    const root = [...document.querySelectorAll("div")].find((one) => one.shadowRoot).shadowRoot;
    return ${expression};
  })()`);
}

/** Waits until what is read from the page equals what is wanted: a page draws what it was told a frame later. */
export async function comesTo<T>(wanted: T, read: () => Promise<T>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  let got = await read();
  // A look costs Chromium up to 10 ms: what takes longer is looked at more seldom.
  for (let wait = 20; performance.now() < end; wait = Math.min(wait * 1.5, 100)) {
    if (isDeepStrictEqual(got, wanted)) return;
    await pause(wait);
    got = await read();
  }
  assert.deepEqual(got, wanted);
}

/** When a page has drawn a text in its log, in the machine's time: the runner's own waiting looks twice a second at last. */
export const shownAt = (page: Page, text: string): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
    const log = document.querySelector("[role=log]");
    const look = () => {
      if (!log.textContent.includes(${JSON.stringify(text)})) return;
      watch.disconnect();
      requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
    };
    const watch = new MutationObserver(look);
    watch.observe(log, { childList: true, subtree: true, characterData: true });
    look();
  })`);

/** Now, in the machine's time, in milliseconds with their fractions. */
export const machineTime = (): number => performance.timeOrigin + performance.now();
