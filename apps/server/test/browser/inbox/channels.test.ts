import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before } from "node:test";
import {
  createKwtSmsEmulator,
  createTelegramEmulator,
  createWhatsAppEmulator,
} from "@parley/emulators";
import type { Page } from "playwright-core";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { choose, press, tabTo, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, type Seat } from "./inbox-stand.ts";
import { faultsOfLooks } from "./looks.ts";

// The pages of channels, in Chromium: accounts connected with each value wrong in turn, the chat window, SMS, the sandbox.

let stand: InboxStand;
let seat: Seat;
let whatsapp: Awaited<ReturnType<typeof createWhatsAppEmulator>>;
let telegram: Awaited<ReturnType<typeof createTelegramEmulator>>;
let kwtsms: Awaited<ReturnType<typeof createKwtSmsEmulator>>;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  seat = await stand.sit(await stand.member("Amal", "owner"), "/settings/channels?lang=en");
  whatsapp = await createWhatsAppEmulator({ delivery: "manual" });
  telegram = await createTelegramEmulator({ delivery: "manual" });
  const account = { username: "shop", password: "s3cret", senders: ["SHOP"] };
  kwtsms = await createKwtSmsEmulator({ delivery: "manual", accounts: [account] });
});
after(async () => {
  await whatsapp?.close();
  await telegram?.close();
  await kwtsms?.close();
  await stand?.[Symbol.asyncDispose]();
});

/** A refused value is an answer, which the browser tells as a failed request. */
const unforeseen = (complaints: readonly string[]) =>
  complaints.filter((one) => !one.includes("status of 400"));
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** A page in the one browser of these tests, once it is there. */
const open = async (address: string) => {
  seat.complaints.length = 0;
  await seat.page.goto(address);
  await seat.page.getByRole("heading", { level: 1 }).waitFor();
  return seat;
};
const fill = async (page: Page, values: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(values))
    await typeInto(page.getByRole("textbox", { name: label, exact: true }), value);
};

inBrowser(
  "WhatsApp, by keyboard alone: every wrong value is named at its own step; the right ones lead to the webhook and its first call",
  async () => {
    const number = { phoneNumberId: "106540352242", wabaId: "102290129340" };
    whatsapp.addNumber({ ...number, accessToken: "EAAB-good", appSecret: "app-secret" });
    const { page, complaints, foreign } = seat;
    await press(page.getByRole("link", { name: "Connect channel" }));
    await press(
      button(page, "WhatsApp A number of the WhatsApp Cloud API, with templates and campaigns."),
    );
    await press(button(page, "Next"));
    await page.getByText("This value is needed.").nth(1).waitFor();
    await fill(page, { "Name in Parley": "Shop Kuwait", "Phone number ID": "+965 5000 1234" });
    await press(button(page, "Next"));
    await page.getByText("This does not look like the requested value.").waitFor();
    await fill(page, {
      "Phone number ID": "99887766",
      "WhatsApp Business Account ID": number.wabaId,
    });
    await press(button(page, "Next"));
    await fill(page, { "Access token": "EAAB-of-nobody" });
    await press(button(page, "Next"));
    await fill(page, { "App secret": "of-another-app" });
    await press(page.getByRole("main").locator("summary"));
    await fill(page, { "API address": whatsapp.url });
    const refused = async (field: string, right: string) => {
      await press(button(page, "Check and connect"));
      const alert = page.getByRole("alert").filter({ hasText: field });
      await alert.filter({ hasText: "The platform does not accept this value" }).waitFor();
      const input = page.getByRole("textbox", { name: field, exact: true });
      await input.waitFor();
      await typeInto(input, right);
      while (await button(page, "Next").isVisible()) await press(button(page, "Next"));
    };
    await refused("Access token", "EAAB-good");
    await refused("Phone number ID", number.phoneNumberId);
    await refused("App secret", "app-secret");
    await press(button(page, "Check and connect"));
    await page.getByRole("heading", { name: "Shop Kuwait is connected", level: 1 }).waitFor();
    const hook = await page.getByRole("textbox", { name: "Webhook address" }).inputValue();
    const verifyToken = await page.getByRole("textbox", { name: "Verify token" }).inputValue();
    await page.getByText("Waiting for the first call of the platform").waitFor();
    const handshake = (token: string) =>
      fetch(`${hook}?hub.mode=subscribe&hub.challenge=7&hub.verify_token=${token}`);
    assert.equal((await handshake("another")).status, 403);
    await stand.recordCalls();
    await page.getByText("The platform asked at").waitFor();
    assert.equal((await handshake(verifyToken)).status, 200);
    const body = JSON.stringify({ object: "whatsapp_business_account", entry: [] });
    const signature = createHmac("sha256", "app-secret").update(body).digest("hex");
    const headers = {
      "content-type": "application/json",
      "x-hub-signature-256": `sha256=${signature}`,
    };
    await stand.recordCalls(61_000);
    assert.equal((await fetch(hook, { method: "POST", headers, body })).status, 200);
    await stand.recordCalls(61_000);
    await page.getByText("The first call has arrived").waitFor();
    assert.deepEqual([unforeseen(complaints), foreign], [[], []]);
  },
);

