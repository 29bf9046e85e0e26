import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { Cable } from "../cable.ts";
import { LONG } from "../../group.ts";
import { comesTo, machineTime, shownAt, stopTime } from "../hands.ts";
import { PATIENCE_MS, skip } from "../stand.ts";
import { inBrowser, InboxStand, withServer, type SecondServer } from "./inbox-stand.ts";

// What open pages hear while others work: over two processes, over a cut, in many tabs, beside a campaign.

let stand: InboxStand;
let second: SecondServer;
let mona: string;
let omar: string;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  second = await stand.secondServer();
  mona = await stand.member("Mona", "owner");
  omar = await stand.member("Omar", "agent");
});
after(async () => {
  if (skip !== false) return;
  await second.close();
  await stand[Symbol.asyncDispose]();
});

const log = (page: Page) => page.getByRole("log", { name: "Messages" });
const bubbles = (page: Page, text: string) =>
  log(page).getByRole("article").filter({ hasText: text });
const box = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const item = (page: Page, name: string) =>
  page.getByRole("list", { name: "Conversations" }).getByRole("link", { name });

const memberId = async (page: Page) => {
  const answer = await page.context().request.get("/api/app/me");
  const { member }: { member: { id: string } } = await answer.json();
  return member.id;
};

const TIMES = LONG ? 5 : 1;

inBrowser(
  "two processes: a customer's word, a program's reply and who types reach both",
  async (t) => {
    const id = await stand.conversation("96551000001", "Huda");
    const one = await stand.sit(mona, `/inbox/all/${id}?lang=en`);
    const other = await stand.sit(omar, `/inbox/all/${id}?lang=en`, { baseURL: second.base });
    const pages = [one.page, other.page];
    for (const page of pages) await bubbles(page, "hello").waitFor();
    await one.page.getByText("Omar is viewing").waitFor();
    const took = async (text: string, act: () => Promise<unknown>) => {
      const shown = Promise.all(pages.map((page) => shownAt(page, text)));
      const begun = machineTime();
      await act();
      return Math.round(Math.max(...(await shown)) - begun);
    };
    const words: number[] = [];
    for (let n = 1; n <= TIMES; n++)
      words.push(await took(`word ${n}.`, () => stand.say(`word ${n}.`, "96551000001", "Huda")));
    const replies: number[] = [];
    for (let n = 1; n <= TIMES; n++)
      replies.push(await took(`reply ${n}.`, () => stand.answer(id, `reply ${n}.`)));
    t.diagnostic(
      `drawn in both after: ${words.join(", ")} ms; a program's reply ${replies.join(", ")} ms`,
    );
    await stand.settle();
    for (const page of pages) await item(page, "Huda,").getByText(`reply ${TIMES}.`).waitFor();
    await box(other.page).pressSequentially("hm");
    await one.page.getByText("Omar is typing").waitFor();
  },
);

inBrowser(
  "a cut of the network: what others said meanwhile is there, in order and once, without a reload",
  async () => {
    const id = await stand.conversation("96551000002", "Latifa");
    const cable = await Cable.lay();
    cable.leadTo(Number(new URL(stand.base).port));
    // As tall as all of them: a log has in the page only what is on the screen.
    const seat = await stand.sit(mona, `/inbox/all/${id}?lang=en`, {
      baseURL: `http://127.0.0.1:${cable.port}`,
      viewport: { width: 1440, height: 3000 },
    });
    const { page } = seat;
    await bubbles(page, "hello").waitFor();
    let loads = 0;
    page.on("load", () => loads++);
    cable.set("cut");
    const said = Array.from({ length: 20 }, (_, n) => `during ${n + 1}.`);
    for (const text of said.slice(0, 10)) await stand.say(text, "96551000002", "Latifa");
    await stand.answer(id, "another agent's reply");
    for (const text of said.slice(10)) await stand.say(text, "96551000002", "Latifa");
    await page.getByRole("status").filter({ hasText: "Reconnecting" }).waitFor();
    cable.set("whole");
    await bubbles(page, "during 20.").waitFor();
    const shown = async () => {
      const texts = await log(page).getByRole("article").allInnerTexts();
      return texts.map((text) => /hello|during \d+\.|another agent's reply/.exec(text)?.[0]);
    };
    await comesTo(
      ["hello", ...said.slice(0, 10), "another agent's reply", ...said.slice(10)],
      shown,
    );
    assert.equal(loads, 0);
    await seat.page.context().close();
    await cable.close();
  },
);

/** A tab behind others draws nothing: what it would show is in the page all the same. */
const there = { state: "attached" } as const;

const TABS = LONG ? 8 : 3;

inBrowser(`${TABS} tabs share one stream, and another goes on when its tab closes`, async () => {
  const id = await stand.conversation("96551000003", "Noura");
  const first = await stand.sit(mona, `/inbox/all/${id}?lang=en`);
  const context = first.page.context();
  let streams = 0;
  context.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/app/stream") streams++;
  });
  await bubbles(first.page, "hello").waitFor();
  const opened = Array.from({ length: TABS - 1 }, async () => {
    const page = await context.newPage();
    await page.goto(`/inbox/all/${id}?lang=en`);
    await bubbles(page, "hello").waitFor(there);
    return page;
  });
  const tabs = [first.page, ...(await Promise.all(opened))];
  await stand.say("to all tabs.", "96551000003", "Noura");
  await Promise.all(tabs.map((page) => bubbles(page, "to all tabs.").waitFor(there)));
  // The first tab's may have begun before anybody counted.
  const before = streams;
  assert.ok(before <= 1, `${before} streams`);
  await first.page.close();
  await comesTo(before + 1, async () => streams);
  await stand.say("after the close.", "96551000003", "Noura");
  for (const page of tabs.slice(1)) {
    await bubbles(page, "after the close.").waitFor(there);
    assert.equal(await bubbles(page, "after the close.").count(), 1);
  }
  assert.equal(streams, before + 1);
  await context.close();
});

