import assert from "node:assert/strict";
import { after, before } from "node:test";
import { gzipSync } from "node:zlib";
import type { Locator } from "playwright-core";
import { skip } from "../stand.ts";
import { press, tabTo, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

// The pages of people, in Chromium: signing in, inviting, joining, and what a role opens.

const PASSWORD = "correct horse battery";
let stand: InboxStand;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

inBrowser(
  "a wrong password is refused in words, the right one leads to the page that was asked for",
  async () => {
    const email = await stand.member("Olga", "owner");
    const { page } = await stand.sit(null, "/settings/security?lang=en");
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    assert.equal(await page.getByText("Your session has ended").count(), 0);
    const beyond = "document.documentElement.scrollHeight - innerHeight";
    assert.equal(await page.evaluate(beyond), 0, "an entry page scrolls by its margin");
    await typeInto(page.getByLabel("Email"), email);
    await typeInto(page.getByLabel("Password"), "not the password");
    await press(page.getByRole("button", { name: "Sign in" }));
    await page.getByRole("alert").getByText("Address or password is wrong").waitFor();
    await typeInto(page.getByLabel("Password"), PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Security", level: 1 }).waitFor();
    await page.getByRole("table", { name: "Sessions" }).waitFor();
  },
);

inBrowser(
  "a button stays under the mouse when the press that leaves a field shows or removes its fault",
  async () => {
    const { page } = await stand.sit(await stand.member("Zeina", "owner"), "/contacts?lang=en");
    await page.getByRole("button", { name: "New contact" }).click();
    const contact = page.getByRole("dialog", { name: "New contact" });
    const mail = contact.getByLabel("Email");
    const save = contact.getByRole("button", { name: "Create contact" });
    /** Presses as a hand does: what stands below the mouse when the button goes up is what was pressed. */
    const pressSeeing = async (target: Locator, seen: () => Promise<void>) => {
      const before = await target.boundingBox();
      assert.ok(before !== null);
      await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
      await page.mouse.down();
      await seen();
      assert.deepEqual(await target.boundingBox(), before);
      await page.mouse.up();
    };
    const fault = contact.getByText("Write an email address, such as name@shop.example.");
    // A font that arrives changes how high lines are.
    await page.evaluate("document.fonts.ready.then(() => undefined)");
    await mail.fill("zeina@");
    await pressSeeing(save, () => fault.waitFor());
    // It was pressed: the field with the fault has the focus.
    await mail.and(page.locator(":focus")).waitFor();
    await mail.fill("zeina@shop.example");
    await pressSeeing(save, () => fault.waitFor({ state: "hidden" }));
    await contact.waitFor({ state: "detached" });
  },
);

inBrowser(
  "sign-in and inbox together ask for at most 200 kB of scripts, gzipped, and the console stays empty",
  async () => {
    const email = await stand.member("Widad", "owner");
    await stand.conversation("96550004711", "Sara");
    const { page, complaints } = await stand.sit(null, "/forgot?lang=en", { fresh: true });
    const scripts = new Set<string>();
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith(".js")) scripts.add(pathname);
    });
    await page.goto("/sign-in");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Mine", level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    let sum = 0;
    for (const script of scripts)
      sum += gzipSync(await (await page.request.get(script)).body(), { level: 9 }).length;
    assert.ok(sum > 100_000, `${sum}: not all scripts were seen`);
    assert.ok(sum <= 200_000, `${sum} bytes`);
    assert.deepEqual(complaints, []);
  },
);

inBrowser(
  "without a mail server a forgotten password is asked of the owners, who see it and make a link",
  async () => {
    const boss = await stand.member("Shirin", "owner");
    const email = await stand.member("Faten", "agent");
    const { page } = await stand.sit(null, "/forgot?lang=en", { fresh: true });
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("button", { name: "Send reset link" }).click();
    await page.getByRole("status").getByText(`If ${email} has an account here`).waitFor();
    await stand.settle();
    const { page: desk } = await stand.sit(boss, "/inbox/mine?lang=en");
    await desk.getByRole("button", { name: /^Notifications, 1 unread$/ }).click();
    await desk.getByText("Faten needs a new password").click();
    await desk.waitForURL("**/settings/team");
  },
);

