import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { sql } from "../../src/db/sql.ts";
import { magicNumbers } from "../../src/sandbox/troubles.ts";
import { startSandboxStand, type SandboxShop, type SandboxStand } from "../sandbox-stand.ts";
import type { Trouble } from "../../src/wire/words.ts";

/** Every trouble of the sandbox's SMS account: passcodes and a campaign, once to a magic number, once with the fault. */
let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

const SENT = { answer: null, told: ["sent", "delivered"], campaign: "delivered" } as const;
const refused = (answer: string, campaign: string | null) =>
  ({ answer, told: [`failed ${answer}`], campaign }) as const;
/** The gateway took it; its answer was lost, and its receipts tell. */
const PROVEN = {
  answer: "GATEWAY_UNAVAILABLE",
  told: ["unknown GATEWAY_UNAVAILABLE", "sent", "delivered"],
  campaign: "delivered",
} as const;

interface End {
  /** `errorCode` of a passcode's answer; null: it was sent. */
  readonly answer: string | null;
  /** The passcode's `otp.status` events. */
  readonly told: readonly string[];
  /** What a campaign's message comes to; null: it is about the account, and looked at on its own. */
  readonly campaign: string | null;
}
const ENDS: Partial<Record<Trouble, End>> = {
  rejected: refused("INVALID_NUMBER", "failed 21211"),
  undeliverable: {
    answer: null,
    told: ["sent", "failed UNREACHABLE_NUMBER"],
    campaign: "failed 30005",
  },
  account: { answer: null, told: ["sent", "failed GATEWAY_CREDIT"], campaign: null },
  "opted-out": refused("BLOCKED_BY_RECIPIENT", "failed 21610"),
  token: refused("GATEWAY_AUTH", null),
  // A campaign waits and goes on; a passcode does not wait.
  throttled: refused("GATEWAY_RATE_LIMITED", "delivered"),
  unreachable: refused("GATEWAY_UNAVAILABLE", "delivered"),
  "lost-taken": PROVEN,
  hang: PROVEN,
  lost: {
    answer: "GATEWAY_UNAVAILABLE",
    told: ["unknown GATEWAY_UNAVAILABLE"],
    campaign: "failed OUTCOME_UNKNOWN",
  },
  slow: SENT,
  "sent-only": { answer: null, told: ["sent"], campaign: "sent" },
  "no-status": { answer: null, told: ["sent"], campaign: "sent" },
  twice: SENT,
  backwards: SENT,
  early: SENT,
  late: SENT,
};

/** Each trouble by its number, and by its fault to an ordinary one. */
const CASES = magicNumbers("SMS").flatMap(({ kind, ending }) => [
  { kind, phone: `9995101${ending}`, fault: false },
  { kind, phone: `9655102${ending.replace(/^./, "7")}`, fault: true },
]);

/** While the gateway's held answers are let go: no test waits for a slow one. */
async function released<T>(shop: SandboxShop, work: () => Promise<T>): Promise<T> {
  const release = setInterval(() => shop.line.platform.release(), 20);
  try {
    return await work();
  } finally {
    clearInterval(release);
  }
}

const setFault = async (shop: SandboxShop, kind: Trouble, to: string) =>
  assert.equal((await shop.phone("POST", "/faults", { kind, to })).status, 200);
const words = (...parts: readonly unknown[]) => parts.filter(Boolean).join(" ");

test("a passcode's answer and events tell each trouble; lost answers are proven by receipts or stay unknown", async () => {
  const shop = await stand.open("SMS");
  const asked: { kind: Trouble; how: string; id: unknown; answer: unknown }[] = [];
  for (const { kind, phone: mobile, fault } of CASES) {
    if (fault) await setFault(shop, kind, mobile);
    const otp = { mobile, message: "Your code is 482913", lang: "E" };
    const { status, body } = await released(shop, () => shop.api("POST", "/otp/send", otp));
    assert.equal(status, 201, JSON.stringify(body));
    const { requestId: id, sent, errorCode } = body;
    const how = fault ? "fault" : "number";
    asked.push({ kind, how, id, answer: sent === true ? null : errorCode });
  }
  await stand.settle();
  stand.t.clock.advance(120_000);
  await stand.settle();
  const events = await shop.events("otp.status");
  for (const { kind, how, id, answer } of asked) {
    const told = events
      .filter((one) => one["requestId"] === id)
      .map((one) => words(one["status"], one["errorCode"]));
    const end = ENDS[kind];
    assert.deepEqual({ answer, told }, { answer: end?.answer, told: end?.told }, `${kind} ${how}`);
  }
  assert.equal(shop.line.faultCount, 0);
  assert.deepEqual(shop.line.platform.repeated(), [], "nothing was sent twice");
});

