import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { choose, press, turnTo, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks, goTo } from "./looks.ts";

// The pages of contacts, in Chromium: made, found, filtered, changed one by one and all at once, merged and erased.

let stand: InboxStand;
let owner: string;
/** Olga's browser, which most tests go on with. */
let seat: Seat;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  owner = await stand.member("Olga", "owner");
  seat = await stand.sit(owner, "/segments?lang=en");
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

async function create(page: Page, name: string, phone: string, tags = ""): Promise<void> {
  await goTo(page, "/contacts");
  await press(page.getByRole("button", { name: "New contact" }).first());
  const dialog = page.getByRole("dialog", { name: "New contact" });
  await typeInto(dialog.getByRole("textbox", { name: "Name" }).first(), name);
  await typeInto(dialog.getByRole("textbox", { name: "Phone" }), phone);
  await typeInto(dialog.getByRole("textbox", { name: "Tags" }), tags);
  await press(dialog.getByRole("button", { name: "Create contact" }));
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

inBrowser(
  "by keyboard alone a contact is made, found, filtered, edited and opted out; all that match are tagged in the background",
  async () => {
    const { page, complaints } = seat;
    await create(page, "Mona Ali", "+965 5000 1111", "vip");
    // From the page of a contact a view opens without a conversation: not with the contact's id as one.
    const main = page.getByRole("navigation", { name: "Main" });
    await press(main.getByRole("link", { name: /^Mine/ }));
    await page.waitForURL("**/inbox/mine");
    await create(page, "Omar", "+965 5000 2222");
    await page.goto("/contacts?lang=en");
    const table = page.getByRole("table", { name: "Contacts" });
    await typeInto(page.getByRole("searchbox", { name: "Search contacts" }), "5000-2222");
    await page.waitForURL("**q=5000-2222**");
    await table.getByRole("link", { name: "Mona Ali" }).waitFor({ state: "detached" });
    await table.getByRole("link", { name: "Omar" }).waitFor();
    await press(page.getByRole("button", { name: "Clear search and filters" }));
    await press(page.getByRole("button", { name: "Add filter" }));
    const rule = page.getByRole("dialog", { name: "Add filter" });
    await choose(rule.getByRole("combobox", { name: "Field" }), "Tags");
    await typeInto(rule.getByRole("textbox", { name: "Value" }), "vip");
    await press(rule.getByRole("button", { name: "Apply" }));
    await table.getByRole("link", { name: "Omar" }).waitFor({ state: "detached" });
    await page.goBack();
    await table.getByRole("link", { name: "Omar" }).waitFor();

    await press(page.getByRole("checkbox", { name: "Select all on page" }), "Space");
    const bar = page.getByRole("toolbar", { name: "Bulk actions" });
    await press(bar.getByRole("button", { name: /^Select all \d+ that match$/ }));
    await press(bar.getByRole("button", { name: "Add tags" }));
    const tagging = page.getByRole("dialog", { name: "Add tags" });
    await typeInto(tagging.getByRole("textbox", { name: "Tags" }), "summer");
    await tagging.getByText("This is for 2 contacts.").waitFor();
    await press(tagging.getByRole("button", { name: "Start" }));
    await page.getByRole("progressbar", { name: "Add tags: summer" }).waitFor();
    await stand.settle();
    await page.getByText("2 contacts changed").waitFor();
    // The list is read again after the news of the change.
    await comesTo(2, () => table.getByText("summer").count());
    await press(page.getByRole("button", { name: "Notifications, 1 unread" }));
    const notices = page.getByRole("dialog", { name: "Notifications" });
    await notices.getByRole("link", { name: "Change finished: Add tags" }).waitFor();
    await notices.getByText("2 contacts changed").waitFor();
    await page.keyboard.press("Escape");

    await press(table.getByRole("link", { name: "Mona Ali" }));
    await press(page.getByRole("button", { name: "Edit" }));
    const edit = page.getByRole("dialog", { name: "Edit" });
    await typeInto(edit.getByRole("textbox", { name: "Notes" }), "calls late");
    await press(edit.getByRole("button", { name: "Save" }));
    await turnTo(page, "Details");
    await page.getByText("calls late").waitFor();
    await press(page.getByRole("button", { name: "Opt out" }));
    await press(page.getByRole("alertdialog").getByRole("button", { name: "Opt out" }));
    await page.getByRole("button", { name: "Opt in" }).waitFor();
    await turnTo(page, "Consent");
    const ledger = page.getByRole("table", { name: "Consent ledger" });
    await ledger.getByRole("row").filter({ hasText: "Opted out" }).getByText("Olga").waitFor();
    assert.deepEqual(complaints, []);
  },
);

inBrowser("the definition of an attribute is removed after a question", async () => {
  const { page } = seat;
  await page.goto("/settings/attributes?lang=en");
  await typeInto(page.getByRole("textbox", { name: "Name" }), "size");
  await press(page.getByRole("button", { name: "Add attribute" }));
  const remove = page.getByRole("button", { name: "Remove size" });
  const asks = page.getByRole("alertdialog", { name: "Remove the definition of size?" });
  await press(remove);
  await press(asks.getByRole("button", { name: "Cancel" }));
  await asks.waitFor({ state: "detached" });
  await remove.and(page.locator(":focus")).waitFor();
  await press(remove);
  await press(asks.getByRole("button", { name: "Remove" }));
  await remove.waitFor({ state: "detached" });
});

inBrowser(
  "a search says that it looks while there are no rows yet, and what helps when it took too long",
  async () => {
    const { page } = await stand.sit(owner, "/contacts?lang=en");
    const answer = Promise.withResolvers<void>();
    let status = 503;
    await page.route("**/api/app/contacts?*", async (route) => {
      await answer.promise;
      if (status === 200) return route.continue();
      return route.fulfill({ status, json: { error: "busy", message: "OVERLOADED" } });
    });
    await page.goto("/contacts?lang=en&q=zq");
    const looking = page.getByRole("status").filter({ hasText: "Looking through the contacts" });
    await looking.waitFor();
    answer.resolve();
    const alert = page.getByRole("alert").filter({ hasText: "three letters or more" });
    await alert.waitFor();
    await looking.waitFor({ state: "detached" });
    status = 200;
    await press(alert.getByRole("button", { name: "Try again" }));
    await page.getByText("No contact fits", { exact: true }).waitFor();
    await alert.waitFor({ state: "detached" });
  },
);

inBrowser(
  "a list that came with its total is not counted; another is counted once its rows are there",
  async () => {
    const { page } = seat;
    await create(page, "Counted", "+965 5200 1111");
    const asked: string[] = [];
    let rows = Promise.withResolvers<void>();
    let total: number | null = 1;
    await page.route("**/api/app/contacts?*", async (route) => {
      asked.push("rows");
      const answer = await route.fetch();
      const list: object = await answer.json();
      await rows.promise;
      await route.fulfill({ json: { ...list, total } });
    });
    await page.route("**/api/app/contacts/count?*", async (route) => {
      asked.push("count");
      await route.fulfill({ json: { count: 1_001, exact: false } });
    });
    const link = page
      .getByRole("table", { name: "Contacts" })
      .getByRole("link", { name: "Counted" });
    rows.resolve();
    await page.goto("/contacts?lang=en&q=counted");
    await link.waitFor();
    await page.getByText("1–1 of 1", { exact: true }).waitFor();
    assert.deepEqual(asked.splice(0), ["rows"]);

    rows = Promise.withResolvers<void>();
    total = null;
    await page.goto("/contacts?lang=en&q=count");
    await page.getByRole("searchbox", { name: "Search contacts" }).waitFor();
    await comesTo(1, () => Promise.resolve(asked.length));
    rows.resolve();
    await link.waitFor();
    await page.getByText("1–1 of 1,000+", { exact: true }).waitFor();
    assert.deepEqual(asked, ["rows", "count"]);
    await page.unrouteAll();
  },
);

inBrowser(
  "a filtered list with its search is saved as a segment, and the segment filters the list",
  async () => {
    const { page, complaints } = seat;
    await create(page, "Rana Vip", "+965 5100 1111", "gold");
    await create(page, "Rana Plain", "+965 5100 2222");
    await create(page, "Huda Vip", "+965 5100 3333", "gold");
    const rule = { match: "all", rules: [{ field: "tag", op: "eq", value: "gold" }] };
    const filter = `definition=${encodeURIComponent(JSON.stringify(rule))}&q=rana&lang=en`;
    await page.goto(`/contacts?${filter}`);
    const table = page.getByRole("table", { name: "Contacts" });
    await table.getByRole("link", { name: "Rana Vip" }).waitFor();
    await page.getByRole("link", { name: "Save as segment" }).click();
    await page.getByText("1 person matches").waitFor();
    await page.getByRole("textbox", { name: "Segment name" }).fill("Golden Ranas");
    await page.getByRole("button", { name: "Save segment" }).click();
    await page.getByRole("heading", { name: "Golden Ranas", level: 1 }).waitFor();

    await page.goto("/contacts?lang=en");
    await table.getByRole("link", { name: "Huda Vip" }).waitFor();
    await page.getByRole("button", { name: "Add filter" }).click();
    const adding = page.getByRole("dialog", { name: "Add filter" });
    await adding.getByRole("combobox", { name: "Field" }).selectOption({ label: "Segment" });
    await adding.getByRole("combobox", { name: "Value" }).selectOption({ label: "Golden Ranas" });
    await adding.getByRole("button", { name: "Apply" }).click();
    await table.getByRole("link", { name: "Huda Vip" }).waitFor({ state: "detached" });
    await table.getByRole("link", { name: "Rana Vip" }).waitFor();
    assert.equal(await table.getByRole("link", { name: "Rana Plain" }).count(), 0);
    await page.getByRole("button", { name: "Remove filter: Segment: Golden Ranas" }).click();
    await table.getByRole("link", { name: "Huda Vip" }).waitFor();
    assert.deepEqual(complaints, []);
  },
);

inBrowser(
  "by keyboard alone, who wrote is merged with their record and then erased; what an agent may not do is not offered",
  async () => {
    const conversation = await stand.conversation("96550003333", "Sara", "Where is my order?");
    const { page } = seat;
    await create(page, "Sara Record", "96550009999");
    await press(page.getByRole("button", { name: "Merge" }));
    const merging = page.getByRole("dialog", { name: "Merge into Sara Record" });
    await typeInto(merging.getByRole("textbox"), "96550003333");
    await press(merging.getByRole("button", { name: "Choose: Sara" }));
    const merge = page.getByRole("alertdialog", { name: "Merge into Sara Record" });
    await merge.getByRole("table", { name: "What wins" }).waitFor();
    await press(merge.getByRole("button", { name: "Merge", exact: true }));
    await page.getByText("Where is my order?").first().waitFor();

    const agent = await stand.sit(await stand.member("Adam", "agent"), page.url());
    await agent.page.getByRole("button", { name: "Edit" }).waitFor();
    for (const name of ["Merge", "Erase"])
      assert.equal(await agent.page.getByRole("button", { name, exact: true }).count(), 0, name);
    await agent.page.goto("/contacts?lang=en");
    await agent.page.getByRole("table", { name: "Contacts" }).waitFor();
    for (const name of ["Import", "Export"])
      assert.equal(await agent.page.getByRole("link", { name }).count(), 0, name);
    assert.equal(await agent.page.getByRole("checkbox").count(), 0);

    await page.goto(`/inbox/all/${conversation}?lang=en`);
    await press(page.getByRole("link", { name: "Open contact" }));
    await page.getByRole("heading", { name: "Sara Record", level: 1 }).waitFor();
    await press(page.getByRole("button", { name: "Erase" }));
    const erase = page.getByRole("alertdialog");
    const verb = erase.getByRole("button", { name: "Erase", exact: true });
    assert.equal(await verb.isEnabled(), false);
    await typeInto(erase.getByRole("textbox"), "sara record");
    await press(verb);
    await page.getByText(/is being erased|was erased/).waitFor();
    await press(page.getByRole("dialog").getByRole("button", { name: "Close" }));
    await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Sara Record" }).count(), 0);
  },
);

inBrowser(
  "no page of contacts has a serious fault of access, in both languages and themes",
  async () => {
    const { page } = seat;
    await create(page, "Axel", "4912345678", "one, two");
    const person = new URL(page.url()).pathname;
    const routes = ["/contacts", person, "/contacts/duplicates"];
    assert.deepEqual(await faultsOfLooks(page, routes), []);
  },
);

inBrowser("on a phone the box for all contacts of the page says so", async () => {
  for (const [lang, name, hasTouch] of [
    ["en", "Select all on page", false],
    ["ar", "تحديد كل ما في الصفحة", true],
  ] as const) {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch };
    const { page } = await stand.sit(owner, `/contacts?lang=${lang}`, phone);
    const all = page.getByRole("checkbox", { name, exact: true });
    await all.waitFor();
    const words = page.getByRole("columnheader").getByText(name, { exact: true });
    const [text, box, one] = await Promise.all([
      words.boundingBox(),
      all.boundingBox(),
      page.getByRole("checkbox").nth(1).boundingBox(),
    ]);
    assert.ok(text && box && one);
    assert.ok(text.width > 60 && text.height > 10, JSON.stringify(text));
    const apart = Math.abs(box.x - one.x);
    assert.ok(apart <= 1, `${apart} px out of line with the boxes of the cards`);
    await words.click();
    await comesTo(true, () => page.getByRole("checkbox").nth(1).isChecked());
  }
});