inBrowser("a page that an agent's role does not open says so, without an error", async () => {
  const email = await stand.member("Faris", "agent");
  const { page, complaints } = await stand.sit(email, "/usage?lang=en");
  const settings = ["team", "channels", "sms", "ai", "api-keys", "webhooks", "limits", "audit-log"];
  for (const path of ["/usage", ...settings.map((name) => `/settings/${name}`)]) {
    await page.goto(path);
    await page.getByRole("heading", { name: "You do not have access", level: 1 }).waitFor();
    assert.deepEqual(complaints, [], path);
  }
});

inBrowser("a sign-in never leads to another host", async () => {
  const email = await stand.member("Nora", "agent");
  const { page, foreign } = await stand.sit(null, "/sign-in?next=//evil.example/&lang=en");
  await typeInto(page.getByLabel("Email"), email);
  await typeInto(page.getByLabel("Password"), PASSWORD);
  await press(page.getByRole("button", { name: "Sign in" }));
  await page.waitForURL("**/inbox/mine");
  assert.deepEqual(foreign, []);
});

inBrowser(
  "by keyboard alone: an invited agent joins by the link, in Arabic; the team's page is not theirs; an owner changes their role and shuts them out",
  async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const email = await stand.member("Amal", "owner");
    const owner = await stand.sit(email, "/settings/team?lang=en", { permissions });
    const button = (name: string) => owner.page.getByRole("button", { name, exact: true });
    const dialog = owner.page.getByRole("dialog", { name: "Invite" });
    const invite = async (address: string) => {
      await press(button("Invite"));
      await typeInto(dialog.getByLabel("Email"), address);
      await press(dialog.getByRole("button", { name: "Create invitation" }));
    };
    await invite("rana@shop.example");
    const link = await owner.page.getByRole("textbox", { name: "Link" }).inputValue();
    await press(button("Copy"));
    await owner.page.getByText("Copied.").waitFor();
    assert.equal(await owner.page.evaluate("navigator.clipboard.readText()"), link);
    await press(button("Done"));
    const guest = await stand.sit(null, `${link}?lang=ar`);
    await typeInto(guest.page.getByLabel("اسمك"), "رنا");
    await typeInto(guest.page.getByLabel("كلمة المرور"), PASSWORD);
    await press(guest.page.getByRole("button", { name: "الانضمام إلى مساحة العمل" }));
    await guest.page.waitForURL("**/inbox/mine");
    await guest.page.goto("/settings/team?lang=en");
    await guest.page.getByRole("heading", { name: "You do not have access" }).waitFor();
    const settings = guest.page.getByRole("navigation", { name: "Settings" });
    await settings.getByRole("link", { name: "Saved replies" }).waitFor();
    assert.deepEqual(await settings.getByRole("link").allInnerTexts(), [
      "Profile",
      "Security",
      "Notifications",
      "Saved replies",
    ]);

    await invite("nobody@shop.example");
    await press(button("Done"));
    const invited = owner.page.getByRole("table", { name: "Invitations" });
    const nobody = invited.getByRole("row", { name: /^nobody@/ });
    await press(nobody.getByRole("button", { name: "New link" }));
    const renewed = await owner.page.getByRole("textbox", { name: "Link" }).inputValue();
    assert.ok(renewed.includes("/invite/") && renewed !== link);
    await press(button("Done"));
    await press(nobody.getByRole("button", { name: "Withdraw" }));
    await nobody.waitFor({ state: "detached" });
    await tabTo(button("Invite"));
    const rana = owner.page.getByRole("row").filter({ hasText: "rana@shop.example" });
    const act = async (wish: string) => {
      await press(rana.getByRole("button", { name: "Actions for رنا" }));
      await press(owner.page.getByRole("menuitem", { name: wish }));
    };
    await act("Make admin");
    await rana.getByText("Admin", { exact: true }).waitFor();
    // New rights begin with a new session: the person who worked in the old one is told so.
    await guest.page.getByText("Your session has ended").waitFor();
    await act("Disable");
    const asking = owner.page.getByRole("alertdialog", { name: "Disable رنا" });
    await press(asking.getByRole("button", { name: "Disable" }));
    await rana.getByText("Disabled", { exact: true }).waitFor();
    await act("Enable");
    await rana.getByText("Active", { exact: true }).waitFor();
  },
);

