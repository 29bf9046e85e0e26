import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const OTHER = { light: "dark", dark: "light" } as const;

/**
 * What axe calls serious or critical on these pages, in both languages and both themes, and which of them scroll
 * sideways at 320 pixels. A page is loaded once a language. Its theme is then changed in place and its colours are
 * looked at again: nothing else depends on the theme.
 */
export async function faultsOfLooks(page: Page, routes: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const route of routes)
    for (const [lang, theme] of [["en", "light"] as const, ["ar", "dark"] as const]) {
      await page.goto(`${route}${route.includes("?") ? "&" : "?"}lang=${lang}&theme=${theme}`);
      await page.locator(`html[lang=${lang}][data-theme=${theme}] h1`).first().waitFor();
      await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
      // A page loads itself anew when one of its parts did not come. The script is then put into the new page.
      await page.evaluate(AXE).catch(() => page.waitForLoadState().then(() => page.evaluate(AXE)));
      const note = (look: string, found: readonly string[]) =>
        faults.push(...found.map((one) => `${route} ${lang} ${look}: ${one}`));
      note(theme, await serious(page, ""));
      await page.evaluate(`(async () => {
        document.documentElement.dataset.theme = "${OTHER[theme]}";
        // Colours pass over, those of what is inside after those around it: their ends are looked at.
        do await new Promise(requestAnimationFrame);
        while (document.getAnimations().some((one) => one instanceof CSSTransition));
      })()`);
      note(OTHER[theme], await serious(page, `runOnly: ["color-contrast"]`));
      const size = page.viewportSize();
      await page.setViewportSize({ width: 320, height: 640 });
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      if (wide > 0) note("at 320 pixels", [`is ${wide} pixels too wide`]);
      if (size) await page.setViewportSize(size);
    }
  return faults;
}

function serious(page: Page, options: string): Promise<string[]> {
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ["violations"], ${options} })
    .then(({ violations }) => violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html.slice(0, 160) + " " + node.failureSummary.slice(0, 200))))`);
}
