import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { contrastFaults, namelessControls } from "./access.ts";
import { comesTo, inside, open, say, seen, write } from "./hands.ts";
import { inBrowserOnly, skip, Stand } from "./stand.ts";

let stand: Stand;
before(async () => {
  if (skip === false) stand = await Stand.start();
});
after(async () => {
  if (skip === false) await stand.close();
});

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox();
  assert.ok(box, `${selector} is not there`);
  return box;
};

test(
  "under the strictest policy a whole conversation raises no complaint",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page, complaints } = await stand.visit(shop);
    await page.evaluate(
      "window.violations = []; document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))",
    );
    await open(page);
    await say(page, "<img src=x onerror=alert(1)> see https://shop.example/a?b=1.");
    const [conversation] = await stand.conversations(shop);
    await stand.reply(shop, conversation, "<b>bold?</b> www.shop.example");
    await seen(page, "<b>bold?</b> www.shop.example");
    const links = await inside<string[][]>(
      page,
      '[...root.querySelectorAll(".bubble a")].map((one) => [one.href, one.rel, one.target])',
    );
    const rel = "noopener noreferrer nofollow";
    assert.deepEqual(links, [
      ["https://shop.example/a?b=1", rel, "_blank"],
      ["https://www.shop.example/", rel, "_blank"],
    ]);
    assert.equal(await page.locator(".bubble b, .bubble img").count(), 0);
    await page.evaluate("Parley.setLocale('ar')");
    await page.getByRole("button", { name: "أغلق المحادثة" }).first().waitFor();
    assert.deepEqual(await page.evaluate("violations"), []);
    assert.deepEqual(complaints, []);
    await page.context().close();
  },
);

test(
  "the styles of the page do not reach the chat, nor the chat's the page",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const still = { reducedMotion: "reduce" } as const;
    const [plain, wild] = await Promise.all([
      stand.visit(shop, {}, still),
      stand.visit(shop, { wild: "1" }, still),
    ]);
    const look = `[".launcher", ".panel", "textarea", ".greeting p"].map((selector) => {
        const style = getComputedStyle(root.querySelector(selector));
        return [selector, style.display, style.position, style.color, style.fontSize, style.letterSpacing, style.direction, style.opacity];
      })`;
    const heading = `(() => { const { color, fontSize, fontFamily } = getComputedStyle(document.querySelector("h1"));
      return [color, fontSize, fontFamily] })()`;
    for (const { page } of [plain, wild]) {
      await open(page);
      await page.getByText("Hello! How can we help?").waitFor();
    }
    const looks = ({ page }: { page: Page }) =>
      Promise.all([inside<string[][]>(page, look), boxOf(page, ".panel")]);
    await comesTo(await looks(plain), () => looks(wild));
    const bare = await plain.page.context().newPage();
    await bare.goto(`${stand.siteOrigin}/?channel=none`);
    assert.deepEqual(await plain.page.evaluate(heading), await bare.evaluate(heading));
    await Promise.all([plain.page.context().close(), wild.page.context().close()]);
  },
);

test(
  "an Arabic page has Arabic words, from right to left; messages keep their own direction",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop({ title: "وردة الصحراء", greeting: "أهلًا! كيف نساعدك؟" });
    const { page } = await stand.visit(shop, { lang: "ar" });
    await page.getByRole("button", { name: "افتح المحادثة" }).click();
    await page.getByRole("dialog", { name: "محادثة مع وردة الصحراء" }).waitFor();
    const box = page.getByRole("textbox", { name: "الرسالة" });
    for (const text of ["مرحبا، هل المصباح متوفر؟", "Order 2231"]) {
      await box.fill(text);
      await box.press("Enter");
      await page.locator('.entry.mine[data-status="sent"]', { hasText: text }).waitFor();
    }
    await page.getByText("أُرسلت").waitFor();
    const directions = await inside<string[]>(
      page,
      '[...root.querySelectorAll(".parley, .bubble")].map((one) => getComputedStyle(one).direction)',
    );
    assert.deepEqual(directions, ["rtl", "rtl", "ltr"]);
    // The visitor's own are at the left.
    await comesTo(true, async () => {
      const [panel, bubble] = [await boxOf(page, ".panel"), await boxOf(page, ".bubble >> nth=0")];
      return bubble.x - panel.x < 40;
    });
    const words = await page.locator(".panel").innerText();
    assert.doesNotMatch(words.replace("Order 2231", ""), /[A-Za-z]/);
    assert.deepEqual(await namelessControls(page), []);
    // The site's next page is English: so is the chat, at once and after the server has answered.
    const answered = page.waitForResponse((response) => response.url().endsWith("/session"));
    await stand.tab({ page, complaints: [] }, shop, { lang: "en" });
    await answered;
    await page.getByRole("button", { name: "Close chat" }).first().waitFor();
    await page.getByText("Sent").waitFor();
    assert.equal(await page.getByText("أُرسلت").count(), 0);
    await page.context().close();
  },
);

