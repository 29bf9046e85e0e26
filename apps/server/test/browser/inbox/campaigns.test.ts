import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { comesTo } from "../hands.ts";
import { choose, press, turnTo, typeInto } from "./by-keyboard.ts";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand, PASSWORD, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

// Campaigns in Chromium, against the sandbox: made in four steps, sent, paused, resumed, reported, and what an agent sees.

let stand: InboxStand;
let owner: string;
let agent: string;
const seats: Seat[] = [];
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  owner = await stand.member("Mona", "owner");
  agent = await stand.member("Omar", "agent");
  for (let n = 1; n <= 8; n++)
    await stand.shop.api("POST", "/contacts", { name: `Huda ${n}`, phone: `9655000100${n}` });
  await stand.shop.api("POST", "/contacts", { name: "No phone", email: "no@phone.example" });
  await stand.settle();
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

async function sit(...args: Parameters<InboxStand["sit"]>): Promise<Seat> {
  const seat = await stand.sit(...args);
  seats.push(seat);
  return seat;
}

/** The figures that the page shows, by their names. */
const figures = (page: Page) =>
  page.evaluate<Record<string, number>>(`Object.fromEntries(
    [...document.querySelectorAll("[data-figure]")].map((one) =>
      [one.dataset.figure, Number(one.querySelector("dd").textContent.replaceAll(",", ""))]))`);

const state = (page: Page, word: string) =>
  page.locator(".page-title").getByText(word, { exact: true }).waitFor();

/** Makes a campaign's draft by the four steps, up to the last, with the keyboard alone. */
async function toCheck(page: Page, name: string): Promise<void> {
  // What is missing is said, and each line leads into its empty field.
  await page.getByText("8 people get it").waitFor();
  await press(page.getByRole("button", { name: "Save draft" }));
  await press(page.getByRole("button", { name: "Choose a template" }));
  await page
    .getByRole("combobox", { name: "Template", exact: true })
    .and(page.locator(":focus"))
    .waitFor();
  await press(page.getByRole("button", { name: "Give the campaign a name" }));
  await page.getByLabel("Campaign name").and(page.locator(":focus")).waitFor();
  await typeInto(page.getByLabel("Campaign name"), name);
  await press(page.getByRole("button", { name: "Next" }));
  const template = page.getByRole("combobox", { name: "Template", exact: true });
  await choose(template, "order_update (en_US)");
  const places = page.getByRole("textbox", { name: /^Text for place/ });
  await places.first().waitFor();
  const [first, ...others] = await places.all();
  assert.ok(first);
  for (const box of others) await typeInto(box, "x");
  await press(page.getByRole("button", { name: "Insert a detail" }).first());
  await typeInto(page.getByLabel("If it is not known"), "friend");
  await page.keyboard.press("Enter");
  await comesTo("{{first_name|friend}}", () => first.inputValue());
  await page.getByRole("region", { name: "Phone preview" }).getByText("Huda").first().waitFor();
  await press(page.getByRole("button", { name: "Next" }));
  await typeInto(page.getByLabel("Messages a minute"), "10");
  await press(page.getByRole("button", { name: "Next" }));
  await page.getByText("8 people get it").waitFor();
}

