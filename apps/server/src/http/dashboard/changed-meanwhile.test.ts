import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Shop, startGround, type Ground } from "../../broadcasts/record/campaign.fixture.ts";
import { aiDocumentExample } from "../../wire/bot.ts";
import { hoursInputExample } from "../../wire/hours.ts";
import { openBrowsers, type Browsers, type HttpMethod } from "./people.fixture.ts";

let ground: Ground;
let browsers: Browsers;
before(async () => {
  ground = await startGround();
  browsers = await openBrowsers(ground.t.app);
});
after(async () => {
  await browsers[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

interface Answer {
  readonly id?: string;
  readonly etag?: string;
  readonly message?: string;
  readonly details?: readonly {
    readonly code?: string;
    readonly params?: { readonly etag?: string; readonly by?: string; readonly at?: string };
  }[];
}

/** A member who calls the dashboard's API. */
type Member = Awaited<ReturnType<Browsers["signIn"]>>;

async function post(member: Member, path: string, body: object): Promise<string> {
  const { status, json } = await member.ask<Answer>("POST", path, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json.id ?? "";
}

/** How a document is read and saved. */
interface Way {
  /** The calls that answer the document and, for those of a list, where it is. */
  readonly read: string;
  readonly within?: (answer: Readonly<Record<string, readonly Answer[]>>) => Answer | undefined;
  readonly save: readonly [HttpMethod, string];
  /** The document with a word of the member's own. */
  readonly body: (word: string) => object;
}

/** The documents that members edit as a whole: each is made, and says how it is read and saved. */
const DOCUMENTS: Readonly<Record<string, (member: Member, shop: Shop) => Promise<Way>>> = {
  "a campaign's draft": async (member, shop) => {
    const body = (name: string): object => ({
      name,
      kind: "WHATSAPP_TEMPLATE",
      channelId: shop.desk.account.channelId,
      templateId: shop.templateId,
      variables: { "1": "{{first_name|friend}}", "2": "A-17" },
    });
    const path = `/campaigns/${await post(member, "/broadcasts", body("News"))}`;
    return { read: path, save: ["PUT", path], body };
  },
  "a bot's draft": async (member) => {
    const body = (scope: string): object => ({ document: { ...aiDocumentExample, scope } });
    const path = `/bots/${await post(member, "/bots", body("All about abayas"))}`;
    return { read: path, save: ["PUT", `${path}/draft`], body };
  },
  "a segment": async (member) => {
    const rules = [{ field: "tag", op: "contains", value: "vip" }];
    const body = (name: string): object => ({ name, definition: { match: "all", rules } });
    const path = `/segments/${await post(member, "/segments", body("VIPs"))}`;
    return { read: path, save: ["PATCH", path], body };
  },
  "a saved reply": async (member) => {
    const body = (text: string): object => ({ shortcut: "hi", title: "Hello", text });
    const id = await post(member, "/saved-replies", { ...body("Hi"), shared: true });
    return {
      read: "/bootstrap",
      within: ({ savedReplies }) => savedReplies?.find((one) => one.id === id),
      save: ["PATCH", `/saved-replies/${id}`],
      body,
    };
  },
  "a view of the inbox": async (member) => {
    const filter = { all: [[{ field: "status", any: ["open"] }]] };
    const body = (name: string): object => ({ name, filter });
    const id = await post(member, "/views", { ...body("Open"), shared: true });
    return {
      read: "/bootstrap",
      within: ({ views }) => views?.find((one) => one.id === id),
      save: ["PATCH", `/views/${id}`],
      body,
    };
  },
  "a source of knowledge": async (member) => {
    const body = (text: string): object => ({ title: "Delivery", texts: { en: text } });
    const path = `/knowledge/${await post(member, "/knowledge/snippets", body("Two days"))}`;
    return { read: path, save: ["PUT", path], body };
  },
  "words of one meaning": async () => {
    const path = "/knowledge/synonyms";
    return { read: path, save: ["PUT", path], body: (word) => ({ groups: [["abaya", word]] }) };
  },
  "the business hours": async () => {
    const body = (name: string): object => ({
      ...hoursInputExample,
      days: [{ date: "2027-02-25", name, spans: [] }],
    });
    return { read: "/hours", save: ["PUT", "/hours"], body };
  },
};

describe("who saves over a version that another member made meanwhile is told who did, and when", () => {
  for (const [name, make] of Object.entries(DOCUMENTS))
    test(name, async () => {
      const shop = await Shop.open(ground);
      const sara = await browsers.signIn(shop.id, "admin", "Sara");
      const omar = await browsers.signIn(shop.id, "owner", "Omar");
      const { read, within, save, body } = await make(sara, shop);
      const read1 = async (): Promise<Answer> => {
        const { json } = await sara.ask<Answer & Record<string, Answer[]>>("GET", read);
        return (within ? within(json) : json) ?? {};
      };
      const saves = (by: Member, word: string, etag?: string) =>
        by.ask<Answer>(...save, body(word), etag === undefined ? {} : { "if-match": etag });

      const first = await read1();
      assert.equal((await read1()).etag, first.etag, "reading changes no version");
      const theirs = await saves(omar, "caftan", first.etag);
      assert.equal(theirs.status, 200, JSON.stringify(theirs.json));
      const second = await read1();
      const late = await saves(sara, "cloak", first.etag);
      assert.deepEqual([late.status, late.json.message], [412, "VERSION_MISMATCH"]);
      const [fault] = late.json.details ?? [];
      assert.deepEqual([fault?.code, fault?.params?.etag], ["version.changed", second.etag]);
      assert.equal(fault?.params?.by, `member:${omar.id}`);
      assert.ok(!Number.isNaN(Date.parse(fault?.params?.at ?? "")));
      const unchanged = await read1();
      assert.deepEqual(unchanged, second, "a refused save stores nothing");
      // Over the version of which the member was told.
      const over = await saves(sara, "cloak", fault?.params?.etag);
      assert.equal(over.status, 200, JSON.stringify(over.json));
      assert.equal(over.json.etag ?? (await read1()).etag, (await read1()).etag);
      assert.equal((await saves(omar, "gown")).status, 200, "without a version it is saved");
    });
});