test(
  "in Arabic the button, its window and the name in its head stand where Arabic has them, unless somebody chose a side",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop({ title: "Desert Rose" });
    const chosen = await stand.shop({ title: "Desert Rose", position: "right" });
    const isLeft = async (page: Page, selector: string) => {
      const box = await boxOf(page, selector);
      return box.x + box.width / 2 < 500;
    };
    const { page } = await stand.visit(shop, { lang: "ar" }, { reducedMotion: "reduce" });
    assert.equal(await isLeft(page, ".launcher"), true, "before the server is asked");
    const answered = page.waitForResponse((response) => response.url().endsWith("/session"));
    await page.locator(".launcher").click();
    await answered;
    await page.getByText("Desert Rose").first().waitFor();
    await page.locator(".greeting").waitFor();
    await comesTo(true, () => isLeft(page, ".launcher"));
    await comesTo(true, () => isLeft(page, ".panel"));
    // A Latin name too stands beside the face, not at the other end.
    await comesTo(true, async () => {
      const [face, name] = [await boxOf(page, ".face"), await boxOf(page, ".name bdi")];
      return face.x - (name.x + name.width) < 20;
    });
    await page.evaluate("Parley.setLocale('en')");
    await page.getByRole("button", { name: "Close chat" }).first().waitFor();
    await comesTo(false, () => isLeft(page, ".launcher"));
    await page.context().close();
    for (const [site, left] of [
      [{ lang: "ar" }, false],
      [{ lang: "en", position: "left" }, true],
    ] as const) {
      const { page: other } = await stand.visit(chosen, site, { reducedMotion: "reduce" });
      await other.locator(".launcher").click();
      await other
        .getByText("Desert Rose")
        .nth(site.lang === "ar" ? 0 : 1)
        .waitFor();
      await other.locator(".greeting").waitFor();
      await comesTo(left, () => isLeft(other, ".panel"));
      await other.context().close();
    }
  },
);

test(
  "on a phone the panel is the whole screen, nothing scrolls sideways and the keyboard does not jump up",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop({ name: "N".repeat(200) });
    for (const [width, height] of [
      [320, 568],
      [390, 780],
    ] as const) {
      const { page } = await stand.visit(
        shop,
        {},
        { viewport: { width, height }, hasTouch: true, isMobile: true },
      );
      await page.locator(".launcher").tap();
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      assert.equal(await dialog.getAttribute("aria-modal"), "true");
      assert.equal(await page.locator("textarea:focus").count(), 0);
      await write(page, `${"word".repeat(60)} https://shop.example/${"long".repeat(40)}`);
      await page.locator('.entry.mine[data-status="sent"]').waitFor();
      await stand.reply(shop, (await stand.conversations(shop)).at(-1), "a".repeat(300));
      await page.locator(".entry.theirs").waitFor();
      await inside(
        page,
        "Promise.all(root.querySelector('.panel').getAnimations().map((one) => one.finished)).then(() => 0)",
      );
      assert.deepEqual(await boxOf(page, ".panel"), { x: 0, y: 0, width, height });
      const composer = await boxOf(page, ".composer");
      assert.equal(Math.round(composer.y + composer.height), height);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth > innerWidth"), false);
      const log = 'root.querySelector(".log")';
      assert.equal(await inside(page, `${log}.scrollWidth > ${log}.clientWidth`), false);
      // Turned on its side: the launcher does not lie on the button that sends.
      await page.setViewportSize({ width: height, height: 390 });
      const hit = `((box) => root.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        .closest("button").className)(root.querySelector(".send").getBoundingClientRect())`;
      await comesTo("send", () => inside(page, hit));
      await page.getByRole("button", { name: "Close chat" }).tap();
      await page.getByRole("button", { name: "Open chat" }).waitFor();
      await page.context().close();
    }
  },
);

test(
  "by keyboard alone: opened, written, sent, closed; the focus goes along and is seen",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    // Its name, and whether it shows that it has the focus: the box by its frame, everything else by an outline.
    const focused = () =>
      inside<string>(
        page,
        `((one) => {
          if (!one) return document.activeElement.textContent;
          const style = getComputedStyle(one.closest(".line") && one.matches("textarea") ? one.closest(".line") : one);
          const seen = one.matches("textarea") ? style.borderTopColor !== "rgba(0, 0, 0, 0)" : style.outlineStyle === "solid";
          return one.getAttribute("aria-label") + (seen ? " (seen)" : "");
        })(root.activeElement)`,
      );
    const press = async (key: string, name: string) => {
      await page.keyboard.press(key);
      await comesTo(name, focused);
    };
    await press("Tab", "First link of the page");
    await press("Tab", "Open chat (seen)");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await comesTo("Message (seen)", focused);
    await page.keyboard.type("two");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("lines");
    await page.keyboard.press("Enter");
    await page.locator('.entry.mine[data-status="sent"]').waitFor();
    assert.deepEqual(
      (await stand.stored(shop)).map((one) => one.text),
      ["two\nlines"],
    );
    await press("Tab", "Send (seen)");
    await press("Tab", "Close chat (seen)");
    for (const name of ["Send", "Message", "Attach files", "Messages", "Close chat"])
      await press("Shift+Tab", `${name} (seen)`);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await comesTo("Open chat (seen)", focused);
    await page.context().close();
  },
);

test(
  "light and dark, in any colour: every word can be read and every control has its name",
  inBrowserOnly,
  async () => {
    for (const [color, colorScheme] of [
      ["#0b6b4a", "light"],
      ["#ffb000", "dark"],
      ["#777777", "light"],
      ["#e91e63", "dark"],
    ] as const) {
      const shop = await stand.shop({ color });
      const { page } = await stand.visit(shop, {}, { colorScheme, reducedMotion: "reduce" });
      await open(page);
      await say(page, "a link https://shop.example");
      const [conversation] = await stand.conversations(shop);
      await stand.reply(shop, conversation, "and another www.shop.example");
      await seen(page, "and another www.shop.example");
      await page.context().setOffline(true);
      await write(page, "written offline");
      await page.getByText("You are offline.").waitFor();
      assert.deepEqual(await contrastFaults(page), [], `${color} ${colorScheme}`);
      assert.deepEqual(await namelessControls(page), []);
      const moving = await page.evaluate("document.getAnimations().length");
      assert.equal(moving, 0, "nothing moves for those who asked for it");
      await page.context().close();
    }
  },
);
