import assert from "node:assert/strict";
import { after, before } from "node:test";
import { generateSync } from "otplib";
import type { Locator, Page } from "playwright-core";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { press, tabTo, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";

// Signing in with a second step, getting back in, and what an owner decides for everybody, in Chromium and by keyboard alone.

const PASSWORD = "correct horse battery";
const MINUTE = 60_000;
let stand: InboxStand;
const seats: Seat[] = [];
before(async () => {
  if (skip !== false) return;
  // Nothing listens there: what matters is that a mail server is set.
  stand = await InboxStand.start({ smtpUrl: "smtp://127.0.0.1:9" });
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

async function sit(email: string | null, address: string): Promise<Page> {
  const seat = await stand.sit(email, address);
  seats.push(seat);
  return seat.page;
}

const button = (at: Page | Locator, name: string) => at.getByRole("button", { name, exact: true });
const titled = (page: Page, name: string) =>
  page.getByRole("heading", { name, level: 1 }).waitFor();
const codeOf = (secret: string) =>
  generateSync({ secret, epoch: Math.floor(stand.clock.now().getTime() / 1000) });

async function giveAddress(page: Page, email: string): Promise<void> {
  await typeInto(page.getByLabel("Email"), email);
  await typeInto(page.getByLabel("Password"), PASSWORD);
  await press(button(page, "Sign in"));
}

/** Switches two-factor on at the page that asks for it. Gives the secret and the recovery codes. */
async function secure(page: Page) {
  await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
  const secret = await page.getByRole("textbox", { name: /type this key/ }).inputValue();
  await typeInto(page.getByRole("textbox", { name: "Code", exact: true }), codeOf(secret));
  await press(button(page, "Switch on"));
  const list = page.getByRole("list", { name: "Recovery codes" });
  await list.getByRole("listitem").nth(9).waitFor();
  const codes = await list.getByRole("listitem").allInnerTexts();
  assert.equal(codes.length, 10);
  await press(button(page, "I have kept them"));
  return { secret, codes };
}

inBrowser(
  "two-factor is set up by scanning, then a code or a recovery code signs in, each once",
  async () => {
    const email = await stand.member("Olga", "owner");
    const page = await sit(email, "/settings/security?lang=en");
    await press(button(page, "Set up two-factor"));
    const { secret, codes } = await secure(page);
    await page.getByText("10 recovery codes are left.").waitFor();

    const [paper = ""] = codes;
    for (const works of [true, false]) {
      const other = await sit(null, "/sign-in?lang=en");
      await giveAddress(other, email);
      await press(button(other, "Use a recovery code"));
      await typeInto(other.getByRole("textbox", { name: "Recovery code" }), paper);
      await press(button(other, "Verify"));
      if (works) await other.waitForURL("**/inbox/mine");
      else
        await other
          .getByRole("alert")
          .getByText(/wrong, or it was used/)
          .waitFor();
    }

    const visitor = await sit(null, "/sign-in?lang=en&next=/settings/security");
    await giveAddress(visitor, email);
    await titled(visitor, "Two-factor code");
    const code = visitor.getByRole("textbox", { name: "Code", exact: true });
    // The code that switched it on is used up.
    await typeInto(code, codeOf(secret));
    await press(button(visitor, "Verify"));
    await visitor
      .getByRole("alert")
      .getByText(/wrong, or it was used/)
      .waitFor();
    await comesTo("", () => code.inputValue());
    // It says nothing of a recovery code.
    await press(button(visitor, "Use a recovery code"));
    await visitor.getByRole("textbox", { name: "Recovery code" }).waitFor();
    await visitor.getByRole("alert").waitFor({ state: "detached" });
    await press(button(visitor, "Use the app instead"));
    stand.clock.advance(30_000);
    await typeInto(code, codeOf(secret));
    await press(button(visitor, "Verify"));
    await titled(visitor, "Security");

    // Sessions end one by one, and all others at once: this browser's stays.
    const sessions = visitor.getByRole("table", { name: "Sessions" });
    await sessions.getByRole("row").nth(3).waitFor();
    await press(button(sessions, "End").first());
    await visitor.getByText("1 session ended.").waitFor();
    await sessions.getByRole("row").nth(3).waitFor({ state: "detached" });
    await press(button(visitor, "End all others"));
    await sessions.getByRole("row").nth(2).waitFor({ state: "detached" });
    await press(button(visitor, "New recovery codes"));
    const asking = visitor.getByRole("alertdialog", { name: "Make new recovery codes?" });
    await press(button(asking, "New recovery codes"));
    const fresh = visitor.getByRole("list", { name: "Recovery codes" });
    assert.equal((await fresh.innerText()).includes(paper), false);
    await press(button(visitor, "I have kept them"));
    await tabTo(button(visitor, "Switch off"));
  },
);

inBrowser(
  "a forgotten password is asked for by mail, and a link that an admin made sets a new one",
  async () => {
    const boss = await stand.member("Amal", "owner");
    const email = await stand.member("Rana", "agent");
    const page = await sit(null, "/sign-in?lang=en");
    await press(page.getByRole("link", { name: "Forgot your password?" }));
    await titled(page, "Forgot your password?");
    await typeInto(page.getByRole("textbox", { name: "Email" }), "nobody@shop.example");
    await press(button(page, "Send reset link"));
    await page
      .getByRole("status")
      .getByText(/If nobody@shop.example has an account/)
      .waitFor();

    const team = await sit(boss, "/settings/team?lang=en");
    await press(button(team, "Actions for Rana"));
    await press(team.getByRole("menuitem", { name: "Make password link" }));
    const link = await team.getByRole("textbox", { name: "Link" }).inputValue();
    const reset = async () => {
      await page.goto(link);
      // The link may be a new member's first: the words fit both.
      await page.getByRole("heading", { name: "Choose your password" }).waitFor();
      await typeInto(page.getByLabel("New password"), "a quite new password");
      await press(button(page, "Save password"));
    };
    await reset();
    await page
      .getByRole("status")
      .getByText(/^Sign in with it\./)
      .waitFor();
    await reset();
    await page
      .getByRole("alert")
      .getByText(/used already or has run out/)
      .waitFor();
    await page.goto("/sign-in?lang=en");
    await typeInto(page.getByLabel("Email"), email);
    await typeInto(page.getByLabel("Password"), "a quite new password");
    await press(button(page, "Sign in"));
    await page.waitForURL("**/inbox/mine");
  },
);

inBrowser(
  "an owner requires two-factor, and deletes the workspace after giving the password again",
  async () => {
    const owner = await stand.member("Nora", "owner");
    const agent = await stand.member("Ziad", "agent");
    const page = await sit(owner, "/settings/workspace?lang=en");
    await typeInto(page.getByLabel("Workspace name"), "Corner shop");
    await press(button(page, "Save name"));
    await page.getByRole("status").getByText("Saved.").waitFor();
    await press(page.getByRole("switch", { name: "Require two-factor of every member" }), "Space");
    const required = page.waitForResponse("**/api/app/workspace");
    await press(button(page, "Require"));
    assert.equal((await required).status(), 200);
    // The next page that a member opens is the set-up, and nothing else is open.
    const led = await sit(agent, "/inbox/mine?lang=en");
    await titled(led, "Set up two-factor");
    await led.goto("/settings/profile");
    await titled(led, "Set up two-factor");
    await secure(led);
    await led.waitForURL("**/inbox/mine");

    // The page loads itself again when it hears of the rule, which may be at this moment.
    const openAgain = () => page.goto("/settings/workspace?lang=en");
    await openAgain().catch(openAgain);
    await titled(page, "Set up two-factor");
    await secure(page);
    await page.waitForURL("**/inbox/mine");
    await page.goto("/settings/workspace?lang=en");
    stand.clock.advance(11 * MINUTE);
    await press(button(page, "Delete workspace"));
    const dialog = page.getByRole("alertdialog", { name: "Delete Corner shop?" });
    const verb = dialog.getByRole("button", { name: "Delete workspace" });
    assert.equal(await verb.isDisabled(), true);
    await typeInto(dialog.getByRole("textbox"), "Corner shop");
    await press(verb);
    const proof = page.getByRole("dialog", { name: "Confirm that it is you" });
    await press(button(proof, "Cancel"));
    await dialog
      .getByRole("alert")
      .getByText(/Nothing was changed/)
      .waitFor();
    await press(verb);
    await typeInto(proof.getByLabel("Password"), "not the password");
    await press(button(proof, "Confirm"));
    await proof.getByRole("alert").waitFor();
    await typeInto(proof.getByLabel("Password"), PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sign-in**");
    // The other member's page is told, and goes there by itself.
    await titled(led, "Sign in");
  },
);

inBrowser("no console complained, and no page asked another host", () => {
  for (const { complaints, foreign } of seats) {
    assert.deepEqual(foreign, []);
    // What was refused on purpose is told by the console, too.
    assert.deepEqual(
      complaints.filter((one) => !/status of (401|403|404) /.test(one)),
      [],
    );
  }
});
