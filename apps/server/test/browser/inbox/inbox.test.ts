import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Locator, Page } from "playwright-core";
import { LONG } from "../../group.ts";
import { comesTo, machineTime, shownAt, stopTime } from "../hands.ts";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand, PASSWORD, withServer, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

let stand: InboxStand;
let sara: string;
let omar: string;
const seats: Seat[] = [];
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  sara = await stand.member("Mona", "owner");
  omar = await stand.member("Omar", "agent");
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

/** A seat whose complaints are looked at by the last test. */
async function sit(...args: Parameters<InboxStand["sit"]>): Promise<Seat> {
  const seat = await stand.sit(...args);
  seats.push(seat);
  return seat;
}

const bubbles = (page: Page, text: string) =>
  page.getByRole("log", { name: "Messages" }).getByRole("article").filter({ hasText: text });
const box = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const item = (page: Page, name: string) =>
  page.getByRole("list", { name: "Conversations" }).getByRole("link", { name });

/** So many words are said, of which each is measured. */
const TIMES = LONG ? 10 : 2;

inBrowser("what a customer says comes up in both browsers, once", async (t) => {
  const id = await stand.conversation("96550000001", "Huda");
  const both = await Promise.all([
    sit(sara, `/inbox/all/${id}?lang=en`),
    sit(omar, `/inbox/all/${id}?lang=en`),
  ]);
  for (const { page } of both) await bubbles(page, "hello").waitFor();
  const took: number[] = [];
  for (let n = 1; n <= TIMES; n++) {
    const shown = Promise.all(both.map(({ page }) => shownAt(page, `word ${n}.`)));
    const begun = machineTime();
    await stand.say(`word ${n}.`, "96550000001", "Huda");
    took.push(Math.max(...(await shown)) - begun);
  }
  took.sort((a, b) => a - b);
  t.diagnostic(
    `from the customer's call to both screens: median ${took[TIMES >> 1]?.toFixed(0)} ms, most ${took.at(-1)?.toFixed(0)} ms`,
  );
  for (const { page } of both)
    for (let n = 1; n <= TIMES; n++) assert.equal(await bubbles(page, `word ${n}.`).count(), 1);
});

inBrowser("a reply whose answer is lost three times is stored once and shows once", async () => {
  const id = await stand.conversation("96550000002", "Latifa");
  const seat = await sit(sara, `/inbox/all/${id}?lang=en`);
  const { page } = seat;
  let lost = 0;
  await page.route("**/replies", async (route) => {
    if (lost++ >= 3) return route.continue();
    await route.fetch();
    return route.abort("connectionreset");
  });
  await box(page).fill("only once");
  await box(page).press("Enter");
  await page.getByRole("article", { name: /^You/ }).filter({ hasText: "only once" }).waitFor();
  await comesTo(true, async () => lost > 3);
  await comesTo("only once", async () => (await stand.stored(id, "outbound")).join("|"));
  await withServer(bubbles(page, "only once"));
  assert.equal(await bubbles(page, "only once").count(), 1);
  assert.deepEqual(await stand.stored(id, "outbound"), ["only once"]);
  // The console tells of the cut connections.
  seat.complaints.length = 0;
});

inBrowser("a reply that waits is sent once after the page is loaded anew", async () => {
  const id = await stand.conversation("96550000003", "Noura");
  const seat = await sit(sara, `/inbox/all/${id}?lang=en`);
  const { page } = seat;
  let tries = 0;
  await page.route("**/replies", (route) => {
    tries++;
    return route.abort("connectionreset");
  });
  await box(page).fill("after the reload");
  await box(page).press("Enter");
  await bubbles(page, "after the reload").waitFor();
  await comesTo(true, async () => tries > 0);
  await page.reload();
  await bubbles(page, "after the reload").waitFor();
  await page.unrouteAll({ behavior: "wait" });
  await comesTo("after the reload", async () => (await stand.stored(id, "outbound")).join("|"));
  await withServer(bubbles(page, "after the reload"));
  await comesTo(1, () => bubbles(page, "after the reload").count());
  seat.complaints.length = 0;
});

