import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { updateWeb } from "../../src/channels/web-channel.ts";
import { sql } from "../../src/db/sql.ts";
import { bubbles, comesTo, open, say, seen } from "./hands.ts";
import { IDENTITY_SECRET, inBrowserOnly, skip, Stand } from "./stand.ts";

let stand: Stand;
before(async () => {
  if (skip === false) stand = await Stand.start();
});
after(async () => {
  if (skip === false) await stand.close();
});

const PDF = Buffer.from("%PDF-1.4\n%%EOF");
const proof = (id: string) => ({
  id,
  hash: createHmac("sha256", IDENTITY_SECRET).update(id).digest("hex"),
});

test(
  "a proven user finds the conversation on another device; a wrong proof changes nothing",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const phone = await stand.visit(shop);
    await open(phone.page);
    await say(phone.page, "written before signing in");
    const user = JSON.stringify({ ...proof("user-42"), name: "Sara", email: "sara@x.example" });
    assert.equal(await phone.page.evaluate(`Parley.identify(${user})`), true);
    await say(phone.page, "written signed in");
    assert.deepEqual(await bubbles(phone.page), ["written before signing in", "written signed in"]);

    // The site's own script identifies before the chat's script is there.
    const laptop = await stand.visit(shop, {
      calls: JSON.stringify([["identify", JSON.parse(user)]]),
    });
    await open(laptop.page);
    await seen(laptop.page, "written signed in");
    const [contact, ...more] = await stand.t.app.db.query<{ name: string }>(
      sql`select name from contact where workspace_id = ${shop.workspaceId}`,
    );
    assert.deepEqual([contact?.name, more], ["Sara", []]);

    const forged = JSON.stringify({ ...proof("user-42"), id: "user-43" });
    const box = laptop.page.getByRole("textbox");
    await box.fill("still Sara");
    assert.equal(await laptop.page.evaluate(`Parley.identify(${forged})`), false);
    await seen(laptop.page, "written signed in");
    assert.equal(await box.inputValue(), "still Sara");
    await say(laptop.page, "still Sara");
    await seen(phone.page, "still Sara");

    // Another user without a logout before: what Sara was writing is not theirs.
    await box.fill("Sara's own");
    assert.equal(
      await laptop.page.evaluate(`Parley.identify(${JSON.stringify(proof("user-44"))})`),
      true,
    );
    await laptop.page.getByText("still Sara").waitFor({ state: "detached" });
    await comesTo("", () => box.inputValue());
    await Promise.all([phone.page.context().close(), laptop.page.context().close()]);
  },
);

test(
  "after logout the next person at the computer sees nothing, in no tab, and is somebody else",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    await open(page);
    await page.evaluate(`Parley.identify(${JSON.stringify(proof("user-7"))})`);
    await say(page, "a secret");
    const other = await stand.tab({ page: await page.context().newPage(), complaints: [] }, shop);
    await open(other.page);
    await seen(other.page, "a secret");
    for (const tab of [page, other.page]) {
      await tab.getByRole("textbox").fill("an unfinished secret");
      await tab
        .locator("input[type=file]")
        .setInputFiles([{ name: "secret.pdf", mimeType: "application/pdf", buffer: PDF }]);
      await tab.getByRole("button", { name: "Remove secret.pdf" }).waitFor();
    }
    await page.evaluate("Parley.logout()");
    for (const tab of [page, other.page]) {
      await tab.getByText("a secret").waitFor({ state: "detached" });
      await tab.locator(".draft").waitFor({ state: "detached" });
      // Nor what was being written.
      await comesTo("", () => tab.getByRole("textbox").inputValue());
    }
    await page.reload();
    await say(page, "who was here before me?");
    assert.deepEqual(await bubbles(page), ["who was here before me?"]);
    assert.equal((await stand.conversations(shop)).length, 2);
    const kept = await page.evaluate<string>("JSON.stringify(localStorage)");
    assert.doesNotMatch(kept, /secret|user-7/);
    await page.context().close();
  },
);

test(
  "who signs in after a logout keeps what they write when the site's other tab says who they are, too",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    const other = await stand.tab({ page: await page.context().newPage(), complaints: [] }, shop);
    const identify = (tab: typeof page, id: string) =>
      tab.evaluate(`Parley.identify(${JSON.stringify(proof(id))})`);
    for (const tab of [page, other.page]) {
      await open(tab);
      await identify(tab, "user-7");
    }
    await say(page, "of the first");
    await seen(other.page, "of the first");
    await page.evaluate("Parley.logout()");
    await identify(page, "user-8");
    const box = page.getByRole("textbox");
    await box.fill("half of a sentence");
    await identify(other.page, "user-8");
    await say(other.page, "of the second");
    await seen(page, "of the second");
    assert.equal(await box.inputValue(), "half of a sentence");
    await page.context().close();
  },
);

