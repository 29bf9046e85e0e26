import assert from "node:assert/strict";
import { after, before } from "node:test";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand } from "./inbox-stand.ts";

// What models write for customers and for members, as members see it.

let stand: InboxStand;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
});
after(() => (skip === false ? stand[Symbol.asyncDispose]() : undefined));

inBrowser(
  "a message says that a model wrote it and what it rests on; a member has one suggested, and a text rewritten, and takes both back; in Arabic too",
  async () => {
    await stand.liveBot();
    await stand.snippet("Delivery", "We deliver within 2 days in Kuwait.");
    const id = await stand.conversation("96551300001", "Huda", "How fast do you deliver?");
    await stand.settle();
    stand.pass(60_000);
    await stand.settle();
    const mona = await stand.member("Mona", "agent");
    const { page } = await stand.sit(mona, `/inbox/all/${id}?lang=en`);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const status = (text: string) => page.getByRole("status").filter({ hasText: text });

    const said = page.getByRole("article", { name: /^Shop assistant, / });
    await said.getByText("Written by AI").waitFor();
    await page.getByText("Shop assistant waits for an answer").waitFor();
    await said.getByRole("button", { name: "Sources of this reply" }).click();
    const sources = page.getByRole("dialog", { name: "Sources" });
    await sources.getByRole("list", { name: "Sources" }).getByText("Delivery").click();
    await sources.getByText("We deliver within 2 days in Kuwait.").waitFor();
    await sources.getByRole("button", { name: "Bad answer" }).click();
    await sources.getByRole("textbox", { name: "What was wrong with it?" }).fill("Too short");
    await sources.getByRole("button", { name: "Save" }).click();
    await sources.getByRole("status").filter({ hasText: "Saved: a bad answer" }).waitFor();
    await sources.getByRole("button", { name: "Good answer" }).click();
    await sources.getByRole("status").filter({ hasText: "Saved: a good answer" }).waitFor();
    await page.keyboard.press("Escape");
    await sources.waitFor({ state: "detached" });
    await button("What it did").click();
    await page.getByRole("list", { name: "Steps taken" }).getByText("Answered").waitFor();
    await page.keyboard.press("b");
    await page.getByText("You took over").waitFor();
    assert.equal(await page.getByText("You took this").count(), 0, "one line for one act");

    const ai = async (item: string) => {
      await button("AI").click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    const box = page.getByRole("textbox", { name: "Message" });
    const region = page.getByRole("region", { name: "Suggested reply" });
    await ai("Suggest a reply");
    await region.getByText("We deliver within 2 days in Kuwait.").waitFor();
    await region.getByRole("list", { name: "Sources" }).getByText("Delivery").waitFor();
    // On a low screen the thread keeps its room, and what can be done with the suggestion is in sight.
    await button("What it did").click();
    await page.setViewportSize({ width: 1366, height: 657 });
    const thread = page.locator(".thread-log-frame");
    await comesTo(true, async () => ((await thread.boundingBox())?.height ?? 0) >= 230);
    const [around, use] = [region, region.getByRole("button", { name: "Use" })];
    await comesTo(true, async () => {
      const [outer, inner] = [await around.boundingBox(), await use.boundingBox()];
      return outer && inner ? inner.y + inner.height <= outer.y + outer.height : false;
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await region.getByRole("button", { name: "Another" }).click();
    await status("A reply is suggested.").waitFor();
    await region.getByRole("button", { name: "Use" }).click();
    await comesTo("We deliver within 2 days in Kuwait.", () => box.inputValue());
    await region.waitFor({ state: "detached" });

    await ai("Make it formal");
    await status("Written by AI").waitFor();
    await comesTo("Dear customer, We deliver within 2 days in Kuwait.", () => box.inputValue());
    await box.press("ControlOrMeta+z");
    await comesTo("We deliver within 2 days in Kuwait.", () => box.inputValue());
    await ai("Summarise");
    const note = page.getByRole("textbox", { name: "Note" });
    await status("Written by AI, for your team.").waitFor();
    assert.match(await note.inputValue(), /^The customer wrote: /);
    await button("Undo").click();
    await comesTo("We deliver within 2 days in Kuwait.", () => box.inputValue());
    assert.equal((await stand.stored(id, "outbound")).length, 1, "nothing was sent");

    // What a bot says when it hands over is a fixed text: no model wrote it.
    const asks = await stand.conversation("96551300002", "Nora", "human");
    await stand.settle();
    stand.pass(60_000);
    await stand.settle();
    await page.goto(`/inbox/all/${asks}?lang=en`);
    await said.waitFor();
    assert.equal(await said.count(), 1);
    assert.equal(await said.getByText("Written by AI").count(), 0);

    await page.goto(`/inbox/all/${id}?lang=ar&theme=dark`);
    await page.getByText("كتبه الذكاء الاصطناعي").waitFor();
    await page.getByRole("button", { name: "الذكاء الاصطناعي", exact: true }).click();
    await page.getByRole("menuitem", { name: "اجعله أقصر" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "مصادر هذا الرد" }).click();
    await page.getByRole("dialog", { name: "المصادر" }).getByText("Delivery").waitFor();
  },
);
