import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

let stand: InboxStand;
let admin: string;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  admin = await stand.member("Noor", "admin");
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

async function choose(page: Page, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Choose file" }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
}

inBrowser(
  "a file is chosen, told apart, checked, imported and found again; its reasons are said",
  async () => {
    const { page, complaints } = await stand.sit(admin, "/contacts/import?lang=en");
    await page.getByRole("heading", { level: 1, name: "Import contacts" }).waitFor();
    await choose(page, "people.csv", PEOPLE);
    const column = (name: string) => page.getByRole("combobox", { name, exact: true });
    await column("City").waitFor();
    assert.deepEqual(
      await Promise.all(
        ["الاسم", "Mobile", "Tags", "City"].map((name) => column(name).inputValue()),
      ),
      ["name", "phone", "tags", "ignore"],
    );
    await column("City").selectOption({ label: "Phone" });
    await page.getByRole("alert").getByText("Two columns are “Phone”").waitFor();
    assert.equal(await page.getByRole("button", { name: "Next" }).isDisabled(), true);
    await column("City").selectOption({ label: "New attribute “City”" });
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("4 rows in the file: 2 can be imported, 2 will be refused.").waitFor();
    await page.getByText("1 row has a phone in scientific notation").waitFor();
    const first = page.getByRole("table", { name: "The first rows" }).getByRole("row");
    assert.deepEqual(
      (await first.allInnerTexts()).map((row) => /New contact|No phone|scientific/.exec(row)?.[0]),
      [undefined, "New contact", "scientific", "New contact", "No phone"],
    );
    await page.getByRole("button", { name: "Start import" }).click();
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
      page.getByRole("link", { name: "Refused rows" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "people refused.csv");
    const refused = readFileSync((await download.path()) ?? "", "utf8");
    assert.match(refused, /Mona,5\.6E\+10,vip,,3,"phone: is a number that a spreadsheet shortened/);
    await page.getByRole("table", { name: "Past imports" }).getByText("people.csv").waitFor();

    await page.getByRole("button", { name: "Import another file" }).click();
    await choose(page, "book.xlsx", "PK\u0003\u0004");
    await page.getByRole("alert").getByText("book.xlsx is a workbook").waitFor();
    assert.deepEqual(
      complaints.filter((line) => !line.includes("400")),
      [],
    );
  },
);

inBrowser("an import that fails at its header says why in Arabic", async () => {
  const { page } = await stand.sit(admin, "/contacts/import?lang=ar");
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

inBrowser("rules are built, counted, read in words, saved and refused at their rule", async () => {
  await stand.conversation("96550007777", "Laila");
  const { page, complaints } = await stand.sit(admin, "/segments?lang=en");
  await page.getByRole("link", { name: "New segment" }).click();
  const rules = page.getByRole("group", { name: "Rules" });
  await rules.getByRole("button", { name: "Add rule" }).click();
  const one = page.getByRole("group", { name: "Rule 1", exact: true });
  await one.getByRole("combobox", { name: "Field" }).selectOption({ label: "Phone" });
  await one.getByRole("combobox", { name: "Condition" }).selectOption({ label: "starts with" });
  await one.getByRole("textbox", { name: "Value" }).fill("9655000777");
  await page.getByText("1 person matches").waitFor();
  await page.getByRole("list", { name: "Sample" }).getByText("Laila").waitFor();
  await rules.getByRole("button", { name: "Add group" }).click();
  await page.getByText("Fill in the rules to see who matches.").waitFor();
  const group = page.getByRole("group", { name: "Group 2" });
  await group.getByRole("textbox", { name: "Value" }).fill("vip");
  await page.getByText("0 people match").waitFor();
  await page
    .getByText("People whose “Phone” starts with “9655000777” and who have the tag “vip”")
    .waitFor();
  await group.getByRole("combobox", { name: "Condition" }).selectOption({ label: "is not" });
  await page.getByText("1 person matches").waitFor();

  await one.getByRole("textbox", { name: "Value" }).fill("letters");
  await one.getByRole("alert").getByText("give the digits of a phone number").waitFor();
  await one.getByRole("textbox", { name: "Value" }).fill("9655000777");
  await one.getByRole("alert").waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Segment name" }).fill("Laila and hers");
  await page.getByRole("button", { name: "Save segment" }).click();
  await page.getByRole("heading", { level: 1, name: "Laila and hers" }).waitFor();
  await page.reload();
  await page.getByText("1 person matches").waitFor();
  await page.getByRole("link", { name: "Segments" }).last().click();
  await page.getByRole("table", { name: "Segments" }).getByText("Laila and hers").waitFor();
  const wrong = { match: "all", rules: [{ field: "phone", op: "eq", value: "letters" }] };
  const address = `definition=${encodeURIComponent(JSON.stringify(wrong))}`;
  await page.goto(`/segments/new?lang=ar&${address}`);
  await page.getByRole("alert").getByText("أدخل أرقام هاتف").waitFor();
  assert.deepEqual(
    complaints.filter((line) => !line.includes("400")),
    [],
  );
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
  const { page } = await stand.sit(admin, "/segments");
  assert.deepEqual(await faultsOfLooks(page, routes), []);
});
