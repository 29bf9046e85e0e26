import assert from "node:assert/strict";
import { after, before } from "node:test";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
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

inBrowser("an owner gives an AI bot topics, a look-up, a model and a procedure", async () => {
  await stand.liveFlow();
  const id = await stand.liveBot();
  const { page } = seat;
  await page.goto(`/bots/${id}?lang=en`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  // What it answers from is the workspace's, and is named here.
  await stand.snippet("Delivery", "We deliver within two days.");
  await tab("Knowledge").click();
  await page
    .getByRole("list", { name: "Sources" })
    .getByRole("link", { name: "Delivery" })
    .waitFor();
  await page.getByRole("link", { name: "Open the knowledge" }).waitFor();
  await tab("Profile").click();
  await button("Add topic").click();
  const topic = page.getByRole("list", { name: "Topics", exact: true }).getByRole("listitem");
  await topic.getByRole("textbox", { name: "Name", exact: true }).fill("Complaints");
  await topic.getByRole("switch", { name: "Never answer" }).press("Space");

  const lookups = page.getByRole("group", { name: "Look-ups", exact: true });
  await lookups.getByRole("button", { name: "Add look-up", exact: true }).click();
  const fields = lookups.getByRole("listitem", { name: "Look-up 1", exact: true });
  const box = (name: string) => fields.getByRole("textbox", { name, exact: true }).first();
  await box("Name").fill("order_status");
  await box("Address").fill("https://shop.example/order");
  await box("Description").fill("Where an order is, by its number.");
  await fields.getByRole("button", { name: "Add value", exact: true }).click();
  const value = fields.getByRole("listitem", { name: "Value 1", exact: true });
  await value.getByRole("textbox", { name: "Name", exact: true }).fill("number");
  await fields.getByRole("button", { name: "Test look-up", exact: true }).click();
  await box("Value of number").fill("1042");
  await fields.getByRole("button", { name: "Test look-up", exact: true }).click();
  // What signs it is not there yet, so nothing is posted.
  await fields.getByRole("alert").getByText("make the secret first").waitFor();
  const model = page.getByRole("combobox", { name: "Model", exact: true });
  await model.selectOption("obey");

  await tab("Procedures").click();
  await button("Add procedure").click();
  const procedure = page.getByRole("listitem", { name: "Procedure 1", exact: true });
  await procedure.getByRole("combobox", { name: "Flow" }).selectOption("Shop assistant");
  await procedure
    .getByRole("textbox", { name: "When to begin it" })
    .fill("The customer wants to cancel an order.");
  await button("Save draft").click();
  await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
  const { topics, lookups: kept, model: named, procedures } = await stand.draftOf(id);
  assert.deepEqual(topics, [{ name: "Complaints", never: true }]);
  assert.deepEqual(kept, [
    {
      name: "order_status",
      description: "Where an order is, by its number.",
      url: "https://shop.example/order",
      arguments: [{ name: "number", type: "text" }],
    },
  ]);
  assert.equal(named, "obey");
  assert.deepEqual(procedures, [
    { flow: "Shop assistant", when: "The customer wants to cancel an order." },
  ]);
  assert.deepEqual(seat.complaints, []);
  if (process.env["SHOTS"]) await shots(id);
  assert.deepEqual(await faultsOfLooks(page, [`/bots/${id}`, `/bots/${id}?again=1`]), []);
});

inBrowser("on a phone the tabs fade where more follow, and the chosen one is in view", async () => {
  const id = await stand.liveBot();
  const { page } = seat;
  await page.setViewportSize({ width: 390, height: 844 });
  for (const lang of ["en", "ar"]) {
    await page.goto(`/bots/${id}?lang=${lang}`);
    const row = page.getByRole("tablist");
    const fades = (ends: string) => page.locator(`[role=tablist][data-more="${ends}"]`).waitFor();
    await fades("end");
    // The keyboard chooses it, as a tap on a tab that is half in view does.
    await row.getByRole("tab").first().press("End");
    await fades("start");
    await comesTo(true, () =>
      row.getByRole("tab", { selected: true }).evaluate((tab) => {
        const { left, right } = tab.getBoundingClientRect();
        return left >= 0 && right <= 390;
      }),
    );
    await row.getByRole("tab").first().press("Home");
    await fades("end");
  }
});

/** Pictures for whoever changes these pages, where `SHOTS` names a folder. */
async function shots(id: string): Promise<void> {
  const { page } = seat;
  for (const [lang, theme, width] of [
    ["en", "light", 1440],
    ["ar", "dark", 1440],
    ["en", "dark", 390],
    ["ar", "light", 390],
  ] as const) {
    // The page scrolls within its frame.
    await page.setViewportSize({ width, height: 3_400 });
    await page.goto(`/bots/${id}?lang=${lang}&theme=${theme}`);
    await page.getByRole("tab").first().waitFor();
    for (const at of [0, 2]) {
      await page.getByRole("tab").nth(at).click();
      await page.locator(".bots-items").first().waitFor();
      const path = `${process.env["SHOTS"]}/ai-${lang}-${theme}-${width}-${at}.png`;
      await page.screenshot({ path, fullPage: true });
    }
  }
}
