import { load } from "../load.ts";
import type { Row } from "../rounds.ts";
import { CAMPAIGN, type World } from "../world.ts";
import type { Case } from "./case.ts";

const plain = { floor: null, product: null, ratio: null, p99Ms: null };

const RATE = 50;
const MOST_P99_MS = 50;

/** An order update to a number that nobody has written to before: contact, conversation and message by one call. */
export const strangers: Case = {
  name: "strangers",
  async run(world, tell): Promise<Row[]> {
    const ask = (seconds: number, first: number) =>
      load(world.origin, {
        clients: 32,
        seconds,
        rate: RATE,
        next: (turn) => ({
          method: "POST",
          path: "/api/v1/template-messages",
          headers: {
            authorization: world.keys.next(CAMPAIGN),
            "idempotency-key": `order ${first + turn}`,
          },
          body: JSON.stringify({
            to: String(first + turn),
            template: { name: "news", language: "en" },
            body: ["Sara"],
          }),
        }),
      });
    tell("warms up");
    await ask(2, 201_100_000_000);
    tell(`${RATE} a second`);
    const { perSecond, p50Ms, p99Ms } = await ask(
      Math.max(30, world.size.seconds * 6),
      201_200_000_000,
    );
    return [
      {
        ...plain,
        name: `template message to a stranger, ${RATE} a second`,
        product: perSecond,
        p99Ms,
        goal: `p99 ≤ ${MOST_P99_MS} ms`,
        met: p99Ms <= MOST_P99_MS,
        note: `p50 ${p50Ms.toFixed(1)} ms`,
      },
    ];
  },
};

const CONTACTS = 100_000;
/** The most that one call takes. */
const A_CALL = 500;
const CALLS_AT_ONCE = 4;
const MOST_SECONDS = 240;

/** The contacts of another system brought over twice; the second time nothing has changed. */
export const upserts: Case = {
  name: "upserts",
  async run(world, tell): Promise<Row[]> {
    tell("first time");
    const first = await bringOver(world);
    tell("second time");
    const second = await bringOver(world);
    const seconds = first.seconds + second.seconds;
    const changed = CONTACTS - (second.outcomes.get("unchanged") ?? 0);
    const said = [...first.outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
    return [
      {
        ...plain,
        name: `${CONTACTS.toLocaleString("en")} contacts upserted twice`,
        product: (2 * CONTACTS) / seconds,
        goal: `≤ ${MOST_SECONDS} s, then 0 changed`,
        met: seconds <= MOST_SECONDS && changed === 0,
        note: `${first.seconds.toFixed(0)} s (${said}) and ${second.seconds.toFixed(0)} s (${changed} changed)`,
      },
    ];
  },
};

async function bringOver(
  world: World,
): Promise<{ seconds: number; outcomes: ReadonlyMap<string, number> }> {
  const outcomes = new Map<string, number>();
  const begun = performance.now();
  let next = 0;
  const one = async () => {
    for (let from = next; from < CONTACTS; from = next) {
      next = from + A_CALL;
      const contacts = Array.from({ length: A_CALL }, (_, at) => person(from + at));
      const answer = await fetch(`${world.origin}/api/v1/contacts/batch`, {
        method: "POST",
        headers: {
          authorization: world.keys.next(CAMPAIGN),
          "content-type": "application/json",
        },
        body: JSON.stringify({ contacts }),
      });
      if (!answer.ok) throw new Error(`a batch was refused: ${answer.status}`);
      const { results } = (await answer.json()) as { results: { outcome?: string }[] };
      for (const { outcome = "refused" } of results)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, one));
  return { seconds: (performance.now() - begun) / 1_000, outcomes };
}

const person = (number: number) => ({
  match: ["refs.crm"],
  refs: { crm: String(number) },
  name: `Sara Haddad ${number}`,
  email: `crm${number}@example.com`,
  addTags: ["vip"],
  setAttributes: { city: "Cairo" },
});
