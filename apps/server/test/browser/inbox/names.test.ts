import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { comesTo } from "../hands.ts";
import { PATIENCE_MS, skip } from "../stand.ts";
import { inBrowser, InboxStand } from "./inbox-stand.ts";
import { goTo } from "./looks.ts";

// The names that people and programs find the parts of each page by (dashboard §7.1). They are relied on from outside.

type Part = readonly [role: Parameters<Page["getByRole"]>[0], name: string | RegExp];

let stand: InboxStand;
let owner: string;
before(async () => {
  if (skip !== false) return;
  stand = await InboxStand.start();
  owner = await stand.member("Mona", "owner");
});
after(async () => {
  await stand?.[Symbol.asyncDispose]();
});

/** The page's heading and title, and those of its parts that are not there. */
async function missing(page: Page, route: string, h1: string, parts: readonly Part[]) {
  await goTo(page, route);
  await page.getByRole("heading", { level: 1, name: h1, exact: true }).waitFor();
  const lacks = await lacking(page, route, parts);
  await comesTo(true, async () => {
    const title = await page.title();
    return title.endsWith(" · Parley") && title.includes(h1);
  }).catch(async () => lacks.push(`${route}: title ${await page.title()}`));
  for (const [selector, count] of [
    ["main", 1],
    ["h1", 1],
  ] as const)
    if ((await page.locator(selector).count()) !== count)
      lacks.push(`${route}: not one ${selector}`);
  return lacks;
}

async function lacking(page: Page, where: string, parts: readonly Part[]): Promise<string[]> {
  const lacks: string[] = [];
  for (const [role, name] of parts)
    await page
      .getByRole(role, { name, exact: true })
      .first()
      // The first that is not there is waited for as long as anything; the others had that time, too.
      .waitFor({ timeout: lacks.length === 0 ? PATIENCE_MS : 2_000 })
      .catch(() => lacks.push(`${where}: ${role} ${String(name)}`));
  return lacks;
}

const FRAME: readonly Part[] = [
  ["navigation", "Main"],
  ["link", /^Mine, \d+$/],
  ["link", /^Unassigned, \d+$/],
  ["link", /^Unanswered, \d+$/],
  ["link", /^Window closing, \d+$/],
  ["link", /^Mentions, \d+$/],
  ["link", /^All open, \d+$/],
  ["link", /^Snoozed, \d+$/],
  ["link", /^Resolved, \d+$/],
  ...["Contacts", "Segments", "Campaigns", "Templates", "Usage", "Settings"].map(
    (name) => ["link", name] as const,
  ),
  ["group", "Views"],
  ["group", "Channels"],
  ["button", "Search or jump to"],
  ["button", /^Notifications, \d+ unread$/],
  ["button", "Account"],
];

const THREAD: readonly Part[] = [
  ["heading", "Sara"],
  ...["Assign", "Labels", "Snooze", "Resolve", "More actions"].map(
    (name) => ["button", name] as const,
  ),
  ["log", "Messages"],
  ["article", /^Sara, /],
  ["form", "Reply"],
  ["tab", "Reply"],
  ["tab", "Note"],
  ["textbox", "Message"],
  ...["Send", "Send options", "Attach files", "Emoji", "Saved replies", "Template"].map(
    (name) => ["button", name] as const,
  ),
  ["timer", "Reply window"],
  ["complementary", "Details"],
  ["button", "Assignee"],
  ["button", "Edit labels"],
  ["link", "Open contact"],
  ["heading", "Conversation"],
  ["heading", "Contact"],
  // What is not known of the contact has no line, but one button for all of it.
  ["button", "Add email and language"],
  ["list", "Across channels"],
];

