import assert from "node:assert/strict";
import { after, before } from "node:test";
import { IntlMessageFormat } from "intl-messageformat";
import type { Page } from "playwright-core";
import { ar } from "../../../../dashboard/src/text/ar.ts";
import { en, type en as English } from "../../../../dashboard/src/text/en.ts";
import { LONG } from "../../group.ts";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { inBrowser, InboxStand, withServer, type Seat } from "./inbox-stand.ts";

// A day of an agent, from the sign-in to the last conversation, in each language by the same script: in the short suite in Arabic alone.

type Language = "en" | "ar";
const CHANNELS = ["MESSENGER", "TELEGRAM", "TIKTOK", "WEB"] as const;
type Channel = { readonly id: string; readonly type: (typeof CHANNELS)[number] };

let stand: InboxStand;
let owner: Seat;
const channels: Channel[] = [];
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  for (const type of CHANNELS) channels.push({ id: await stand.channel(type), type });
  owner = await stand.sit(await stand.member("Olga", "owner"), "/settings/labels?lang=en");
  const headers = { "x-parley": "1" };
  const label = await owner.page.request.put("/api/app/labels/vip", {
    headers,
    data: { color: "#b3261e" },
  });
  assert.equal(label.status(), 200);
  // Long ago: their windows have closed when the day begins.
  for (const language of ["en", "ar"]) await stand.conversation(late(language), `Zain ${language}`);
  stand.pass(25 * 3_600_000);
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const late = (language: string) => (language === "en" ? "96553000001" : "96553000002");
/** The sandbox refuses each message to an address that begins and ends so. */
const unreachable = (language: string) => (language === "en" ? "9991000026" : "9992000026");

/** The words of a language, filled as the page fills them. */
function wordsOf(language: Language) {
  const table: Readonly<Record<keyof typeof English, string>> = { en, ar }[language];
  const locale = language === "ar" ? "ar-u-nu-latn" : "en";
  return (key: keyof typeof English, values: Record<string, string | number> = {}): string =>
    String(new IntlMessageFormat(table[key], locale).format(values));
}

