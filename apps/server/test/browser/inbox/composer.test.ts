import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Locator, Page } from "playwright-core";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand, withServer } from "./inbox-stand.ts";

let stand: InboxStand;
before(async () => {
  if (skip === false) stand = await InboxStand.start();
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const EXE = Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200)]);

const attach = async (
  page: Page,
  ...files: { name: string; mimeType: string; buffer: Buffer }[]
) => {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Attach files" }).click(),
  ]);
  await chooser.setFiles(files);
};

inBrowser("on a phone the first tap on a tool opens it, before and while one writes", async () => {
  const id = await stand.conversation("96550000100", "Nada");
  const { page } = await stand.sit(
    await stand.member("Rana", "agent"),
    `/inbox/all/${id}?lang=en`,
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  );
  const tabs = page.getByRole("navigation", { name: "Main" });
  const opens = async () => {
    await page.getByRole("button", { name: "Emoji", exact: true }).tap();
    await page.getByRole("dialog", { name: "Emoji", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await tabs.waitFor();
  await opens();
  await page.locator(".composer textarea").tap();
  await tabs.waitFor({ state: "hidden" });
  await opens();
});

inBrowser(
  "Saved replies writes one slash: pressed again it closes its list, and then opens it",
  async () => {
    const id = await stand.conversation("96550000106", "Hala");
    const { page } = await stand.sit(
      await stand.member("Ruba", "agent"),
      `/inbox/open/${id}?lang=en`,
    );
    const message = page.getByRole("textbox", { name: "Message", exact: true });
    const tool = page.getByRole("button", { name: "Saved replies", exact: true });
    const list = page.getByRole("listbox", { name: "Saved replies", exact: true });
    await message.fill("Hello");
    for (const shown of [true, false, true]) {
      await tool.click();
      await list.waitFor({ state: shown ? "visible" : "hidden" });
      await comesTo("Hello /", () => message.inputValue());
      await page.locator("textarea:focus").waitFor();
    }
  },
);

inBrowser(
  "the list of saved replies covers nothing of the thread, which stays at its end, and what the keys choose in it is in sight",
  async () => {
    const id = await stand.conversation("96550000119", "Dalal");
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await stand.say(`and ${n}`, "96550000119", "Dalal");
      await stand.shop.api("PUT", `/saved-replies/reply${n}`, {
        title: `Reply ${n}`,
        text: "Hello",
      });
    }
    await stand.shop.api("PUT", `/conversations/${id}/suggestion`, { text: "We look it up" });
    const { page } = await stand.sit(
      await stand.member("Manal", "agent"),
      `/inbox/all/${id}?lang=en`,
      { viewport: { width: 1366, height: 657 } },
    );
    const message = page.getByRole("textbox", { name: "Message", exact: true });
    await message.fill("/");
    const list = page.getByRole("listbox", { name: "Saved replies", exact: true });
    await list.getByRole("option").nth(7).waitFor();
    const edge = async (locator: Locator) => {
      const box = await locator.boundingBox();
      assert.ok(box);
      return { top: box.y, bottom: box.y + box.height };
    };
    const log = await edge(page.getByRole("log", { name: "Messages" }));
    assert.ok((await edge(list)).top >= log.bottom);
    for (let n = 1; n < 8; n++) await message.press("ArrowDown");
    await list
      .getByRole("option", { selected: true })
      .and(list.getByRole("option").nth(7))
      .waitFor();
    assert.ok((await edge(list.getByRole("option").nth(7))).bottom <= (await edge(list)).bottom);
    // The list goes and the suggestion comes back: the thread stays at its end.
    await message.fill("");
    await page.getByRole("region", { name: "Suggested reply" }).waitFor();
    await comesTo(0, () =>
      page
        .getByRole("log", { name: "Messages" })
        .evaluate((one) => Math.round(one.scrollHeight - one.clientHeight - one.scrollTop)),
    );
  },
);

inBrowser("a draft that was there before goes on at its end", async () => {
  const id = await stand.conversation("96550000107", "Noura");
  const { page } = await stand.sit(
    await stand.member("Abeer", "agent"),
    `/inbox/all/${id}?lang=en`,
  );
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  await message.fill("Hello");
  await page.reload();
  await comesTo("Hello", () => message.inputValue());
  await page.keyboard.press("r");
  await page.locator("textarea:focus").waitFor();
  await page.keyboard.type(" there");
  await comesTo("Hello there", () => message.inputValue());
});

inBrowser(
  "a file that the channel does not take is refused at the drop, by name and reason",
  async () => {
    const id = await stand.conversation("96550000101", "Amal");
    const { page, asked } = await stand.sit(
      await stand.member("Lina", "agent"),
      `/inbox/all/${id}`,
    );
    const form = page.getByRole("form", { name: "Reply" });
    await form.getByRole("textbox", { name: "Message" }).waitFor();
    const refused = form.getByRole("list", { name: "Files that cannot be sent" });

    // Known by its name, it is not uploaded; known by its bytes alone, the server's answer refuses it. People aim at the
    // messages. Beside the conversation a file is refused: the browser would open it instead of the page.
    const drop = (on: string, name: string) =>
      page.evaluate<boolean>(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["MZ"], ${JSON.stringify(name)}, { type: "application/x-msdownload" }));
        const place = document.querySelector(${JSON.stringify(on)});
        return ["dragover", "drop"].every((kind) =>
          !place.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true })));
      })()`);
    assert.equal(await drop("[role=log]", "setup.exe"), true);
    await refused.getByText("setup.exe").waitFor();
    assert.equal(await drop("[aria-label='Conversation list']", "beside.exe"), true);
    await attach(page, { name: "photo.png", mimeType: "image/png", buffer: PNG });
    await refused.getByText("WhatsApp does not take EXE files").waitFor();
    await form.getByRole("button", { name: "Remove photo.png" }).waitFor();
    assert.equal(asked.filter((path) => path === "POST /files").length, 1);
    await attach(page, { name: "tool", mimeType: "", buffer: EXE });
    await refused.getByText("of no kind that WhatsApp takes").waitFor();

    await form.getByRole("button", { name: "Remove setup.exe" }).click();
    await comesTo(1, () => refused.getByRole("listitem").count());
    await form.getByRole("button", { name: "Remove tool" }).click();
    await refused.waitFor({ state: "detached" });
    await form.getByRole("button", { name: "Send", exact: true }).click();
    const log = page.getByRole("log", { name: "Messages" });
    const picture = log.getByRole("article", { name: /^You,/ }).getByRole("img").first();
    await picture.waitFor();
    // Its bytes have arrived, by the session alone.
    await picture.and(page.locator("img[src^='/api/app/files/']")).waitFor();
    await page.waitForFunction(
      `[...document.querySelectorAll("img")].every((one) => one.complete && one.naturalWidth > 0)`,
    );
    // One that did not come, because the network was away, is asked for again.
    const cameTo = (width: string) =>
      comesTo(true, () =>
        page.evaluate<boolean>(`(() => {
        const one = document.querySelector("[role=log] img[src^='/api/app/files/']");
        return one !== null && one.complete && one.naturalWidth ${width};
      })()`),
      );
    await page.route("**/api/app/files/*", (route) => route.abort());
    await page.reload();
    await cameTo("=== 0");
    await page.unroute("**/api/app/files/*");
    await cameTo("> 0");
  },
);

inBrowser(
  "the server's own refusal names the file and its reason, and the rest can be sent",
  async () => {
    const id = await stand.conversation("96550000102", "Basma");
    const { page } = await stand.sit(await stand.member("Mona", "agent"), `/inbox/all/${id}`);
    const form = page.getByRole("form", { name: "Reply" });
    await form.getByRole("textbox", { name: "Message" }).fill("Two files");
    // The page believes that programs go here too: only the server refuses.
    await page.route(/\/api\/app\/files\?name=tool\.exe/, async (route) => {
      const answer = await route.fetch();
      const json: object = await answer.json();
      await route.fulfill({ response: answer, json: { ...json, mimeType: "application/pdf" } });
    });
    await attach(
      page,
      { name: "photo.png", mimeType: "image/png", buffer: PNG },
      { name: "tool.exe", mimeType: "application/pdf", buffer: EXE },
    );
    await form.getByRole("button", { name: "Remove tool.exe" }).waitFor();
    await form.getByRole("button", { name: "Send", exact: true }).click();
    const article = page.getByRole("article", { name: /^You,/ });
    await article.getByText("WhatsApp does not take EXE files", { exact: false }).waitFor();
    await article.getByRole("button", { name: "Edit" }).click();
    const refused = form.getByRole("list", { name: "Files that cannot be sent" });
    await refused.getByRole("button", { name: "Remove tool.exe" }).click();
    await form.getByRole("button", { name: "Send", exact: true }).click();
    await article.getByRole("img").first().waitFor();
  },
);

inBrowser(
  "the phone beside a conversation is its customer, by name, with more than text",
  async () => {
    const id = await stand.conversation("96550000103", "Dalal");
    const { page, complaints } = await stand.sit(
      await stand.member("Noor", "agent"),
      `/inbox/all/${id}`,
    );
    await page.getByRole("button", { name: "Sandbox phone" }).click();
    const phone = page.getByRole("region", { name: "Sandbox phone" });
    await comesTo("96550000103", () =>
      phone.getByRole("textbox", { name: "Customer" }).inputValue(),
    );
    await comesTo("Dalal", () => phone.getByRole("textbox", { name: "Name" }).inputValue());
    const thread = page.getByRole("log", { name: "Messages" });
    const theirs = thread.getByRole("article", { name: /^Dalal,/ });
    await phone.getByRole("textbox", { name: "Say" }).fill("a question from the phone");
    await phone.getByRole("button", { name: "Say it" }).click();
    await theirs.getByText("a question from the phone").waitFor();
    for (const what of ["Photo", "Voice note", "Location"])
      await phone.getByRole("button", { name: what, exact: true }).click();
    await phone.getByRole("article").getByText("Location").waitFor();
    await stand.settle();
    await comesTo(5, () => theirs.count());

    // A template's quick reply is a button on the phone.
    const headers = { "x-parley": "1" };
    const listed = await page.request.get(`/api/app/conversations/${id}/templates`);
    const { templates }: { templates: { id: string; name: string }[] } = await listed.json();
    const template = templates.find(({ name }) => name === "new_arrival");
    assert.ok(template);
    const uploaded = await page.request.post("/api/app/files?name=photo.png", {
      headers: { ...headers, "content-type": "image/png" },
      data: PNG,
    });
    const { id: headerMedia }: { id: string } = await uploaded.json();
    const sent = await page.request.post(`/api/app/conversations/${id}/templates`, {
      headers,
      data: {
        clientId: crypto.randomUUID(),
        templateId: template.id,
        variables: ["Dalal", "jacket", "SALE"],
        headerMedia,
      },
    });
    assert.equal(sent.status(), 201, await sent.text());
    await stand.settle();
    const business = phone.getByRole("article", { name: /^Business,/ });
    await business.getByRole("button", { name: "Tell me more" }).click();
    await phone
      .getByRole("article", { name: /^Customer,/ })
      .getByText("Tell me more")
      .waitFor();
    await stand.settle();
    await theirs.filter({ hasText: "Tell me more" }).waitFor();
    assert.deepEqual(complaints, []);
  },
);

inBrowser(
  "a suggested reply is used by Tab, changed and sent as the member's own, or discarded",
  async () => {
    const id = await stand.conversation("96550000104", "Farah");
    const suggest = async (text: string) => {
      const body = {
        text,
        sources: [{ title: "Opening hours", url: "https://shop.example/hours" }],
      };
      const { status } = await stand.shop.api("PUT", `/conversations/${id}/suggestion`, body);
      assert.equal(status, 200);
    };
    const fate = async () => {
      const { body } = await stand.shop.api("GET", `/conversations/${id}/suggestion`);
      return body["state"];
    };
    const { page, complaints } = await stand.sit(
      await stand.member("Hind", "agent"),
      `/inbox/all/${id}`,
    );
    const form = page.getByRole("form", { name: "Reply" });
    const message = form.getByRole("textbox", { name: "Message" });
    const region = form.getByRole("region", { name: "Suggested reply" });
    await message.waitFor();
    await suggest("We open at nine.");
    await region.getByText("We open at nine.").waitFor();
    await region.getByRole("list", { name: "Sources" }).getByRole("link").waitFor();

    await message.press("Tab");
    await region.waitFor({ state: "detached" });
    await page.keyboard.type(" See you!");
    await comesTo("We open at nine. See you!", () => message.inputValue());
    await form.getByRole("button", { name: "Send", exact: true }).click();
    const log = page.getByRole("log", { name: "Messages" });
    await log.getByRole("article", { name: /^You,/ }).getByText("See you!").waitFor();
    await comesTo("edited", fate);

    // Whoever writes first is not disturbed.
    await message.fill("I write it");
    const heard = page.waitForResponse(
      async (answer) => /\/thread\?/.test(answer.url()) && /close at six/.test(await answer.text()),
    );
    await suggest("We close at six.");
    await heard;
    assert.equal(await region.count(), 0);
    await message.fill("");
    await region.getByRole("button", { name: "Use" }).click();
    await comesTo("We close at six.", () => message.inputValue());
    await page.locator("textarea:focus").waitFor();
    await message.fill("");
    await region.getByRole("button", { name: "Discard" }).click();
    await region.waitFor({ state: "detached" });
    await comesTo("discarded", fate);
    assert.deepEqual(complaints, []);
  },
);

inBrowser(
  "a member quotes a message by its button: the quote stands over the composer, and then in the thread",
  async () => {
    const asked = "Is the blue jacket back in stock?";
    const id = await stand.conversation("96550000105", "Ghada", asked);
    const { page, complaints } = await stand.sit(
      await stand.member("Jana", "agent"),
      `/inbox/all/${id}`,
    );
    const log = page.getByRole("log", { name: "Messages" });
    const theirs = log.getByRole("article", { name: /^Ghada,/ });
    const form = page.getByRole("form", { name: "Reply" });
    const quote = form.getByRole("group", { name: "Reply to Ghada" });
    const reply = theirs.getByRole("button", { name: "Reply to this message" });
    const ours = log.getByRole("article", { name: /^You,/ });
    const say = async (text: string) => {
      await form.getByRole("textbox", { name: "Message" }).fill(text);
      await form.getByRole("button", { name: "Send", exact: true }).click();
      await withServer(ours.filter({ hasText: text }));
    };
    await reply.click();
    await quote.getByText(asked).waitFor();
    await say("Yes, since this morning.");
    await quote.waitFor({ state: "detached" });
    const answer = ours.filter({ hasText: "Yes, since this morning." });
    await answer.getByText(asked).waitFor();

    // A quote that was taken back is not sent.
    await reply.click();
    await quote.getByRole("button", { name: "Remove the quote" }).click();
    await quote.waitFor({ state: "detached" });
    await say("We keep one for you.");
    await comesTo(1, () => ours.filter({ hasText: asked }).count());
    // What the server has kept shows the same as what was shown while it was sent.
    await page.reload();
    await answer.getByText(asked).waitFor();
    await ours.filter({ hasText: "We keep one for you." }).waitFor();
    assert.equal(await ours.filter({ hasText: asked }).count(), 1);
    assert.deepEqual(complaints, []);
  },
);

inBrowser("a file that arrives as a key is pressed stays beside what is written", async () => {
  const id = await stand.conversation("96550000107", "Reem");
  const { page } = await stand.sit(await stand.member("Sama", "agent"), `/inbox/all/${id}?lang=en`);
  const form = page.getByRole("form", { name: "Reply" });
  const message = form.getByRole("textbox", { name: "Message" });
  await message.fill("Here");
  // The key is pressed when the file is in the draft and not yet on the screen.
  await page.evaluate(`{
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      setItem.call(this, key, value);
      if (!value.includes("photo.png")) return;
      Storage.prototype.setItem = setItem;
      const box = document.querySelector(".composer textarea");
      const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
      set.call(box, "Here it is");
      box.dispatchEvent(new Event("input", { bubbles: true }));
    };
  }`);
  await attach(page, { name: "photo.png", mimeType: "image/png", buffer: PNG });
  await form.getByRole("button", { name: "Remove photo.png" }).waitFor();
  await comesTo("Here it is", () => message.inputValue());
});

inBrowser(
  "what is typed before the composer is there is all in the reply: no key is between it and the focus",
  async () => {
    const id = await stand.conversation("96550000108", "Shaikha");
    const { page } = await stand.sit(await stand.member("Tamara", "agent"), "/inbox/all?lang=en");
    const opened = Promise.withResolvers<void>();
    await page.route(`**/api/app/conversations/${id}`, async (route) => {
      await opened.promise;
      await route.continue();
    });
    await page.evaluate(`{
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        setItem.call(this, key, value);
        if (!value.includes("ye")) return;
        Storage.prototype.setItem = setItem;
        // The page has handled what was typed: the next key is for what has the focus now.
        queueMicrotask(() => (window.nextKeyAt = document.activeElement.tagName));
      };
    }`);
    const row = page
      .getByRole("list", { name: "Conversations" })
      .getByRole("link", { name: "Shaikha," });
    await row.click();
    await page.getByRole("heading", { name: "Shaikha", level: 2 }).waitFor();
    await page.keyboard.press("r");
    await page.keyboard.type("ye");
    opened.resolve();
    await page.locator("textarea:focus").waitFor();
    await page.keyboard.type("s");
    await comesTo("yes", () => page.locator("textarea:focus").inputValue());
    assert.equal(await page.evaluate("nextKeyAt"), "TEXTAREA");
  },
);
