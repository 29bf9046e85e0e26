import type { Locator, Page } from "playwright-core";

/** More stops than any page has. */
const MOST_STOPS = 150;

const KEYS = {
  page: { before: "Shift+Tab", after: "Tab" },
  bar: { before: "ArrowLeft", after: "ArrowRight" },
} as const;

/**
 * Goes with Tab, or back with Shift+Tab, until the element has the focus, as somebody without a mouse does; inside a
 * toolbar the arrows lead on. Throws when the focus never comes to it: then nobody without a mouse reaches it.
 */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const place = () =>
    target.evaluate((element) => {
      const { activeElement } = element.ownerDocument;
      if (element === activeElement) return null;
      // PRECEDING of the DOM: the element stands before what has the focus.
      const isBefore = (activeElement?.compareDocumentPosition(element) ?? 0) & 2;
      const bar = element.closest("[role=toolbar]");
      return [
        bar?.contains(activeElement) ? "bar" : "page",
        isBefore ? "before" : "after",
      ] as const;
    });
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    const way = await place();
    if (way === null) return;
    await target.page().keyboard.press(KEYS[way[0]][way[1]]);
  }
  throw new Error(`the focus never comes to ${String(target)}`);
}

/** Presses a link, a button or a tab. */
export async function press(target: Locator, key = "Enter"): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press(key);
}

/** Writes into a field, in place of what it holds. */
export async function typeInto(target: Locator, text: string): Promise<void> {
  await tabTo(target);
  const { keyboard } = target.page();
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type(text);
}

/** Chooses in a list of the browser's own, going down from its first option to the one with this label. */
export async function choose(target: Locator, label: string): Promise<void> {
  await tabTo(target);
  const { keyboard } = target.page();
  await keyboard.press("Home");
  const labels = await target.locator("option").allInnerTexts();
  const chosen = () =>
    target.evaluate((list: { readonly selectedIndex?: number }) => list.selectedIndex ?? -1);
  for (const _ of labels) {
    if (labels[await chosen()]?.trim() === label) return;
    await keyboard.press("ArrowDown");
  }
  throw new Error(`${String(target)} has no option ${label}, but ${labels.join(", ")}`);
}

/** Goes to another tab of the tabs that have the focus, or of those that Tab leads to. */
export async function turnTo(page: Page, name: string): Promise<void> {
  await tabTo(page.locator('[role=tab][tabindex="0"]').first());
  const tabs = await page.getByRole("tab").count();
  const wanted = page.getByRole("tab", { name, selected: true });
  for (let turns = 0; turns < tabs; turns++) {
    if ((await wanted.count()) > 0) return;
    await page.keyboard.press("ArrowRight");
  }
  await wanted.waitFor();
}
