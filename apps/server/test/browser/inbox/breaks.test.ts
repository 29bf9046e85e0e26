import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Locator, Page } from "playwright-core";
import { LONG } from "../../group.ts";
import { Cable } from "../cable.ts";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand, type SecondServer } from "./inbox-stand.ts";

// What open pages show after reads that failed, a cut, a restart, a proxy's 502 and an hour's sleep: what the database
// holds, without a reload.

let stand: InboxStand;
let second: SecondServer;
let mona: string;
let rana: string;
let monaId: string;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  second = await stand.secondServer();
  mona = await stand.member("Mona", "owner");
  rana = await stand.member("Rana", "admin");
  const { page } = await stand.sit(mona, "/contacts?lang=en");
  const answer = await page.context().request.get("/api/app/me");
  const { member }: { member: { id: string } } = await answer.json();
  monaId = member.id;
  await page.context().close();
});
after(async () => {
  if (skip !== false) return;
  await second.close();
  await stand[Symbol.asyncDispose]();
});

const bubbles = (page: Page, text: string) =>
  page.getByRole("log", { name: "Messages" }).getByRole("article").filter({ hasText: text });
const item = (page: Page, name: string) =>
  page.getByRole("list", { name: "Conversations" }).getByRole("link", { name });

/** A member of the dashboard acts, at a browser of theirs, straight at the server. */
async function act(page: Page, method: "POST" | "PUT", path: string, data: object): Promise<void> {
  const headers = { "x-parley": "1" };
  const url = `${stand.base}/api/app${path}`;
  const answer = await page.context().request.fetch(url, { method, headers, data });
  assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`);
}

/** A place of the dashboard that reads after a hint of the stream. */
interface Place {
  /** The page that is open; it is given what `prepare` made. */
  readonly address: (made: string) => string;
  readonly prepare?: (other: Page) => Promise<string>;
  /**
   * What the member does after the page was opened. Ends when the page has read all that it reads without a hint;
   * `answered` has the paths that the server answered.
   */
  readonly open: (page: Page, answered: ReadonlySet<string>) => Promise<unknown>;
  /** What others do while every read fails. */
  readonly change: (made: string, other: Page) => Promise<void>;
  /** The call that the hint leads to, as it ends. */
  readonly reads: RegExp;
  /** How often that call fails; once where nothing is said. A query gives up after four times, and is asked again. */
  readonly failures?: number;
  readonly shows: (page: Page) => Locator;
}

/** By the place's frame: every frame that says "read it" and every page that hears it. */
const PLACES: Readonly<Record<string, Place>> = {
  "thread: the open conversation": {
    prepare: () => stand.conversation("96551100001", "Huda"),
    address: (id) => `/inbox/all/${id}?lang=en`,
    async open(page, answered) {
      await bubbles(page, "hello").waitFor();
      // Once the server knows who looks, the page reads what arrived before that.
      await comesTo(true, async () => [...answered].some((path) => path.endsWith("/thread")));
    },
    change: async () => void (await stand.say("while reads fail.", "96551100001", "Huda")),
    reads: /\/thread$/,
    shows: (page) => bubbles(page, "while reads fail."),
  },
  // No list that was read contains it: its row comes by the stream alone.
  "desk: the member's own part of a new row": {
    async prepare(other) {
      const id = await stand.conversation("96551100002", "Latifa");
      await stand.say("second", "96551100002", "Latifa");
      const change = { which: { ids: [id] }, status: "resolved" };
      await act(other, "POST", "/conversations/changes", change);
      return id;
    },
    address: () => "/inbox/unassigned?lang=en",
    open: (page) => item(page, "Huda,").waitFor(),
    change: async () => void (await stand.say("third", "96551100002", "Latifa")),
    reads: /\/conversations$/,
    shows: (page) => item(page, "Latifa, WhatsApp, 3 unread"),
  },
  "settings: members, channels, labels": {
    address: () => "/inbox/all?lang=en",
    open: (page) => item(page, "Huda,").waitFor(),
    change: (_, other) => act(other, "PUT", "/labels/urgent", { color: "#b3261e" }),
    reads: /\/bootstrap$/,
    shows: (page) =>
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^urgent/ }),
  },
  "settings: the team": {
    address: () => "/settings/team?lang=en",
    open: (page) => page.getByRole("row", { name: /^Mona/ }).waitFor(),
    change: (_, other) =>
      act(other, "POST", "/team/invitations", { email: "new@team.example", role: "agent" }),
    reads: /\/team$/,
    failures: 5,
    shows: (page) => page.getByRole("row", { name: /^new@team/ }),
  },
  "notice: the open list of notifications": {
    prepare: () => stand.conversation("96551100004", "Noura"),
    address: () => "/inbox/all?lang=en",
    async open(page) {
      await page.getByRole("button", { name: /^Notifications/ }).click();
      await page.getByText("You have no notifications.").waitFor();
    },
    change: (id, other) =>
      act(other, "POST", `/conversations/${id}/notes`, {
        text: "please look, Mona",
        mentions: [monaId],
      }),
    reads: /\/notices$/,
    shows: (page) =>
      page.getByRole("dialog", { name: "Notifications" }).getByText("please look, Mona"),
  },
  "broadcast: the list of campaigns": {
    prepare: () => stand.startCampaign(["96551200001", "96551200002"]),
    address: () => "/campaigns?lang=en",
    open: (page) => page.getByRole("row", { name: /Offer/ }).first().waitFor(),
    change: (id) => stand.finishCampaign(id),
    reads: /\/campaigns$/,
    failures: 5,
    shows: (page) => page.getByRole("row", { name: /Offer/ }).first().getByText("Finished"),
  },
  "broadcast: one campaign": {
    prepare: () => stand.startCampaign(["96551200003", "96551200004"]),
    address: (id) => `/campaigns/${id}?lang=en`,
    open: (page) => page.getByRole("heading", { name: "Offer" }).waitFor(),
    change: (id) => stand.finishCampaign(id),
    reads: /\/campaigns\/[0-9a-f-]+$/,
    shows: (page) => page.getByText("Finished", { exact: true }).first(),
  },
};

inBrowser(
  "reads that fail while the stream lives are repeated, in every place that reads after a hint",
  async () => {
    const other = (await stand.sit(rana, "/contacts?lang=en")).page;
    // One browser for all places: each is loaded whole, and a page that is warm loads in a third of the time.
    const { page } = await stand.sit(mona, "/search?lang=en");
    let loads = 0;
    page.on("load", () => loads++);
    const answered = new Set<string>();
    page.on("response", (answer) => answered.add(new URL(answer.url()).pathname));
    for (const [name, place] of Object.entries(PLACES)) {
      const made = (await place.prepare?.(other)) ?? "";
      answered.clear();
      await page.goto(place.address(made));
      await comesTo(true, async () => answered.has("/api/app/stream"));
      await place.open(page, answered);
      const shows = place.shows(page);
      assert.equal(await shows.count(), 0, name);
      // Every read gets a proxy's 502; the stream, which is open, lives on.
      const failed: string[] = [];
      await page.route("**/api/app/**", (route, request) => {
        const { pathname } = new URL(request.url());
        if (request.method() !== "GET" || pathname.endsWith("/stream")) return route.fallback();
        failed.push(pathname);
        return route.fulfill({ status: 502, body: "" });
      });
      await place.change(made, other);
      const { reads, failures = 1 } = place;
      await comesTo(true, async () => failed.filter((one) => reads.test(one)).length >= failures);
      assert.equal(await shows.count(), 0, name);
      loads = 0;
      await page.unrouteAll();
      await shows.first().waitFor();
      assert.equal(loads, 0, name);
    }
  },
);

/** What breaks between a browser and the server, and how it ends. */
interface Break {
  readonly begin: (cable: Cable, pages: readonly Page[]) => Promise<void>;
  readonly end: (cable: Cable, pages: readonly Page[]) => Promise<void>;
}

/** The clock that the pages share jumps: timers that are due fire once, as when the lid of a laptop opens again. */
const jump = (pages: readonly Page[], ms: number) => pages[0]?.clock.fastForward(ms);
const live = async (pages: readonly Page[], state: "frozen" | "active") => {
  for (const page of pages) {
    const session = await page.context().newCDPSession(page);
    await session.send("Page.setWebLifecycleState", { state });
    await session.detach();
  }
};

const BREAKS: Readonly<Record<string, Break>> = {
  "a restart of the server": {
    begin: async (cable) => cable.set("cut"),
    async end(cable) {
      // Another process, which knows nothing of who looks at what.
      cable.leadTo(Number(new URL(second.base).port));
      cable.set("whole");
    },
  },
  "a minute without network": {
    begin: async (cable) => cable.set("cut"),
    async end(cable, pages) {
      await jump(pages, 60_000);
      cable.set("whole");
    },
  },
  "a 502 from a proxy": {
    begin: async (cable) => cable.set("refusing"),
    async end(cable) {
      const { tried } = cable;
      await comesTo(true, async () => cable.tried > tried + 2);
      cable.set("whole");
    },
  },
  "a laptop asleep for an hour": {
    async begin(cable, pages) {
      await live(pages, "frozen");
      cable.set("dead");
      stand.pass(3_600_000);
    },
    async end(cable, pages) {
      cable.set("whole");
      await live(pages, "active");
      await jump(pages, 3_600_000);
    },
  },
};

/** What a page shows of the database: the conversations with their counts, a thread, a campaign, a table. */
const shown = (page: Page): Promise<string> =>
  page.evaluate<string>(`JSON.stringify([
    ...document.querySelectorAll(
      "nav a, .list-rows a, [role=log] article, main [role=status], main dl, main table, .notices-button",
    ),
  ].map((one) => (one.ariaLabel ?? "") + one.innerText), null, 1)
    // How long ago something was runs on, and a page that slept counts it from another clock than a new one.
    .replaceAll(/(in )?\\d+ (second|minute|hour|day)s?( ago)?|now|tomorrow|yesterday/g, "a while ago")`);

/** In the short suite the network is cut until another server is there: what pages miss the most in. */
const LAST = LONG ? Object.keys(BREAKS).length : 1;

for (const [n, [name, one]] of Object.entries(BREAKS).slice(0, LAST).entries())
  inBrowser(`${name}: what open pages show afterwards equals the database`, async (t) => {
    const from = `9655110100${n}`;
    const id = await stand.conversation(from, `Huda ${n}`);
    const campaign = await stand.startCampaign([`9655210${n}001`, `9655210${n}002`]);
    const cable = await Cable.lay();
    t.after(() => cable.close());
    cable.leadTo(Number(new URL(stand.base).port));
    const addresses = [
      `/inbox/all/${id}?lang=en`,
      `/campaigns/${campaign}?lang=en`,
      "/contacts?lang=en",
    ];
    const baseURL = `http://127.0.0.1:${cable.port}`;
    const first = await stand.sit(mona, "/search?lang=en", { baseURL });
    const context = first.page.context();
    await context.clock.install();
    const pages = [];
    for (const address of addresses) {
      const page = await context.newPage();
      await page.goto(address);
      pages.push(page);
    }
    const [inbox, campaignPage, contacts] = pages;
    assert.ok(inbox && campaignPage && contacts);
    const there = { state: "attached" } as const;
    await bubbles(inbox, "hello").waitFor(there);
    await campaignPage.getByRole("heading", { name: "Offer" }).waitFor(there);
    await contacts.getByRole("row", { name: new RegExp(`Huda ${n}`) }).waitFor(there);
    let loads = 0;
    for (const page of pages) page.on("load", () => loads++);

    await one.begin(cable, pages);
    for (const text of ["one.", "two.", "three."]) await stand.say(text, from, `Huda ${n}`);
    await stand.answer(id, "a program's reply");
    await stand.conversation(`9655110200${n}`, `Newcomer ${n}`);
    const other = (await stand.sit(rana, `/contacts?lang=en`)).page;
    const note = { text: "see this", mentions: [monaId] };
    await act(other, "POST", `/conversations/${id}/notes`, note);
    await stand.finishCampaign(campaign);
    await one.end(cable, pages);

    await bubbles(inbox, "three.").waitFor(there);
    const fresh = (await stand.sit(mona, "/search?lang=en")).page;
    for (const [at, page] of pages.entries()) {
      await fresh.goto(addresses[at] ?? "");
      await fresh.locator("[role=log] article, main table").first().waitFor(there);
      await page.bringToFront();
      let wanted = "";
      await comesTo(true, async () => {
        wanted = await shown(fresh);
        return wanted === (await shown(page));
      }).catch(async () => assert.equal(await shown(page), wanted));
    }
    assert.equal(loads, 0);
  });