inBrowser(
  "opening marks read only after a second of looking, in the other tab too; assigning marks nothing",
  async () => {
    const id = await stand.conversation("96551000004", "Dana");
    const seat = await stand.sit(mona, "/inbox/all?lang=en");
    const { page, asked } = seat;
    const unread = (on: Page) => item(on, "Dana, WhatsApp, 1 unread");
    const tab = await page.context().newPage();
    await tab.goto("/inbox/all?lang=en");
    await unread(tab).waitFor();
    await page.bringToFront();
    const seen = () => asked.filter((one) => one === `PUT /conversations/${id}/seen`).length;
    const told = page.waitForRequest(`**/conversations/${id}/seen`);
    // From before the click: the page may have marked it long ago when this process has its next turn.
    const opened = performance.now();
    await unread(page).click();
    await bubbles(page, "hello").waitFor();
    await told;
    assert.ok(performance.now() - opened > 950, "not within a second");
    await item(page, "Dana, WhatsApp, 0 unread").waitFor();
    await item(tab, "Dana, WhatsApp, 0 unread").waitFor();
    const before = seen();
    await page.keyboard.press("i");
    await page
      .getByRole("status")
      .filter({ hasText: "Undo" })
      .or(page.getByRole("button", { name: "Undo" }))
      .first()
      .waitFor();
    await item(page, "Dana, WhatsApp, 0 unread").waitFor();
    assert.equal(seen(), before);
  },
);

inBrowser(
  "the list keeps its order under the pointer, says what is new, and moves after two seconds",
  async () => {
    await stand.conversation("96551000011", "Abeer");
    stand.pass(60_000);
    await stand.conversation("96551000012", "Basma");
    stand.pass(60_000);
    const seat = await stand.sit(mona, "/inbox/all?lang=en");
    const { page } = seat;
    const names = () =>
      page
        .getByRole("list", { name: "Conversations" })
        .getByRole("link")
        .evaluateAll((links) => links.map((link) => link.textContent.split(",")[0]));
    const firstTwo = async () => (await names()).slice(0, 2).join();
    await comesTo("Basma,Abeer", firstTwo);
    await item(page, "Basma,").hover();
    // The two seconds are the page's, and it has no other time than what it is given here.
    await page.clock.install();
    await stopTime(page);
    for (const n of [3, 4, 5]) await stand.conversation(`9655100001${n}`, `Newcomer ${n}`);
    stand.pass(60_000);
    await stand.say("me again", "96551000011", "Abeer");
    await page.getByRole("button", { name: "3 new" }).waitFor();
    await page.clock.runFor(1_900);
    assert.equal(await firstTwo(), "Basma,Abeer");
    await page.getByRole("button", { name: "3 new" }).waitFor();
    // Nobody presses it: the rows come by themselves.
    await page.clock.runFor(200);
    await page.clock.resume();
    await comesTo("Abeer", async () => (await names())[0]);
    await page.getByRole("button", { name: "3 new" }).waitFor({ state: "detached" });
    // The order of the next ones waits too, until the pointer leaves.
    await item(page, "Abeer,").hover();
    await stopTime(page);
    stand.pass(60_000);
    await stand.conversation("96551000016", "Newcomer 6");
    const held = page.getByRole("button", { name: "1 new" });
    await held.waitFor();
    await page.mouse.move(1_000, 10);
    await held.waitFor({ state: "detached" });
    await item(page, "Newcomer 6,").waitFor();
  },
);

