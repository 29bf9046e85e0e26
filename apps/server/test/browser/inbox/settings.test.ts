import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand } from "./inbox-stand.ts";

let stand: InboxStand;
let amal: string;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  amal = await stand.member("Amal", "owner");
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

/** A call of the page's member. Gives the answer's JSON. */
async function ask<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const headers = { "x-parley": "1" };
  const answer = await page.request.fetch(`/api/app${path}`, {
    method,
    headers,
    ...(data && { data }),
  });
  assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
  return JSON.parse(await answer.text()) as T;
}

inBrowser(
  "disabling an endpoint asks first and says what is kept; what comes is held",
  async () => {
    const { page } = await stand.sit(amal, "/inbox/mine?lang=en");
    const { endpoint } = await ask<{ endpoint: { id: string } }>(page, "POST", "/webhooks", {
      url: "https://127.0.0.1:9/in",
      events: ["message.status"],
    });
    await page.goto(`/settings/webhooks/${endpoint.id}?lang=en`);
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    const dialog = page.getByRole("alertdialog", { name: "Disable the endpoint?" });
    await dialog.getByText("Its events are held, each for 30 days").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Enabled", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    await dialog.getByRole("button", { name: "Disable", exact: true }).click();
    await page.getByText("Disabled", { exact: true }).waitFor();
    await page.getByText("Somebody disabled it").waitFor();
    await page.getByRole("button", { name: "Send test" }).click();
    const deliveries = page.getByRole("table", { name: "Deliveries" });
    await deliveries.getByText("Held").waitFor();

    // On a phone a card has no line for an answer that did not come.
    const answer = deliveries.locator('td[data-name="Answer"]');
    assert.equal(await answer.isVisible(), true);
    await page.setViewportSize({ width: 390, height: 844 });
    await answer.waitFor({ state: "hidden" });
    await deliveries.locator('td[data-name="Attempts"]').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Enable", exact: true }).click();
    await page.getByText("Enabled", { exact: true }).waitFor();
  },
);

inBrowser(
  "a number in place of a name has its plus in front, in Arabic too; actions wrap on a phone",
  async () => {
    const conversationId = await stand.conversation("96550008877", "", "hello");
    const { page } = await stand.sit(amal, `/inbox/all/${conversationId}?lang=ar`);
    const number = (selector: string) =>
      page.locator(selector).locator('bdi[dir="ltr"]', { hasText: /^\+96550008877$/ });
    await number(".row-name").waitFor();
    await number(".thread-who h2").waitFor();
    await number(".details-who").waitFor();
    await page.goto("/search?q=96550008877&lang=ar");
    await number(".search-line").first().waitFor();
    await page.goto("/contacts?q=96550008877&lang=ar");
    await number(".contact-name").first().waitFor();

    const viewport = { width: 390, height: 844 };
    const phone = (await stand.sit(amal, "/contacts?lang=en", { viewport, hasTouch: true })).page;
    await phone.getByRole("link", { name: "+96550008877" }).click();
    const actions = phone.locator(".page-head > .page-actions");
    await actions.getByRole("button", { name: "Erase" }).waitFor();
    for (const button of await actions.getByRole("button").all()) {
      const box = await button.boundingBox();
      assert.ok(
        box && box.x >= 0 && box.x + box.width <= 390 && box.height >= 44,
        JSON.stringify(box),
      );
    }
  },
);