inBrowser(
  "by keyboard alone a campaign is made in four steps, sent, paused, resumed and reported as its rows are",
  async () => {
    const { page, complaints } = await sit(owner, "/campaigns?lang=en");
    await press(page.getByRole("link", { name: "New campaign" }).first());
    await toCheck(page, "Spring");
    await page
      .locator(".campaign-estimate", { hasText: "No number or account on this channel: 1" })
      .waitFor();
    await press(page.getByRole("button", { name: "Save draft" }));
    await page.getByText("The draft is saved.").waitFor({ state: "attached" });
    await page.reload();
    await page.getByRole("heading", { name: "Spring", level: 1 }).waitFor();
    await page.getByText("8 people get it").waitFor();
    await press(page.getByRole("button", { name: "Start now" }));
    const asked = page.getByRole("alertdialog", { name: "Start “Spring” now?" });
    await asked.getByText("8 people get it").waitFor();
    await asked.getByText("Takes about").waitFor();
    await press(asked.getByRole("button", { name: "Start now" }));
    await state(page, "Preparing");
    await stand.settle();
    await state(page, "Running");
    // The next action waits for the campaign, and for nothing of its report.
    const report = Promise.withResolvers<void>();
    await page.route(/\/timeline\?/, async (route) => {
      await report.promise;
      await route.fallback();
    });
    await press(page.getByRole("button", { name: "Pause" }));
    await state(page, "Paused");
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await comesTo(true, async () => {
      const shown = await figures(page);
      return same(shown, await stand.campaignRows(id)) && (shown["waiting"] ?? 0) > 0;
    });
    await press(page.getByRole("button", { name: "Resume" }));
    await state(page, "Running");
    report.resolve();
    await page.unrouteAll({ behavior: "wait" });
    await press(page.getByRole("button", { name: "Change pace" }));
    await typeInto(page.getByRole("dialog").getByLabel("Messages a minute"), "1000000");
    await press(page.getByRole("button", { name: "Save" }));
    await page.getByText("1,000,000 a minute", { exact: true }).waitFor();
    stand.pass(10_000);
    await stand.settle();
    await state(page, "Finished");
    await comesTo(true, async () => same(await figures(page), await stand.campaignRows(id)));
    const shown = await figures(page);
    assert.deepEqual([shown["total"], shown["sent"], shown["skipped"]], [9, 8, 1]);

    await stand.say("Thank you", "96550001001", "Huda 1");
    await turnTo(page, "Replies");
    await page.getByRole("list", { name: "Replies" }).getByText("Thank you").waitFor();
    const entries = page.getByRole("list", { name: "Timeline" }).getByRole("listitem");
    await comesTo(true, async () => {
      const words = (await entries.allInnerTexts()).join("\n");
      return ["Started", "Paused", "Resumed", "The pace was changed", "Finished"].every((word) =>
        words.includes(word),
      );
    });
    // The figure leads to its people, whatever tab was read before.
    await press(page.getByRole("link", { name: "1: see these people" }).first());
    const table = page.getByRole("table", { name: "Recipients" });
    await table.getByText("No phone").waitFor();
    // All of them stay until the answer about these is there.
    await comesTo(2, () => table.getByRole("row").count());
    // The password was given too long ago for a file of people.
    stand.pass(11 * 60_000);
    const file = page.waitForEvent("download");
    await press(page.getByRole("link", { name: "Export CSV" }));
    const proof = page.getByRole("dialog", { name: "Confirm that it is you" });
    await typeInto(proof.getByLabel("Password"), PASSWORD);
    await press(proof.getByRole("button", { name: "Confirm" }));
    assert.match(readFileSync(await (await file).path(), "utf8"), /No phone,,skipped,no_address/);
    assert.match(complaints.splice(0).join(), /^[^,]*403[^,]*\/me\/proven$/, "and nothing else");
    await page.getByRole("figure", { name: "Results" }).waitFor();

    const { page: theirs } = await sit(agent, `/campaigns/${id}?lang=en`);
    await state(theirs, "Finished");
    for (const name of ["Copy", "Pause", "Cancel campaign", "Export CSV", "Change pace"])
      assert.equal(await theirs.getByText(name, { exact: true }).count(), 0, name);
    await theirs.goto("/campaigns?lang=en");
    await theirs.getByRole("link", { name: "Spring" }).waitFor();
    assert.equal(await theirs.getByRole("link", { name: "New campaign" }).count(), 0);
    await theirs.goto("/campaigns/new?lang=en");
    await theirs.getByRole("heading", { name: "You do not have access" }).waitFor();
  },
);

const same = (
  shown: Readonly<Record<string, number>>,
  rows: Readonly<Record<string, number>>,
): boolean => Object.entries(rows).every(([name, value]) => shown[name] === value);

inBrowser(
  "the ways of an audience are counted one after another, and each is shown as it comes",
  async () => {
    const { page } = await sit(owner, "/campaigns?lang=en");
    await page.route("**/api/app/campaign-choices", async (route) => {
      const answer = await route.fetch();
      const choices: { ways: { channelId: string; name: string }[] } = await answer.json();
      const [way] = choices.ways;
      assert.ok(way);
      const second = { ...way, channelId: crypto.randomUUID(), name: "Second" };
      const third = { ...way, channelId: crypto.randomUUID(), name: "Third" };
      await route.fulfill({ json: { ...choices, ways: [way, second, third] } });
    });
    const asked: (() => void)[] = [];
    const answers = [
      { reach: { recipients: 8, skipped: { no_address: 1 } } },
      { reach: null },
      { reach: { recipients: 5, skipped: {} } },
    ];
    await page.route("**/api/app/campaign-audiences", async (route) => {
      const json = answers[asked.length];
      await new Promise<void>((go) => asked.push(go));
      await route.fulfill({ json });
    });
    await page.goto("/campaigns/new?lang=en");
    const lines = page.getByRole("list", { name: "Reach by channel" }).locator("> li");
    const counting = (place: number) => lines.nth(place).getByText("Counting people…").waitFor();
    // The sample waits for no count.
    await page.getByRole("list", { name: "Sample" }).getByText("Huda 1").waitFor();
    for (const place of [0, 1, 2]) await counting(place);
    assert.equal(asked.length, 1);
    asked[0]?.();
    await page.getByText("8 people get it").waitFor();
    await lines.nth(0).getByText("Reaches 8 people").waitFor();
    await counting(1);
    await comesTo(2, () => Promise.resolve(asked.length));
    asked[1]?.();
    await lines.nth(1).getByText("Not counted: it takes longer than 20 seconds.").waitFor();
    await counting(2);
    await comesTo(3, () => Promise.resolve(asked.length));
    asked[2]?.();
    await lines.nth(2).getByText("Reaches 5 people").waitFor();
    await comesTo(1, () => page.getByText("8 people get it").count());
  },
);

