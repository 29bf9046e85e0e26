import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { choose, press, typeInto } from "../inbox/by-keyboard.ts";
import { inBrowser, InboxStand, withServer, type Seat } from "../inbox/inbox-stand.ts";
import { faultsOfLooks, goTo } from "../inbox/looks.ts";

let stand: InboxStand;
let omar: string;
/** Mona's, who writes them. */
let page: Page;
const seats: Seat[] = [];
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  omar = await stand.member("Omar", "agent");
  ({ page } = await sit(await stand.member("Mona", "admin"), "/templates/new?lang=en"));
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

async function sit(...args: Parameters<InboxStand["sit"]>): Promise<Seat> {
  const seat = await stand.sit(...args);
  seats.push(seat);
  return seat;
}

const box = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const rows = (page: Page) => page.getByRole("table", { name: "Templates" });

/** Whether the list shows a template as approved, after everything that is due was done. */
async function isApproved(page: Page, name: string): Promise<boolean> {
  await stand.settle();
  await page.goto("/templates?lang=en");
  const row = rows(page).getByRole("row", { name: new RegExp(name) });
  await row.waitFor();
  return (await row.getByText("Approved", { exact: true }).count()) === 1;
}

inBrowser(
  "by keyboard alone a template is written, its faults named at their fields, handed in, approved, and sent in a thread with its picture",
  async () => {
    const id = await stand.conversation("96550000001", "Huda");
    await typeInto(box(page, "Name"), "Spring offer");
    await comesTo("spring_offer", () => box(page, "Name").inputValue());
    await choose(page.getByRole("combobox", { name: "Kind of header" }), "Image");
    await typeInto(box(page, "Body text"), "{{1}} is ready");
    await page.getByText("Begin and end with words, not with a variable.").waitFor();
    await press(page.getByRole("button", { name: "Submit for review" }));
    await page.getByText("Upload an example.").waitFor();
    await typeInto(box(page, "Body text"), "Hello {{1}}, our spring offer ends on Friday.");
    await typeInto(box(page, "Example of {{1}}"), "Sara");
    await page.getByText("Hello Sara, our spring offer").waitFor();
    await chooseFile(page, "Example file");
    await press(page.getByRole("button", { name: "Add quick reply" }));
    await page.keyboard.type("Show me");
    await press(page.getByRole("button", { name: "Add link" }));
    await press(page.getByRole("button", { name: "Remove button 2" }));
    await page
      .getByRole("complementary", { name: "Preview" })
      .filter({ hasText: /Hello Sara.*Show me/s })
      .waitFor();
    await press(page.getByRole("button", { name: "Submit for review" }));
    await page.getByRole("heading", { level: 1, name: "spring_offer" }).waitFor();
    await comesTo(true, () => isApproved(page, "spring_offer"));
    await page.goto(`/inbox/all/${id}?lang=en`);
    await page.getByRole("button", { name: "Template", exact: true }).waitFor();
    await page.keyboard.press("t");
    const dialog = page.getByRole("dialog", { name: "Send template" });
    await press(dialog.getByRole("option", { name: /spring_offer/ }));
    await typeInto(box(page, "Variable 1"), "Huda");
    assert.equal(
      await dialog.getByRole("button", { name: "Send", exact: true }).isDisabled(),
      true,
    );
    await chooseFile(page, "Image in the header");
    await press(dialog.getByRole("button", { name: "Send", exact: true }));
    const said = page.getByRole("log").getByRole("article", { name: /^You/ });
    await said.filter({ hasText: "Hello Huda, our spring offer" }).getByRole("img").waitFor();
    await withServer(said);
  },
);

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const OFFER = { name: "offer.png", mimeType: "image/png", buffer: PIXEL };
async function chooseFile(page: Page, group: string): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await press(page.getByRole("group", { name: group }).getByRole("button"));
  await (await chooser).setFiles(OFFER);
  await page.getByText("offer.png").first().waitFor();
}

inBrowser(
  "a template with named variables is written, approved, and filled by its names in a thread",
  async () => {
    const id = await stand.conversation("96550000002", "Rana");
    await page.goto("/templates/new?lang=en");
    await typeInto(box(page, "Name"), "order_waits");
    await choose(page.getByRole("combobox", { name: "Variables" }), "Names, like {{first_name}}");
    await typeInto(box(page, "Body text"), "Hello {{1}}, your order waits for you at our shop.");
    await page.getByText("Variables have names of small letters and _").waitFor();
    await typeInto(
      box(page, "Body text"),
      "Hello {{first_name}}, your order waits for you at our shop.",
    );
    await typeInto(box(page, "Example of {{first_name}}"), "Sara");
    await page.getByText("Hello Sara, your order").waitFor();
    await press(page.getByRole("button", { name: "Submit for review" }));
    await page.getByRole("heading", { level: 1, name: "order_waits" }).waitFor();
    await comesTo(true, () => isApproved(page, "order_waits"));
    await page.goto(`/inbox/all/${id}?lang=en`);
    await page.getByRole("button", { name: "Template", exact: true }).waitFor();
    await page.keyboard.press("t");
    const dialog = page.getByRole("dialog", { name: "Send template" });
    await press(dialog.getByRole("option", { name: /order_waits/ }));
    await typeInto(dialog.getByRole("textbox").last(), "Rana");
    await press(dialog.getByRole("button", { name: "Send", exact: true }));
    const said = page.getByRole("log").getByRole("article", { name: /^You/ });
    await withServer(said.filter({ hasText: "Hello Rana, your order" }));
    await stand.settle();
    await said.getByText("Read", { exact: true }).waitFor({ state: "attached" });
  },
);

