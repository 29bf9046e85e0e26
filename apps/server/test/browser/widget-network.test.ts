import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { bubbles, comesTo, inside, open, passTime, say, seen, stopTime, write } from "./hands.ts";
import { inBrowserOnly, type Shop, skip, Stand } from "./stand.ts";

let stand: Stand;
beforeEach(() => skip === false && stand.cable.set("whole"));
before(async () => {
  if (skip === false) stand = await Stand.start();
});
after(async () => {
  if (skip === false) await stand.close();
});

const inbound = async (shop: Shop) =>
  (await stand.stored(shop)).filter((one) => one.direction === "inbound").map((one) => one.text);

test(
  "a cut of 30 s loses nothing and doubles nothing, in both directions",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    // The page's clock is ours: the half minute passes at once.
    await page.clock.install();
    await page.reload();
    await open(page);
    await say(page, "before the cut");
    const [conversation] = await stand.conversations(shop);

    stand.cable.set("cut");
    await write(page, "first in the cut");
    await write(page, "second in the cut");
    await stand.reply(shop, conversation, "answered in the cut");
    const triedBefore = stand.cable.tried;
    const tries = () => stand.cable.tried - triedBefore;
    const seconds = await passTime(page, async () => tries() >= 2, 30);
    await page.getByText("Reconnecting…").waitFor();
    await page.getByText("Waiting for the connection").first().waitFor();
    assert.ok(tries() >= 2 && tries() <= seconds, `${tries()} attempts in ${seconds} s`);
    assert.deepEqual(await inbound(shop), ["before the cut"]);

    stand.cable.set("whole");
    await stand.reply(shop, conversation, "answered after it");
    const waiting = page.locator('.entry.mine[data-status="queued"]');
    await passTime(
      page,
      async () => (await waiting.count()) === 0 && (await bubbles(page)).length === 5,
    );
    await seen(page, "answered after it");
    await page.locator('.entry.mine[data-status="queued"]').first().waitFor({ state: "detached" });
    const written = ["before the cut", "first in the cut", "second in the cut"];
    assert.deepEqual(await inbound(shop), written);
    assert.deepEqual((await bubbles(page)).sort(), [
      "answered after it",
      "answered in the cut",
      ...written,
    ]);
    await page.getByText("Reconnecting…").waitFor({ state: "detached" });
    await page.reload();
    await seen(page, "answered after it");
    await comesTo(5, async () => (await bubbles(page)).length);
    await page.context().close();
  },
);

test("an answer that is lost on the way does not make the message two", inBrowserOnly, async () => {
  const shop = await stand.shop();
  const { page } = await stand.visit(shop);
  await page.clock.install();
  await page.reload();
  await open(page);
  await say(page, "heard");
  // The stream is cut too, so that nothing but the resend can tell.
  await page.route("**/stream?*", (route) => route.abort());
  const lost = Promise.withResolvers<void>();
  await page.route("**/messages", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
    lost.resolve();
  });
  stand.cable.set("cut");
  stand.cable.set("whole");
  await write(page, "stored, but nobody was told");
  await lost.promise;
  assert.deepEqual(await inbound(shop), ["heard", "stored, but nobody was told"]);
  await page.locator('.entry[data-status="queued"]').waitFor();
  await page.unrouteAll();
  const waiting = page.locator('.entry.mine[data-status="queued"]');
  await passTime(page, async () => (await waiting.count()) === 0);
  await say(page, "and the next");
  const texts = ["heard", "stored, but nobody was told", "and the next"];
  assert.deepEqual(await inbound(shop), texts);
  assert.deepEqual(await bubbles(page), texts);
  await page.context().close();
});

test(
  "a connection that is dead without a word is left after 45 s of silence",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    await page.clock.install();
    await page.reload();
    await open(page);
    await say(page, "hello");
    const [conversation] = await stand.conversations(shop);
    // The page's time stops with the last word that it hears: what the calls below take is no silence.
    await stopTime(page);
    await stand.reply(shop, conversation, "the last word");
    await seen(page, "the last word");
    stand.cable.set("dead");
    await stand.reply(shop, conversation, "into the silence");
    stand.cable.set("whole");
    await page.clock.runFor(40_000);
    assert.deepEqual(await bubbles(page), ["hello", "the last word"]);
    // Connections the browser kept for later are dead too: each takes a try to find out.
    await passTime(page, async () => (await bubbles(page)).length === 3);
    await page.clock.resume();
    await seen(page, "into the silence");
    assert.deepEqual(await bubbles(page), ["hello", "the last word", "into the silence"]);
    await page.context().close();
  },
);