inBrowser(
  "a draft stays with its conversation: over a switch, a reload and another device",
  async () => {
    const [first, second] = [
      await stand.conversation("96550000004", "Dana"),
      await stand.conversation("96550000005", "Eman"),
    ];
    const { page } = await sit(sara, `/inbox/all/${first}?lang=en`);
    const saved = page.waitForResponse(`**/conversations/${first}/draft`);
    await box(page).fill("half a thought");
    await item(page, "Eman,").click();
    await page.waitForURL(`**/${second}*`);
    await comesTo("", () => box(page).inputValue());
    await item(page, "Dana,").click();
    await page.waitForURL(`**/${first}*`);
    await comesTo("half a thought", () => box(page).inputValue());
    await page.reload();
    await comesTo("half a thought", () => box(page).inputValue());
    await saved;
    const there = await sit(sara, `/inbox/all/${first}?lang=en`);
    await comesTo("half a thought", () => box(there.page).inputValue());
    // What another tab wrote is the draft here too, and what it sent is no draft any more.
    const tab = await page.context().newPage();
    await tab.goto(`/inbox/all/${first}?lang=en`);
    await comesTo("half a thought", () => box(tab).inputValue());
    await box(tab).fill("a whole one");
    await comesTo("a whole one", () => box(page).inputValue());
    await box(tab).press("Enter");
    await comesTo("", () => box(page).inputValue());
    await withServer(bubbles(tab, "a whole one"));
  },
);

inBrowser(
  "a resolved conversation leaves Mine without a new list, and Undo brings it back; a row's own buttons do the same and move nothing in it",
  async () => {
    const id = await stand.conversation("96550000006", "Fahad");
    const seat = await sit(sara, `/inbox/all/${id}?lang=en`);
    const { page, asked } = seat;
    await bubbles(page, "hello").waitFor();
    const main = page.getByRole("navigation", { name: "Main" });
    // Earlier replies assigned their conversations.
    const label = await main.getByRole("link", { name: /^Mine, \d+$/ }).getAttribute("aria-label");
    const others = Number(label?.split(" ")[1]);
    const mine = (count: number) => main.getByRole("link", { name: `Mine, ${count}`, exact: true });
    await page.keyboard.press("i");
    await mine(others + 1).click();
    await item(page, "Fahad,").click();
    const lists = () => asked.filter((one) => one === "GET /conversations").length;
    const before = lists();
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await item(page, "Fahad,").waitFor({ state: "detached" });
    // Undo is offered for eight seconds; the counts come at most once a second, later on a busy machine.
    await page.getByRole("button", { name: "Undo" }).click();
    // The row is the server's, by its clock: what was drawn before its answer may be of other words.
    const reopened = stand.clock.now().toISOString();
    await item(page, "Fahad,").locator(`time[datetime="${reopened}"]`).waitFor();
    await mine(others + 1).waitFor();
    const lines = () =>
      item(page, "Fahad,").evaluate((row) =>
        JSON.stringify([...row.children].map((line) => line.getBoundingClientRect())),
      );
    const still = await lines();
    await item(page, "Fahad,").hover();
    const own = page.locator(".row:hover").getByTitle("Resolve", { exact: true });
    await own.waitFor();
    assert.equal(await lines(), still);
    await own.click();
    await item(page, "Fahad,").waitFor({ state: "detached" });
    await mine(others).waitFor();
    assert.equal(lists(), before);
  },
);

