import assert from "node:assert/strict";
import { after, before } from "node:test";
import { skip } from "../stand.ts";
import { press, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

const EXTERNAL = {
  format: 1,
  kind: "external",
  name: "Orders",
  url: "http://127.0.0.1:9/turns",
} as const;

let stand: InboxStand;
let seat: Seat;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  seat = await stand.sit(await stand.member("Amal", "owner"), "/bots?lang=en");
});
after(() => stand?.[Symbol.asyncDispose]());

inBrowser(
  "an owner makes an AI bot, mends what keeps it from being published, publishes it and asks it",
  async () => {
    const { page } = seat;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const box = (name: string) => page.getByRole("textbox", { name, exact: true });
    const dialog = (name: string) => page.getByRole("dialog", { name, exact: true });
    await page.getByText("No bots yet").waitFor();
    await press(button("New bot"));
    await page.getByRole("menuitem", { name: "AI assistant", exact: true }).press("Enter");
    await typeInto(box("Name"), "Layla");
    await press(button("Create"));
    await page.getByRole("heading", { name: "Layla", level: 1 }).waitFor();

    await press(button("Publish"));
    const faults = dialog("Publish Layla").getByRole("list", { name: "Faults" });
    await faults.getByText("Say that it is an automatic assistant.").waitFor();
    await press(button("Cancel"));
    await page.getByRole("radio", { name: "Answer by itself", exact: true }).check({ force: true });
    await typeInto(box("Scope"), "Answers questions about orders, delivery and our opening hours.");
    await page.getByRole("status").getByText("63 of at least 40 characters").waitFor();
    await typeInto(box("Says that it is an assistant, English"), "I am an automatic assistant.");
    await typeInto(box("When handing over, English"), "A colleague will answer you here.");
    await typeInto(box("New rule"), "Answer in two sentences.");
    await press(button("Add guidance"));
    await press(button("Publish"));
    await press(dialog("Publish Layla").getByRole("button", { name: "Publish", exact: true }));
    await page.getByRole("status").getByText("Version 1 is published").waitFor();

    await page.getByRole("tab", { name: "Test bench" }).click();
    await typeInto(box("Question"), "Hello");
    await press(button("Ask"));
    const answer = page.getByRole("region", { name: "Answer", exact: true });
    await answer.getByText("Decision", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByRole("table", { name: "Versions" }).getByText("Amal").waitFor();

    await page.getByRole("link", { name: "Bots", exact: true }).first().click();
    const row = page.getByRole("row").filter({ hasText: "Layla" });
    await row.getByText("Live", { exact: true }).waitFor();
    const layla = (await row.getByRole("link").getAttribute("href")) ?? "";
    await press(button("Actions for Layla"));
    await page.getByRole("menuitem", { name: "Pause", exact: true }).press("Enter");
    await row.getByText("Paused", { exact: true }).waitFor();

    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      button("Import").click(),
    ]);
    await chooser.setFiles({
      name: "orders.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(EXTERNAL)),
    });
    await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
    assert.equal(await box("Address").inputValue(), EXTERNAL.url);
    // Without a secret the call is not made.
    await button("Send test").click();
    await page.getByRole("alert").getByText("there is no secret yet").waitFor();
    assert.deepEqual(seat.complaints, []);
    await button("Publish").click();
    const refused = dialog("Publish Orders");
    await refused.getByRole("button", { name: "Publish", exact: true }).click();
    await refused.getByRole("alert").getByText("Make a secret first").waitFor();
    await refused.getByRole("button", { name: "Cancel", exact: true }).click();
    // The browser complains of a refusal.
    seat.complaints.length = 0;
    await press(button("Make the secret"));
    await page.getByRole("status").getByText("Made. Copy it now").waitFor();
    assert.match(await page.getByRole("textbox", { name: "Secret" }).inputValue(), /^whsec_/);
    await press(button("Replace the secret"));
    const replacing = page.getByRole("alertdialog", { name: "Replace the secret" });
    await replacing.getByText("The secret before ends at once").waitFor();
    await press(replacing.getByRole("button", { name: "Cancel", exact: true }));
    const other = new URL(page.url()).pathname;
    assert.deepEqual(await faultsOfLooks(page, ["/bots", layla, other]), []);
  },
);

inBrowser(
  "cases are made, imported and run on the test bench; a failing one names its difference and holds up publishing",
  async () => {
    await stand.snippet("Delivery time", "We deliver within 2 working days.");
    const id = await stand.liveBot();
    const { page } = seat;
    await page.goto(`/bots/${id}?lang=en`);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const box = (name: string) => page.getByRole("textbox", { name, exact: true });
    await page.getByRole("tab", { name: "Test bench" }).click();
    await typeInto(box("Question"), "How long is the delivery?");
    await press(button("Ask"));
    await press(button("Add as case"));
    const dialog = (name: string) => page.getByRole("dialog", { name, exact: true });
    await typeInto(dialog("New case").getByRole("textbox", { name: "Must hold" }), "same day");
    await press(dialog("New case").getByRole("button", { name: "Save", exact: true }));
    const cases = page.getByRole("table", { name: "Cases" });
    await cases.getByRole("row").filter({ hasText: "same day" }).getByText("Not run").waitFor();
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      button("Import").click(),
    ]);
    const person = { question: "Can I speak to a person?", decision: "hand_over" };
    await chooser.setFiles({
      name: "cases.jsonl",
      mimeType: "application/jsonl",
      buffer: Buffer.from(`${JSON.stringify(person)}\n`),
    });
    await cases.getByText("Can I speak to a person?").waitFor();

    await press(button("Run all"));
    await page.getByRole("progressbar", { name: "Cases" }).waitFor();
    await stand.settle();
    await page.getByRole("status").getByText("1 of 2 passed").waitFor();
    const wrong = cases.getByRole("row").filter({ hasText: "same day" });
    await wrong.getByText("Failed").waitFor();
    await wrong.getByText("0 of 3").waitFor();

    await press(button("Publish"));
    const publishing = dialog("Publish Shop assistant");
    await publishing.getByRole("checkbox", { name: "Publish although cases fail" }).waitFor();
    await press(publishing.getByRole("link", { name: "1 case fails" }));
    // Anywhere in the row, as on its question.
    await wrong.getByText("0 of 3").click();
    const open = dialog("Case");
    await open
      .getByText(/same day.* is missing in: .*We deliver within 2 working days\./)
      .waitFor();
    await open.getByRole("textbox", { name: "Must hold" }).fill("2 working days");
    await press(open.getByRole("button", { name: "Save", exact: true }));
    await wrong.waitFor({ state: "detached" });
    await press(button("Run all"));
    await page.getByRole("progressbar", { name: "Cases" }).waitFor();
    await stand.settle();
    await page.getByRole("status").getByText("2 of 2 passed").waitFor();
    await press(button("Publish"));
    await publishing.getByRole("status").getByText("2 of 2 cases passed").waitFor();
    await press(publishing.getByRole("button", { name: "Publish", exact: true }));
    await page.getByRole("status").getByText("Version 2 is published").waitFor();

    // A source says something else: what customers get is asked again, and the failure is a notice.
    await stand.changeSnippet("Delivery time", "We deliver within 5 working days.");
    stand.pass(11_000);
    for (let rounds = 0; rounds < 3; rounds++) await stand.settle();
    await page.goto("/bots?lang=en");
    await press(page.getByRole("button", { name: /^Notifications, 1 unread/ }));
    await page.getByText("A case of Shop assistant fails since sources changed").waitFor();
    assert.deepEqual(seat.complaints, []);
  },
);
