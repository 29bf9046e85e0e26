import type { BotDocument } from "./bots-query.ts";
import {
  edgesOfStep,
  entryOf,
  stepsOf,
  typeOfStep,
  type Edge,
  type ListedStep,
} from "./flow-steps.ts";

/** The steps in the order in which a customer meets them; those that nothing leads to are last. */
export function listOf(document: BotDocument): ListedStep[] {
  const steps = stepsOf(document);
  const edges = new Map([...steps].map(([id, step]) => [id, edgesOfStep(step)]));
  const led = new Set([...edges.values()].flat().map(({ to }) => to));
  const entry = entryOf(document);
  const roots = [
    ...(entry === null ? [] : [entry]),
    ...[...steps.keys()].filter((id) => !led.has(id)),
    ...steps.keys(),
  ];
  const seen = new Set<string>();
  const list: ListedStep[] = [];
  for (const root of roots) {
    if (seen.has(root)) continue;
    const part = new Part(root, edges, seen);
    for (const { id, level, by } of part.lines()) {
      const step = steps.get(id) ?? {};
      list.push({ id, type: typeOfStep(step), step, level, by });
      seen.add(id);
    }
  }
  return list;
}

interface Line {
  readonly id: string;
  readonly level: number;
  readonly by: ListedStep["by"];
}

/** The steps that can be reached from one of them, put in order. A step that two branches share is behind both. */
class Part {
  readonly #edges: ReadonlyMap<string, readonly Edge[]>;
  readonly #seen: ReadonlySet<string>;
  readonly #root: string;
  /** Each step before those that it leads to, but for circles. */
  readonly #order: string[];
  readonly #rank: ReadonlyMap<string, number>;
  /** The last step that every way to a step passes. */
  readonly #above = new Map<string, string>();
  readonly #into = new Map<string, { readonly from: string; readonly at: string }[]>();

  constructor(
    root: string,
    edges: ReadonlyMap<string, readonly Edge[]>,
    seen: ReadonlySet<string>,
  ) {
    this.#root = root;
    this.#edges = edges;
    this.#seen = seen;
    this.#order = this.#inOrder();
    this.#rank = new Map(this.#order.map((id, index) => [id, index]));
    for (const from of this.#order)
      for (const { at, to } of this.#next(from))
        if (this.#rank.has(to)) this.#into.set(to, [...(this.#into.get(to) ?? []), { from, at }]);
    this.#findAbove();
  }

  #next(id: string): readonly Edge[] {
    return (this.#edges.get(id) ?? []).filter(
      ({ to }) => this.#edges.has(to) && !this.#seen.has(to),
    );
  }

  /** Branches before what is behind them. */
  #inOrder(): string[] {
    const done = new Set<string>([this.#root]);
    const order: string[] = [];
    const waysOf = (id: string): string[] => {
      const ways = this.#next(id);
      const main = ways.filter(({ at }) => at === "next");
      return [...ways.filter(({ at }) => at !== "next"), ...main].map(({ to }) => to);
    };
    const stack = [{ id: this.#root, ways: waysOf(this.#root) }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      // The last way first: read backwards, it is the last one.
      const way = top.ways.pop();
      if (way === undefined) {
        order.unshift(top.id);
        stack.pop();
      } else if (!done.has(way)) {
        done.add(way);
        stack.push({ id: way, ways: waysOf(way) });
      }
    }
    return order;
  }

  #findAbove(): void {
    const rankOf = (id: string): number => this.#rank.get(id) ?? 0;
    this.#above.set(this.#root, this.#root);
    const meet = (one: string, other: string): string => {
      let [a, b] = [one, other];
      while (a !== b) {
        if (rankOf(a) > rankOf(b)) a = this.#above.get(a) ?? this.#root;
        else b = this.#above.get(b) ?? this.#root;
      }
      return a;
    };
    for (let changed = true; changed;) {
      changed = false;
      for (const id of this.#order.slice(1)) {
        const ways = (this.#into.get(id) ?? []).filter(({ from }) => this.#above.has(from));
        const [first, ...rest] = ways.map(({ from }) => from);
        if (first === undefined) continue;
        const above = rest.reduce(meet, first);
        if (this.#above.get(id) !== above) {
          this.#above.set(id, above);
          changed = true;
        }
      }
    }
  }

  lines(): Line[] {
    const below = Map.groupBy(this.#order.slice(1), (id) => this.#above.get(id) ?? this.#root);
    const lines: Line[] = [];
    const stack: Line[] = [{ id: this.#root, level: 1, by: null }];
    for (let line = stack.pop(); line; line = stack.pop()) {
      lines.push(line);
      const { id: from, level } = line;
      const children = (below.get(from) ?? []).map((id): Line => {
        const by = this.#branchTo(id, from);
        return { id, level: by ? level + 1 : level, by };
      });
      const branches = children.filter(({ by }) => by !== null);
      stack.push(...[...branches, ...children.filter(({ by }) => by === null)].toReversed());
    }
    return lines;
  }

  /** The branch of `from` that alone leads to a step; null: it is behind the branches. */
  #branchTo(id: string, from: string): ListedStep["by"] {
    const ways = (this.#into.get(id) ?? []).filter((one) => !this.#isBelow(one.from, id));
    const [first] = ways;
    const isBranch = ways.every((one) => one.from === from && one.at !== "next");
    return first && isBranch ? first : null;
  }

  /** Whether every way to a step passes another one: an edge from there leads back. */
  #isBelow(id: string, top: string): boolean {
    for (let one = id; ;) {
      if (one === top) return true;
      const above = this.#above.get(one);
      if (above === undefined || above === one) return false;
      one = above;
    }
  }
}
