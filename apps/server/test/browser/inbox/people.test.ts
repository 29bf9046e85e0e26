import assert from "node:assert/strict";
import { after, before } from "node:test";
import { skip } from "../stand.ts";
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
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    assert.match(await page.getByRole("alert").innerText(), /Address or password is wrong/);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Security", level: 1 }).waitFor();
    assert.equal(await page.getByRole("table", { name: "Sessions" }).isVisible(), true);
  },
);

inBrowser("a sign-in never leads to another host", async () => {
  const email = await stand.member("Nora", "agent");
  const { page, foreign } = await stand.sit(null, "/sign-in?next=//evil.example/&lang=en");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/inbox/mine");
  assert.deepEqual(foreign, []);
});

inBrowser(
  "an invited agent joins by the link, in Arabic, and the team's page is not theirs",
  async () => {
    const owner = await stand.sit(await stand.member("Amal", "owner"), "/settings/team?lang=en");
    await owner.page.getByRole("button", { name: "Invite", exact: true }).click();
    const dialog = owner.page.getByRole("dialog", { name: "Invite" });
    await dialog.getByLabel("Email").fill("rana@shop.example");
    await dialog.getByRole("button", { name: "Create invitation" }).click();
    const link = await owner.page.getByRole("textbox", { name: "Link" }).inputValue();
    const guest = await stand.sit(null, `${link}?lang=ar`);
    await guest.page.getByLabel("اسمك").fill("رنا");
    await guest.page.getByLabel("كلمة المرور").fill(PASSWORD);
    await guest.page.getByRole("button", { name: "الانضمام إلى مساحة العمل" }).click();
    await guest.page.waitForURL("**/inbox/mine");
    await guest.page.goto("/settings/team?lang=en");
    await guest.page.getByRole("heading", { name: "You do not have access" }).waitFor();
    const settings = guest.page.getByRole("navigation", { name: "Settings" });
    assert.deepEqual(await settings.getByRole("link").allInnerTexts(), [
      "Profile",
      "Security",
      "Notifications",
      "Saved replies",
    ]);
  },
);

inBrowser(
  "language and theme of the account's menu stay with the member, and the keys lead from every page",
  async () => {
    const { page } = await stand.sit(await stand.member("Salma", "agent"), "/contacts");
    const choose = async (menu: string, item: string) => {
      await page.getByRole("button", { name: menu, exact: true }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await choose("Account", "Language");
    await page.locator("html[lang=ar] h1").waitFor();
    await choose("الحساب", "المظهر");
    await page.locator("html[data-theme=dark]").waitFor();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.reload();
    await page.locator("html[lang=ar][data-theme=dark] h1").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.waitForURL("**/campaigns");
    await page.getByRole("heading", { level: 1, name: "الحملات" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await page.waitForURL("**/inbox/mine");
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
