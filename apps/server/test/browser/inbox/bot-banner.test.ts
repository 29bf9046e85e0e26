import assert from "node:assert/strict";
import { after, before } from "node:test";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand } from "./inbox-stand.ts";

// Who answers a conversation, as members see it and change it.

let stand: InboxStand;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
});
after(() => (skip === false ? stand[Symbol.asyncDispose]() : undefined));

inBrowser(
  "a bot answers: its banner, its view and the row say so; a member takes over and gives back; without a source it hands over, and the banner says why",
  async () => {
    const mona = await stand.member("Mona", "agent");
    const before = await stand.conversation("96551200000", "Noor");
    const { page } = await stand.sit(mona, `/inbox/all/${before}?lang=en`);
    const link = (name: RegExp) => page.getByRole("link", { name });
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const status = (text: string) => page.getByRole("status").filter({ hasText: text });
    await link(/^Noor, WhatsApp, 0 unread/).waitFor();
    assert.equal(await link(/^(With bot|Handed over)/).count(), 0, "there is no bot yet");

    await stand.liveBot();
    const id = await stand.conversation("96551200001", "Huda");
    // The workers of the stand run only now: one of them starts the bot.
    await stand.settle();
    await page.goto(`/inbox/bot/${id}?lang=en`);
    await status("Shop assistant answers this conversation")
      .getByRole("button", { name: "Take over", exact: true })
      .waitFor();
    await link(/^With bot, 1$/).waitFor();
    await link(/^Huda, WhatsApp, bot answers, 0 unread/).waitFor();

    await button("What it did").click();
    await page.getByText("It has taken no steps yet.").waitFor();
    await page.keyboard.press("Shift+B");
    await page.getByText("It has taken no steps yet.").waitFor({ state: "detached" });
    await page.keyboard.press("b");
    await status("A person took over from Shop assistant").waitFor();
    await page.getByText("You took over").waitFor();
    await button("Give back to Shop assistant").click();
    await page.getByText("You gave back").waitFor();
    await status("Shop assistant").waitFor({ state: "detached" });

    await stand.say("And when?", "96551200001", "Huda");
    await stand.settle();
    await status("Shop assistant answers this conversation").waitFor();
    // The bot waits until the customer is quiet, and finds no source.
    stand.pass(60_000);
    await stand.settle();
    await status("Shop assistant handed over: no source answers the question").waitFor();
    await link(/^Handed over, 1$/).waitFor();
    await button("Give back to Shop assistant").click();
    await status("Shop assistant").waitFor({ state: "detached" });
  },
);
