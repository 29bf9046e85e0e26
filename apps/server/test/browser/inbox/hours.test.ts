import assert from "node:assert/strict";
import { after, before } from "node:test";
import { skip } from "../stand.ts";
import { choose, press } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

let stand: InboxStand;
let seat: Seat;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  seat = await stand.sit(await stand.member("Amal", "owner"), "/settings/business-hours?lang=en");
});
after(() => stand?.[Symbol.asyncDispose]());

inBrowser(
  "by keyboard alone: a zone, spans, Ramadan and a holiday are saved, and the page says until when it is open",
  async () => {
    const { page } = seat;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await page.getByRole("status").getByText("Always open").waitFor();
    await choose(page.getByRole("combobox", { name: "Zone" }), "Asia/Kuwait");
    const friday = page.getByRole("group", { name: "Friday", exact: true });
    await press(friday.getByRole("button", { name: "Add span" }));
    await friday.getByLabel("From").fill("20:00");
    await friday.getByLabel("To").fill("02:00");
    await friday.getByText("next day").waitFor();
    await press(button("Propose Ramadan"));
    await page.getByRole("group", { name: "Friday, Ramadan" }).getByText("next day").waitFor();
    await press(button("Add day"));
    await page.getByLabel("Day", { exact: true }).fill("2027-02-25");
    if (process.env["SHOTS"]) {
      await page.setViewportSize({ width: 1440, height: 1000 });
      await page.screenshot({ path: `${process.env["SHOTS"]}/hours-edit.png`, fullPage: true });
    }
    await press(button("Save"));
    await page.getByText("Saved.").waitFor();
    await page
      .getByRole("status")
      .getByText(/^(Open now, closes at|Closed now, opens at) /)
      .waitFor();
    await page.reload();
    await page.getByRole("group", { name: "Friday, Ramadan" }).getByText("next day").waitFor();

    // Two spans that overlap are refused where they stand.
    await press(friday.getByRole("button", { name: "Add span" }));
    await friday.getByLabel("From").nth(1).fill("21:00");
    await press(button("Save"));
    await friday.getByRole("alert").getByText("Overlaps").waitFor();
    if (process.env["SHOTS"])
      for (const [lang, theme, width] of [
        ["en", "light", 1440],
        ["ar", "dark", 1440],
        ["ar", "light", 390],
        ["en", "dark", 390],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`/settings/business-hours?lang=${lang}&theme=${theme}`);
        await page.locator(".hours-period").first().waitFor();
        await page.screenshot({
          path: `${process.env["SHOTS"]}/hours-${lang}-${theme}-${width}.png`,
          fullPage: true,
        });
      }
  },
);

inBrowser("the page looks well in both languages and themes, also at 320 pixels", async () => {
  const routes = ["/settings/business-hours", "/settings/business-hours?again=1"];
  assert.deepEqual(await faultsOfLooks(seat.page, routes), []);
});