inBrowser("the inbox has the names of its contract", async () => {
  const id = await stand.conversation("96550001234", "Sara", "Where is my order?");
  await stand.answer(id, "On its way");
  await stand.settle();
  const { page } = await stand.sit(owner, "/inbox/all?lang=en");
  const lacks = await missing(page, `/inbox/all/${id}`, "All open", [
    ...FRAME,
    ["region", "Conversation list"],
    ["button", "Filter"],
    ["button", "Sort"],
    ["list", "Conversations"],
    ["link", /^Sara, WhatsApp, (\d+ unread, )?.+$/],
    ["checkbox", "Select Sara"],
    ...THREAD,
  ]);
  // The name of a button says what it does; its description is the value, for people who hear the page.
  const described = (name: string) =>
    page.getByRole("button", { name, exact: true }).evaluate((one) => {
      const id = one.getAttribute("aria-describedby");
      return one.ownerDocument.querySelector(`[id="${id}"]`)?.textContent;
    });
  assert.equal(await described("Edit Phone"), "+96550001234");
  assert.equal(await described("Assignee"), "Nobody");
  const adding = page.getByRole("button", { name: "Add email and language" });
  await adding.click();
  await page.getByRole("textbox", { name: "Email", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit Language" }).waitFor();
  await adding.waitFor({ state: "detached" });
  const place = () => page.locator(".row").first().boundingBox();
  const before = await place();
  await page.getByRole("checkbox", { name: "Select Sara" }).check({ force: true });
  lacks.push(...(await lacking(page, "bulk", [["toolbar", "Bulk actions"]])));
  assert.deepEqual(await place(), before, "the next box moves away from the pointer");
  await page.getByRole("button", { name: "More actions" }).first().click();
  lacks.push(
    ...(await lacking(page, "more", [
      ["menuitem", "Mark unread"],
      ["menuitem", "Mark read for all"],
      ["menuitem", "Copy link"],
    ])),
  );
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Note" }).click();
  lacks.push(...(await lacking(page, "note", [["textbox", "Note"]])));
  await page.getByRole("textbox", { name: "Note", exact: true }).fill("Call her");
  await page.keyboard.press("Enter");
  const note = page.getByRole("article", { name: /^Note by You, / });
  await note
    .getByRole("note", { name: /^Note by You, / })
    .getByText("Call her")
    .waitFor();
  // The details leave, so that the thread is wider, and come back: by key, and by the button that is there then.
  await page.keyboard.press("Escape");
  const details = page.getByRole("complementary", { name: "Details" });
  const inDetails = page.getByRole("button", { name: "Details", exact: true });
  await page.keyboard.press(".");
  await details.waitFor({ state: "detached" });
  await inDetails.click();
  await details.waitFor();
  await inDetails.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Search or jump to" }).click();
  const menu = page.getByRole("dialog", { name: "Command menu" });
  await menu.getByRole("combobox", { name: "Command" }).waitFor();
  await menu.getByRole("listbox").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Account" }).click();
  for (const name of ["Profile", "Language", "Theme", "Sign out"])
    await page.getByRole("menuitem", { name, exact: true }).waitFor();
  assert.deepEqual(lacks, []);
});

inBrowser(
  "a view that does not exist says so and leads to one that does, in both languages; a label that only a program uses is a view",
  async () => {
    const id = await stand.conversation("96550001299", "Rana", "Is it there?");
    const changed = await stand.shop.api("PATCH", `/conversations/${id}`, {
      addLabels: ["from-program"],
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const { page } = await stand.sit(owner, "/inbox/all?lang=en");
    const nowhere = "0197aaaa-0000-7000-8000-000000000000";
    for (const view of ["label-NOPE", `view-${nowhere}`, `channel-${nowhere}`, "nope"]) {
      await page.goto(`/inbox/${view}?lang=en`);
      await page.getByRole("heading", { level: 1, name: "This view does not exist" }).waitFor();
      await page.getByRole("heading", { level: 2, name: "This view does not exist" }).waitFor();
      await comesTo("This view does not exist · Parley", () => page.title());
    }
    await page.goto("/inbox/label-NOPE?lang=ar");
    await page.getByRole("heading", { level: 1, name: "طريقة العرض هذه غير موجودة" }).waitFor();
    await page.getByRole("link", { name: "اذهب إلى محادثاتي" }).click();
    await page.waitForURL(/\/inbox\/mine/);
    await page.goto("/inbox/label-from-program?lang=en");
    await page.getByRole("link", { name: /^Rana, / }).waitFor();
    await page.getByRole("heading", { level: 1, name: "from-program", exact: true }).waitFor();
  },
);

inBrowser(
  "contacts, segments, campaigns, templates and usage have the names of their contract",
  async () => {
    const { page } = await stand.sit(owner, "/inbox/all?lang=en");
    const made = async (path: string, data: object) => {
      const answer = await page.request.post(`/api/app${path}`, {
        headers: { "x-parley": "1" },
        data,
      });
      assert.ok(answer.ok(), await answer.text());
      return ((await answer.json()) as { id: string }).id;
    };
    const layla = { name: "Layla Haddad", phone: "96550005678", tags: ["Layla"] };
    const contact = await made("/contacts", layla);
    await stand.shop.api("POST", "/contacts", { name: "Layla Hadad", phone: "96550005679" });
    const lacks = [
      ...(await missing(page, "/search?q=layla", "Search", [
        ["searchbox", "Search"],
        ["region", "People"],
        ["region", "Conversations"],
        ["region", "Messages"],
      ])),
      ...(await missing(page, "/contacts", "Contacts", [
        ["searchbox", "Search contacts"],
        ["button", "Add filter"],
        ["button", "Columns"],
        ["button", "New contact"],
        ["link", "Import"],
        ["link", "Export"],
        ["link", "Duplicates"],
        ["table", "Contacts"],
        ["checkbox", "Select all on page"],
      ])),
      ...(await missing(page, `/contacts/${contact}`, "Layla Haddad", [
        ["tab", "Timeline"],
        ["tab", "Details"],
        ["tab", "Consent"],
        ["button", "Edit"],
        ["button", "Merge"],
        ["button", /^Opt (out|in)$/],
        ["button", "Start conversation"],
        ["button", "Erase"],
      ])),
      ...(await missing(page, "/contacts/import", "Import contacts", [["button", "Choose file"]])),
      ...(await missing(page, "/contacts/duplicates", "Duplicates", [])),
      ...(await missing(page, "/segments", "Segments", [["link", "New segment"]])),
      ...(await missing(page, "/segments/new", "New segment", [
        ["textbox", "Segment name"],
        ["group", "Rules"],
        ["button", "Add rule"],
        ["button", "Save segment"],
      ])),
    ];
    await page.getByRole("button", { name: "Add rule" }).first().click();
    await page.getByRole("textbox", { name: "Value" }).first().fill("Layla");
    lacks.push(
      ...(await lacking(page, "rule", [
        ["combobox", "Field"],
        ["combobox", "Condition"],
        ["textbox", "Value"],
        ["list", "Sample"],
      ])),
    );
    await page
      .getByRole("status")
      .getByText(/^\d+ (person matches|people match)$/)
      .waitFor();
    const campaign = await made("/broadcasts", {
      name: "Greeting",
      kind: "TEXT",
      channelId: stand.shop.added.id,
      body: "Hi",
    });
    lacks.push(
      ...(await missing(page, "/campaigns", "Campaigns", [
        ["table", "Campaigns"],
        ["link", "New campaign"],
      ])),
      ...(await missing(page, "/campaigns/new", "New campaign", [
        ["button", "Next"],
        ["button", "Save draft"],
        ["region", "Audience"],
      ])),
      ...(await missing(page, "/campaigns/new?step=message", "New campaign", [
        ["region", "Message"],
        ["region", "Phone preview"],
        ["button", "Back"],
      ])),
      ...(await missing(page, "/campaigns/new?step=schedule", "New campaign", [
        ["region", "Schedule"],
      ])),
      ...(await missing(page, "/campaigns/new?step=check", "New campaign", [
        ["region", "Check"],
        ["button", "Start now"],
      ])),
    );
    const started = await page.request.post(`/api/app/campaigns/${campaign}/start`, {
      headers: { "x-parley": "1" },
    });
    assert.ok(started.ok());
    await stand.settle();
    lacks.push(
      ...(await missing(page, `/campaigns/${campaign}`, "Greeting", [
        ["progressbar", "Progress"],
        ["button", "Copy"],
        ["table", "Recipients"],
        ["figure", "Results"],
        ["list", "Timeline"],
      ])),
      ...(await missing(page, "/templates", "Templates", [
        ["table", "Templates"],
        ["button", "Sync now"],
      ])),
      ...(await missing(page, "/usage", "Usage", [
        ["progressbar", "Messages this month"],
        ["figure", "By day"],
        ["table", "By channel"],
      ])),
    );
    assert.deepEqual(lacks, []);
  },
);

inBrowser(
  "the pages of bots have the names of their contract, also with nothing in them and without a limit",
  async () => {
    const { page } = await stand.sit(owner, "/inbox/all?lang=en");
    const bot = await stand.liveBot();
    await stand.snippet("Delivery", "We deliver within two days.");
    const lacks = [
      ...(await missing(page, `/bots/${bot}`, "Shop assistant", [
        ["list", "Guidance"],
        ["button", "Add guidance"],
        ["list", "Topics"],
        ["button", "Add topic"],
      ])),
    ];
    await page.getByRole("tab", { name: "Test bench" }).click();
    lacks.push(
      ...(await lacking(page, "bench", [
        ["button", "New case"],
        ["button", "Run all"],
        ["button", "Run failed"],
      ])),
      ...(await missing(page, "/bots/report", "Results", [
        ["figure", "Resolved by AI"],
        ["figure", "By topic"],
        ["figure", "Suggestions used"],
        ["figure", "Rating"],
        ["figure", "Cost"],
      ])),
      ...(await missing(page, "/settings/ai", "AI", [
        ["list", "Turns kept"],
        ["progressbar", "AI replies this month"],
      ])),
      ...(await missing(page, "/usage", "Usage", [
        ["progressbar", "Messages this month"],
        ["progressbar", "AI replies this month"],
        ["progressbar", "Bots"],
      ])),
      ...(await missing(page, "/knowledge", "Knowledge", [["table", "Sources"]])),
    );
    await page.getByRole("link", { name: "Delivery", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Delivery", exact: true }).waitFor();
    lacks.push(...(await lacking(page, "source", [["list", "Used in"]])));
    assert.deepEqual(lacks, []);
  },
);

inBrowser("an address without a page keeps the navigation around what it says", async () => {
  const { page } = await stand.sit(owner, "/contacts");
  for (const address of ["/gone", "/settings/gone", "/a/b/c"]) {
    await page.goto(address);
    const parts: Part[] = [["heading", "Page not found"], ["link", "Go to the inbox"], ...FRAME];
    assert.deepEqual(await lacking(page, address, parts), []);
  }
});

inBrowser("settings and the sandbox have the names of their contract", async () => {
  const { page } = await stand.sit(owner, "/inbox/all?lang=en");
  const settings: readonly (readonly [string, readonly Part[]])[] = [
    ["Profile", []],
    [
      "Security",
      [
        ["table", "Sessions"],
        ["button", "End all others"],
      ],
    ],
    ["Notifications", []],
    ["Workspace", []],
    [
      "Team",
      [
        ["button", "Invite"],
        ["table", "Members"],
      ],
    ],
    [
      "Channels",
      [
        ["link", "Connect channel"],
        ["button", /^Test/],
      ],
    ],
    ["SMS", []],
    ["Labels", []],
    ["Saved replies", []],
    ["Opt-out words", []],
    ["API keys", [["button", "New key"]]],
    ["Webhooks", [["button", "New endpoint"]]],
    ["Limits", []],
    ["Audit log", []],
  ];
  const lacks: string[] = [];
  for (const [name, parts] of settings)
    lacks.push(
      ...(await missing(page, `/settings/${name.toLowerCase().replaceAll(" ", "-")}`, name, [
        ["navigation", "Settings"],
        ["link", name],
        ...parts,
      ])),
    );
  lacks.push(
    ...(await missing(page, "/sandbox", "Sandbox", [
      ["combobox", "Phone channel"],
      ["textbox", "Customer"],
      ["log", "Phone"],
      ["textbox", "Say"],
      ["button", "Say it"],
      ["combobox", "Fault"],
      ["button", "Set fault"],
      ["button", "Clear faults"],
    ])),
  );
  assert.deepEqual(lacks, []);
});
