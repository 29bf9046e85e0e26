import { setTimeout as pause } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import { LONG } from "../../group.ts";
import { PATIENCE_MS } from "../stand.ts";

/** More stops than any page has. */
const MOST_STOPS = 150;

const KEYS = {
  page: { before: "Shift+Tab", after: "Tab" },
  row: { before: "ArrowLeft", after: "ArrowRight" },
  column: { before: "ArrowUp", after: "ArrowDown" },
} as const;

/** Whether an element has the focus, and what leads to it otherwise. */
type Place =
  | "here"
  /** It has the focus, and nothing shows that. */
  | "unseen"
  /** What was pressed before is gone, and the focus with it. */
  | "lost"
  /** The page was just loaded. */
  | "top"
  /** The element is no longer in the page: it was drawn once more. */
  | "replaced"
  | readonly [way: keyof typeof KEYS, side: keyof (typeof KEYS)["page"], stops: number];

type Found = Awaited<ReturnType<Locator["elementHandle"]>>;

/**
 * So many stops before its target a walk over the page begins in the short suite: each press of Tab costs a page 5 to 10
 * ms of processor time, and many targets are twenty stops away. The long suite walks all of them.
 */
const WALKED = LONG ? Infinity : 2;

/**
 * Goes with Tab, or back with Shift+Tab, until the element has the focus, as somebody without a mouse does: past the
 * navigation of a page that was just loaded, and inside a toolbar, a menu, a list or a group of radios with the arrows.
 * Throws when the focus never comes to it, when nobody sees it there, and when the last press left the page without any.
 */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const { keyboard } = target.page();
  // Looking for a role and a name in the whole page costs Chromium more than the press of a key: once is enough.
  let element: Found = await target.elementHandle();
  let counted = true;
  let lostSince = 0;
  for (let stops = 0; stops < MOST_STOPS;) {
    const place = await placeOf(element);
    if (place === "here") return element.dispose();
    if (place === "unseen") throw new Error(`nobody sees that ${String(target)} has the focus`);
    if (place === "replaced") {
      element = await target.elementHandle();
    } else if (place === "lost") {
      // It is given back a moment after it was lost.
      lostSince ||= performance.now();
      if (performance.now() - lostSince > PATIENCE_MS)
        throw new Error(`the focus is lost before ${String(target)}`);
      await pause(20);
    } else if (place === "top") {
      stops++;
      await keyboard.press("Tab");
      await keyboard.press("Enter");
    } else {
      const [way, side, between] = place;
      // As many stops as are between; when the page has others than were counted, one at a time.
      const presses = way === "page" && counted ? between + 1 : 1;
      counted &&= way !== "page";
      stops += presses;
      for (let press = 0; press < presses; press++) await keyboard.press(KEYS[way][side]);
    }
  }
  throw new Error(`the focus never comes to ${String(target)}`);
}

const placeOf = (target: Found): Promise<Place> =>
  target.evaluate((element, walked): Place => {
    if (!element.isConnected) return "replaced";
    const { activeElement, body, defaultView, documentElement } = element.ownerDocument;
    if (element === activeElement) {
      documentElement.dataset["walked"] = "";
      // A menu and a list show it by their ground, and a box or a switch beside its input, which is hidden.
      if (element.matches("[role^=menuitem], [role=option]")) return "here";
      const label = element.closest("label");
      const shown = [element, ...(label ? [label, ...label.querySelectorAll("*")] : [])];
      const ringed = shown.some((one) => {
        const { outlineStyle, outlineWidth, opacity } = defaultView.getComputedStyle(one);
        if (outlineStyle === "none" || Number.parseFloat(outlineWidth) === 0) return false;
        return opacity !== "0" && one.getBoundingClientRect().width > 2;
      });
      return ringed ? "here" : "unseen";
    }
    // The inbox is no such page: its keys work without a focus.
    const isPage = body.querySelector("main.page, main.entry") !== null;
    if (isPage && (activeElement === null || activeElement === body)) {
      if ("walked" in documentElement.dataset) return "lost";
      documentElement.dataset["walked"] = "";
      if (body.querySelector(".skip") && element.closest("#main")) return "top";
    }
    // PRECEDING of the DOM: the element stands before what has the focus.
    const isBefore = (activeElement?.compareDocumentPosition(element) ?? 0) & 2;
    const side = isBefore ? "before" : "after";
    const inOne = (groups: string) => element.closest(groups)?.contains(activeElement);
    if (inOne("[role=toolbar], [role=radiogroup], fieldset.colors")) return ["row", side, 0];
    if (inOne("[role=menu], [role=listbox]")) return ["column", side, 0];
    if (activeElement === null || activeElement === body) return ["page", side, 0];
    const [first, last] = isBefore ? [element, activeElement] : [activeElement, element];
    const between = [
      ...body.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]"),
    ].filter(
      (one) =>
        // PRECEDING and FOLLOWING of the DOM.
        first.compareDocumentPosition(one) & 4 &&
        last.compareDocumentPosition(one) & 2 &&
        one.tabIndex >= 0 &&
        !one.matches(":disabled, [type=radio]:not(:checked), [type=hidden]") &&
        one.closest("[inert]") === null &&
        one.checkVisibility({ visibilityProperty: true }),
    );
    if (between.length <= walked) return ["page", side, between.length];
    (isBefore ? between[walked] : between.at(-1 - walked))?.focus();
    return ["page", side, walked];
  }, WALKED);

/** Presses a link, a button or a tab. */
export async function press(target: Locator, key = "Enter"): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press(key);
}

/**
 * So many characters are typed: each draws its page again, which takes 10 to 20 ms of processor time. The rest is put in
 * at once, as from a clipboard.
 */
const TYPED = LONG ? 20 : 3;

/** Writes into a field, in place of what it holds. */
export async function typeInto(target: Locator, text: string): Promise<void> {
  await tabTo(target);
  const { keyboard } = target.page();
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type(text.slice(0, TYPED));
  if (text.length > TYPED) await keyboard.insertText(text.slice(TYPED));
}

/** A list with more options than this is searched by typing: on the way down each option costs a look and a press. */
const LONG_LIST = 12;

/**
 * Chooses in a list of the browser's own: by the letters of the label in a long one, else going down from its first
 * option to the one with this label.
 */
export async function choose(target: Locator, label: string): Promise<void> {
  await target.locator("option", { hasText: label }).first().waitFor({ state: "attached" });
  await tabTo(target);
  const { keyboard } = target.page();
  const labels = await target.locator("option").allInnerTexts();
  const isChosen = async () => {
    const at = await target.evaluate(
      (list: { readonly selectedIndex?: number }) => list.selectedIndex ?? -1,
    );
    return labels[at]?.trim() === label;
  };
  if (labels.length > LONG_LIST) {
    await keyboard.type(label);
    if (await isChosen()) return;
  }
  await keyboard.press("Home");
  for (const _ of labels) {
    if (await isChosen()) return;
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
