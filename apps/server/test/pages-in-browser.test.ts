import { OPERATOR } from "../src/actor.ts";
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { connectChannel } from "../src/channels/connect-channel.ts";
import { contrastFaults } from "./browser/access.ts";
import { comesTo } from "./browser/hands.ts";
import {
  chromiumFile,
  inBrowserOnly,
  leaveBrowser,
  newContext,
  sharedBrowser,
} from "./browser/stand.ts";
import { startApi, type Api } from "./v1/api.ts";

let api: Api;
let browser: Browser;
let origin: string;
before(async () => {
  if (chromiumFile === undefined) return;
  api = await startApi();
  await api.http.listen({ port: 0, host: "127.0.0.1" });
  origin = `http://127.0.0.1:${(api.http.server.address() as AddressInfo).port}`;
  browser = await sharedBrowser.take();
});
after(async () => {
  if (chromiumFile === undefined) return;
  await leaveBrowser(browser);
  await api[Symbol.asyncDispose]();
});

/** The samples of a page that must be pushed sideways to be read, and that there are any. */
const CUT_SAMPLES = `() => {
  const samples = [...document.querySelectorAll("pre")].filter((one) => one.checkVisibility());
  const cut = samples.filter(({ scrollWidth, clientWidth, parentElement: box }) =>
    scrollWidth > clientWidth || box.scrollWidth > box.clientWidth);
  return samples.length === 0 ? ["no sample"] : cut.map((one) => one.textContent.slice(0, 80));
}`;

/** Opens a page and writes down what it asks other hosts for and what the policy or a script complains of. */
async function open(
  path: string,
  options: Parameters<typeof newContext>[1] = {},
): Promise<{ page: Page; outside: string[]; complaints: string[] }> {
  const page = await (await newContext(browser, options)).newPage();
  const outside: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin))
      outside.push(request.url());
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${origin}${path}`, { waitUntil: "networkidle" });
  return { page, outside, complaints };
}

test(
  "the reference shows the routes, asks no other host, fits its policy, and can be read, light and dark",
  inBrowserOnly,
  async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, outside, complaints } = await open("/api/docs", { colorScheme });
      // 4 MB of script: a second, on a machine with much else to do half a minute.
      await page.getByText("Create a contact").first().waitFor();
      assert.deepEqual(outside, []);
      assert.deepEqual(complaints, []);
      for (const gone of ["Ask AI", "Generate MCP", "Deploy"])
        assert.equal(await page.getByText(gone, { exact: false }).count(), 0, gone);
      assert.deepEqual(await contrastFaults(page, "document.body"), []);
      // The key is asked for before a route is tried.
      await page.getByPlaceholder("Token").first().waitFor();
      await page.setViewportSize({ width: 390, height: 780 });
      // The page sets its own layout again after the turn. Then no sample is cut off.
      await comesTo([], () => page.evaluate<string[]>(`(${CUT_SAMPLES})()`));
      await page.close();
    }
  },
);

test(
  "the first page fits a phone, in both languages, light and dark, by keyboard",
  inBrowserOnly,
  async () => {
    for (const language of ["en", "ar"])
      for (const colorScheme of ["light", "dark"] as const) {
        const { page, outside, complaints } = await open(`/?lang=${language}`, {
          viewport: { width: colorScheme === "dark" ? 320 : 390, height: 740 },
          colorScheme,
        });
        assert.deepEqual([outside, complaints], [[], []]);
        const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
        assert.equal(wide, false, `${language} ${colorScheme} scrolls sideways`);
        const cut = await page.evaluate(`(${CUT_SAMPLES})()`);
        assert.deepEqual(cut, [], `${language} ${colorScheme}: the sample is read whole`);
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate("document.activeElement.className"), "skip");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.locator(`html[lang=${language === "en" ? "ar" : "en"}]`).waitFor();
        await page.close();
      }
  },
);

test(
  "the try page fits a phone and can be read, in both languages, light and dark; its button covers nothing",
  inBrowserOnly,
  async () => {
    const name = "وردة الصحراء Desert Rose";
    const { id } = await connectChannel(OPERATOR, api.app, api.workspaceId, { type: "WEB", name });
    for (const [lang, colorScheme, width] of [
      ["en", "light", 390],
      ["ar", "dark", 320],
    ] as const) {
      const phone = {
        viewport: { width, height: 480 },
        colorScheme,
        isMobile: true,
        hasTouch: true,
      };
      const { page, outside, complaints } = await open(`/chat/try/${id}?lang=${lang}`, phone);
      await page.locator(".launcher").waitFor();
      assert.deepEqual([outside, complaints], [[], []]);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, lang);
      assert.deepEqual(await page.evaluate(`(${CUT_SAMPLES})()`), [], lang);
      assert.deepEqual(await contrastFaults(page, "document.body"), [], lang);
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      const [button, sample] = [
        await page.locator(".launcher").boundingBox(),
        await page.locator("pre").boundingBox(),
      ];
      assert.ok(button && sample && sample.y + sample.height < button.y, "the sample can be read");
      assert.equal(button.x < width / 2, lang === "ar");
      await page.close();
    }
  },
);

test(
  "documents fit a phone and can be read, in both languages, light and dark",
  inBrowserOnly,
  async () => {
    for (const [address, colorScheme, width] of [
      ["/docs?lang=ar", "dark", 320],
      ["/docs/operations.md?lang=en", "light", 390],
      ["/docs/guides/receiving-webhooks.md?lang=ar", "dark", 320],
    ] as const) {
      const viewport = { width, height: 740 };
      const phone = { viewport, colorScheme, isMobile: true, hasTouch: true };
      const { page, outside, complaints } = await open(address, phone);
      assert.deepEqual([outside, complaints], [[], []]);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, address);
      assert.deepEqual(await contrastFaults(page, "document.body"), [], address);
      // A heading's own link, and a link of the list, lead where they say.
      if (address.startsWith("/docs?")) await page.getByRole("link", { name: "Messages" }).click();
      else
        await page
          .getByRole("link", { name: /^Link to: / })
          .first()
          .click();
      await page.waitForURL(/messages\.md|#[a-z]/);
      await page.close();
    }
  },
);
