import assert from "node:assert/strict";
import { after, before } from "node:test";
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
    await typeInto(page.getByLabel("Email"), email);
    await typeInto(page.getByLabel("Password"), "not the password");
    await press(page.getByRole("button", { name: "Sign in" }));
    assert.match(await page.getByRole("alert").innerText(), /Address or password is wrong/);
    await typeInto(page.getByLabel("Password"), PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Security", level: 1 }).waitFor();
    assert.equal(await page.getByRole("table", { name: "Sessions" }).isVisible(), true);
  },
);

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