/** Starts a campaign to these people and lets an hour pass. */
async function campaign(
  shop: SandboxShop,
  people: readonly { kind: Trouble; phone: string; fault: boolean }[],
): Promise<{ status: unknown; ends: Map<string, string> }> {
  const names = new Map<string, string>();
  for (const { kind, phone, fault } of people) {
    if (fault) await setFault(shop, kind, phone);
    const { id } = await createContact(OPERATOR, stand.t.app, shop.workspaceId, {
      name: kind,
      phone,
    });
    names.set(id, phone);
  }
  const draft = { name: "Sale", kind: "SMS", body: "Sale" } as const;
  const { id } = await createBroadcast(OPERATOR, stand.t.app, shop.workspaceId, draft);
  const started = await shop.api("POST", `/broadcasts/${id}/start`);
  assert.equal(started.body["status"], "QUEUED");
  for (let minutes = 0; minutes < 30; minutes += 2) {
    await released(shop, () => stand.settle());
    stand.t.clock.advance(120_000);
  }
  const rows = await stand.t.app.db.query<{ contact: string; status: string; code: string | null }>(
    sql`select contact_id as contact, status, error_code as code from message
      where workspace_id = ${shop.workspaceId}`,
  );
  const list = (await shop.api("GET", "/broadcasts")).body as unknown as Record<string, unknown>[];
  const ends = rows.map(
    ({ contact, status, code }) => [names.get(contact) ?? "", words(status, code)] as const,
  );
  return { status: list.find((one) => one["id"] === id)?.["status"], ends: new Map(ends) };
}

test("a campaign ends for each recipient as it should, waits out what passes, and sends nothing twice", async () => {
  const shop = await stand.open("SMS");
  const people = CASES.filter(({ kind, fault }) => {
    if (ENDS[kind]?.campaign === null) return false;
    // Each time, so it would never go: the fault shows that it does once the gateway recovers.
    return fault || (kind !== "throttled" && kind !== "unreachable");
  });
  const { status, ends } = await campaign(shop, people);
  assert.equal(status, "COMPLETED");
  for (const { kind, phone, fault } of people)
    assert.equal(ends.get(phone), ENDS[kind]?.campaign, words(kind, fault && "fault"));
  assert.equal(shop.line.faultCount, 0);
  assert.deepEqual(shop.line.platform.repeated(), []);
  // The gateway's word that somebody stopped us, by number and by fault.
  assert.equal((await shop.events("contact.opted_out")).length, 2);
});

test("a campaign stands still when the gateway refuses the account, and admins are told once", async () => {
  const shop = await stand.open("SMS");
  const people = CASES.filter(({ kind }) => kind === "token");
  const { status, ends } = await campaign(shop, people);
  assert.equal(status, "PAUSED");
  assert.deepEqual([...ends.values()], ["sent", "sent"], "nobody is given up");
  const notices = await stand.t.app.db.query<{ kind: string }>(
    sql`select kind from notice where workspace_id = ${shop.workspaceId}`,
  );
  assert.deepEqual(notices, [{ kind: "broadcast.paused" }]);
});

test("an account that receipts call restricted fails its messages one by one", async () => {
  const shop = await stand.open("SMS");
  const people = CASES.filter(({ kind }) => kind === "account");
  const { status, ends } = await campaign(shop, people);
  assert.deepEqual([status, ...ends.values()], ["COMPLETED", "failed 30002", "failed 30002"]);
});
