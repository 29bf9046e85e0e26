import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { publishTyping } from "../../src/chat/publish-typing.ts";
import { deskTopic, type Hint } from "../../src/lib/topics.ts";
import { bubbles, open, say, seen } from "./hands.ts";
import { inBrowserOnly, skip, Stand } from "./stand.ts";

let stand: Stand;
before(async () => {
  if (skip === false) stand = await Stand.start();
});
after(async () => {
  if (skip === false) await stand.close();
});

test(
  "two visitors at once each have their own conversation, told live in both directions",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const [ann, bob] = await Promise.all([stand.visit(shop), stand.visit(shop)]);
    for (const { page } of [ann, bob]) await open(page);
    await say(ann.page, "I am Ann");
    await say(bob.page, "I am Bob");
    const [first, second] = await stand.conversations(shop);
    await stand.reply(shop, first, "Hello Ann");
    await stand.reply(shop, second, "Hello Bob");
    await seen(ann.page, "Hello Ann");
    await seen(bob.page, "Hello Bob");
    assert.deepEqual(await bubbles(ann.page), ["I am Ann", "Hello Ann"]);
    assert.deepEqual(await bubbles(bob.page), ["I am Bob", "Hello Bob"]);
    assert.deepEqual([ann.complaints, bob.complaints], [[], []]);
    await Promise.all([ann.page.context().close(), bob.page.context().close()]);
  },
);

test(
  "a reload keeps the conversation and the open panel; the token is in no cookie and no address",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await open(page);
    await say(page, "Is the lamp in stock?");
    const [conversation] = await stand.conversations(shop);
    await stand.reply(shop, conversation, "It is.");
    await seen(page, "It is.");
    const listening = Promise.withResolvers<void>();
    await page.route("**/stream?*", async (route) => {
      await listening.promise;
      await route.continue();
    });
    await page.reload();
    await seen(page, "It is.");
    assert.deepEqual(await bubbles(page), ["Is the lamp in stock?", "It is."]);
    // What was said on the page before is not read out again; what comes is, but not the time that goes by.
    const log = page.getByRole("log");
    assert.equal(await log.getAttribute("aria-live"), "off");
    listening.resolve();
    await page.locator('.log[aria-live="polite"]').waitFor();
    assert.equal(await log.locator('time:not([aria-live="off"])').count(), 0);
    await say(page, "Then I take two.");
    assert.deepEqual(await stand.conversations(shop), [conversation], "one conversation");
    const token = await page.evaluate<string>(
      `localStorage.getItem("parley:${shop.channelId}:token")`,
    );
    assert.ok(token.length > 20);
    assert.deepEqual(
      addresses.filter((address) => address.includes(token)),
      [],
    );
    assert.deepEqual(await page.context().cookies(), []);
    await page.context().close();
  },
);

test(
  "of a long conversation a reload shows the end, and says so in the greeting's place",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    const greeting = page.getByText("Hello! How can we help?");
    const cut = page.getByText("Earlier messages are not shown here.");
    await open(page);
    await say(page, "The first");
    const [conversation] = await stand.conversations(shop);
    for (let n = 2; n <= 51; n++) await stand.reply(shop, conversation, `Answer ${n}`);
    await seen(page, "Answer 51");
    assert.deepEqual([await greeting.count(), await cut.count()], [1, 0], "this tab has all of it");
    await page.reload();
    await cut.waitFor();
    assert.equal(await greeting.count(), 0);
    assert.equal((await bubbles(page))[0], "Answer 2");
  },
);

test(
  "with the panel closed a reply is delivered and counted; opening it is reading",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    await open(page);
    await say(page, "Anybody there?");
    await page.keyboard.press("Escape");
    const [conversation] = await stand.conversations(shop);
    const status = async () => (await stand.stored(shop)).at(-1)?.status;
    const receipt = (kind: string) =>
      page.waitForResponse(
        (response) =>
          response.url().endsWith("/receipts") &&
          (response.request().postData() ?? "").includes(`"${kind}"`),
      );
    const delivered = receipt("delivered");
    await stand.reply(shop, conversation, "Yes!");
    await page.getByRole("button", { name: "Open chat, 1 unread message" }).waitFor();
    assert.equal(await page.title(), "Desert Rose");
    await delivered;
    assert.equal(await status(), "delivered");
    await stand.reply(shop, conversation, "How can I help?");
    await page.getByRole("button", { name: "Open chat, 2 unread messages" }).waitFor();
    const read = receipt("read");
    await open(page);
    await read;
    assert.equal(await status(), "read");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open chat", exact: true }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Open chat", exact: true }).waitFor();

    // Read, but the page was left before the server could be told: it is told the next time.
    const arrived = receipt("delivered");
    await stand.reply(shop, conversation, "Still there?");
    await arrived;
    const lost = page.waitForEvent("requestfailed", (request) =>
      request.url().endsWith("/receipts"),
    );
    await page.route("**/receipts", (route) => route.abort());
    await open(page);
    await lost;
    await page.keyboard.press("Escape");
    await page.unrouteAll();
    await page.reload();
    await page.getByRole("button", { name: "Open chat, 1 unread message" }).waitFor();
    const told = receipt("read");
    await open(page);
    await told;
    assert.equal(await status(), "read");
    await page.context().close();
  },
);