inBrowser("a long thread: what is looked at stays in its place", async () => {
  const from = "96551000077";
  const words = (n: number) => `message ${n}. ${"It should have come. ".repeat(n % 7)}`;
  const id = await stand.conversation(from, "Lulwa", words(0));
  const ids: (string | null)[] = [];
  for (let n = 1; n <= 130; n++) ids[n] = (await stand.say(words(n), from, "Lulwa")).messageId;
  const { page, complaints } = await stand.sit(mona, `/inbox/all/${id}?lang=en`);
  await bubbles(page, "message 130.").waitFor();
  /** How far a message's lower edge is above the log's, in px; less than 0: below it, or not drawn. */
  const above = async (text: string) => {
    const [bubble, pane] = await Promise.all([
      bubbles(page, text).boundingBox(),
      log(page).boundingBox(),
    ]);
    if (bubble === null || pane === null) return -10_000;
    return Math.round(pane.y + pane.height - bubble.y - bubble.height);
  };
  /** Whether it is the last thing in view, with no more than a line's own space below it. */
  const endsWith = async (text: string) => {
    await bubbles(page, text).waitFor();
    const gap = await above(text);
    return gap >= 0 && gap < 40;
  };
  await comesTo(true, () => endsWith("message 130."));
  await box(page).fill("one\ntwo\nthree\nfour\nfive\nsix");
  await comesTo(true, () => endsWith("message 130."));
  await box(page).fill("");
  await comesTo(true, () => endsWith("message 130."));
  await stand.say("message 131.", from, "Lulwa");
  await comesTo(true, () => endsWith("message 131."));

  // Up to where older ones are read: they come late, and what is in view stays.
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  let asked = false;
  await page.route(/[?&]before=/, async (route) => {
    asked = true;
    await held;
    await route.continue();
  });
  await log(page).hover();
  const most = new Set<number>();
  const count = () => log(page).getByRole("article").count();
  const frame = () => page.evaluate("new Promise((drawn) => requestAnimationFrame(drawn))");
  const scrollUntil = async (done: () => Promise<boolean>) => {
    const end = performance.now() + PATIENCE_MS;
    while (!(await done())) {
      assert.ok(performance.now() < end, "the log does not get there");
      await page.mouse.wheel(0, -300);
      await frame();
      most.add(await count());
    }
  };
  /** Where a message is once the log has stopped: it moves for a few more frames after the wheel. */
  const restsAbove = async (text: string) => {
    let last = Number.NaN;
    await comesTo(true, async () => {
      const before = last;
      for (let drawn = 0; drawn < 3; drawn++) await frame();
      last = await above(text);
      return last === before;
    });
    return last;
  };
  const isThere = (text: string) => async () => (await bubbles(page, text).count()) > 0;
  await scrollUntil(async () => asked);
  await scrollUntil(isThere("message 84."));
  await bubbles(page, "message 84.").scrollIntoViewIfNeeded();
  const before = await restsAbove("message 84.");
  const height = () => page.evaluate<number>("document.querySelector('[role=log]').scrollHeight");
  const short = await height();
  release();
  await comesTo(true, async () => (await height()) > short + 1_000);
  assert.ok(Math.abs((await above("message 84.")) - before) <= 1);
  await stand.say("message 132.", from, "Lulwa");
  await item(page, "Lulwa,").getByText("message 132.").waitFor();
  assert.ok(Math.abs((await above("message 84.")) - before) <= 1);

  await scrollUntil(isThere("message 3."));
  assert.equal(await bubbles(page, "message 132.").count(), 0);
  assert.ok(Math.max(...most) <= 60, `${Math.max(...most)} messages were in the page`);
  await page.getByRole("button", { name: "Go to the latest message" }).click();
  await comesTo(true, () => endsWith("message 132."));
  // A narrow page breaks the lines anew.
  await page.setViewportSize({ width: 800, height: 900 });
  await comesTo(true, () => endsWith("message 132."));
  // A line becomes higher when its picture arrives.
  await page.evaluate(
    `[...document.querySelectorAll("[role=log] article")].at(-3).style.paddingBlock = "300px"`,
  );
  await comesTo(true, () => endsWith("message 132."));

  // Who writes sees what was written, wherever they were.
  await log(page).hover();
  await scrollUntil(isThere("message 90."));
  await box(page).fill("I have looked it up");
  await box(page).press("Enter");
  await bubbles(page, "I have looked it up").waitFor();
  await comesTo(true, async () => (await above("I have looked it up")) >= 0);
  await withServer(bubbles(page, "I have looked it up"));

  // A search's hit is shown, though a message waits at the end.
  await page.route("**/replies", (route) => route.abort("connectionreset"));
  await box(page).fill("this one waits");
  await box(page).press("Enter");
  await bubbles(page, "this one waits").waitFor();
  await page.goto("/inbox/mine?lang=en");
  await page.goto(`/inbox/all/${id}?lang=en#m-${ids[20]}`);
  await comesTo(true, async () => (await above("message 20.")) > 0);
  // The same when the thread is at hand already.
  await page.getByRole("link", { name: "Contacts" }).click();
  await log(page).waitFor({ state: "detached" });
  await page.goBack();
  await item(page, "Lulwa,").waitFor();
  await comesTo(true, async () => (await above("message 20.")) > 0);
  // The console tells of the cut connections, and of nothing else.
  assert.deepEqual(
    complaints.filter((one) => !one.includes("/replies")),
    [],
  );
});

