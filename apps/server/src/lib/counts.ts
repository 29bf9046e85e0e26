/** The values that a label can have, by the label's name. All are known in advance, so that each has a line from the start. */
type Labels = Readonly<Record<string, readonly string[]>>;
type ValuesOf<L extends Labels> = { readonly [K in keyof L]: L[K][number] };
type Values = Readonly<Record<string, string>>;

/** One line of a family in a scrape. */
interface Sample {
  /** What follows the family's name: `_sum`, or nothing. */
  readonly suffix: string;
  readonly labels: Values;
  readonly value: number;
}

/** Something that this process counts, as `/metrics` shows it. */
interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "histogram";
  samples(): Sample[];
}

/** Every family that a loaded module declared. They count for the whole process, however many apps run in it. */
const families = new Map<string, Family>();

function declare(family: Family): void {
  if (families.has(family.name)) throw new Error(`${family.name} is declared twice`);
  families.set(family.name, family);
}

/**
 * A counter. Counting costs one look-up in a map, because the hot paths do it for each message. A family never has a
 * workspace among its labels: that would be a line for each customer.
 */
export class Count<const L extends Labels> implements Family {
  readonly name: string;
  readonly help: string;
  readonly type = "counter";
  readonly #names: readonly string[];
  readonly #cells = new Map<string, { readonly labels: Values; n: number }>();

  /** Declares it. `name` ends in `_total`. Every combination of labels begins at 0, so that a first increase is seen. */
  constructor(name: string, help: string, labels: L) {
    this.name = name;
    this.help = help;
    this.#names = Object.keys(labels);
    for (const values of combinationsOf(labels))
      this.#cells.set(this.#keyOf(values), { labels: values, n: 0 });
    declare(this);
  }

  add(values: ValuesOf<L>, by = 1): void {
    const cell = this.#cells.get(this.#keyOf(values));
    if (cell) cell.n += by;
  }

  samples(): Sample[] {
    return [...this.#cells.values()].map(({ labels, n }) => ({ suffix: "", labels, value: n }));
  }

  #keyOf(values: Values): string {
    let key = "";
    for (const name of this.#names) key += `${values[name]}/`;
    return key;
  }
}

/** How many observations were no larger than each bound, their sum and their number. */
interface Spread {
  readonly upTo: Float64Array;
  sum: number;
  count: number;
}

/** A histogram with one label, or with none when `label` is null. */
export class Histogram<const V extends string> implements Family {
  readonly name: string;
  readonly help: string;
  readonly type = "histogram";
  readonly #label: string | null;
  readonly #bounds: readonly number[];
  readonly #spreads: ReadonlyMap<string, Spread>;

  /** Declares it. `bounds` rise; an observation above the last one is in `+Inf` alone. */
  constructor(name: string, help: string, { label, values, bounds }: HistogramShape<V>) {
    this.name = name;
    this.help = help;
    this.#label = label;
    this.#bounds = bounds;
    this.#spreads = new Map(
      values.map((value) => [value, { upTo: new Float64Array(bounds.length), sum: 0, count: 0 }]),
    );
    declare(this);
  }

  observe(value: V, observed: number): void {
    const spread = this.#spreads.get(value);
    if (!spread) return;
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && observed > (bounds[at] ?? Infinity)) at++;
    if (at < bounds.length) spread.upTo[at] = (spread.upTo[at] ?? 0) + 1;
    spread.sum += observed;
    spread.count++;
  }

  samples(): Sample[] {
    return [...this.#spreads].flatMap(([value, { upTo, sum, count }]) => {
      const labels = this.#label === null ? {} : { [this.#label]: value };
      let below = 0;
      const buckets = this.#bounds.map((bound, at): Sample => {
        below += upTo[at] ?? 0;
        return { suffix: "_bucket", labels: { ...labels, le: String(bound) }, value: below };
      });
      return [
        ...buckets,
        { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: count },
        { suffix: "_sum", labels, value: sum },
        { suffix: "_count", labels, value: count },
      ];
    });
  }
}

interface HistogramShape<V extends string> {
  readonly label: string | null;
  /** The values of the label; one of any text when there is none. */
  readonly values: readonly V[];
  readonly bounds: readonly number[];
}

/** Bounds for durations in seconds, from half a millisecond to ten seconds. */
export const SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Leases that ended while this process worked under them. */
export const leasesLost = new Count(
  "parley_leases_lost_total",
  "Leases that ended under their holder: the session that shows that this process lives; a polled bot",
  { kind: ["session", "poll"] },
);

/** All families of this process as Prometheus text (exposition format 0.0.4). */
export function renderCounts(): string {
  return [...families.values()].map(textOf).join("\n");
}

function textOf(family: Family): string {
  const { name, help, type } = family;
  const lines = family.samples().map(({ suffix, labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`;
}

/** Every combination of the labels' values. */
function combinationsOf(labels: Labels): Values[] {
  let found: Values[] = [{}];
  for (const [name, values] of Object.entries(labels))
    found = found.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  return found;
}