inBrowser(
  "by keyboard alone: Telegram names a wrong token in Arabic and connects with the right one; it is tested, renamed and disconnected; an SMS gateway is set and tested",
  async () => {
    telegram.addBot({ token: "700001:AAEverySecretPartOfTokens" });
    const address = "/settings/channels/connect?type=telegram";
    const { page, complaints } = await open(`${address}&lang=ar`);
    await fill(page, { "رمز البوت (Bot token)": "700009:AAEverySecretPartOfTokens" });
    await press(page.getByRole("main").locator("summary"));
    await fill(page, { "عنوان الواجهة البرمجية": telegram.url });
    await press(button(page, "تحقّق واربط"));
    await page
      .getByRole("alert")
      .filter({ hasText: /لا تقبل المنصة هذه القيمة.*رمز البوت/s })
      .waitFor();
    await fill(page, { "رمز البوت (Bot token)": "700001:AAEverySecretPartOfTokens" });
    await press(button(page, "تحقّق واربط"));
    await page.getByRole("heading", { name: "تم ربط تيليغرام", level: 1 }).waitFor();
    await press(page.getByRole("link", { name: "فتح القناة" }));
    await page.waitForURL(/\/channels\/[0-9a-f-]{36}/);
    await page.goto(`${new URL(page.url()).pathname}?lang=en`);
    await press(button(page, "Test"));
    await page.getByText("works: its platform accepts every value").waitFor();
    await press(button(page, "Rename"));
    const dialog = page.getByRole("dialog", { name: "Rename" });
    await typeInto(dialog.getByRole("textbox", { name: "Name in Parley" }), "Shop bot");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Shop bot", level: 1 }).waitFor();
    await press(button(page, "Disconnect"));
    const ask = page.getByRole("alertdialog", { name: "Disconnect Shop bot?" });
    await ask.getByText("No campaign uses it now").waitFor();
    await press(ask.getByRole("button", { name: "Disconnect" }));
    await page
      .getByRole("table", { name: "Disconnected channels" })
      .getByText("Shop bot")
      .waitFor();

    const settings = page.getByRole("navigation", { name: "Settings" });
    await press(settings.getByRole("link", { name: "SMS" }));
    await choose(page.getByRole("combobox", { name: "Gateway" }), "kwtSMS");
    await fill(page, { "API user": "shop", Password: "not-this-one", Sender: "SHOP" });
    await press(page.getByRole("main").locator("summary"));
    await fill(page, { "Address of the gateway": kwtsms.url });
    await page.keyboard.press("Enter");
    await page.getByText("Saved. Send a test message to verify it.").waitFor();
    await fill(page, { "Phone number": "+96550001234" });
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("It does not accept the account's").waitFor();
    await fill(page, { Password: "s3cret" });
    const stored = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await press(button(page, "Save account"));
    await stored;
    await press(button(page, "Send test"));
    await page.getByText("The gateway accepted the message. The account is verified.").waitFor();
    assert.equal(kwtsms.messages().length, 1);
    // Another account waits beside the verified one until its own test.
    await fill(page, { Password: "not-this-one" });
    await press(button(page, "Save account"));
    await page.getByText("kwtSMS keeps sending.").waitFor();
    await press(button(page, "Send test"));
    await page.getByRole("alert").getByText("It does not accept the account's").waitFor();
    await page.getByText("Verified", { exact: true }).first().waitFor();
    await press(button(page, "Discard"));
    await page.getByText("The account in use stays.").waitFor();
    assert.deepEqual(unforeseen(complaints), []);
  },
);

