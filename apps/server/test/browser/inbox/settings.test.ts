import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Locator, Page } from "playwright-core";
import { AUDIT_ACTIONS } from "../../../src/workspaces/audit-actions.ts";
import { LONG } from "../../group.ts";
import { startReceiver, type Receiver } from "../../webhook-receiver.ts";
import { comesTo } from "../hands.ts";
import { skip } from "../stand.ts";
import { choose, press, tabTo, typeInto } from "./by-keyboard.ts";
import { inBrowser, InboxStand, PASSWORD, type Seat } from "./inbox-stand.ts";
import { goTo } from "./looks.ts";

let stand: InboxStand;
let amal: string;
/** Amal's browser, which most tests go on with. */
let seat: Seat;
let receiver: Receiver;
before(async () => {
  if (skip !== false) return;
  receiver = await startReceiver();
  stand = await InboxStand.start();
  amal = await stand.member("Amal", "owner");
  const permissions = ["clipboard-read", "clipboard-write"];
  seat = await stand.sit(amal, "/settings/webhooks?lang=en", { permissions });
});
after(async () => {
  receiver?.close();
  await stand?.[Symbol.asyncDispose]();
});

/** A call of the page's member. Gives the answer's JSON. */
async function ask<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const headers = { "x-parley": "1" };
  const answer = await page.request.fetch(`/api/app${path}`, {
    method,
    headers,
    ...(data && { data }),
  });
  assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
  return JSON.parse(await answer.text()) as T;
}

const button = (at: Page | Locator, name: string) => at.getByRole("button", { name, exact: true });
const clipboard = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");
/** To another page of the settings, by their navigation. */
const turnToPage = (page: Page, name: string) =>
  press(page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name }));

inBrowser(
  "by keyboard alone: an endpoint is added and tested, disabling it asks first and says what is kept, what comes is held",
  async () => {
    const { page } = seat;
    await press(button(page, "New endpoint"));
    const adding = page.getByRole("dialog", { name: "New endpoint" });
    await typeInto(adding.getByRole("textbox", { name: "Address" }), `${receiver.base}/in`);
    await choose(adding.getByRole("combobox", { name: "Events" }), "Only what I choose");
    await press(adding.getByRole("checkbox", { name: "message.status" }), "Space");
    await press(button(adding, "Add endpoint"));
    const made = page.getByRole("dialog", { name: "Secret of the endpoint" });
    const secret = made.getByRole("textbox", { name: "Secret" });
    await press(button(made, "Copy"));
    await button(made, "Copied").waitFor();
    assert.equal(await clipboard(page), await secret.inputValue());
    await press(button(made, "I have stored it"));
    await press(page.getByRole("table", { name: "Webhooks" }).getByRole("link"));
    await press(button(page, "Disable"));
    const dialog = page.getByRole("alertdialog", { name: "Disable the endpoint?" });
    await dialog.getByText("Its events are held, each for 30 days").waitFor();
    await press(button(dialog, "Cancel"));
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Enabled", { exact: true }).waitFor();
    await press(button(page, "Disable"));
    await press(button(dialog, "Disable"));
    await page.getByText("Disabled", { exact: true }).waitFor();
    await page.getByText("Somebody disabled it").waitFor();
    await press(button(page, "Send test"));
    const deliveries = page.getByRole("table", { name: "Deliveries" });
    await deliveries.getByText("Held").waitFor();

    // On a phone a card has no line for an answer that did not come.
    const answer = deliveries.locator('td[data-name="Answer"]');
    assert.equal(await answer.isVisible(), true);
    await page.setViewportSize({ width: 390, height: 844 });
    await answer.waitFor({ state: "hidden" });
    await deliveries.locator('td[data-name="Attempts"]').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await press(button(page, "Enable"));
    await page.getByText("Enabled", { exact: true }).waitFor();

    // What was held is sent, and sent once more by hand.
    await stand.settle();
    const show = page.getByRole("combobox", { name: "Show" });
    await choose(show, "Delivered");
    await press(button(deliveries, "Send again"));
    await page.getByText("No delivery is in this state").waitFor();
    await stand.settle();
    await choose(show, "All");
    await deliveries.getByText("Delivered").waitFor();
    assert.equal(receiver.received.length, 2);
    await press(deliveries.getByRole("button", { name: "endpoint.test" }));
    const one = page.getByRole("dialog", { name: "endpoint.test" });
    await one.getByRole("region", { name: "Attempts" }).getByText("204").nth(1).waitFor();
    await press(button(one, "Close"));
    await press(button(page, "Edit"));
    const edit = page.getByRole("dialog", { name: "Change the endpoint" });
    await typeInto(edit.getByRole("textbox", { name: "New address" }), `${receiver.base}/new`);
    await page.keyboard.press("Enter");
    await page.getByText(`${receiver.base}/new`).waitFor();
  },
);