inBrowser(
  "a note names a member by @, is changed and deleted by its author, and others see each of it",
  async () => {
    const id = await stand.conversation("96550000013", "Lulwa");
    const both = await Promise.all([
      sit(sara, `/inbox/all/${id}?lang=en`),
      sit(omar, `/inbox/all/${id}?lang=en`),
    ]);
    const [{ page }, other] = both;
    await page.getByRole("tab", { name: "Note" }).click();
    const note = page.getByRole("textbox", { name: "Note", exact: true });
    await note.pressSequentially("ask @om");
    await page.getByRole("option", { name: "Omar" }).waitFor();
    await note.press("Enter");
    await comesTo("ask @Omar ", () => note.inputValue());
    await note.press("Enter");
    const shown = (at: Page) => at.getByRole("article", { name: /^Note by/ });
    await shown(other.page)
      .filter({ has: other.page.locator("mark[data-mine]", { hasText: "@Omar" }) })
      .waitFor();
    assert.equal(await other.page.getByRole("button", { name: "Edit note" }).count(), 0);
    await page.getByRole("button", { name: "Edit note" }).click();
    await page.getByRole("textbox", { name: "Edit note" }).fill("call him");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await shown(other.page).filter({ hasText: "call him" }).waitFor();
    await page.getByRole("button", { name: "Delete note" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete note" });
    await dialog.getByRole("button", { name: "Delete" }).click();
    for (const seat of both) await shown(seat.page).filter({ hasText: "was deleted" }).waitFor();
  },
);

inBrowser(
  "hostile text is shown as text; on a phone nothing scrolls sideways, the tabs leave while somebody writes, and views, search and notifications are one tap away",
  async () => {
    const hostile = [
      "\u202Egnp.exe\u202C",
      "w".repeat(4_000),
      "👩‍👩‍👧‍👦 سلام",
      "<img src=x onerror=document.title='broken'><script>document.title='broken'</script>",
    ];
    const id = await stand.conversation("96550000007", "<b>Ghada</b>");
    for (const text of hostile) await stand.say(text, "96550000007", "<b>Ghada</b>");
    const seat = await sit(sara, `/inbox/all/${id}?lang=en`, {
      viewport: { width: 390, height: 844 },
    });
    const { page } = seat;
    await bubbles(page, "<script>").waitFor();
    await bubbles(page, "👩‍👩‍👧‍👦 سلام").waitFor();
    await page.getByRole("heading", { name: "<b>Ghada</b>" }).first().waitFor();
    assert.equal(await page.getByRole("log").locator("img, script").count(), 0);
    assert.doesNotMatch(await page.title(), /broken/);
    assert.equal(await sideways(page), 0);
    // Who writes needs the rows above the keyboard for the conversation.
    const tabs = page.locator(".tabs");
    const message = page.getByRole("textbox", { name: "Message" });
    await message.focus();
    await tabs.waitFor({ state: "hidden" });
    await message.blur();
    await tabs.waitFor({ state: "visible" });
    // Notifications, the search and the other views are one tap away from the list, at 360 pixels too.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "Back to the list" }).click();
    await page.getByRole("button", { name: /^Notifications, / }).click();
    await page.getByRole("dialog", { name: "Notifications" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Search or jump to" }).click();
    await page.getByRole("dialog", { name: "Command menu" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await sideways(page), 0);
    const title = page.getByRole("heading", { level: 1, name: "All open", exact: true });
    await title.getByRole("button").click();
    await page
      .getByRole("dialog", { name: "More" })
      .getByRole("link", { name: /^Unassigned/ })
      .click();
    await page.getByRole("heading", { level: 1, name: "Unassigned", exact: true }).waitFor();
  },
);

/** By how many pixels a page is wider than its window. */
const sideways = (page: Page) =>
  page.evaluate<number>(
    "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)",
  );

inBrowser(
  "axe finds nothing serious in both languages and themes, and nothing scrolls sideways at 320 pixels",
  async () => {
    const id = await stand.conversation("96550000009", "Iman");
    const member = await sit(sara, "/inbox/all");
    const visitor = await sit(null, "/sign-in");
    assert.deepEqual(await faultsOfLooks(member.page, [`/inbox/all/${id}`, "/inbox/all"]), []);
    assert.deepEqual(await faultsOfLooks(visitor.page, ["/sign-in", "/forgot"]), []);
  },
);

/** A key as a browser tells it of an Arabic layout: the place of the key is the same, its letter is not. */
const pressArabic = (page: Page, code: string, key: string) =>
  page.evaluate(
    `document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
      { code: "${code}", key: "${key}", bubbles: true, cancelable: true }))`,
  );

const isFocused = (one: Locator) => one.evaluate((it) => it === it.ownerDocument.activeElement);

inBrowser("the inbox is worked by keys alone, with an Arabic layout too", async () => {
  await stand.conversation("96550000010", "Jana");
  const id = await stand.conversation("96550000011", "Khaled");
  const seat = await sit(sara, "/inbox/all?lang=en");
  const { page } = seat;
  await item(page, "Khaled,").waitFor();
  await pressArabic(page, "KeyJ", "ت");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/inbox/all/${id}*`);
  await bubbles(page, "hello").waitFor();
  await page.keyboard.press("r");
  await page.keyboard.type("by keys");
  await page.keyboard.press("Enter");
  await bubbles(page, "by keys").waitFor();
  await page.keyboard.press("Escape");
  // The next conversation opens, and the one that is not resolved after all opens again.
  await pressArabic(page, "KeyE", "ث");
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  await item(page, "Khaled,").waitFor({ state: "detached" });
  await pressArabic(page, "KeyZ", "ئ");
  await page.waitForURL(`**/inbox/all/${id}*`);
  await bubbles(page, "by keys").waitFor();
  await page.keyboard.press("r");
  await page.locator("textarea:focus").waitFor();
  await page.keyboard.press("Shift+Tab");
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  // Either arrow leads to the other tab, and only Enter turns to it.
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(
    [await isFocused(tab("Note")), await tab("Reply").getAttribute("aria-selected")],
    [true, "true"],
  );
  await page.keyboard.press("Enter");
  await page.keyboard.type("for us");
  const note = page.getByRole("textbox", { name: "Note", exact: true });
  assert.deepEqual([await note.inputValue(), await isFocused(note)], ["for us", true]);
  await page.keyboard.press("Escape");
  await pressArabic(page, "KeyU", "ع");
  await comesTo("/inbox/all", async () => new URL(page.url()).pathname);
});

inBrowser(
  "the next conversation costs one request ahead of it, and those that are passed by cost none",
  async () => {
    for (let n = 0; n < 6; n++)
      await stand.conversation(`9655000003${n}`, `Row ${n}`, `word ${n}.`);
    const seat = await sit(sara, "/inbox/all?lang=en");
    const { page, asked } = seat;
    await page.clock.install();
    await item(page, "Row 5,").click();
    await bubbles(page, "word 5.").waitFor();
    const idOf = async (name: string) =>
      (await item(page, name).getAttribute("href"))?.split(/[/?]/)[3] ?? "";
    /**
     * What the page asked for until it told that this conversation was seen, a second after it was opened, and had read
     * what came before it told that somebody looks.
     */
    const askedFor = async (name: string) => {
      const path = `/conversations/${await idOf(name)}`;
      const last = [`PUT ${path}/seen`, `GET ${path}/thread`];
      await comesTo(true, async () => last.every((one) => asked.includes(one)));
      return asked
        .splice(0)
        .map((one) => one.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"))
        .sort();
    };
    await askedFor("Row 5,");
    await page.keyboard.press("j");
    await bubbles(page, "word 4.").waitFor();
    assert.deepEqual(await askedFor("Row 4,"), [
      "GET /contacts/ID/across",
      "GET /conversations/ID",
      "GET /conversations/ID/thread",
      "POST /presence",
      "PUT /conversations/ID/seen",
    ]);
    // The page's clock stands still: on a busy machine the three presses take longer than a look.
    await stopTime(page);
    for (const n of [3, 2, 1]) {
      await page.keyboard.press("j");
      await page.waitForURL(`**/${await idOf(`Row ${n},`)}*`);
    }
    await page.clock.resume();
    await bubbles(page, "word 1.").waitFor();
    const passed = await askedFor("Row 1,");
    const count = (name: string) => passed.filter((one) => one === name).length;
    assert.deepEqual(
      [count("POST /presence"), count("GET /conversations/ID/thread")],
      [1, 1],
      passed.join("\n"),
    );
  },
);

inBrowser(
  "the list is drawn before the server answers, and the next person at the browser sees nothing of it",
  async () => {
    await stand.conversation("96550000040", "Kept Customer");
    const rana = await stand.member("Rana", "agent");
    const { page } = await stand.sit(rana, "/inbox/all?lang=en");
    await item(page, "Kept Customer,").waitFor();
    let answer: () => void = () => undefined;
    const hold = async () => {
      const answered = new Promise<void>((done) => {
        answer = done;
      });
      await page.route("**/api/app/bootstrap", async (route) => {
        await answered;
        // The page may have been left meanwhile.
        await route.continue().catch(() => undefined);
      });
    };
    await hold();
    const saved = await page.request.put("/api/app/settings/me", {
      headers: { "x-parley": "1" },
      data: { nextAfterResolve: false },
    });
    assert.ok(saved.ok());
    await page.reload();
    await item(page, "Kept Customer,").waitFor();
    await page.getByRole("heading", { name: "All open", level: 1 }).waitFor();
    answer();
    await page.unroute("**/api/app/bootstrap");
    await stand.conversation("96550000041", "Came Later");
    await item(page, "Came Later,").waitFor();
    // Who switched the next conversation off stays with the resolved one.
    await item(page, "Kept Customer,").click();
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await page.getByRole("button", { name: "Reopen", exact: true }).waitFor();
    await page.keyboard.press("z");
    await item(page, "Kept Customer,").waitFor();

    // The session ends elsewhere: the page leads to the sign-in, and what it kept is gone.
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
    const kept = () =>
      page.evaluate<number>(`new Promise((done) => {
        const opening = indexedDB.open("parley-inbox", 1);
        opening.onsuccess = () => {
          const counting = opening.result.transaction("pages").objectStore("pages").count();
          counting.onsuccess = () => done(counting.result);
        };
      })`);
    await comesTo(0, kept);
    await hold();
    await page.getByLabel("Email").fill(omar);
    await page.getByLabel("Password").fill(PASSWORD);
    const begun = page.waitForRequest("**/api/app/bootstrap");
    await page.getByRole("button", { name: "Sign in" }).click();
    await begun;
    assert.equal(await page.getByText("Kept Customer").count(), 0);
    answer();
    await page
      .getByRole("list", { name: "Conversations" })
      .or(page.getByText("Nothing is assigned"))
      .first()
      .waitFor();
  },
);

inBrowser(
  "a conversation that leaves the list at its first reply leaves its place to the next one",
  async () => {
    for (const [from, name] of [
      ["96550000053", "Third Customer"],
      ["96550000052", "Second Customer"],
      ["96550000051", "First Customer"],
    ] as const)
      await stand.conversation(from, name);
    const { page } = await stand.sit(
      await stand.member("Samia", "agent"),
      "/inbox/unassigned?lang=en",
    );
    const open = (name: string) => page.getByRole("heading", { name, level: 2 }).waitFor();
    await item(page, "First Customer,").click();
    await open("First Customer");
    await page.keyboard.press("j");
    await open("Second Customer");
    // It is the one that a screen reader says, and from which Tab goes on.
    await item(page, "Second Customer,").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("r");
    await page.keyboard.type("we look into it");
    await page.keyboard.press("Enter");
    await item(page, "Second Customer,").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await open("Third Customer");
    await page.keyboard.press("k");
    await open("First Customer");
    // A search that was begun is left with one Esc, too.
    await page.keyboard.press("a");
    await page.getByRole("searchbox", { name: "Search people" }).fill("nob");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("i");
    await item(page, "First Customer,").waitFor({ state: "detached" });
    await page.keyboard.press("e");
    await open("Third Customer");
  },
);

inBrowser(
  "a newcomer plays the customer on the sandbox phone and answers in the inbox",
  async () => {
    const seat = await sit(omar, "/sandbox?lang=en");
    const { page } = seat;
    await page.getByRole("combobox", { name: "Phone channel" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Set fault" }).count(), 0);
    await page.getByRole("textbox", { name: "Customer" }).fill("96550000012");
    await page.getByRole("textbox", { name: "Say" }).fill("is anybody there?");
    await page.getByRole("button", { name: "Say it" }).click();
    const phone = page.getByRole("log", { name: "Phone" });
    await phone.getByText("is anybody there?").waitFor();
    await page.getByRole("link", { name: "Open the conversation" }).click();
    await bubbles(page, "is anybody there?").waitFor();
    await box(page).fill("yes, we are");
    await box(page).press("Enter");
    await withServer(bubbles(page, "yes, we are"));
    await stand.settle();
    await page.getByRole("button", { name: "Sandbox phone" }).click();
    await page.getByRole("textbox", { name: "Customer" }).fill("96550000012");
    await phone.getByText("yes, we are").waitFor();
  },
);

inBrowser("no console complained, and no page asked another host", () => {
  for (const { complaints, foreign } of seats) assert.deepEqual([complaints, foreign], [[], []]);
});