inBrowser(
  "by keyboard alone a chat window is designed beside the real one, which shows what is not saved yet",
  async () => {
    const { page, complaints, foreign } = await open("/settings/channels/connect?type=web&lang=en");
    await fill(page, {
      "Name in Parley": "Shop",
      "Pages that may show it": "https://shop.example",
    });
    await press(button(page, "Check and connect"));
    const valueOf = (name: string) => page.getByRole("textbox", { name }).inputValue();
    assert.match(await valueOf("Script tag"), /^<script src=.*widget\.js/);
    assert.ok((await valueOf("Identity secret")).length > 30);
    await press(page.getByRole("link", { name: "Design the chat window" }));
    const frame = page.frameLocator("iframe");
    await tabTo(page.getByRole("radio", { name: "#1d5b9c" }));
    await typeInto(page.getByRole("textbox", { name: "Opening line" }), "Hello from the shop");
    await choose(page.getByRole("combobox", { name: "Position" }), "Left");
    await frame.getByText("Hello from the shop").waitFor();
    await choose(page.getByRole("combobox", { name: "Preview language" }), "العربية");
    await frame.locator("html[lang=ar]").waitFor();
    await frame.getByText("Hello from the shop").waitFor();
    await press(page.getByRole("switch", { name: "Window open" }), "Space");
    await press(button(page, "Save window"));
    await page.getByText("Saved. Open windows").waitFor();
    // Through the real window and out of it.
    await typeInto(
      page.getByRole("textbox", { name: "Pages that may show it" }),
      "https://new.example",
    );
    await press(button(page, "Save pages"));
    await page.getByText("Saved", { exact: true }).waitFor();
    await press(button(page, "New identity secret"));
    await press(page.getByRole("alertdialog").getByRole("button", { name: "New identity secret" }));
    await page.getByRole("textbox", { name: "Identity secret" }).waitFor();
    await tabTo(button(page, "Reset visitors"));
    await page.reload();
    const line = page.getByRole("textbox", { name: "Opening line" });
    await comesTo("Hello from the shop", () => line.inputValue());
    await comesTo(true, () => page.getByRole("radio", { name: "#1d5b9c" }).isChecked());
    assert.deepEqual([complaints, foreign], [[], []]);
  },
);

inBrowser(
  "nothing serious to axe on the pages of channels, in both languages and themes",
  async () => {
    const { page, complaints } = seat;
    const { channels } = (await (
      await page.request.get("/api/app/channels", { headers: { "x-parley": "1" } })
    ).json()) as { channels: readonly { id: string; type: string }[] };
    const idOf = (type: string) => channels.find((one) => one.type === type)?.id ?? "";
    const paths = [
      "/settings/channels",
      "/settings/channels/connect",
      "/settings/channels/connect?type=tiktok",
      `/settings/channels/${idOf("WHATSAPP")}`,
      `/settings/channels/${idOf("WEB")}/widget`,
      "/settings/sms",
      "/settings/sms/passcodes",
      "/sandbox",
    ];
    assert.deepEqual(await faultsOfLooks(page, paths), []);
    assert.deepEqual(complaints, []);
  },
);