inBrowser(
  "by keyboard alone: a key is made for some of the calls, copied and revoked; a word opts out until it is removed",
  async () => {
    const { page, complaints } = seat;
    await turnToPage(page, "API keys");
    await press(button(page, "New key"));
    const making = page.getByRole("dialog", { name: "New key" });
    await typeInto(making.getByRole("textbox", { name: "Name" }), "Shop");
    await choose(making.getByRole("combobox", { name: "May do" }), "Only what I choose");
    await press(making.getByRole("checkbox", { name: "contacts:read" }), "Space");
    await choose(making.getByRole("combobox", { name: "Ends" }), "After 30 days");
    await press(button(making, "Create key"));
    const made = page.getByRole("dialog", { name: "Key created" });
    const secret = await made.getByRole("textbox", { name: "Secret" }).inputValue();
    await press(button(made, "Copy").first());
    await button(made, "Copied").waitFor();
    assert.equal(await clipboard(page), secret);
    const works = async () => {
      const headers = { authorization: `Bearer ${secret}` };
      return (await fetch(`${stand.base}/api/v1/contacts`, { headers })).status;
    };
    assert.equal(await works(), 200);
    await press(button(made, "I have stored it"));
    const row = page.getByRole("table", { name: "API keys" }).getByRole("row", { name: /^Shop/ });
    // A tablet has no room for the column: a scope stays one word on one line.
    await page.setViewportSize({ width: 768, height: 1024 });
    await comesTo(true, async () => {
      const scope = await row.getByText("contacts:read", { exact: true }).boundingBox();
      return scope !== null && scope.height < 30;
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await press(button(row, "Revoke Shop"));
    const asking = page.getByRole("alertdialog", { name: "Revoke “Shop”?" });
    await press(button(asking, "Revoke"));
    await row.getByText("Revoked").waitFor();
    assert.equal(await works(), 401);

    await turnToPage(page, "Opt-out words");
    const own = page.getByRole("region", { name: "Your own words" });
    await typeInto(own.getByRole("textbox", { name: "Word" }), "enough");
    await page.keyboard.press("Enter");
    await own.getByRole("listitem").getByText("enough").waitFor();
    await press(button(own, "Remove enough"));
    await own.getByRole("listitem").waitFor({ state: "detached" });
    await tabTo(own.getByRole("textbox", { name: "Word" }));
    assert.deepEqual(complaints, []);
  },
);

inBrowser("the audit log is read as sentences, in both languages", async () => {
  await stand.member("Badr", "agent");
  const conversationId = await stand.conversation("96550008001", "Zaid", "hello");
  const { page, complaints } = seat;
  const { members } = await ask<{ members: { id: string; name: string }[] }>(page, "GET", "/team");
  const badr = members.find(({ name }) => name === "Badr")?.id ?? "";
  await ask(page, "PATCH", `/team/${badr}`, { role: "admin" });
  const rules = { match: "all", rules: [] };
  const segment = await ask<{ id: string }>(page, "POST", "/segments", {
    name: "VIP customers",
    definition: rules,
  });
  const old = { name: "Old customers", definition: rules };
  const { id: gone } = await ask<{ id: string }>(page, "POST", "/segments", old);
  await ask(page, "DELETE", `/segments/${gone}`);
  await ask(page, "PUT", "/labels/urgent", { color: "#112233" });
  await ask(page, "POST", "/conversations/changes", {
    which: { ids: [conversationId] },
    assigneeId: badr,
    addLabels: ["urgent"],
  });
  await turnToPage(page, "Audit log");
  const log = page.getByRole("table", { name: "Audit log" });
  const said = (text: string) => log.getByRole("paragraph").filter({ hasText: text });
  await said("Amal changed the role of Badr from Agent to Admin").waitFor();
  await said("Amal created the segment VIP customers").waitFor();
  await said("Amal deleted the segment Old customers").waitFor();
  await said("Amal saved the label urgent").waitFor();
  await said("Amal assigned the conversation with Zaid to Badr").waitFor();
  await said("Amal changed the labels of the conversation with Zaid: +urgent").waitFor();
  await said("Amal signed in").first().waitFor();
  await said("The operator added Badr to the team as Agent").waitFor();
  for (const text of await log.getByRole("paragraph").allInnerTexts())
    assert.doesNotMatch(text, /[a-z]_|\b[a-z]+\.[a-z]+|[0-9a-f]{8}-/, "no code, no id");

  await choose(page.getByRole("combobox", { name: "About" }), "Labels");
  await said("Amal created the segment VIP customers").waitFor({ state: "detached" });
  await said("Amal saved the label urgent").waitFor();
  await choose(page.getByRole("combobox", { name: "About" }), "Everything");

  const row = log.getByRole("row").filter({ hasText: "created the segment VIP" });
  assert.equal(await row.getByText("segment.created").isVisible(), false);
  await press(row.getByText("Details"));
  await row.getByText("segment.created").waitFor();
  await row.getByRole("link", { name: segment.id }).waitFor();
  await press(row.getByRole("link", { name: "VIP customers" }));
  await page.getByRole("heading", { level: 1, name: "VIP customers" }).waitFor();

  await page.goto("/settings/audit-log?lang=ar");
  const inArabic = page.getByRole("table", { name: "سجل التدقيق" }).getByRole("paragraph");
  await inArabic.filter({ hasText: "Amal: تغيير دور Badr من موظف إلى مشرف" }).waitFor();
  await inArabic.filter({ hasText: "Amal: حذف الشريحة Old customers" }).waitFor();
  await inArabic.filter({ hasText: "Amal: إسناد المحادثة مع Zaid إلى Badr" }).waitFor();
  assert.deepEqual(complaints, []);
});

inBrowser("every action of the audit has words, whatever its facts", async () => {
  const { page, complaints } = await stand.sit(amal, "/inbox/mine?lang=en");
  const items = AUDIT_ACTIONS.flatMap((action, n) => {
    // Who did it has words of their own: in the short suite each action has one of the three.
    const actors = ["cli", "system", `member:${n}`];
    return (LONG ? actors : actors.slice(n % 3).slice(0, 1)).map((actor) => ({
      id: `${action} ${actor}`,
      actor,
      actorName: null,
      action,
      subject: "nothing",
      facts: {},
      at: "2026-11-27T10:00:00.000Z",
    }));
  });
  await page.route("**/api/app/audit*", (route) =>
    route.fulfill({ json: { items, names: [], nextCursor: null } }),
  );
  for (const lang of ["en", "ar"]) {
    await page.goto(`/settings/audit-log?lang=${lang}`);
    const said = page.locator(".audit-said > p");
    await said.nth(items.length - 1).waitFor();
    for (const [n, text] of (await said.allInnerTexts()).entries()) {
      assert.doesNotMatch(text, /[{}]|audit\.|undefined/, items[n]?.id ?? "");
      assert.ok(!text.includes(items[n]?.action ?? ""), text);
    }
  }
  assert.deepEqual(complaints, []);
});

inBrowser(
  "the heads of a long table stay in view, and cover nothing that has the focus",
  async () => {
    const { page } = seat;
    for (let n = 0; n < 40; n++) await ask(page, "PUT", `/labels/label-${n}`, { color: "#112233" });
    for (const lang of LONG ? ["en", "ar"] : ["ar"]) {
      await page.goto(`/settings/audit-log?lang=${lang}`);
      const row = page.locator(".audit-said").nth(30);
      await row.scrollIntoViewIfNeeded();
      await page.evaluate("document.querySelector('.frame-page').scrollTo(0, 1000)");
      const [frame, head] = await Promise.all(
        [".frame-page", ".data-table thead th >> nth=0"].map((part) =>
          page.locator(part).boundingBox(),
        ),
      );
      assert.ok(frame && head);
      assert.ok(Math.abs(head.y - frame.y) <= 2, `${lang}: ${head.y} is not at ${frame.y}`);
      // Backwards, from a row in view to those above the edge.
      const details = page.locator(".audit-details summary");
      await details.nth(30).focus();
      for (let n = 0; n < 20; n++) {
        await page.keyboard.press("Shift+Tab");
        const focused = await page.locator("*:focus").boundingBox();
        assert.ok(focused && focused.y >= head.y + head.height, `${lang}: the focus is covered`);
      }
    }
  },
);

inBrowser(
  "a number in place of a name has its plus in front, in Arabic too; actions wrap on a phone",
  async () => {
    const conversationId = await stand.conversation("96550008877", "", "hello");
    const { page } = await stand.sit(amal, `/inbox/all/${conversationId}?lang=ar`);
    const number = (selector: string) =>
      page.locator(selector).locator('bdi[dir="ltr"]', { hasText: /^\+96550008877$/ });
    await number(".row-name").waitFor();
    await number(".thread-who h2").waitFor();
    await number(".details-who").waitFor();
    await page.goto("/search?q=96550008877&lang=ar");
    await number(".search-line").first().waitFor();
    await page.goto("/contacts?q=96550008877&lang=ar");
    await number(".contact-name").first().waitFor();

    const viewport = { width: 390, height: 844 };
    const phone = (await stand.sit(amal, "/contacts?lang=en", { viewport, hasTouch: true })).page;
    await phone.getByRole("link", { name: "+96550008877" }).click();
    const actions = phone.locator(".page-head > .page-actions");
    await actions.getByRole("button", { name: "Erase" }).waitFor();
    for (const button of await actions.getByRole("button").all()) {
      const box = await button.boundingBox();
      assert.ok(
        box && box.x >= 0 && box.x + box.width <= 390 && box.height >= 44,
        JSON.stringify(box),
      );
    }

    // The row of the settings' pages unfolds: those at its end are seen without swiping past all others.
    await phone.goto("/settings/profile?lang=en");
    const all = phone.getByRole("button", { name: "All pages of the settings" });
    const log = phone
      .getByRole("navigation", { name: "Settings" })
      .getByRole("link", { name: "Audit log" });
    await all.tap();
    const there = await log.boundingBox();
    assert.ok(there && there.x >= 0 && there.x + there.width <= 390, JSON.stringify(there));
    await log.tap();
    await phone.getByRole("heading", { name: "Audit log", level: 1 }).waitFor();
    await phone.locator("[aria-expanded=false]").and(all).waitFor();

    await phone.goto("/sandbox");
    // What one says is above the fold.
    await comesTo(true, async () => {
      const say = await phone.getByRole("textbox", { name: "Say" }).boundingBox();
      const tabs = await phone.locator(".tabs").boundingBox();
      return say !== null && tabs !== null && say.y + say.height <= tabs.y;
    });
  },
);

inBrowser(
  "a part that cannot be read is no empty one, Try again reads it, and a lost network is said at once",
  async () => {
    const { page } = await stand.sit(await stand.member("Jana", "agent"), "/settings/profile");
    const refused = { error: { code: "VALIDATION_FAILED", message: "refused", details: [] } };
    await page.route("**/api/app/sessions", (route) =>
      route.fulfill({ status: 400, json: refused }),
    );
    await page.goto("/settings/security?lang=en");
    await page.getByRole("heading", { level: 1, name: "This did not work" }).waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "Sessions" }).waitFor();
    // A server that is away for a moment is asked again without a press.
    await page.route("**/api/app/sessions", (route) => route.fulfill({ status: 502, body: "" }));
    await page.goto("/settings/security?lang=en");
    await page.getByRole("heading", { level: 1, name: "This did not work" }).waitFor();
    await page.unrouteAll();
    await page.getByRole("table", { name: "Sessions" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("status").getByText("Reconnecting").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("status").getByText("Reconnecting").waitFor({ state: "hidden" });
  },
);

inBrowser(
  "a test workspace says so, on a phone too; its keys page has a call to copy, which a plain http host can as well",
  async () => {
    const email = await stand.testOwner("Tala");
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page, complaints } = await stand.sit(email, "/settings/api-keys?lang=en", {
      permissions,
    });
    const side = page.locator(".side-brand").getByText("Test", { exact: true });
    await side.waitFor();
    const call = page.getByRole("textbox", { name: "Play a customer from a program" });
    const copy = async () => {
      await button(page, "Copy").click();
      await button(page, "Copied").waitFor();
      return call.inputValue();
    };
    const text = await copy();
    assert.ok(text.startsWith(`curl ${stand.base}/api/v1/test/inbound`), text);
    assert.equal(await clipboard(page), text);

    await page.setViewportSize({ width: 390, height: 844 });
    await goTo(page, "/inbox/mine");
    const line = page.getByText("Test workspace", { exact: true });
    await line.waitFor();
    assert.equal(await side.isVisible(), false);
    await goTo(page, "/usage");
    await line.waitFor();
    await page.getByRole("heading", { name: "No messages this month yet" }).waitFor();
    await page.locator(".empty").getByRole("link", { name: "Sandbox", exact: true }).waitFor();
    assert.deepEqual(complaints, []);

    // An address of this machine that browsers do not trust: its pages have no clipboard of their own.
    const plain = stand.base.replace("127.0.0.1", "0.0.0.0");
    const answer = await page.request.post(`${plain}/api/app/sign-in`, {
      headers: { "x-parley": "1" },
      data: { email, password: PASSWORD },
    });
    assert.equal(answer.status(), 200, await answer.text());
    await page.evaluate("navigator.clipboard.writeText('nothing')");
    await page.goto(`${plain}/settings/api-keys?lang=en`);
    assert.equal(
      await page.evaluate("isSecureContext || navigator.clipboard !== undefined"),
      false,
    );
    assert.equal(await copy(), text);
    await page.goto("/inbox/mine");
    assert.equal(await clipboard(page), text);
  },
);