inBrowser(
  "the page loads again when a part of it did not load and the server answers: by itself, or by the button",
  async (t) => {
    const cable = await Cable.lay();
    t.after(() => cable.close());
    cable.leadTo(Number(new URL(stand.base).port));
    const baseURL = `http://127.0.0.1:${cable.port}`;
    const context = (await stand.sit(mona, "/search?lang=en", { baseURL })).page.context();
    await context.clock.install();
    const page = await context.newPage();
    await page.goto("/inbox/all?lang=en");
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    let loads = 0;
    page.on("load", () => loads++);
    const open = (name: string) =>
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
    const failed = page.getByText("The server did not answer.");
    const again = page.getByRole("button", { name: "Try again" });

    cable.set("cut");
    await open("Usage");
    await failed.waitFor();
    await again.click();
    await failed.waitFor();
    assert.equal(loads, 0, "no page of the browser's own");
    cable.set("whole");
    await again.click();
    await page.getByRole("heading", { name: "Usage", exact: true }).waitFor();
    assert.equal(loads, 1);

    // The page loads itself once a minute at most.
    await jump([page], 60_000);
    cable.set("cut");
    await open("Segments");
    await failed.waitFor();
    cable.set("whole");
    await jump([page], 10_000);
    await page.getByRole("heading", { name: "Segments", exact: true }).waitFor();
    assert.equal(loads, 2);

    // Its first words do not come either: the document has some of its own.
    const words = /\/assets\/first\.en-[^/]*\.js$/;
    await page.route(words, (route) => route.abort());
    await jump([page], 60_000);
    const loading = page.getByText("Parley is still loading.");
    await page.goto("/usage?lang=en");
    await loading.waitFor({ state: "attached" });
    await page.unroute(words);
    await jump([page], 70_000);
    await page.getByRole("heading", { name: "Usage", exact: true }).waitFor();
    assert.equal(await loading.count(), 0);
  },
);
