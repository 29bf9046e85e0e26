import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { skip } from "../stand.ts";
import { press, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

let stand: InboxStand;
let seat: Seat;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  seat = await stand.sit(await stand.member("Amal", "owner"), "/bots?lang=en");
});
after(() => stand?.[Symbol.asyncDispose]());

/** Pictures for whoever looks at the pages, in the folder that SHOTS names. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (folder === undefined) return;
  const address = new URL(page.url());
  for (const [lang, theme, width] of [
    ["en", "light", 1440],
    ["ar", "dark", 1440],
    ["ar", "light", 390],
    ["en", "dark", 390],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${address.pathname}?lang=${lang}&theme=${theme}`);
    await page.locator("h1").waitFor();
    await page.waitForLoadState("networkidle");
    await page.screenshot({
      path: `${folder}/${name}-${lang}-${theme}-${width}.png`,
      fullPage: true,
    });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${address.pathname}?lang=en&theme=light`);
}

inBrowser(
  "an owner builds a flow from a template by keyboard, tries it, publishes it, and a customer talks to it",
  async () => {
    const { page } = seat;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const box = (name: string) => page.getByRole("textbox", { name, exact: true });
    await press(button("New bot"));
    await page.getByRole("menuitem", { name: "Flow", exact: true }).press("Enter");
    await page.getByRole("radio", { name: "Opening hours" }).check({ force: true });
    assert.equal(await box("Name").inputValue(), "Opening hours");
    await press(button("Create"));
    await page.getByRole("heading", { name: "Opening hours", level: 1 }).waitFor();
    const steps = page.getByRole("list", { name: "Steps", exact: true });
    const item = (name: string) => steps.getByRole("listitem", { name, exact: true });
    assert.equal(await item("Send, We are open").getAttribute("aria-level"), "2");
    const { pathname } = new URL(page.url());
    await shoot(page, "flow");

    // The phone is beside the steps, and marks the step that speaks.
    const phone = page.getByRole("region", { name: "Preview", exact: true });
    await typeInto(phone.getByRole("textbox", { name: "Say", exact: true }), "Hello");
    await page.keyboard.press("Enter");
    const log = phone.getByRole("log", { name: "Phone" });
    await log.getByText("Hello Sara! We are open now.").waitFor();
    await page
      .locator('[role=listitem][aria-current="step"][aria-label="Choose, Anything else?"]')
      .waitFor();
    await press(log.getByRole("button", { name: "No, thank you" }));
    await log.getByText("The flow ends").waitFor();

    // By the keys of the list: to the second step, down and up in its order, a new step, and away again.
    // Who puts the focus on a step finds its keys.
    await item("Branch, Are we open?").focus();
    await page.keyboard.press("Enter");
    await box("Text, English").first().waitFor({ state: "detached" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    // A step that keeps it from being published is named as the list names it.
    const [english, arabic] = [box("Text, English"), box("Text, Arabic")];
    const before = await arabic.inputValue();
    for (const field of [english, arabic]) await field.fill("");
    await press(button("Publish"));
    const dialog = page.getByRole("dialog", { name: "Publish Opening hours" });
    await dialog.getByText("We are open", { exact: true }).waitFor();
    await press(dialog.getByRole("button", { name: "Cancel", exact: true }));
    await arabic.fill(before);
    await english.fill("We are open until nine.");
    await button("Edit We are open").press("Alt+ArrowUp");
    await page.waitForFunction(
      "document.querySelector('[role=listitem]')?.getAttribute('aria-label') === 'Send, We are open'",
    );
    await page.keyboard.press("Control+z");
    await page.waitForFunction(
      "document.querySelector('[role=listitem]')?.getAttribute('aria-label') === 'Branch, Are we open?'",
    );
    await page.getByRole("status").getByText("The last change is undone.").waitFor();
    await press(button("Add step"));
    await page.getByRole("option", { name: "Note" }).press("Enter");
    await page.getByRole("status").getByText("1 problem", { exact: true }).waitFor();
    await item("Note, note").getByRole("alert").getByText("Fill this in.").waitFor();
    await shootWithout(page, "flow-edit");
    await button("Edit note").press("Delete");
    await page.getByRole("status").getByText("No problems").waitFor();

    // What is not saved is not left without a question.
    await press(page.getByRole("link", { name: "Bots", exact: true }).last());
    await press(page.getByRole("alertdialog").getByRole("button", { name: "Cancel", exact: true }));
    await press(button("Save draft"));
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    await press(button("Publish"));
    await press(
      page
        .getByRole("dialog", { name: "Publish Opening hours" })
        .getByRole("button", { name: "Publish", exact: true }),
    );
    await page.getByRole("status").getByText("Version 1 is published").waitFor();
    await stand.say("hello");
    await stand.settle();
    const said = stand.shop.line
      .thread({ customer: "96550001234", limit: 20 })
      .flatMap((one) => (one.kind === "message" && one.by === "business" ? [one.text ?? ""] : []));
    assert.equal(said[0], "We are open until nine.");
    assert.match(said[1] ?? "", /^Can we do anything else for you\?/);

    await shootTabs(page);
    assert.deepEqual(seat.complaints, []);
    assert.deepEqual(await faultsOfLooks(page, ["/bots", pathname]), []);
  },
);

inBrowser(
  "an answer is also kept at the contact, and a branch asks for a segment; both in the words of the page",
  async () => {
    const at = await stand.sit(await stand.member("Rana", "owner"), "/bots?lang=en");
    const { page } = at;
    const post = async (path: string, data: object): Promise<string> => {
      const answer = await page.request.post(`/api/app${path}`, {
        headers: { "x-parley": "1" },
        data,
      });
      assert.ok(answer.ok(), await answer.text());
      return ((await answer.json()) as { id: string }).id;
    };
    await post("/segments", { name: "VIPs", definition: { match: "all", rules: [] } });
    const end = { type: "end" };
    const id = await post("/bots", {
      document: {
        format: 1,
        kind: "flow",
        name: "Lead",
        entry: "mail",
        steps: {
          mail: { type: "ask", text: { en: "Your e-mail?" }, into: "mail", next: "who" },
          who: { type: "branch", cases: [{ if: { hours: "open" }, next: "z" }], next: "z" },
          z: end,
        },
      },
    });
    await page.goto(`/bots/${id}?lang=en`);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const choice = (name: string) => page.getByRole("combobox", { name, exact: true });
    await button("Edit mail").click();
    await choice("Also keep it at the contact").selectOption("Attribute");
    await page.getByRole("textbox", { name: "Name of the attribute" }).fill("mail");
    await choice("Also keep it at the contact").selectOption("E-mail");
    await page
      .getByRole("textbox", { name: "Name of the attribute" })
      .waitFor({ state: "detached" });
    await shootWithout(page, "keep");
    await button("Edit who").click();
    await choice("If").selectOption("Segment of the contact");
    await choice("Segment").selectOption("VIPs");
    await shootWithout(page, "segment");
    await button("Save draft").click();
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    assert.deepEqual((await stand.draftOf(id))["steps"], {
      mail: {
        type: "ask",
        text: { en: "Your e-mail?" },
        as: "email",
        into: "mail",
        field: "email",
        next: "who",
      },
      who: { type: "branch", cases: [{ if: { segment: "VIPs" }, next: "z" }], next: "z" },
      z: end,
    });
    const phone = page.getByRole("region", { name: "Preview", exact: true });
    for (const words of ["Hello", "Sara@Shop.example"]) {
      await phone.getByRole("textbox", { name: "Say", exact: true }).fill(words);
      await page.keyboard.press("Enter");
    }
    await phone.getByText("Keeps at the contact, as E-mail: sara@shop.example").waitFor();
    assert.deepEqual(at.complaints, []);
  },
);

async function shootTabs(page: Page): Promise<void> {
  if (process.env["SHOTS"] === undefined) return;
  await page.getByRole("tab", { name: "Triggers" }).click();
  await shootWithout(page, "triggers");
  await page.getByRole("tab", { name: "Steps" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("button", { name: "Hello", exact: true }).click();
  await page.getByRole("button", { name: "No, thank you" }).waitFor();
  await shootWithout(page, "sheet");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Edit Anything else?" }).click();
  await shootWithout(page, "form-390");
  await page.setViewportSize({ width: 1440, height: 900 });
  await shootWithout(page, "form-1440");
  await page.goto("/bots?lang=ar&theme=dark");
  await page.getByRole("button", { name: "روبوت جديد" }).click();
  await page.getByRole("menuitem", { name: "مسار" }).click();
  await page.getByRole("radio").first().waitFor();
  await shootWithout(page, "new-ar");
  await page.goto("/bots?lang=en&theme=light");
  await page.getByRole("button", { name: "New bot" }).click();
  await page.getByRole("menuitem", { name: "External" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Orders");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Address" }).waitFor();
  const { pathname } = new URL(page.url());
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByRole("alert").first().waitFor();
  await shootWithout(page, "external");
  await page.goto(`${pathname}?lang=ar&theme=dark`);
  await page.locator("h1").waitFor();
  await page.waitForLoadState("networkidle");
  await shootWithout(page, "external-ar");
  await page.goBack();
  await page.goBack();
  await page.goBack();
}

async function shootWithout(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
