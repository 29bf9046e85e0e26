import assert from "node:assert/strict";
import { after, before } from "node:test";
import { retentionExample, type RetentionJson } from "../../../src/wire/retention.ts";
import { skip } from "../stand.ts";
import { choose, press } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

let stand: InboxStand;
let seat: Seat;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  seat = await stand.sit(await stand.member("Amal", "owner"), "/settings/data-retention?lang=en");
});
after(() => stand?.[Symbol.asyncDispose]());

inBrowser(
  "a shorter time is asked about first, with what it deletes and from when; a longer one is saved at once",
  async () => {
    const { page } = seat;
    const messages = page.getByRole("combobox", { name: "Messages" });
    await page.getByRole("status").getByText("Nothing is deleted: messages").waitFor();
    await choose(messages, "1 year");
    await press(page.getByRole("button", { name: "Save", exact: true }));
    const dialog = page.getByRole("alertdialog", { name: "Delete what is older?" });
    await dialog.getByText("No message is that old today.").waitFor();
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/retention-ask.png` });
    await press(dialog.getByRole("button", { name: "Cancel" }));
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Not saved yet").waitFor();
    await press(page.getByRole("button", { name: "Save", exact: true }));
    await press(dialog.getByRole("button", { name: "Delete from then on" }));
    const status = page.getByRole("status");
    await status.getByText(/^Nothing is deleted before /).waitFor();
    await choose(messages, "Keep for good");
    await press(page.getByRole("button", { name: "Save", exact: true }));
    await status.getByText("Nothing is deleted: messages").waitFor();
    // What a pass deleted is shown.
    const underWay: RetentionJson = {
      ...retentionExample,
      state: "deleting",
      deleted: { messages: 41_200, files: 310, notes: 17, events: 0 },
    };
    await page.route("**/api/app/retention", (route) => route.fulfill({ json: underWay }));
    for (const [lang, theme, width] of [
      ["en", "light", 1440],
      ["ar", "dark", 390],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/settings/data-retention?lang=${lang}&theme=${theme}`);
      await page.getByRole("progressbar").waitFor();
      if (process.env["SHOTS"])
        await page.screenshot({
          path: `${process.env["SHOTS"]}/retention-${lang}-${theme}-${width}.png`,
          fullPage: true,
        });
    }
    await page.unroute("**/api/app/retention");
  },
);

inBrowser("the page looks well in both languages and themes, also at 320 pixels", async () => {
  assert.deepEqual(await faultsOfLooks(seat.page, ["/settings/data-retention"]), []);
});