test(
  "tokens that are ended while tabs are open: all of them go on as one new visitor, and hear the answer",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop);
    await open(page);
    await say(page, "before");
    const other = await stand.tab({ page: await page.context().newPage(), complaints: [] }, shop);
    await open(other.page);
    await seen(other.page, "before");
    await updateWeb(OPERATOR, stand.t.app, shop.workspaceId, shop.channelId, {
      rotateVisitorTokens: true,
    });
    await say(page, "after");
    await seen(other.page, "after");
    await stand.reply(shop, (await stand.conversations(shop)).at(-1), "answered");
    for (const tab of [page, other.page]) {
      await seen(tab, "answered");
      assert.deepEqual(await bubbles(tab), ["after", "answered"]);
    }
    await say(other.page, "from the other tab");
    await seen(page, "from the other tab");
    assert.equal((await stand.conversations(shop)).length, 2);
    await page.context().close();
  },
);

test(
  "the page is told of unread, open and messages, may stop listening, and its mistakes stay its own",
  inBrowserOnly,
  async () => {
    const shop = await stand.shop();
    const { page } = await stand.visit(shop, {
      calls: '[["setLocale","en"],["nonsense"],["open"]]',
    });
    await page.getByRole("dialog").waitFor();
    await page.evaluate(`window.told = [];
      Parley.on("unread", (count) => told.push(["unread", count]));
      Parley.on("open", (open) => told.push(["open", open]));
      Parley.on("message", () => { throw new Error("the page's mistake") });
      Parley.on("message", ({ from, text }) => told.push([from, text]));
      window.stopped = Parley.on("open", () => told.push("not stopped"));
      stopped()`);
    await say(page, "hello");
    await page.evaluate("Parley.close()");
    const [conversation] = await stand.conversations(shop);
    await stand.reply(shop, conversation, "hi");
    await page.getByRole("button", { name: "Open chat, 1 unread message" }).waitFor();
    await page.evaluate("Parley.open()");
    await page.getByRole("dialog").waitFor();
    const told = [
      ["visitor", "hello"],
      ["open", false],
      ["agent", "hi"],
      ["unread", 1],
      ["open", true],
      ["unread", 0],
    ];
    await comesTo(told, () => page.evaluate<typeof told>("told"));
    const leaked = await page.evaluate<string[]>(
      "Object.keys(window).filter((name) => !window.before.includes(name))",
    );
    assert.deepEqual(leaked.sort(), ["Parley", "before", "stopped", "told"]);
    await page.context().close();
  },
);

test(
  "the window asks before the first message or after it, in both languages, and does not ask again",
  inBrowserOnly,
  async () => {
    const first = await stand.shop({ ask: "name email", askWhen: "before" });
    const { page, complaints } = await stand.visit(first);
    await open(page);
    const name = page.getByRole("textbox", { name: "Your name" });
    await name.fill("Sara");
    const email = page.getByRole("textbox", { name: "Your email" });
    await email.fill("sara at shop");
    assert.equal(await page.getByRole("textbox", { name: "Message" }).isVisible(), false);
    await email.press("Enter");
    await page.getByText("This is not an email address.").waitFor();
    await email.fill("sara@x.example");
    await page.getByRole("button", { name: "Start chat" }).click();
    const box = page.getByRole("textbox", { name: "Message" });
    await box.waitFor();
    await say(page, "Hello");
    // What was said goes to the contact in a transaction after the message's.
    await comesTo("Sara sara@x.example", async () => {
      const [contact] = await stand.t.app.db.query<{ name: string; email: string | null }>(sql`
        select name, attributes ->> 'web_email_unverified' as email from contact
        where workspace_id = ${first.workspaceId}`);
      return `${contact?.name} ${contact?.email}`;
    });
    // The browser itself complains of the answer 400.
    assert.deepEqual(
      complaints.filter((one) => !one.includes("400")),
      [],
    );
    await page.context().close();

    const after = await stand.shop({ ask: "email" });
    const { page: arabic } = await stand.visit(after, { lang: "ar" }, { locale: "ar-KW" });
    await arabic.locator(".launcher").click();
    await arabic.getByRole("textbox", { name: "الرسالة" }).fill("مرحبا");
    await arabic.getByRole("textbox", { name: "الرسالة" }).press("Enter");
    await arabic.getByRole("textbox", { name: "بريدك الإلكتروني" }).waitFor();
    assert.equal(await arabic.locator(".parley").getAttribute("dir"), "rtl");
    await arabic.getByRole("button", { name: "ليس الآن" }).click();
    await arabic.reload();
    await arabic.getByRole("log").getByText("مرحبا").waitFor();
    assert.equal(await arabic.locator(".ask").count(), 0);
    await arabic.context().close();
  },
);
