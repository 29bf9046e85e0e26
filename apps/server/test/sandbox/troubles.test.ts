import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { USUAL_CUSTOMER } from "../../src/sandbox/platforms/usual-customer.ts";
import { magicCodes, MAGIC_PREFIX, magicNumbers, troublesOf } from "../../src/sandbox/troubles.ts";
import { magicOf } from "../../../../packages/emulators/src/whatsapp/magic.ts";
import { LONG } from "../group.ts";
import { startSandboxStand, type SandboxShop, type SandboxStand } from "../sandbox-stand.ts";
import type { SandboxType, Trouble } from "../../src/wire/words.ts";

/**
 * Every class of trouble on every platform: an API reply over real HTTP, once to a magic number, once with the fault. In
 * the short suite the two ways take turns.
 */
let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

type ChatType = Exclude<SandboxType, "SMS">;
/** The code of each refusal, as the platform spells it. */
const CODES: Record<ChatType, Partial<Record<Trouble, string>>> = {
  WHATSAPP: {
    rejected: "100",
    undeliverable: "131026",
    template: "132015",
    account: "368",
    "opted-out": "131050",
    token: "190",
  },
  MESSENGER: { rejected: "551", account: "368", token: "190" },
  INSTAGRAM: { rejected: "551", account: "368", token: "190" },
  TELEGRAM: { rejected: "400", account: "406", "opted-out": "403", token: "401" },
  TIKTOK: { rejected: "40007", account: "41000", token: "40102" },
};
/** What a platform tells of a message that went well: `message.status` events in their order. */
const WELL: Record<ChatType, readonly string[]> = {
  WHATSAPP: ["delivered", "read"],
  MESSENGER: ["delivered", "read"],
  INSTAGRAM: ["read"],
  TELEGRAM: [],
  TIKTOK: ["read"],
};

/** What a reply comes to: `message.status` events, then the code of the failure. */
function endOf(
  type: ChatType,
  kind: Trouble,
): { statuses: readonly string[]; code: string | null } {
  const well = { statuses: WELL[type], code: null };
  switch (kind) {
    case "rejected":
    case "undeliverable":
    case "template":
    case "account":
    case "opted-out":
    case "token":
      return { statuses: ["failed"], code: CODES[type][kind] ?? "?" };
    case "lost":
      return { statuses: ["failed"], code: "OUTCOME_UNKNOWN" };
    case "lost-taken":
    case "hang":
      // Telegram tells nothing afterwards, so nobody can know.
      return type === "TELEGRAM" ? { statuses: ["failed"], code: "OUTCOME_UNKNOWN" } : well;
    case "sent-only":
    case "no-status":
      return { statuses: [], code: null };
    case "backwards":
      return { statuses: ["read"], code: null };
    case "corrected":
      return { statuses: ["failed", "delivered"], code: null };
    case "throttled":
    case "throttled-hint":
    case "unreachable":
    case "slow":
    case "twice":
    case "early":
    case "late":
      return well;
    default:
      return kind satisfies never;
  }
}

const STOPS_THE_CHANNEL: readonly Trouble[] = ["account", "token"];
const HOLDS_THE_CHANNEL: readonly Trouble[] = ["throttled", "throttled-hint"];

/** A customer writes and is answered; gives the answer's id. */
async function reply(shop: SandboxShop, from: string, fault: Trouble | null): Promise<string> {
  const { conversationId } = await shop.say({ from, text: "hello" });
  if (fault !== null) {
    const set = await shop.phone("POST", "/faults", { kind: fault, to: from });
    assert.deepEqual([set.status, set.body["waiting"]], [200, shop.line.faultCount]);
  }
  const sent = await shop.api("POST", "/messages", { conversationId, text: "Hi" });
  assert.deepEqual([sent.status, sent.body["status"]], [201, "sent"]);
  return String(sent.body["id"]);
}

/** Settles while what the platform holds back is let go: no test waits five seconds. */
async function settle(shop: SandboxShop): Promise<void> {
  const release = setInterval(() => shop.line.platform.release(), 20);
  try {
    await stand.settle();
  } finally {
    clearInterval(release);
  }
}

async function check(shop: SandboxShop, type: ChatType, kind: Trouble, id: string, how: string) {
  const { statuses, code } = endOf(type, kind);
  const events = (await shop.events("message.status")).filter((one) => one["messageId"] === id);
  const stored = await shop.stored(id);
  assert.deepEqual(
    [events.map((one) => one["status"]), stored.status, stored.code],
    [statuses, statuses.at(-1) ?? "sent", code],
    `${type} ${kind} by ${how}`,
  );
}

const numbered = (type: ChatType, index: number, ending: string): string =>
  `${USUAL_CUSTOMER[type].slice(0, -6)}${10 + index}${ending}`;

const fictitious = (type: ChatType, index: number, ending: string): string =>
  numbered(type, index, ending).replace(/^.../, MAGIC_PREFIX);

