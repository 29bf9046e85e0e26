import { verifyKey } from "../../apps/server/src/api-keys/verify-key.ts";
import { keyCache } from "../../apps/server/src/api-keys/key-cache.ts";
import type { Row } from "../rounds.ts";
import { BIG, type World } from "../world.ts";
import type { Case } from "./case.ts";

const PAIRS = 1_000_000;
/** Pairs for which the database is asked each time. */
const ASKED_PAIRS = 20_000;
/** Public halves that exist, and as many that do not. */
const HALVES = 64;
/** A public half is wrong so often from one address before the next address comes: fewer than are refused. */
const PER_ADDRESS = 19;
/** Beyond it two means differ (TVLA's customary bound). */
const MOST_T = 4.5;

interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
}

/** Of the figures up to `most`. */
function momentsOf(figures: Float64Array, most = Infinity): Moments {
  const counted = figures.filter((figure) => figure <= most);
  const mean = counted.reduce((sum, figure) => sum + figure, 0) / counted.length;
  const squares = counted.reduce((sum, figure) => sum + (figure - mean) ** 2, 0);
  return { count: counted.length, mean, variance: squares / (counted.length - 1) };
}

const welch = (a: Moments, b: Moments): number =>
  (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);

interface Comparison {
  readonly t: number;
  /** Without the slowest tenth, which is what else the machine did: it sees smaller differences. */
  readonly cutT: number;
  readonly wrongUs: number;
  readonly unknownUs: number;
}

/** Each comparison has addresses of its own. */
let round = 0;

/** Headers with wrong secrets, of one length: pk_1_100 to pk_1_163 are seeded, others do not exist. */
const headersOf = (owner: string): readonly string[] =>
  Array.from(
    { length: HALVES },
    (_, at) => `Bearer pk_${owner}_1${String(at + 1).padStart(2, "0")}:sk_${"w".repeat(43)}`,
  );
const WRONG = headersOf(String(BIG));
const UNKNOWN = headersOf("0");

/** Interleaved pairs, the first of each drawn by lot. */
async function compare(
  world: World,
  pairs: number,
  before: () => void,
  [first, second]: readonly [readonly string[], readonly string[]] = [WRONG, UNKNOWN],
): Promise<Comparison> {
  const { app } = world;
  const wrong = new Float64Array(pairs);
  const unknown = new Float64Array(pairs);
  round++;
  const once = async (header: string | undefined, address: string): Promise<number> => {
    before();
    const begun = performance.now();
    try {
      await verifyKey(app, header, () => address);
    } catch {
      return (performance.now() - begun) * 1_000;
    }
    throw new Error("a wrong secret was taken");
  };
  for (let pair = 0; pair < pairs; pair++) {
    const address = `${round}/${Math.floor(pair / HALVES / PER_ADDRESS)}`;
    const wrongFirst = Math.random() < 0.5;
    if (wrongFirst) wrong[pair] = await once(first[pair % HALVES], address);
    unknown[pair] = await once(second[pair % HALVES], address);
    if (!wrongFirst) wrong[pair] = await once(first[pair % HALVES], address);
  }
  const most = Math.max(...[wrong, unknown].map((one) => one.toSorted()[pairs * 0.9] ?? 0));
  const [a, b] = [momentsOf(wrong), momentsOf(unknown)];
  return {
    t: welch(a, b),
    cutT: welch(momentsOf(wrong, most), momentsOf(unknown, most)),
    wrongUs: a.mean,
    unknownUs: b.mean,
  };
}

/** Whether the time of a refusal tells an unknown key from a wrong secret: Welch's t over a million pairs. */
export const guessing: Case = {
  name: "guessing",
  async run(world, tell): Promise<Row[]> {
    const cache = keyCache(world.app.db);
    const plain = { floor: null, product: null, ratio: null, p99Ms: null };
    const rowOf = (name: string, count: number, seen: Comparison): Row => ({
      ...plain,
      name,
      goal: `|t| < ${MOST_T}`,
      met: Math.abs(seen.t) < MOST_T,
      note: `t ${seen.t.toFixed(2)} over ${count.toLocaleString("en")} pairs, ${seen.cutT.toFixed(2)} without the slowest tenth; wrong ${seen.wrongUs.toFixed(2)} µs, unknown ${seen.unknownUs.toFixed(2)} µs`,
    });
    tell("warms up");
    await compare(world, 20_000, () => {});
    tell(`${PAIRS} pairs`);
    const known = await compare(world, PAIRS, () => {});
    tell(`t ${known.t.toFixed(2)}; the same of two sets of unknown keys`);
    const control = await compare(world, PAIRS, () => {}, [headersOf("x"), UNKNOWN]);
    tell(`t ${control.t.toFixed(2)}; ${ASKED_PAIRS} pairs that ask the database`);
    const asked = await compare(world, ASKED_PAIRS, () => cache.clear());
    return [
      rowOf("wrong secret against unknown key", PAIRS, known),
      {
        ...rowOf("unknown key against unknown key (what the clock alone says)", PAIRS, control),
        goal: "–",
        met: null,
      },
      rowOf("wrong against unknown, asked of the database each time", ASKED_PAIRS, asked),
    ];
  },
};
