import assert from "node:assert/strict";
import { after, before } from "node:test";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { press, tabTo, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, withServer, type Seat } from "./inbox-stand.ts";

// Search, own views, labels and saved replies, in Chromium.

let stand: InboxStand;
let seat: Seat;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  await stand.conversation("96550000001", "Layla Haddad", "وين الفاتورة رقم ٢٠٤٥؟");
  await stand.conversation("96550000002", "Omar", "The parcel is broken");
  await stand.settle();
  seat = await stand.sit(await stand.member("Olga", "owner"), "/search?lang=en");
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

inBrowser(
  "Arabic is found in another spelling, marked, and leads to the message in its conversation",
  async () => {
    const { page } = seat;
    await page.getByRole("heading", { name: "Search", level: 1 }).waitFor();
    await page.getByRole("searchbox", { name: "Search" }).fill("فاتوره");
    const messages = page.getByRole("region", { name: "Messages" });
    await messages.locator("mark", { hasText: "الفاتورة" }).waitFor();
    await comesTo("فاتوره", async () => new URL(page.url()).searchParams.get("q"));
    await messages.getByRole("link").click();
    await page.getByRole("heading", { name: "Layla Haddad", level: 2 }).waitFor();
    const target = page.getByRole("log", { name: "Messages" }).locator(".thread-target");
    await target.getByText(/وين الفاتورة/).waitFor();
    // The whole thread is in view, its end too.
    await comesTo(0, () => page.getByRole("button", { name: "Go to the latest message" }).count());
  },
);

inBrowser(
  "people and conversations are found by name and number, also in the command menu",
  async () => {
    const { page } = seat;
    await page.goto("/search?q=haddad&lang=en");
    for (const region of ["People", "Conversations"])
      await page
        .getByRole("region", { name: region })
        .getByRole("link", { name: /Layla/ })
        .waitFor();
    await page.getByRole("searchbox", { name: "Search" }).fill("zzqq");
    await page
      .getByRole("region", { name: "Messages" })
      .getByText("Nothing was found here")
      .waitFor();
    await page.keyboard.press("Control+k");
    const menu = page.getByRole("dialog", { name: "Command menu" });
    await menu.getByRole("combobox", { name: "Command" }).fill("50000002");
    await menu.getByRole("option").filter({ hasText: "WhatsApp" }).waitFor();
    // The search in messages is behind whatever matches: Enter takes the first.
    const command = menu.getByRole("combobox", { name: "Command" });
    const options = menu.getByRole("option");
    await options.last().filter({ hasText: "Search messages for “50000002”" }).waitFor();
    await command.fill("templ");
    await options
      .first()
      .filter({ hasText: /^Templates/ })
      .waitFor();
    await options.last().filter({ hasText: "Search messages for “templ”" }).waitFor();
    await command.fill("50000002");
    await options.filter({ hasText: "WhatsApp" }).click();
    await page.getByRole("heading", { name: "Omar", level: 2 }).waitFor();
    await page.getByRole("button", { name: "Resolve" }).waitFor();
    await page.locator("body").press("Slash");
    await page.getByRole("heading", { name: "Search", level: 1 }).waitFor();
  },
);