inBrowser("what is missing is said with the way there, and what was written is kept", async () => {
  const { page } = await sit(owner, "/campaigns/new?lang=en");
  await page.getByLabel("Campaign name").fill("Half");
  await page.getByRole("button", { name: "Save draft" }).click();
  const alert = page.getByRole("alert");
  await alert.getByRole("button", { name: "Choose a template" }).click();
  await page.getByRole("region", { name: "Message" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Half", level: 1 }).waitFor();
  assert.match(page.url(), /step=message/);
});

inBrowser(
  "a draft that somebody starts elsewhere is shown as it runs, and is no draft any more",
  async () => {
    const { page } = await sit(owner, "/campaigns?lang=en");
    const post = (path: string, data?: object) =>
      page.request.post(`/api/app/${path}`, { headers: { "x-parley": "1" }, data });
    const draft = {
      name: "Both at once",
      kind: "TEXT",
      channelId: stand.shop.added.id,
      body: "Hi",
    };
    const { id }: { id: string } = await (await post("broadcasts", draft)).json();
    await page.goto(`/campaigns/${id}?step=check&lang=en`);
    const start = page.getByRole("button", { name: "Start now" });
    await start.waitFor();
    assert.equal((await post(`campaigns/${id}/start`)).status(), 200);
    await start.waitFor({ state: "detached" });
    await stand.settle();
    await state(page, "Finished");
  },
);

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

inBrowser("what is written while the picture is uploaded stays", async () => {
  const { page } = await sit(owner, "/campaigns?lang=en");
  const upload = Promise.withResolvers<void>();
  await page.route("**/api/app/files?*", async (route) => {
    await upload.promise;
    await route.continue();
  });
  await page.goto("/campaigns/new?step=message&lang=en");
  const template = page.getByRole("combobox", { name: "Template", exact: true });
  await template.selectOption({ label: "new_arrival (en_US)" });
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose file" }).click();
  await (await chooser).setFiles({ name: "jacket.png", mimeType: "image/png", buffer: PIXEL });
  const text = page.getByRole("textbox", { name: /^Text for place/ }).first();
  await text.fill("Written meanwhile");
  upload.resolve();
  await page.getByText("jacket.png").first().waitFor();
  await comesTo("Written meanwhile", () => text.inputValue());
});

inBrowser(
  "an audience that takes too long to count is said so, before the start and while it is scheduled",
  async () => {
    const { page } = await sit(owner, "/campaigns?lang=en");
    const post = (path: string, data: object) =>
      page.request.post(`/api/app/${path}`, { headers: { "x-parley": "1" }, data });
    const channelId = stand.shop.added.id;
    const quietHours = { from: 1_260, until: 450 };
    const draft = { name: "Long count", kind: "TEXT", channelId, body: "Hi", quietHours };
    const { id }: { id: string } = await (await post("broadcasts", draft)).json();
    const late = { json: { estimate: null } };
    await page.route("**/api/app/broadcast-estimates", (route) => route.fulfill(late));
    await page.route("**/api/app/broadcasts/*/estimate", (route) => route.fulfill(late));
    await page.goto(`/campaigns/${id}?step=check&lang=en`);
    await page.getByText(/Counting the audience takes longer than 20 seconds/).waitFor();
    assert.equal(await page.getByRole("button", { name: "Start now" }).isEnabled(), true);
    const wall = "2099-01-01T10:00";
    assert.equal((await post(`campaigns/${id}/schedule`, { wall })).status(), 200);
    await page.goto(`/campaigns/${id}?lang=en`);
    await page.getByText("Not counted: it takes longer than 20 seconds.").waitFor();
    await page.getByText("21:00–07:30", { exact: true }).waitFor();
  },
);

inBrowser(
  "axe finds nothing serious on the pages of campaigns, in English and in Arabic, light and dark",
  async () => {
    const { page } = await sit(owner, "/campaigns?lang=en");
    const made = await page.request.post("/api/app/broadcasts", {
      headers: { "x-parley": "1" },
      data: {
        name: "Looked at",
        kind: "TEXT",
        channelId: stand.shop.added.id,
        body: "Hi {{name}}",
      },
    });
    const { id }: { id: string } = await made.json();
    const one = `/campaigns/${id}`;
    await page.request.post(`/api/app${one}/start`, { headers: { "x-parley": "1" } });
    await stand.settle();
    const steps = ["audience", "message", "schedule", "check"];
    const routes = ["/campaigns", one, ...steps.map((step) => `/campaigns/new?step=${step}`)];
    assert.deepEqual(await faultsOfLooks(page, routes), []);
    for (const seat of seats) assert.deepEqual([seat.complaints, seat.foreign], [[], []]);
  },
);
