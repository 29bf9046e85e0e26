import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

// The pages of contacts, in Chromium: made, found, filtered, changed one by one and all at once, merged and erased.

let stand: InboxStand;
let owner: string;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  owner = await stand.member("Olga", "owner");
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

async function create(page: Page, name: string, phone: string, tags = ""): Promise<void> {
  await page.goto("/contacts?lang=en");
  await page.getByRole("button", { name: "New contact" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New contact" });
  await dialog.getByRole("textbox", { name: "Name" }).first().fill(name);
  await dialog.getByRole("textbox", { name: "Phone" }).fill(phone);
  await dialog.getByRole("textbox", { name: "Tags" }).fill(tags);
  await dialog.getByRole("button", { name: "Create contact" }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

inBrowser(
  "a contact is made, found, filtered, edited and opted out; all that match are tagged in the background",
  async () => {
    const { page, complaints } = await stand.sit(owner, "/contacts?lang=en");
    await create(page, "Mona Ali", "+965 5000 1111", "vip");
    await create(page, "Omar", "+965 5000 2222");
    await page.goto("/contacts?lang=en");
    const table = page.getByRole("table", { name: "Contacts" });
    await page.getByRole("searchbox", { name: "Search contacts" }).fill("5000-2222");
    await page.waitForURL("**q=5000-2222**");
    await table.getByRole("link", { name: "Mona Ali" }).waitFor({ state: "detached" });
    await table.getByRole("link", { name: "Omar" }).waitFor();
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await page.getByRole("button", { name: "Add filter" }).click();
    const rule = page.getByRole("dialog", { name: "Add filter" });
    await rule.getByRole("combobox", { name: "Field" }).selectOption({ label: "Tags" });
    await rule.getByRole("textbox", { name: "Value" }).fill("vip");
    await rule.getByRole("button", { name: "Apply" }).click();
    await table.getByRole("link", { name: "Omar" }).waitFor({ state: "detached" });
    await page.goBack();
    await table.getByRole("link", { name: "Omar" }).waitFor();

    await page.getByRole("checkbox", { name: "Select all on page" }).check();
    const bar = page.getByRole("toolbar", { name: "Bulk actions" });
    await bar.getByRole("button", { name: /^Select all \d+ that match$/ }).click();
    await bar.getByRole("button", { name: "Add tags" }).click();
    const tagging = page.getByRole("dialog", { name: "Add tags" });
    await tagging.getByRole("textbox", { name: "Tags" }).fill("summer");
    await tagging.getByText("This is for 2 contacts.").waitFor();
    await tagging.getByRole("button", { name: "Start" }).click();
    await page.getByRole("progressbar", { name: "Add tags: summer" }).waitFor();
    await stand.settle();
    await page.getByText("2 contacts changed").waitFor();
    assert.equal(await table.getByText("summer").count(), 2);
    await page.getByRole("button", { name: "Notifications, 1 unread" }).click();
    const notices = page.getByRole("dialog", { name: "Notifications" });
    await notices.getByRole("link", { name: "Change finished: Add tags" }).waitFor();
    await notices.getByText("2 contacts changed").waitFor();
    await page.keyboard.press("Escape");

    await table.getByRole("link", { name: "Mona Ali" }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    const edit = page.getByRole("dialog", { name: "Edit" });
    await edit.getByRole("textbox", { name: "Notes" }).fill("calls late");
    await edit.getByRole("button", { name: "Save" }).click();
    await page.getByRole("tab", { name: "Details" }).click();
    await page.getByText("calls late").waitFor();
    await page.getByRole("button", { name: "Opt out" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Opt out" }).click();
    await page.getByRole("button", { name: "Opt in" }).waitFor();
    await page.getByRole("tab", { name: "Consent" }).click();
    const ledger = page.getByRole("table", { name: "Consent ledger" });
    await ledger.getByRole("row").filter({ hasText: "Opted out" }).getByText("Olga").waitFor();
    assert.deepEqual(complaints, []);
  },
);

inBrowser(
  "a list that came with its total is not counted; another is counted once its rows are there",
  async () => {
    const { page } = await stand.sit(owner, "/contacts?lang=en");
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
  },
);

inBrowser(
  "a filtered list with its search is saved as a segment, and the segment filters the list",
  async () => {
    const { page, complaints } = await stand.sit(owner, "/contacts?lang=en");
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
    assert.equal(await table.getByRole("link", { name: "Rana Vip" }).count(), 1);
    assert.equal(await table.getByRole("link", { name: "Rana Plain" }).count(), 0);
    await page.getByRole("button", { name: "Remove filter: Segment: Golden Ranas" }).click();
    await table.getByRole("link", { name: "Huda Vip" }).waitFor();
    assert.deepEqual(complaints, []);
  },
);

inBrowser(
  "who wrote is merged with their record and then erased; what an agent may not do is not offered",
  async () => {
    const conversation = await stand.conversation("96550003333", "Sara", "Where is my order?");
    const { page } = await stand.sit(owner, "/contacts?lang=en");
    await create(page, "Sara Record", "96550009999");
    await page.getByRole("button", { name: "Merge" }).click();
    const choose = page.getByRole("dialog", { name: "Merge into Sara Record" });
    await choose.getByRole("textbox").fill("96550003333");
    await choose.getByRole("button", { name: "Choose: Sara" }).click();
    const merge = page.getByRole("alertdialog", { name: "Merge into Sara Record" });
    await merge.getByRole("table", { name: "What wins" }).waitFor();
    await merge.getByRole("button", { name: "Merge", exact: true }).click();
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
    await page.getByRole("link", { name: "Open contact" }).click();
    await page.getByRole("heading", { name: "Sara Record", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Erase" }).click();
    const erase = page.getByRole("alertdialog");
    const verb = erase.getByRole("button", { name: "Erase", exact: true });
    assert.equal(await verb.isEnabled(), false);
    await erase.getByRole("textbox").fill("sara record");
    await verb.click();
    await page.getByText(/is being erased|was erased/).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: "Contacts", level: 1 }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Sara Record" }).count(), 0);
  },
);

inBrowser(
  "no page of contacts has a serious fault of access, in both languages and themes",
  async () => {
    const { page } = await stand.sit(owner, "/contacts?lang=en");
    await create(page, "Axel", "4912345678", "one, two");
    const person = new URL(page.url()).pathname;
    const routes = ["/contacts", person, "/contacts/duplicates"];
    assert.deepEqual(await faultsOfLooks(page, routes), []);
  },
);