inBrowser("a view is saved from the list's filter, changed and deleted", async () => {
  const { page } = seat;
  // A conversation that was open for a second above is read. Something new in each makes both unread.
  await stand.say("And one more thing", "96550000001", "Layla Haddad");
  await stand.say("Hello?", "96550000002", "Omar");
  await page.goto("/inbox/unassigned?lang=en");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("menuitemradio", { name: "Save as view…" }).click();
  const form = page.getByRole("dialog", { name: "New view" });
  await form.getByLabel("Name").fill("Nobody's");
  assert.ok(await form.getByRole("checkbox", { name: "Nobody" }).isChecked());
  await form.getByRole("checkbox", { name: "Unread" }).check({ force: true });
  await form.getByRole("button", { name: "Save" }).click();
  const views = page.getByRole("group", { name: "Views" });
  await views.getByRole("link", { name: /Nobody's, 2/ }).waitFor();
  const list = page.getByRole("list", { name: "Conversations" });
  await comesTo(2, () => list.getByRole("link").count());
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("menuitemradio", { name: "Edit this view…" }).click();
  const change = page.getByRole("dialog", { name: "Edit view" });
  await change.getByLabel("Waiting for an answer for longer than").selectOption("1440");
  await change.getByRole("button", { name: "Save" }).click();
  await page.getByRole("list", { name: "Conversations" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("menuitemradio", { name: "Delete this view…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/inbox/mine");
  await views.getByRole("link", { name: /Nobody's/ }).waitFor({ state: "detached" });
});

inBrowser("a view has alternatives: a group of which one condition fits", async () => {
  const { page } = seat;
  await page.goto("/inbox/all?lang=en");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("menuitemradio", { name: "Save as view…" }).click();
  const form = page.getByRole("dialog", { name: "New view" });
  await form.getByLabel("Name").fill("Mine or unread");
  await form.getByRole("button", { name: "Add alternatives" }).click();
  const group = form.getByRole("group", { name: "And at least one of these" });
  await group.getByRole("combobox", { name: "Unread", exact: true }).selectOption("No");
  await group.getByRole("button", { name: "Or another condition" }).click();
  await group.getByRole("combobox", { name: "Condition" }).nth(1).selectOption("Assigned to");
  await group.getByRole("checkbox", { name: "Nobody" }).check({ force: true });
  await form.getByRole("button", { name: "Save" }).click();
  const views = page.getByRole("group", { name: "Views" });
  await views.getByRole("link", { name: /Mine or unread, 2/ }).waitFor();

  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("menuitemradio", { name: "Edit this view…" }).click();
  const change = page.getByRole("dialog", { name: "Edit view" });
  const again = change.getByRole("group", { name: "And at least one of these" });
  assert.equal(
    await again.getByRole("combobox", { name: "Unread", exact: true }).inputValue(),
    "no",
  );
  assert.ok(await again.getByRole("checkbox", { name: "Nobody" }).isChecked());
  await again.getByRole("button", { name: "Remove condition" }).first().click();
  await again.getByRole("checkbox", { name: "Nobody" }).uncheck({ force: true });
  await again.getByRole("checkbox", { name: "Me" }).check({ force: true });
  await change.getByRole("button", { name: "Save" }).click();
  await page.getByRole("list", { name: "Conversations" }).waitFor({ state: "detached" });
});

inBrowser(
  "a channel and a member that are gone have a box in a view's form, until it is unticked",
  async () => {
    const { page } = seat;
    const gone = ["0198a000-0000-7000-8000-000000000001", "0198a000-0000-7000-8000-000000000002"];
    const rules = [
      { field: "channel", any: gone.slice(0, 1) },
      { field: "assignee", any: ["nobody", gone[1]] },
    ];
    const headers = { "x-parley": "1" };
    const data = { name: "Of the past", filter: { all: [[rules[0]], rules] }, shared: false };
    const made = await page.request.post("/api/app/views", { headers, data });
    assert.ok(made.ok(), await made.text());
    const { id } = JSON.parse(await made.text()) as { id: string };
    await page.goto(`/inbox/view-${id}?lang=en`);
    const openForm = async () => {
      await page.getByRole("button", { name: "Filter" }).click();
      await page.getByRole("menuitemradio", { name: "Edit this view…" }).click();
      return page.getByRole("dialog", { name: "Edit view" });
    };
    const form = await openForm();
    const channel = form.getByRole("checkbox", { name: "Channel that is gone" });
    const member = form.getByRole("checkbox", { name: "Member who is gone" });
    await comesTo(2, () => channel.count());
    await comesTo(1, () => member.count());
    for (const box of [channel.first(), channel.last(), member]) assert.ok(await box.isChecked());
    // Not `uncheck`, which would look for the box that went.
    await channel.first().click({ force: true });
    await member.click({ force: true });
    await comesTo(1, () => channel.count());
    await comesTo(0, () => member.count());
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    const again = await openForm();
    await comesTo(1, () => channel.count());
    await again.getByRole("button", { name: "Cancel" }).click();
  },
);

inBrowser(
  "more conversations and messages than a page come by a button, and notes have a mark",
  async () => {
    const { page } = seat;
    let last = "";
    for (let n = 0; n < 12; n++)
      last = await stand.conversation(`9655000020${n}`, `Zain ${n}`, `order number ${n} zzparcel`);
    await page.goto(`/inbox/all/${last}?lang=en`);
    await page.getByRole("tab", { name: "Note" }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("الفَاتُورَةُ of the zzparcel was wrong");
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByRole("log", { name: "Messages" }).getByText("was wrong").waitFor();
    // What the server has can be changed.
    await page.getByRole("button", { name: "Edit note" }).waitFor({ state: "attached" });
    await stand.settle();
    await page.goto("/search?q=zain&lang=en");
    const conversations = page.getByRole("region", { name: "Conversations" });
    await comesTo(10, () => conversations.getByRole("link").count());
    await conversations.getByRole("button", { name: "Show more" }).click();
    await comesTo(12, () => conversations.getByRole("link").count());
    assert.equal(await conversations.getByRole("button", { name: "Show more" }).count(), 0);
    await page.getByRole("searchbox", { name: "Search" }).fill("zzparcel");
    const messages = page.getByRole("region", { name: "Messages" });
    await comesTo(10, () => messages.getByRole("link").count());
    await messages.getByRole("button", { name: "Show more" }).click();
    await comesTo(13, () => messages.getByRole("link").count());
    await page.getByRole("searchbox", { name: "Search" }).fill("فاتوره zzpar");
    await comesTo(1, () => messages.getByRole("link").count());
    await messages.getByText("Note", { exact: true }).waitFor();
    await messages.getByRole("link").click();
    await page
      .getByRole("log", { name: "Messages" })
      .locator(".thread-target")
      .getByRole("article", { name: /^Note by You/ })
      .waitFor();
  },
);

inBrowser("by keyboard alone a label is made, renamed and deleted", async () => {
  const { page } = seat;
  await page.goto("/settings/labels?lang=en");
  await press(page.getByRole("button", { name: "New label" }));
  const form = page.getByRole("dialog", { name: "New label" });
  await typeInto(form.getByLabel("Name"), "Refund");
  await tabTo(form.getByRole("radio", { name: "Red" }));
  assert.equal(await form.getByRole("radio", { name: "Red" }).isChecked(), true);
  await press(form.getByRole("button", { name: "Save" }));
  const table = page.getByRole("table", { name: "Labels" });
  await table.getByRole("rowheader", { name: "refund" }).waitFor();
  await press(table.getByRole("button", { name: "Edit refund" }));
  await typeInto(page.getByRole("dialog", { name: "Edit label" }).getByLabel("Name"), "returns");
  await page.keyboard.press("Enter");
  await table.getByRole("rowheader", { name: "returns" }).waitFor();
  await press(table.getByRole("button", { name: "Delete returns" }));
  await press(page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
  await page.getByText("No labels yet").waitFor();
  await tabTo(page.getByRole("button", { name: "New label" }));
});

inBrowser(
  "by keyboard alone a saved reply is written with the customer's first name, and an agent may not change everyone's",
  async () => {
    const { page } = seat;
    await page.goto("/settings/saved-replies?lang=en");
    await press(page.getByRole("button", { name: "New saved reply" }));
    const form = page.getByRole("dialog", { name: "New saved reply" });
    await typeInto(form.getByLabel("Title"), "Greeting");
    await typeInto(form.getByLabel("Shortcut"), "hi");
    await typeInto(form.getByLabel("Text"), "Hello ");
    await press(form.getByRole("button", { name: "Contact’s first name" }));
    const choosing = page.waitForEvent("filechooser");
    await press(form.getByRole("button", { name: "Add files" }));
    const prices = {
      name: "prices.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.4 prices"),
    };
    await (await choosing).setFiles(prices);
    await form.getByText("prices.pdf").waitFor();
    await press(form.getByRole("button", { name: "Save" }));
    const table = page.getByRole("table", { name: "Saved replies" });
    await table.getByText("Hello {{contact.firstName}}").waitFor();
    await press(table.getByRole("button", { name: "Edit Greeting" }));
    const edit = page.getByRole("dialog", { name: "Edit saved reply" });
    await press(edit.getByRole("button", { name: "Add files" }), "Escape");
    await edit.waitFor({ state: "detached" });
    await page.goto("/search?q=haddad&lang=en");
    await page.getByRole("region", { name: "Conversations" }).getByRole("link").click();
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill("/hi");
    await page.getByRole("option", { name: /Greeting/ }).click();
    assert.equal(await message.inputValue(), "Hello Layla");
    const composer = page.getByRole("form", { name: "Reply" });
    await composer.getByRole("button", { name: "Remove prices.pdf" }).waitFor();
    await composer.getByRole("button", { name: "Send", exact: true }).click();
    const log = page.getByRole("log", { name: "Messages" });
    const ours = log.getByRole("article", { name: /^You,/ }).filter({ hasText: "prices.pdf" });
    await withServer(ours);
    await composer
      .getByRole("button", { name: "Remove prices.pdf" })
      .waitFor({ state: "detached" });

    // Its number meets the same fault at each send: what failed is sent again, with its file.
    const magic = await stand.conversation("9990000026", "Layla Magic");
    await page.goto(`/inbox/all/${magic}?lang=en`);
    await message.fill("/hi");
    await page.getByRole("option", { name: /Greeting/ }).click();
    await composer.getByRole("button", { name: "Remove prices.pdf" }).waitFor();
    const stored = page.waitForResponse(/\/replies$/);
    await composer.getByRole("button", { name: "Send", exact: true }).click();
    await stored;
    await stand.settle();
    await log.getByRole("button", { name: "Send again" }).click();
    await withServer(ours.nth(1));
    // In Arabic the size is read from the right.
    await page.goto(`/inbox/all/${magic}?lang=ar`);
    const size = page.locator(".said-card-more").filter({ hasText: "كيلوبايت" }).first();
    await size.waitFor();
    const direction = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('.said-card-more')).direction",
    );
    assert.equal(direction, "rtl");
    const agent = await stand.sit(
      await stand.member("Nora", "agent"),
      "/settings/saved-replies?lang=en",
    );
    await agent.page.getByRole("table", { name: "Saved replies" }).waitFor();
    assert.equal(await agent.page.getByRole("button", { name: "Edit Greeting" }).count(), 0);
    assert.deepEqual([...seat.complaints, ...agent.complaints], []);
  },
);