test(
  "what was written offline outlives a closed tab and is sent once, in order, from whichever tab comes back",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    await open(page);
    await say(page, "online");
    const context = page.context();
    await context.setOffline(true);
    for (const text of ["one", "two", "three"]) await write(page, text);
    await page
      .getByText("You are offline. Your messages will be sent when you are back.")
      .waitFor();
    assert.deepEqual(await bubbles(page), ["online", "one", "two", "three"]);
    await page.close();
    await context.setOffline(false);
    const [left, right] = await Promise.all(
      [0, 1].map(async () =>
        stand.tab({ page: await context.newPage(), complaints: [] }, shop, { open: "true" }),
      ),
    );
    for (const tab of [left, right]) {
      assert.ok(tab);
      await seen(tab.page, "three");
      await tab.page.locator('.entry[data-status="queued"]').first().waitFor({ state: "detached" });
      assert.deepEqual(await bubbles(tab.page), ["online", "one", "two", "three"]);
    }
    assert.deepEqual(await inbound(shop), ["online", "one", "two", "three"]);
    await context.close();
  },
);

test(
  "a refused message says so; trying again sends it, deleting forgets it",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    await open(page);
    await say(page, "fine");
    await page.route("**/messages", (route) =>
      route.fulfill({
        status: 400,
        headers: { "access-control-allow-origin": stand.siteOrigin },
        json: { statusCode: 400, error: "Bad Request", message: "VALIDATION_FAILED" },
      }),
    );
    await write(page, "try me again");
    await page.getByText("Not sent").waitFor();
    await write(page, "forget me");
    await page.getByText("Not sent").nth(1).waitFor();
    await page.unroute("**/messages");
    // The used button is gone: the keyboard's focus is where one writes.
    const writing = 'root.activeElement?.matches("textarea") ?? false';
    await page.getByRole("button", { name: "Delete" }).nth(1).press("Enter");
    await comesTo(true, () => inside(page, writing));
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await page.locator('.entry.mine[data-status="sent"]', { hasText: "try me again" }).waitFor();
    await comesTo(true, () => inside(page, writing));
    assert.deepEqual(await bubbles(page), ["fine", "try me again"]);
    await page.reload();
    await seen(page, "try me again");
    await comesTo(["fine", "try me again"], () => bubbles(page));
    assert.deepEqual(await inbound(shop), ["fine", "try me again"]);

    // What is too long is said, and nothing of it is cut off; an emoji is one character, as for the server.
    await write(page, `${"🙂".repeat(4_096)}!`);
    await page.getByText("This message is too long. The limit is 4,096 characters.").waitFor();
    await page.getByRole("textbox").press("Backspace");
    await page.getByRole("textbox").press("Enter");
    await page.locator('.entry.mine[data-status="sent"]', { hasText: "🙂" }).waitFor();
    assert.equal((await inbound(shop)).at(-1), "🙂".repeat(4_096));
    await page.context().close();
  },
);

test(
  "while the server is slow the panel says so; a channel that is gone says that it is",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    const asked = Promise.withResolvers<void>();
    await page.route("**/session", async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.locator(".launcher").click();
    await page.getByRole("dialog", { name: "Chat", exact: true }).waitFor();
    await page.getByRole("heading", { name: "Chat", exact: true }).waitFor();
    await page.getByText("Connecting…").waitFor();
    asked.resolve();
    await page.getByRole("dialog", { name: "Chat with Desert Rose" }).waitFor();
    await page.getByText("Connecting…").waitFor({ state: "detached" });
    await say(page, "hello");

    await disconnectChannel(OPERATOR, stand.t.app, shop.workspaceId, shop.channelId);
    await write(page, "is anybody there?");
    await page.getByText("Not sent").waitFor();
    await page.reload();
    await page.getByText("Chat is not available right now.").waitFor();
    await comesTo(["is anybody there?"], () => bubbles(page));
    await page.context().close();
  },
);