async function day(language: Language): Promise<Record<string, number>> {
  const t = wordsOf(language);
  const laps: Record<string, number> = {};
  let lapAt = performance.now();
  const lap = (name: string) => {
    const now = performance.now();
    laps[name] = Math.round(now - lapAt);
    lapAt = now;
  };
  const [me, colleague] = [`Mona${language}`, `Omar${language}`];
  const email = await stand.member(me, "agent");
  const others = await stand.sit(
    await stand.member(colleague, "agent"),
    `/inbox/mine?lang=${language}`,
  );
  const name = (who: string) => `${who} ${language}`;
  const number = (n: number) => `9655${language === "en" ? 4 : 5}${String(1_000_000 + n).slice(1)}`;
  await Promise.all(
    Array.from({ length: 28 }, (_, n) => stand.conversation(number(n), name(`Customer ${n}`))),
  );
  stand.pass(60_000);
  await stand.conversation(unreachable(language), name("Ghada"));
  await stand.conversation(number(40), name("Huda"), "Where is my order?");
  await stand.conversation(number(41), name("Rana"));
  await stand.conversation(number(42), name("Salma"));
  for (const channel of channels) {
    const from = channel.type === "WEB" ? `visitor-${language}` : number(50);
    await stand.sayOn(channel, from, name(channel.type), "hello from here");
  }
  // Messenger tells a customer's name when it is asked.
  await stand.settle();
  lap("forty conversations");

  // In: by the form, as everybody.
  const seat = await stand.sit(null, `/sign-in?lang=${language}`);
  const { page } = seat;
  await page.getByLabel(t("people.email")).fill(email);
  await page.getByLabel(t("people.password")).fill("correct horse battery");
  await page.getByRole("button", { name: t("people.signIn") }).click();
  await page.waitForURL("**/inbox/mine*");
  await page.getByRole("link", { name: t("inbox.empty.mine.go") }).click();

  const main = page.getByRole("navigation", { name: t("shell.main") });
  const view = (
    at: Page,
    key: "shell.mine" | "shell.snoozed" | "shell.unassigned" | "shell.resolved",
    count: number | RegExp,
  ) =>
    at.getByRole("navigation", { name: t("shell.main") }).getByRole("link", {
      name:
        typeof count === "number"
          ? t("shell.counted", { name: t(key), count })
          : new RegExp(`^${t(key)}`),
      ...(typeof count === "number" && { exact: true }),
    });
  const list = (at: Page) => at.getByRole("list", { name: t("inbox.list") });
  const item = (at: Page, who: string) =>
    list(at).getByRole("link", { name: new RegExp(`^${name(who)}[,،]`) });
  const bubble = (at: Page, text: string) =>
    at
      .getByRole("log", { name: t("thread.messages") })
      .getByRole("article")
      .filter({ hasText: text });
  const box = (at: Page) => at.getByRole("textbox", { name: t("composer.message"), exact: true });
  const open = async (at: Page, who: string) => {
    await item(at, who).click();
    await at.getByRole("heading", { name: name(who), level: 2 }).waitFor();
  };
  const answer = async (at: Page, text: string) => {
    await box(at).fill(text);
    await box(at).press("Enter");
    await withServer(bubble(at, text).last());
  };
  lap("sign in");

  // Every channel is answered. The first answer makes the conversation one's own.
  for (const { type } of channels) {
    await open(page, type);
    await bubble(page, "hello from here").waitFor();
    await answer(page, `reply to ${type}`);
  }
  await open(page, "Huda");
  await answer(page, "It is on its way");
  await view(page, "shell.mine", channels.length + 1).click();
  await item(page, "TELEGRAM").waitFor();
  await stand.settle();
  for (const { type } of channels) {
    await open(page, type);
    const state = bubble(page, `reply to ${type}`);
    await state
      .getByText(t("thread.state.sent"))
      .or(state.getByText(t("thread.state.delivered")))
      .or(state.getByText(t("thread.state.read")))
      .first()
      .waitFor();
  }
  lap("five channels");

  // A note names the colleague, who comes by the bell, is given the conversation and answers.
  await open(page, "Huda");
  await page.keyboard.press("n");
  const note = page.getByRole("textbox", { name: t("composer.note"), exact: true });
  await note.pressSequentially(`ask @Omar`);
  await page.getByRole("option", { name: colleague }).click();
  await note.press("Enter");
  await page
    .getByRole("article", {
      name: new RegExp(`^${t("thread.noteBy", { name: t("thread.you"), time: "" }).trim()}`),
    })
    .waitFor();
  await others.page.getByRole("button", { name: t("shell.notices.unread", { count: 1 }) }).click();
  await others.page.getByRole("link", { name: t("shell.notice.mention", { name: me }) }).click();
  await others.page.getByRole("heading", { name: name("Huda"), level: 2 }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  const assign = page.getByRole("dialog", { name: t("inbox.assign.title", { count: 1 }) });
  await assign.getByRole("searchbox", { name: t("inbox.assign.search") }).fill(colleague);
  await assign.getByRole("option", { name: colleague }).click();
  await view(page, "shell.mine", channels.length).waitFor();
  await view(others.page, "shell.mine", 1).waitFor();
  await answer(others.page, "Omar here, one moment");
  await bubble(page, "Omar here, one moment").waitFor();
  lap("hand-over");

  // What one has answered, one has read.
  await list(page)
    .getByRole("link", { name: /^WEB .*[,،] 0 / })
    .waitFor();

  // A closed window takes a template only.
  await view(page, "shell.unassigned", /./).click();
  await page.goto(`/inbox/all?sort=oldest`);
  await open(page, "Zain");
  assert.equal(await box(page).count(), 0);
  await page.getByRole("button", { name: t("composer.chooseTemplate") }).click();
  const dialog = page.getByRole("dialog", { name: t("composer.sendTemplate") });
  await dialog.getByRole("option", { name: "season_offer" }).first().click();
  await dialog.getByLabel(t("composer.variable", { number: 1 })).fill("Zain");
  await dialog
    .getByRole("region", { name: t("composer.preview") })
    .getByText("Zain")
    .waitFor();
  await dialog.getByRole("button", { name: t("composer.send"), exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await withServer(bubble(page, "Zain").last());
  lap("template");

  // What was not delivered says why, and is sent once more.
  await page.goto("/inbox/all");
  await open(page, "Ghada");
  await answer(page, "can you read this?");
  await comesTo(1, () => bubble(page, "can you read this?").count());
  await stand.settle();
  const failed = bubble(page, "can you read this?").first();
  await failed.getByText(t("thread.state.failed")).first().waitFor();
  await failed.getByRole("button", { name: t("thread.sendAgain") }).click();
  await comesTo(2, () => bubble(page, "can you read this?").count());
  lap("sent again");

  // A label, a snooze, a resolve, and back.
  await open(page, "Rana");
  await page.keyboard.press("l");
  const labels = page.getByRole("dialog", { name: t("inbox.labels.title", { count: 1 }) });
  const label = labels.getByRole("option", { name: "vip" });
  await label.waitFor();
  await labels.locator("input:focus").waitFor();
  await page.keyboard.type("vi");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await label.and(page.locator("[data-ticked=all]")).waitFor();
  await page.keyboard.press("ControlOrMeta+Enter");
  await item(page, "Rana").getByText("vip").waitFor();
  // As long as a dialog is open, keys are for it.
  await labels.waitFor({ state: "detached" });
  await page.keyboard.press("s");
  const snooze = page.getByRole("dialog", { name: t("inbox.snooze.title", { count: 1 }) });
  await snooze.getByRole("option", { name: t("inbox.snooze.tomorrow") }).click();
  await item(page, "Rana").waitFor({ state: "detached" });
  await open(page, "Salma");
  await page.keyboard.press("e");
  await item(page, "Salma").waitFor({ state: "detached" });
  await page
    .getByRole("button", { name: t("inbox.undo") })
    .last()
    .click();
  await item(page, "Salma").waitFor();
  await main.getByRole("link", { name: new RegExp(`^${t("shell.snoozed")}`) }).click();
  await item(page, "Rana").waitFor();
  lap("label, snooze, resolve");

  // One without the mouse: from the menu of commands to the resolved conversation.
  // Both at once, as a hand presses them: the second key counts for a second and a half.
  await Promise.all(["g", "u"].map((key) => page.keyboard.press(key)));
  await page.waitForURL("**/inbox/unassigned*");
  // The address changes before the page does.
  await page.getByRole("heading", { name: t("shell.unassigned"), level: 1 }).waitFor();
  await list(page).getByRole("link").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  // Nobody waits for the box: what is typed before it is there is the reply all the same.
  await page.keyboard.press("r");
  await page.keyboard.type("by keys alone");
  await comesTo("by keys alone", () => box(page).inputValue());
  await page.keyboard.press("ControlOrMeta+Shift+Enter");
  await withServer(bubble(page, "by keys alone"));
  await page.getByRole("button", { name: t("thread.reopen"), exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("u");
  await comesTo("/inbox/unassigned", async () => new URL(page.url()).pathname);
  lap("by keys");

  assert.deepEqual([...seat.complaints, ...others.complaints], []);
  assert.deepEqual([...seat.foreign, ...others.foreign], []);
  return laps;
}

for (const language of LONG ? (["en", "ar"] as const) : (["ar"] as const))
  inBrowser(`a day of an agent (${language})`, async (t) => {
    t.diagnostic(JSON.stringify(await day(language)));
  });
