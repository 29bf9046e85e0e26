import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Locator, Page } from "playwright-core";
import { aiDocumentExample } from "../../../src/wire/bot.ts";
import { hoursInputExample } from "../../../src/wire/hours.ts";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { press, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";

// Two members at one document: whoever saves last is told of the other's version, keeps the own text, and chooses.

let stand: InboxStand;
let amal: string;
let omar: string;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  amal = await stand.member("Amal", "owner");
  omar = await stand.member("Omar", "admin");
});
after(() => stand?.[Symbol.asyncDispose]());

type Method = "POST" | "PUT" | "PATCH";
type Api = (method: Method, path: string, data: object) => Promise<string>;

/** Calls the dashboard's API as the member at a page. Gives the id of what it answers. */
const apiOf =
  (page: Page): Api =>
  async (method, path, data) => {
    const headers = { "x-parley": "1" };
    const answer = await page.request.fetch(`/api/app${path}`, { method, headers, data });
    assert.ok(answer.ok(), await answer.text());
    return ((await answer.json()) as { id?: string }).id ?? "";
  };

/** A document at a page. */
interface Written {
  readonly address: string;
  /** Opens the form, where the page does not show it at once. */
  readonly open?: (page: Page) => Promise<void>;
  readonly field: (page: Page) => Locator;
  readonly save: string;
  /** Saves it with another text, as Omar does at his own page. */
  readonly elsewhere: (api: Api, text: string) => Promise<unknown>;
}

const box = (page: Page, name: string): Locator => page.getByRole("textbox", { name, exact: true });

const DOCUMENTS: Readonly<Record<string, (api: Api) => Promise<Written>>> = {
  "a campaign": async (api) => {
    const channelId = await stand.channel("TELEGRAM");
    const draft = (name: string): object => ({ name, kind: "TEXT", channelId, body: "Hello" });
    const id = await api("POST", "/broadcasts", draft("News"));
    return {
      address: `/campaigns/${id}`,
      field: (page) => box(page, "Campaign name"),
      save: "Save draft",
      elsewhere: (theirs, name) => theirs("PUT", `/campaigns/${id}`, draft(name)),
    };
  },
  "a bot": async (api) => {
    const document = (scope: string): object => ({ document: { ...aiDocumentExample, scope } });
    const id = await api("POST", "/bots", document("Everything"));
    return {
      address: `/bots/${id}`,
      field: (page) => box(page, "Scope"),
      save: "Save draft",
      elsewhere: (theirs, scope) => theirs("PUT", `/bots/${id}/draft`, document(scope)),
    };
  },
  "a segment": async (api) => {
    const body = (name: string): object => ({ name, definition: { match: "all", rules: [] } });
    const id = await api("POST", "/segments", body("VIPs"));
    return {
      address: `/segments/${id}`,
      field: (page) => box(page, "Segment name"),
      save: "Save segment",
      elsewhere: (theirs, name) => theirs("PATCH", `/segments/${id}`, body(name)),
    };
  },
  "a saved reply": async (api) => {
    const id = await api("POST", "/saved-replies", {
      shortcut: "hi",
      title: "Hello",
      text: "Hi",
      shared: true,
    });
    return {
      address: "/settings/saved-replies",
      open: (page) => press(page.getByRole("button", { name: "Edit Hello" })),
      field: (page) => box(page, "Text"),
      save: "Save",
      elsewhere: (theirs, text) => theirs("PATCH", `/saved-replies/${id}`, { text }),
    };
  },
  "a view": async (api) => {
    const filter = { all: [[{ field: "status", any: ["open"] }]] };
    const id = await api("POST", "/views", { name: "Mine", filter, shared: true });
    return {
      address: `/inbox/view-${id}`,
      open: async (page) => {
        await press(page.getByRole("button", { name: "Filter", exact: true }));
        await page.getByRole("menuitemradio", { name: "Edit this view…" }).press("Enter");
      },
      field: (page) => box(page, "Name"),
      save: "Save",
      elsewhere: (theirs, name) => theirs("PATCH", `/views/${id}`, { name }),
    };
  },
  "a source": async (api) => {
    const body = (text: string): object => ({ title: "Delivery", texts: { en: text } });
    const id = await api("POST", "/knowledge/snippets", body("Two days"));
    return {
      address: `/knowledge/${id}`,
      field: (page) => box(page, "Text, English"),
      save: "Save",
      elsewhere: (theirs, text) => theirs("PUT", `/knowledge/${id}`, body(text)),
    };
  },
  "the words of one meaning": async () => ({
    address: "/knowledge",
    open: (page) => page.getByRole("tab", { name: "Synonyms" }).click(),
    field: (page) => page.getByRole("tabpanel").getByRole("textbox"),
    save: "Save",
    elsewhere: (theirs, line) =>
      theirs("PUT", "/knowledge/synonyms", { groups: [line.split(", ")] }),
  }),
  "the business hours": async (api) => {
    const body = (name: string): object => ({
      ...hoursInputExample,
      days: [{ date: "2027-02-25", name, spans: [] }],
    });
    await api("PUT", "/hours", body("National Day"));
    return {
      address: "/settings/business-hours",
      field: (page) => box(page, "Name").last(),
      save: "Save",
      elsewhere: (theirs, name) => theirs("PUT", "/hours", body(name)),
    };
  },
};

for (const [name, make] of Object.entries(DOCUMENTS))
  inBrowser(
    `who saves over another member's version of ${name} is told, keeps the text, and chooses`,
    async () => {
      const his = await stand.sit(omar, "/bots?lang=en");
      const theirs = apiOf(his.page);
      const { address, open, field, save, elsewhere } = await make(theirs);
      const { page, complaints }: Seat = await stand.sit(amal, `${address}?lang=en`);
      const button = (words: string) => page.getByRole("button", { name: words, exact: true });
      const told = page.getByRole("alert").getByText("Omar saved another version meanwhile");
      await open?.(page);
      await field(page).waitFor();

      await elsewhere(theirs, "theirs, one");
      await typeInto(field(page), "mine, one");
      await press(button(save));
      await told.waitFor();
      assert.equal(await field(page).inputValue(), "mine, one");
      await press(button("Load the other version"));
      await comesTo("theirs, one", () => field(page).inputValue());
      await told.waitFor({ state: "detached" });

      await elsewhere(theirs, "theirs, two");
      await typeInto(field(page), "mine, two");
      await press(button(save));
      await told.waitFor();
      assert.equal(await field(page).inputValue(), "mine, two");
      await press(button("Save mine over it"));
      await told.waitFor({ state: "detached" });
      await page.goto(`${address}?lang=en`);
      await open?.(page);
      await comesTo("mine, two", () => field(page).inputValue());
      // The browser complains of each refusal.
      assert.deepEqual(
        complaints.filter((one) => !one.includes("412")),
        [],
      );
    },
  );