inBrowser(
  "language and theme of the account's menu stay with the member, and the keys lead from every page",
  async () => {
    const { page } = await stand.sit(await stand.member("Salma", "agent"), "/contacts");
    const choose = async (menu: string, item: string) => {
      await press(page.getByRole("button", { name: menu, exact: true }));
      await press(page.getByRole("menuitem", { name: item }));
    };
    await choose("Account", "Language");
    await page.locator("html[lang=ar] h1").waitFor();
    const saved = page.waitForResponse("**/api/app/settings/me");
    await choose("الحساب", "المظهر");
    await page.locator("html[data-theme=dark]").waitFor();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await saved;
    await page.reload();
    await page.locator("html[lang=ar][data-theme=dark] h1").waitFor();
    // Both keys at once, as a hand presses them: the second one counts for a second and a half.
    const go = (to: string) => Promise.all(["g", to].map((key) => page.keyboard.press(key)));
    await go("p");
    await page.waitForURL("**/campaigns");
    await page.getByRole("heading", { level: 1, name: "الحملات" }).waitFor();
    await go("m");
    await page.waitForURL("**/inbox/mine");
  },
);

inBrowser(
  "the navigation of a low window scrolls as one, its groups fold and stay so; a narrow one says the names of its signs",
  async () => {
    const email = await stand.member("Basma", "owner");
    const viewport = { width: 1366, height: 657 };
    const { page } = await stand.sit(email, "/contacts?lang=en", { viewport });
    const main = page.getByRole("navigation", { name: "Main" });
    await page.locator(".side").getByText("Shop", { exact: true }).waitFor();
    const inner = await main.evaluate(
      (nav) =>
        [...nav.querySelectorAll("*")].filter((one) => one.scrollHeight > one.clientHeight + 8)
          .length,
    );
    assert.equal(inner, 0, "something scrolls inside what scrolls");
    for (const link of await main.getByRole("link").all()) await link.click({ trial: true });
    const channel = main.getByRole("link", { name: "WhatsApp sandbox" });
    await main.getByText("Channels", { exact: true }).click();
    await channel.waitFor({ state: "hidden" });
    await page.reload();
    await main.getByRole("link", { name: "Mine" }).waitFor();
    assert.equal(await channel.isVisible(), false);
    await main.getByText("Channels", { exact: true }).click();
    await channel.waitFor();

    await page.setViewportSize({ width: 1024, height: 700 });
    await main.getByRole("link", { name: "Snoozed" }).hover();
    await page.locator(".side-tip", { hasText: "Snoozed" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".side-tip").waitFor({ state: "detached" });
    await stand.say("hello");
    await main.locator(".side-count").first().waitFor();
  },
);

inBrowser(
  "axe finds nothing serious on the pages of settings, in both languages and themes",
  async () => {
    const { page } = await stand.sit(await stand.member("Huda", "owner"), "/settings/profile");
    const pages = [
      "profile",
      "security",
      "notifications",
      "workspace",
      "team",
      "labels",
      "saved-replies",
      "opt-out-words",
      "api-keys",
      "webhooks",
      "limits",
      "audit-log",
    ];
    const routes = [...pages.map((name) => `/settings/${name}`), "/search?q=hello"];
    assert.deepEqual(await faultsOfLooks(page, routes), []);
  },
);
