import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { choose, press, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks, goTo } from "./looks.ts";

let stand: InboxStand;
/** The browser of an admin, which most tests go on with. */
let seat: Seat;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  seat = await stand.sit(await stand.member("Noor", "admin"), "/segments?lang=en");
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const PEOPLE = [
  "الاسم,Mobile,Tags,City",
  "سارة الأحمد,+965 5000 0001,vip,حولي",
  "Mona,5.6E+10,vip,",
  "Omar,96550000002,vip,Salmiya",
  "Nobody,,vip,",
].join("\r\n");

async function chooseFile(page: Page, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    press(page.getByRole("button", { name: "Choose file" })),
  ]);
  await chooser.setFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
}

inBrowser(
  "by keyboard alone a file is chosen, told apart, checked, imported and found again; its reasons are said",
  async () => {
    const { page, complaints } = seat;
    await goTo(page, "/contacts/import");
    await page.getByRole("heading", { level: 1, name: "Import contacts" }).waitFor();
    await chooseFile(page, "people.csv", PEOPLE);
    const column = (name: string) => page.getByRole("combobox", { name, exact: true });
    await column("City").waitFor();
    await comesTo(["name", "phone", "tags", "ignore"], () =>
      Promise.all(["الاسم", "Mobile", "Tags", "City"].map((name) => column(name).inputValue())),
    );
    await choose(column("City"), "Phone");
    await page.getByRole("alert").getByText("Two columns are “Phone”").waitFor();
    assert.equal(await page.getByRole("button", { name: "Next" }).isDisabled(), true);
    await choose(column("City"), "New attribute “City”");
    await press(page.getByRole("button", { name: "Next" }));
    await page.getByText("4 rows in the file: 2 can be imported, 2 will be refused.").waitFor();
    await page.getByText("1 row has a phone in scientific notation").waitFor();
    const first = page.getByRole("table", { name: "The first rows" }).getByRole("row");
    const fates = async () =>
      (await first.allInnerTexts()).map((row) => /New contact|No phone|scientific/.exec(row)?.[0]);
    await comesTo([undefined, "New contact", "scientific", "New contact", "No phone"], fates);
    await press(page.getByRole("button", { name: "Start import" }));
    await page.getByRole("progressbar", { name: "Import" }).waitFor();
    // Leaving and coming back shows the same run.
    await page.goto("/segments");
    await page.goto("/contacts/import");
    await page.getByRole("progressbar", { name: "Import" }).waitFor();
    await stand.settle();
    await page.getByText("The import is done").waitFor();
    await page.getByText("1 row has neither a phone nor an e-mail").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      press(page.getByRole("link", { name: "Refused rows" })),
    ]);
    assert.equal(download.suggestedFilename(), "people refused.csv");
    const refused = readFileSync((await download.path()) ?? "", "utf8");
    assert.match(refused, /Mona,5\.6E\+10,vip,,3,"phone: is a number that a spreadsheet shortened/);
    await page.getByRole("table", { name: "Past imports" }).getByText("people.csv").waitFor();

    await press(page.getByRole("button", { name: "Import another file" }));
    await chooseFile(page, "book.xlsx", "PK\u0003\u0004");
    await page.getByRole("alert").getByText("book.xlsx is a workbook").waitFor();
    assert.deepEqual(
      complaints.filter((line) => !line.includes("400")),
      [],
    );
  },
);

inBrowser("an import that fails at its header says why in Arabic", async () => {
  const { page } = seat;
  const post = async (path: string, data: Buffer | object, type: string) => {
    const headers = { "x-parley": "1", "content-type": type };
    const answer = await page.request.post(`/api/app/imports${path}`, { headers, data });
    assert.ok(answer.ok(), await answer.text());
    return JSON.parse(await answer.text()) as { id: string };
  };
  const file = Buffer.from("name,phone,Shoe size\nSara,5,38\n");
  const { id } = await post("?name=shoes.csv", file, "text/csv");
  // A program starts it without a look at the columns.
  await post(`/${id}/start`, {}, "application/json");
  await stand.settle();
  await page.goto(`/contacts/import?run=${id}&lang=ar`);
  await page.getByText("لا يُعرف معنى هذه الأعمدة: Shoe size").waitFor();
});

