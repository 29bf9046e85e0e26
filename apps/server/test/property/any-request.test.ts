import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { LONG } from "../group.ts";
import { bodyOf, stepOf, valueOf } from "./arbitraries.ts";
import { operations, type Operation } from "./document.ts";
import { seed } from "../seed.ts";
import { openWorld, type World } from "./world.ts";

/**
 * Requests of every operation of the committed document, one after another on a workspace that they change: fine and
 * faulty bodies and queries, ids that earlier answers gave, another workspace's and none. `PROPERTY_SEED=…` draws the same
 * again, `PARLEY_REQUESTS` sets how many.
 */
const COUNT = Number(process.env["PARLEY_REQUESTS"] ?? (LONG ? 100_000 : 600));
const SLOWEST_MS = 2_000;

let world: World;
before(async () => void (world = await openWorld()));
after(() => world[Symbol.asyncDispose]());

/** What one request is made of; the numbers choose ids among those that are known. */
interface Drawn {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Record<string, unknown>;
  readonly pick: number;
  readonly once: boolean;
}

const arbitraryOf = (operation: Operation): fc.Arbitrary<Drawn> =>
  fc
    .record({
      query: fc.record(
        Object.fromEntries(operation.query.map((one) => [one.name, valueOf(one.schema)])),
        { requiredKeys: [] },
      ),
      fine: bodyOf(operation),
      steps: fc.array(stepOf(operation), { maxLength: 1 }),
      pick: fc.nat(9_999),
      once: fc.boolean(),
    })
    .map(({ fine, steps, ...drawn }) => ({
      ...drawn,
      body: steps.reduce((one, step) => step(one), fine),
    }));

/** The last ids that answers gave, by the first part of the path. */
const known = new Map<string, string[]>();
const MOST_KNOWN = 50;
const nounOf = ({ path }: Operation): string => path.split("/")[2] ?? "";

/** Every id of an answer: its own, and those of the items of a page. */
function learn(operation: Operation, text: string): void {
  const answer: unknown = JSON.parse(text);
  const ids = known.get(nounOf(operation)) ?? [];
  for (const one of [answer, ...listOf(answer)])
    if (typeof one === "object" && one !== null && "id" in one && typeof one.id === "string")
      ids.push(one.id);
  known.set(nounOf(operation), ids.slice(-MOST_KNOWN));
}
const listOf = (answer: unknown): readonly unknown[] => {
  if (Array.isArray(answer)) return answer;
  const { items }: { items?: unknown } = Object(answer);
  return Array.isArray(items) ? items : [];
};

/** An id of A's most often, of B sometimes, and sometimes of none. */
function idFor(operation: Operation, pick: number): string {
  const ids = known.get(nounOf(operation)) ?? [];
  if (pick % 10 === 0) return "none";
  if (pick % 10 === 1) return world.b.contactId;
  return ids[pick % Math.max(ids.length, 1)] ?? world.a.conversationId;
}

/** Members that name a record, with ids that exist. */
function grounded(body: Record<string, unknown>, pick: number): Record<string, unknown> {
  const ids = [...known.values()].flat();
  const found = () => ids[pick % Math.max(ids.length, 1)] ?? "none";
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) =>
      name.endsWith("Id") && typeof value === "string" && pick % 3 > 0
        ? [name, found()]
        : [name, value],
    ),
  );
}

async function ask(operation: Operation, { query, body, pick, once }: Drawn, n: number) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === "id" ? idFor(operation, pick) : `${name} ${pick % 20}`),
  );
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
    .join("&");
  const begun = performance.now();
  const answer = await world.call({
    method: operation.method,
    path: search === "" ? path : `${path}?${search}`,
    ...(operation.body && { payload: JSON.stringify(grounded(body, pick)) }),
    ...(once && operation.method === "POST" && { headers: { "idempotency-key": `any ${n}` } }),
  });
  const ms = performance.now() - begun;
  operation.judge(answer);
  if (answer.status < 300) learn(operation, answer.text);
  return { status: answer.status, ms };
}

test(`${COUNT} requests of every operation: no 5xx, nothing undocumented`, async (t) => {
  const draws = operations.map((operation) => ({ operation, waiting: [] as Drawn[], turn: 0 }));
  const statuses = new Map<number, number>();
  const times: number[] = [];
  let slowest = { ms: 0, id: "" };
  for (let n = 0; n < COUNT; n++) {
    const one = draws[n % draws.length] ?? assert.fail("the document has no operation");
    // Several at once: to begin a sample costs more than to draw one value.
    if (one.waiting.length === 0)
      one.waiting = fc.sample(arbitraryOf(one.operation), {
        seed: seed + one.turn++,
        numRuns: Math.min(20, Math.ceil(COUNT / draws.length)),
      });
    const drawn = one.waiting.pop() ?? assert.fail("nothing was drawn");
    const { id } = one.operation;
    const { status, ms } = await ask(one.operation, drawn, n).catch((error: unknown) => {
      throw new Error(`request ${n} of seed ${seed}, ${id}: ${String(error)}`, { cause: error });
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    times.push(ms);
    if (ms > slowest.ms) slowest = { ms, id };
  }
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  const counted = [...statuses].toSorted(([a], [b]) => a - b).map(([code, n]) => `${code}: ${n}`);
  t.diagnostic(
    `seed ${seed}; ${counted.join(", ")}; p99 ${Math.round(p99)} ms, slowest ${slowest.id} ${Math.round(slowest.ms)} ms`,
  );
  assert.ok((statuses.get(200) ?? 0) > COUNT / 20, "too few requests did something");
  // The short suite shares its machine with other files.
  if (LONG) assert.ok(slowest.ms <= SLOWEST_MS, `${slowest.id} took ${slowest.ms} ms`);
});
