import assert from "node:assert/strict";
import { after, before } from "node:test";
import { skip } from "../stand.ts";
import { press, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

let stand: InboxStand;
let seat: Seat;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  seat = await stand.sit(await stand.member("Amal", "owner"), "/knowledge?lang=en");
});
after(() => stand?.[Symbol.asyncDispose]());

inBrowser(
  "by keyboard alone: a snippet and a file are added and found, a question is answered and found by its words",
  async () => {
    const { page } = seat;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const box = (name: string) => page.getByRole("textbox", { name, exact: true });
    await stand.gap("Do you repair bicycles?");
    await page.getByText("No sources yet").waitFor();
    await press(button("New snippet"));
    await typeInto(box("Title"), "Delivery");
    await typeInto(box("Text, English"), "We deliver within 2 days.");
    await typeInto(box("Text, Arabic"), "نوصل خلال يومين.");
    await press(button("Save"));
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("Delivery").getByText("Ready").waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      button("Upload files").click(),
    ]);
    await chooser.setFiles({
      name: "parking.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("The garage has two floors."),
    });
    await row("parking").waitFor();
    await page.getByRole("searchbox", { name: "Try a question" }).fill("how fast do you deliver");
    await press(button("Find"));
    const found = page.getByRole("list", { name: "Found" });
    await found.getByText("We deliver within 2 days.").waitFor();
    await found.getByText("deliver", { exact: true }).first().waitFor();

    await page.getByRole("tab", { name: "Gaps" }).click();
    await row("Do you repair bicycles?").getByText("No source").waitFor();
    await press(button("Answer it"));
    await typeInto(box("Answer"), "The workshop is in Shuwaikh.");
    await press(button("Save"));
    await page.getByText("No questions without an answer").waitFor();
    await page.getByRole("searchbox", { name: "Try a question" }).fill("repair bicycles");
    await press(button("Find"));
    await found.getByText("The workshop is in Shuwaikh.").waitFor();

    // A model proposes questions, and a member keeps one.
    await page.getByRole("tab", { name: "Sources" }).click();
    await row("Delivery").getByRole("link").click();
    await button("Suggest questions").click();
    const proposed = page.getByRole("list", { name: "Suggested questions" });
    await proposed.getByRole("checkbox").first().press("Space");
    await button("Add the ticked ones").click();
    await page.getByLabel("Valid until").fill("2099-12-31");
    await button("Save").click();
    await page.getByRole("term").filter({ hasText: "Valid until" }).waitFor();
    await page.getByText("31 Dec 2099").waitFor();
    assert.equal(
      await page.getByRole("list", { name: "Asked as" }).getByRole("listitem").count(),
      1,
    );
    await page.goto("/knowledge?lang=en");

    await page.getByRole("tab", { name: "Synonyms" }).click();
    await typeInto(box("Groups"), "abaya, cloak");
    await press(button("Save"));
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    if (process.env["SHOTS"])
      for (const [lang, theme, width, address] of [
        ["en", "light", 1440, "/knowledge"],
        ["ar", "dark", 1440, "/knowledge"],
        ["ar", "light", 390, "/knowledge"],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${address}?lang=${lang}&theme=${theme}`);
        await page.getByRole("table").waitFor();
        await page.getByRole("searchbox").fill("deliver");
        await page.keyboard.press("Enter");
        await page.locator(".knowledge-found").waitFor();
        await page.screenshot({
          path: `${process.env["SHOTS"]}/knowledge-${lang}-${theme}-${width}.png`,
          fullPage: true,
        });
        await page.locator(".knowledge-found a").first().click();
        await page.locator(".knowledge-chunks").waitFor();
        await page.screenshot({
          path: `${process.env["SHOTS"]}/source-${lang}-${theme}-${width}.png`,
          fullPage: true,
        });
      }
    assert.deepEqual(seat.complaints, []);
  },
);

inBrowser("the pages look well in both languages and themes, also at 320 pixels", async () => {
  const { page } = seat;
  await page.goto("/knowledge?lang=en");
  const link = page.getByRole("rowheader").getByRole("link").first();
  const source = (await link.getAttribute("href")) ?? "";
  assert.deepEqual(await faultsOfLooks(page, ["/knowledge", source]), []);
});
