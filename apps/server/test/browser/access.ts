import type { Page } from "playwright-core";

const ROOT = `[...document.querySelectorAll("div")].find((one) => one.shadowRoot).shadowRoot`;

/**
 * The words of the chat, or of the `root` that is named, that cannot be read well: less than 4.5 to 1 (WCAG 2, AA)
 * against the nearest ground behind them. What is hidden is left out.
 */
export function contrastFaults(page: Page, root = ROOT): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    // rgb(238, 242, 240), or mixed: color(srgb 0.93 0.95 0.94 / 0.5)
    const rgb = (text) => (text.replace("display-p3", "").match(/[\\d.]+/g) ?? []).map((part, index) =>
      text.startsWith("color(") && index < 3 ? part * 255 : Number(part));
    const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05) };
    const ground = (element) => {
      for (let one = element; one; one = one.parentElement) {
        const color = rgb(getComputedStyle(one).backgroundColor);
        if (color.length === 3 || color[3] === 1) return color;
      }
      return [255, 255, 255];
    };
    const faults = [];
    let looked = 0;
    const walker = document.createTreeWalker(${root}, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || !node.data.trim() || element.closest(".hidden, [hidden]")) continue;
      if (!element.checkVisibility()) continue;
      looked++;
      const style = getComputedStyle(element);
      const found = ratio(rgb(style.color), ground(element)) * (style.opacity === "1" ? 1 : 0);
      if (found < 4.5) faults.push(node.data + " " + found.toFixed(2));
    }
    for (const box of ${root}.querySelectorAll("[placeholder]")) {
      const hint = ratio(rgb(getComputedStyle(box, "::placeholder").color), ground(box));
      if (hint < 4.5) faults.push("placeholder " + hint.toFixed(2));
    }
    if (looked < 8) faults.push("only " + looked + " texts were found");
    return faults;
  })()`);
}

/** Controls and pictures without a name for those who hear the page. */
export function namelessControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const controls = [...${ROOT}.querySelectorAll("button, a, textarea, img, [role], [tabindex='0']")]
      .filter((one) => !one.closest("[aria-hidden='true'], [hidden]"));
    const silent = new Set(["status", "alert"]);
    const faults = controls.filter((one) => !silent.has(one.getAttribute("role")) &&
      !(one.getAttribute("aria-label") || one.getAttribute("alt") || one.textContent.trim()) &&
      !(one.matches(".draft img, img[alt='']")));
    return [...faults.map((one) => one.outerHTML.slice(0, 120)), ...(controls.length < 8 ? ["too few controls"] : [])];
  })()`);
}