inBrowser(
  "what is written while an example is uploaded stays; a file of a kind that is no longer chosen is dropped",
  async () => {
    await page.goto("/templates/new?lang=en");
    const uploads: (() => void)[] = [];
    await page.route("**/api/app/files?*", async (route) => {
      await new Promise<void>((go) => uploads.push(go));
      await route.continue();
    });
    const kind = page.getByRole("combobox", { name: "Kind of header" });
    const body = box(page, "Body text");
    const choose = async () => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("group", { name: "Example file" }).getByRole("button").click();
      await (await chooser).setFiles(OFFER);
    };
    await kind.selectOption("image");
    await choose();
    await body.fill("Written meanwhile.");
    await comesTo(1, async () => uploads.length);
    uploads[0]?.();
    await page.getByText("offer.png").first().waitFor();
    await comesTo("Written meanwhile.", () => body.inputValue());

    await choose();
    await comesTo(2, async () => uploads.length);
    const uploaded = page.waitForResponse("**/api/app/files?*");
    await kind.selectOption("document");
    uploads[1]?.();
    await (await uploaded).finished();
    await body.fill("And after it.");
    assert.equal(await kind.inputValue(), "document");
    assert.equal(await page.getByText("offer.png").count(), 0);
    await page.unrouteAll({ behavior: "wait" });
  },
);

inBrowser("a rejected template says why in words, and is edited and handed in again", async () => {
  await page.goto("/templates/new?lang=en");
  await typeInto(box(page, "Name"), "rejected_one");
  await typeInto(box(page, "Body text"), "Your order can be fetched.");
  await press(page.getByRole("button", { name: "Submit for review" }));
  await page.getByRole("heading", { level: 1, name: "rejected_one" }).waitFor();
  await comesTo(1, async () => {
    await stand.settle();
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page.getByText("WhatsApp rejected it: its form is wrong").count();
  });
  await press(page.getByRole("link", { name: "Edit and submit again" }));
  await typeInto(box(page, "Body text"), "Your order can be fetched at our shop.");
  assert.equal(await box(page, "Name").isDisabled(), true);
  await press(page.getByRole("button", { name: "Submit for review" }));
  await page.getByText("In review").waitFor();
  await press(page.getByRole("link", { name: "Templates" }).first());
  await press(page.getByRole("button", { name: "Sync now" }));
  await page.getByText(/templates read, \d+ changed/).waitFor();
});

inBrowser(
  "usage shows the month against the plan; an agent sees templates but neither writes them nor opens usage",
  async () => {
    await goTo(page, "/usage");
    await page.getByRole("progressbar", { name: "Messages this month" }).waitFor();
    await page.getByRole("figure", { name: "By day" }).waitFor();
    const table = page.getByRole("table", { name: "By channel" });
    await table.getByRole("row", { name: /WhatsApp sandbox/ }).waitFor();
    const agent = await sit(omar, "/templates?lang=en");
    await rows(agent.page)
      .getByRole("row", { name: /spring_offer/ })
      .waitFor();
    assert.equal(await agent.page.getByRole("button", { name: "Sync now" }).count(), 0);
    assert.equal(await agent.page.getByRole("link", { name: "New template" }).count(), 0);
    await agent.page.goto("/usage?lang=en");
    await agent.page.getByRole("heading", { name: "You do not have access" }).waitFor();
    agent.complaints.length = 0;
  },
);

inBrowser(
  "axe finds nothing serious in both languages and themes, and nothing scrolls sideways at 320 pixels",
  async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    await goTo(page, "/templates");
    const link = rows(page).getByRole("link", { name: /spring_offer/ });
    const one = (await link.getAttribute("href")) ?? "";
    assert.deepEqual(
      await faultsOfLooks(page, ["/templates", "/templates/new", one, "/usage"]),
      [],
    );
  },
);

inBrowser("no console complained, and no page asked another host", () => {
  for (const { complaints, foreign } of seats) assert.deepEqual([complaints, foreign], [[], []]);
});