inBrowser(
  "by keyboard alone rules are built, counted, read in words, saved and refused at their rule",
  async () => {
    await stand.conversation("96550007777", "Laila");
    const { page, complaints } = seat;
    complaints.length = 0;
    await page.goto("/segments?lang=en");
    await press(page.getByRole("link", { name: "New segment" }));
    const rules = page.getByRole("group", { name: "Rules" });
    await press(rules.getByRole("button", { name: "Add rule" }));
    const one = page.getByRole("group", { name: "Rule 1", exact: true });
    await choose(one.getByRole("combobox", { name: "Field" }), "Phone");
    await choose(one.getByRole("combobox", { name: "Condition" }), "starts with");
    await typeInto(one.getByRole("textbox", { name: "Value" }), "9655000777");
    await page.getByText("1 person matches").waitFor();
    await page.getByRole("list", { name: "Sample" }).getByText("Laila").waitFor();
    await press(rules.getByRole("button", { name: "Add group" }));
    await page.getByText("Fill in the rules to see who matches.").waitFor();
    const group = page.getByRole("group", { name: "Group 2" });
    await typeInto(group.getByRole("textbox", { name: "Value" }), "vip");
    await page.getByText("0 people match").waitFor();
    await page
      .getByText("People whose “Phone” starts with “9655000777” and who have the tag “vip”")
      .waitFor();
    await choose(group.getByRole("combobox", { name: "Condition" }), "is not");
    await page.getByText("1 person matches").waitFor();

    await typeInto(one.getByRole("textbox", { name: "Value" }), "letters");
    await one.getByRole("alert").getByText("give the digits of a phone number").waitFor();
    await typeInto(one.getByRole("textbox", { name: "Value" }), "9655000777");
    await one.getByRole("alert").waitFor({ state: "detached" });
    await typeInto(page.getByRole("textbox", { name: "Segment name" }), "Laila and hers");
    await press(page.getByRole("button", { name: "Save segment" }));
    await page.getByRole("heading", { level: 1, name: "Laila and hers" }).waitFor();
    await page.reload();
    await page.getByText("1 person matches").waitFor();
    await press(page.getByRole("link", { name: "New campaign" }));
    const audience = page.getByRole("combobox", { name: "Audience" });
    await comesTo("Laila and hers", async () =>
      (await audience.locator("option:checked").innerText()).replace(/ \(.*/, ""),
    );
    await page.goBack();
    await press(page.getByRole("link", { name: "Segments" }).last());
    await page.getByRole("table", { name: "Segments" }).getByText("Laila and hers").waitFor();
    const wrong = { match: "all", rules: [{ field: "phone", op: "eq", value: "letters" }] };
    const address = `definition=${encodeURIComponent(JSON.stringify(wrong))}`;
    await page.goto(`/segments/new?lang=ar&${address}`);
    await page.getByRole("alert").getByText("أدخل أرقام هاتف").waitFor();
    assert.deepEqual(
      complaints.filter((line) => !line.includes("400")),
      [],
    );
  },
);

inBrowser("the sample comes before the count, and is the count when it has all", async () => {
  const { page } = seat;
  const asked: string[] = [];
  let sampled = Promise.withResolvers<void>();
  let total: number | null = 1;
  const whole = true;
  const contacts = [{ id: crypto.randomUUID(), name: "Huda", phone: null, email: null, tags: [] }];
  await page.route("**/api/app/segments/sample", async (route) => {
    asked.push("sample");
    await sampled.promise;
    await route.fulfill({ json: { contacts, whole, total } });
  });
  const counted = Promise.withResolvers<void>();
  await page.route("**/api/app/segments/count", async (route) => {
    asked.push("count");
    await counted.promise;
    await route.fulfill({ json: { count: 300_000, exact: true } });
  });
  const definition = { match: "all", rules: [{ field: "tag", op: "eq", value: "rare" }] };
  const address = `definition=${encodeURIComponent(JSON.stringify(definition))}`;
  sampled.resolve();
  await page.goto(`/segments/new?lang=en&${address}`);
  const sample = page.getByRole("list", { name: "Sample" }).getByText("Huda");
  await sample.waitFor();
  await page.getByText("1 person matches").waitFor();
  assert.deepEqual(asked.splice(0), ["sample"]);

  sampled = Promise.withResolvers<void>();
  total = null;
  await page.goto(`/segments/new?lang=en&${address.replace("rare", "many")}`);
  await page.getByText("Counting…").waitFor();
  await comesTo(1, () => Promise.resolve(asked.length));
  sampled.resolve();
  await sample.waitFor();
  await comesTo(2, () => Promise.resolve(asked.length));
  assert.deepEqual(asked, ["sample", "count"]);
  await page.getByText("Counting…").waitFor();
  counted.resolve();
  await page.getByText("300,000 people match").waitFor();
  await page.unrouteAll();
});

inBrowser("the navigation stays while a page waits for what it is made of", async () => {
  const { page } = seat;
  const come = Promise.withResolvers<void>();
  await page.route("**/api/app/segments/choices", async (route) => {
    await come.promise;
    await route.continue();
  });
  await page.goto("/segments");
  await page.locator("main[aria-busy=true]").waitFor();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 0);
  come.resolve();
  await page.getByRole("heading", { level: 1, name: "Segments" }).waitFor();
  await page.unrouteAll();
});

inBrowser("an agent reads segments and imports nothing", async () => {
  const agent = await stand.member("Omar", "agent");
  const { page } = await stand.sit(agent, "/segments?lang=en");
  await page.getByRole("heading", { level: 1, name: "Segments" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "New segment" }).count(), 0);
  await page.goto("/contacts/import");
  await page.getByText("You do not have access").waitFor();
});

inBrowser("axe finds nothing serious in both languages and themes", async () => {
  const definition = {
    match: "all",
    rules: [
      { field: "lastSeenAt", op: "within_days", value: 30 },
      { match: "any", rules: [{ field: "tag", op: "in", value: ["vip"] }] },
    ],
  };
  const routes = [
    "/contacts/import",
    "/segments",
    `/segments/new?definition=${encodeURIComponent(JSON.stringify(definition))}`,
  ];
  const { page } = seat;
  assert.deepEqual(await faultsOfLooks(page, routes), []);
});