for (const type of ["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK"] as const) {
  test(`${type}: troubles of one customer end as they should and leave the channel alone`, async () => {
    const shop = await stand.open(type);
    const kinds = magicNumbers(type).filter(
      ({ kind }) => ![...STOPS_THE_CHANNEL, ...HOLDS_THE_CHANNEL].includes(kind),
    );
    const sent: { kind: Trouble; id: string; how: string }[] = [];
    for (const [index, { kind, ending }] of kinds.entries()) {
      // By its number it would never go: the fault shows that it does once the platform recovers.
      const both = LONG && kind !== "unreachable";
      const byFault = index % 2 === 0 || kind === "unreachable";
      // Not one of the magic addresses: its ending means nothing.
      const ordinary = numbered(type, index, ending);
      if (both || byFault) sent.push({ kind, how: "fault", id: await reply(shop, ordinary, kind) });
      if (!both && byFault) continue;
      const magic = fictitious(type, index, ending);
      sent.push({ kind, how: "number", id: await reply(shop, magic, null) });
    }
    await settle(shop);
    const waiting = sent.filter(({ kind }) => kind === "unreachable");
    for (const { id } of waiting) assert.equal((await shop.stored(id)).status, "sent");
    assert.equal(shop.line.faultCount, 0);
    for (const minutes of [2, 20]) {
      stand.t.clock.advance(minutes * 60_000);
      await settle(shop);
    }
    for (const { kind, id, how } of sent) await check(shop, type, kind, id, how);
    assert.deepEqual(await shop.channel(), { status: "connected", throttled: false });
    assert.deepEqual(shop.line.platform.repeated(), [], "nothing was sent twice");
    const optedOut = await shop.events("contact.opted_out");
    const wanted = sent.filter(({ kind }) => kind === "opted-out").length;
    assert.equal(wanted > 0, troublesOf(type).includes("opted-out"));
    assert.equal(optedOut.length, wanted);
  });

  test(`${type}: trouble of the account turns the channel to error and tells the admins`, async () => {
    for (const { kind, ending } of magicNumbers(type)) {
      if (!STOPS_THE_CHANNEL.includes(kind)) continue;
      const shop = await stand.open(type);
      const id = await reply(shop, fictitious(type, 1, ending), null);
      await settle(shop);
      await check(shop, type, kind, id, "number");
      assert.equal((await shop.channel()).status, "error");
      const [event] = await shop.events("channel.status");
      const last = (await shop.events("channel.status")).at(-1);
      assert.deepEqual([event?.["status"], last?.["status"]], ["connected", "error"]);
      // What `sandbox magic off` and `sandbox repair` do: the same number is an ordinary one then.
      const off = await shop.phone("POST", "/magic", { on: false });
      assert.deepEqual([off.status, off.body["magic"]], [200, false]);
      await updateCredentials(OPERATOR, stand.t.app, shop.workspaceId, shop.added.id, {});
      const again = await reply(shop, fictitious(type, 1, ending), null);
      await settle(shop);
      assert.equal((await shop.stored(again)).code, null);
      assert.equal((await shop.channel()).status, "connected");
    }
  });

  test(`${type}: a throttled reply waits as long as it must and then goes`, async () => {
    for (const { kind } of magicNumbers(type)) {
      if (!HOLDS_THE_CHANNEL.includes(kind)) continue;
      const shop = await stand.open(type);
      const id = await reply(shop, numbered(type, 1, "7700"), kind);
      await settle(shop);
      assert.equal((await shop.stored(id)).providerMessageId, null);
      assert.deepEqual(await shop.channel(), { status: "connected", throttled: true });
      stand.t.clock.advance(120_000);
      await settle(shop);
      await check(shop, type, kind, id, "fault");
      assert.notEqual((await shop.stored(id)).providerMessageId, null);
    }
  });
}

test("what is listed of WhatsApp's numbers is what the emulator does: each code of Meta, and none more", () => {
  const codeOf = (ending: string) => {
    const magic = magicOf(`${MAGIC_PREFIX}000${ending}`);
    return magic?.kind === "refuse" || magic?.kind === "fail" ? magic : null;
  };
  for (const { ending, meaning } of magicCodes("WHATSAPP")) {
    const magic = codeOf(ending);
    assert.ok(meaning.endsWith(`Meta's code ${magic?.code}`), `${ending}: ${magic?.code}`);
    assert.equal(meaning.startsWith("refused"), magic?.kind === "refuse", ending);
  }
  const every = Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, "0"));
  // 0500 to 0599 are one fault of the platform's server.
  const known = every.filter((ending) => !ending.startsWith("05") && codeOf(ending) !== null);
  const listed = [...magicNumbers("WHATSAPP"), ...magicCodes("WHATSAPP")].map(
    ({ ending }) => ending,
  );
  assert.deepEqual(
    known.filter((ending) => !listed.includes(ending)),
    [],
  );
});