test("typing is shown in both directions and told sparingly", inBrowserOnly, async () => {
  const shop = await stand.shop();
  const { page } = await stand.visit(shop);
  await open(page);
  await say(page, "Hi");
  const [conversation = ""] = await stand.conversations(shop);
  // Typing is said once, to the streams that are open.
  await page.locator('.log[aria-live="polite"]').waitFor();
  await publishTyping(stand.t.app, shop.workspaceId, conversation, true);
  await page.getByText("Desert Rose is typing…").waitFor({ state: "attached" });
  await stand.reply(shop, conversation, "Done typing");
  await page.getByText("is typing…").waitFor({ state: "detached" });

  const heard: Hint[] = [];
  const stop = stand.t.app.topics.subscribe(deskTopic(shop.workspaceId), (hint) =>
    heard.push(hint),
  );
  const begun = performance.now();
  await typeThenSend(page, "a longer sentence, typed key by key");
  await seen(page, "a longer sentence, typed key by key");
  stop();
  // Once, and again every four seconds: on a crowded machine the sentence takes longer than that.
  const most = 1 + Math.floor((performance.now() - begun) / 4_000);
  const typing = heard.filter((hint) => hint.kind === "typing");
  assert.deepEqual(typing[0], { kind: "typing", active: true, conversationId: conversation });
  assert.ok(typing.length <= most, `${typing.length} hints, at most ${most}`);
  await page.context().close();
});

async function typeThenSend(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox").pressSequentially(text);
  await page.keyboard.press("Enter");
  await page.getByText("Sent", { exact: false }).last().waitFor();
}

test(
  "two tabs are one visitor: what one writes the other shows, what one reads the other has read",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const one = await stand.visit(shop);
    await open(one.page);
    await say(one.page, "from the first tab");
    const two = await stand.tab({ page: await one.page.context().newPage(), complaints: [] }, shop);
    await open(two.page);
    await seen(two.page, "from the first tab");
    await say(two.page, "from the second tab");
    await seen(one.page, "from the second tab");
    const [conversation, ...more] = await stand.conversations(shop);
    assert.deepEqual(more, []);

    for (const { page } of [one, two]) await page.keyboard.press("Escape");
    await stand.reply(shop, conversation, "read me once");
    for (const { page } of [one, two])
      await page.getByRole("button", { name: "Open chat, 1 unread message" }).waitFor();
    await open(two.page);
    await one.page.getByRole("button", { name: "Open chat", exact: true }).waitFor();
    const everything = ["from the first tab", "from the second tab", "read me once"];
    for (const { page } of [one, two]) assert.deepEqual(await bubbles(page), everything);
    await one.page.context().close();
  },
);

test(
  "tabs nobody looks at give their connections back, but for one, and catch up when looked at",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    await page.clock.install();
    await page.reload();
    await open(page);
    await say(page, "hello");
    const other = await stand.tab({ page: await page.context().newPage(), complaints: [] }, shop);
    await open(other.page);
    await seen(other.page, "hello");
    const tabs = [page, other.page];
    const show = (tab: Page, state: "hidden" | "visible") =>
      tab.evaluate(`Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))`);
    for (const tab of tabs) await show(tab, "hidden");
    for (const tab of tabs) await tab.clock.runFor(61_000);
    // Which of them goes on is decided by a lock: what a tab asks of it later is answered later.
    for (const tab of tabs) await tab.evaluate("navigator.locks.query().then(() => undefined)");
    const [conversation] = await stand.conversations(shop);
    await stand.reply(shop, conversation, "is anybody looking?");
    // The minute that passed at once was silence to the one that listens: it connects again, after its pause.
    await Promise.any(tabs.map((tab) => seen(tab, "is anybody looking?")));
    const told = await Promise.all(tabs.map(async (tab) => (await bubbles(tab)).length));
    assert.deepEqual(
      told.toSorted((a, b) => a - b),
      [1, 2],
      "one listens, one rests",
    );
    assert.notEqual((await stand.stored(shop)).at(-1)?.status, "read", "nobody has looked");
    for (const tab of tabs) await show(tab, "visible");
    for (const tab of tabs) await seen(tab, "is anybody looking?");
    await page.context().close();
  },
);