inBrowser(
  "the bell counts what a member was told, and rings only as its owner wishes",
  async () => {
    const id = await stand.conversation("96551000021", "Hessa");
    const seat = await stand.sit(mona, "/inbox/all?lang=en");
    const { page } = seat;
    const tell = (path: string, method: "POST" | "PUT", data: object, by = page) =>
      by.context().request.fetch(`/api/app${path}`, { method, headers: { "x-parley": "1" }, data });
    const monaId = await memberId(page);
    const other = await stand.sit(omar, "/inbox/all?lang=en");
    const bell = (unread: number) =>
      page.getByRole("button", { name: `Notifications, ${unread} unread`, exact: true });
    await bell(0).waitFor();
    const note = { text: "@Mona, look at this", mentions: [monaId] };
    assert.equal(
      (await tell(`/conversations/${id}/notes`, "POST", note, other.page)).status(),
      201,
    );
    await bell(1).click();
    const dialog = page.getByRole("dialog", { name: "Notifications" });
    await dialog.getByText("look at this").waitFor();
    await dialog.getByRole("button", { name: "Mark all read" }).click();
    await page.keyboard.press("Escape");
    await bell(0).waitFor();
    await page.evaluate(`{
    window.tones = 0;
    const { createOscillator } = AudioContext.prototype;
    AudioContext.prototype.createOscillator = function () { window.tones++; return createOscillator.call(this); };
  }`);
    const tones = () => page.evaluate<number>("window.tones");
    const wish = async (sound: string, theme: string) => {
      assert.equal((await tell("/settings/me", "PUT", { sound, theme })).status(), 200);
      // Another device of the member changed both: the page asks again, and shows the theme when it has the answer.
      await page.locator(`html[data-theme=${theme}]`).waitFor();
    };
    await wish("off", "dark");
    await stand.say("quietly", "96551000021", "Hessa");
    await item(page, "Hessa,").getByText("quietly").waitFor();
    assert.equal(await tones(), 0);
    await wish("all", "light");
    await stand.say("loudly", "96551000021", "Hessa");
    await item(page, "Hessa,").getByText("loudly").waitFor();
    await comesTo(2, tones);
  },
);

inBrowser("a campaign brings nothing into the inbox until somebody answers it", async () => {
  await stand.conversation("96551000005", "Eman");
  const seat = await stand.sit(mona, "/inbox/all?lang=en");
  const { page } = seat;
  await item(page, "Eman,").waitFor();
  const all = page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^All open, \d+$/ });
  const before = await all.getAttribute("aria-label");
  await stand.campaign(Array.from({ length: 30 }, (_, n) => `9655200${1000 + n}`));
  // A conversation that nothing to do with it: what is told of it comes after all that the campaign told.
  await stand.say("after the campaign", "96551000005", "Eman");
  await item(page, "Eman,").getByText("after the campaign").waitFor();
  assert.equal(await all.getAttribute("aria-label"), before);
  await stand.say("yes please", "96552001007", "Yes");
  await item(page, "Yes,")
    .or(page.getByRole("link", { name: /96552001007/ }))
    .first()
    .waitFor();
  // Counts come at most once a second.
  await comesTo(true, async () => (await all.getAttribute("aria-label")) !== before);
});
