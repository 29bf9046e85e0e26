import type { FlowStepType } from "../../../server/src/wire/flow.ts";
import type { BotDocument } from "./bots-query.ts";
import { isRecord } from "./document-file.ts";

/*
 * The steps of a flow as a list, and what is done with them there. A flow is a graph: the list has each step once, in the
 * order in which a customer meets them. A draft may hold anything, and what is not touched stays as it is. All is pure.
 */

export type StepRecord = Readonly<Record<string, unknown>>;

/** Where a step goes on: the place in the step ("choices.0.next"), and the name of the other step. */
export interface Edge {
  readonly at: string;
  readonly to: string;
}

/** One step in the list. */
export interface ListedStep {
  readonly id: string;
  /** Null: no kind that is known here. */
  readonly type: FlowStepType | null;
  readonly step: StepRecord;
  /** 1 for the main line, one more in each branch. */
  readonly level: number;
  /** The branch that leads to it, when it is the first step of one. */
  readonly by: { readonly from: string; readonly at: string } | null;
}

/** Whether a kind of step goes on at `next`: a step can be put behind it. A jump leads elsewhere. */
const GOES_ON = {
  send: true,
  choose: false,
  ask: true,
  branch: true,
  set: true,
  tag: true,
  label: true,
  note: true,
  confirm: true,
  call: true,
  ai: true,
  classify: false,
  wait: true,
  assign: false,
  hand_over: false,
  go_to: false,
  end: false,
} as const satisfies Record<FlowStepType, boolean>;

const isType = (value: unknown): value is FlowStepType =>
  typeof value === "string" && Object.hasOwn(GOES_ON, value);
/** The kind of a step; null: none that is known here. */
export const typeOfStep = ({ type }: StepRecord): FlowStepType | null =>
  isType(type) ? type : null;
const goesOn = (step: StepRecord): boolean => {
  const type = typeOfStep(step);
  return type !== null && GOES_ON[type];
};

/** Every place at which a step may name another one; `*`: each item of a list. */
const PLACES = [
  ["choices", "*", "next"],
  ["topics", "*", "next"],
  ["cases", "*", "next"],
  ["next"],
  ["refused"],
  ["otherwise"],
  ["timeout", "next"],
] as const;
/** Places that a step cannot do without: there a missing step is shown as a fault. */
const isNeeded = (type: FlowStepType | null, at: string): boolean =>
  at.startsWith("cases.") || (type === "go_to" && at === "next");

type Name = string | undefined;

/** The value with each name at this place of it replaced; undefined removes it. The same object when nothing changed. */
function replaceAt(
  value: unknown,
  place: readonly string[],
  change: (to: string, at: string) => Name,
  at = "",
): unknown {
  const [first, ...rest] = place;
  if (first === undefined) return typeof value === "string" ? change(value, at.slice(1)) : value;
  if (first === "*") {
    if (!Array.isArray(value)) return value;
    const items: unknown[] = value;
    const after = items.map((one, index) => replaceAt(one, rest, change, `${at}.${index}`));
    return after.some((one, index) => one !== items[index]) ? after : value;
  }
  if (!isRecord(value) || !Object.hasOwn(value, first)) return value;
  const after = replaceAt(value[first], rest, change, `${at}.${first}`);
  if (after === value[first]) return value;
  if (after !== undefined) return { ...value, [first]: after };
  const { [first]: _, ...others } = value;
  return others;
}

/** The step with other names at its edges. */
function withEdges(step: StepRecord, change: (to: string, at: string) => Name): StepRecord {
  const type = typeOfStep(step);
  let now: unknown = step;
  for (const place of PLACES)
    now = replaceAt(
      now,
      place,
      (to, at) => change(to, at) ?? (isNeeded(type, at) ? to : undefined),
    );
  return isRecord(now) ? now : step;
}

/** Where a step goes on. */
export function edgesOfStep(step: StepRecord): Edge[] {
  const edges: Edge[] = [];
  withEdges(step, (to, at) => {
    edges.push({ at, to });
    return to;
  });
  return edges;
}

/** The steps of a document by their names; what is no object is shown as a step without a kind. */
export function stepsOf({ steps }: BotDocument): ReadonlyMap<string, StepRecord> {
  return new Map(
    Object.entries(isRecord(steps) ? steps : {}).map(([id, step]) => [
      id,
      isRecord(step) ? step : {},
    ]),
  );
}

/** What members call a step: its name, else its short name. */
export const nameOfStep = (id: string, { name }: StepRecord): string =>
  typeof name === "string" && name.trim() !== "" ? name.trim() : id;

/** The first step; null: the document names none that is there. */
const entryOf = (document: BotDocument): string | null => {
  const { entry } = document;
  const steps = stepsOf(document);
  if (typeof entry === "string") return steps.has(entry) ? entry : null;
  return steps.keys().next().value ?? null;
};

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

/** The steps as the document has them: also what is no object. */
export const rawOf = ({ steps }: BotDocument): Readonly<Record<string, unknown>> =>
  isRecord(steps) ? steps : {};

/** The document with other steps, and with another beginning unless it stays. */
function withSteps(
  document: BotDocument,
  steps: Readonly<Record<string, unknown>>,
  entry: unknown = document["entry"],
): BotDocument {
  const { entry: _, ...others } = document;
  return { ...others, ...(entry !== undefined && { entry }), steps };
}

/** The document with one step replaced. */
export const putStep = (document: BotDocument, id: string, step: StepRecord): BotDocument =>
  withSteps(document, { ...rawOf(document), [id]: step });

/** Leads every edge, and the beginning, elsewhere; undefined removes it. */
function leadAll(document: BotDocument, change: (to: string, from: string) => Name): BotDocument {
  const steps = Object.fromEntries(
    Object.entries(rawOf(document)).map(([id, step]) => [
      id,
      isRecord(step) ? withEdges(step, (to) => change(to, id)) : step,
    ]),
  );
  const entry = entryOf(document);
  return withSteps(document, steps, entry === null ? document["entry"] : change(entry, ""));
}

const nextOf = ({ next }: StepRecord): Name => (typeof next === "string" ? next : undefined);

/** The step going on elsewhere; undefined: nowhere. */
function withNext(step: StepRecord, next: Name): StepRecord {
  const { next: _, ...others } = step;
  return next === undefined ? others : { ...others, next };
}

/** Whether an edge leads on: not back in a circle, and not as a jump, both of which name their step on purpose. */
function leadsOn(document: BotDocument): (from: string, to: string) => boolean {
  const list = listOf(document);
  const rank = new Map(
    list.map(({ id, type }, index) => [id, type === "go_to" ? Infinity : index]),
  );
  const at = new Map(list.map(({ id }, index) => [id, index]));
  return (from, to) => from === "" || (rank.get(from) ?? 0) < (at.get(to) ?? 0);
}

/** Takes a step out of its line: what led to it leads to what was behind it. It stays in the document, for jumps to it. */
function takeOut(document: BotDocument, id: string, jumps = false): BotDocument {
  const step = stepsOf(document).get(id) ?? {};
  const after = nextOf(step) === id ? undefined : nextOf(step);
  const on = leadsOn(document);
  const led = leadAll(document, (to, from) =>
    to === id && from !== id && (jumps || on(from, id)) ? after : to,
  );
  return putStep(led, id, withNext(stepsOf(led).get(id) ?? {}, undefined));
}

/** Puts a step that nothing leads to before another one: what led there leads to it. */
function putBefore(document: BotDocument, id: string, other: string): BotDocument {
  const on = leadsOn(document);
  const led = leadAll(document, (to, from) =>
    to === other && from !== id && on(from, other) ? id : to,
  );
  return putStep(led, id, withNext(stepsOf(led).get(id) ?? {}, other));
}

/** Puts a step that nothing leads to behind another one. */
function putBehind(document: BotDocument, id: string, other: string): BotDocument {
  const steps = stepsOf(document);
  const before = steps.get(other) ?? {};
  const led = putStep(document, other, withNext(before, id));
  const step = steps.get(id) ?? {};
  return goesOn(step) ? putStep(led, id, withNext(step, nextOf(before))) : led;
}

/**
 * Moves a step one line up or down. Null: it cannot, because it is the first or last one, or ends its branch: what has no
 * next step cannot stand before another one.
 */
export function moveStep(
  document: BotDocument,
  id: string,
  way: "up" | "down",
): BotDocument | null {
  const list = listOf(document);
  const index = list.findIndex((one) => one.id === id);
  const moved = list[index];
  if (!moved || !goesOn(moved.step)) return null;
  if (way === "up") {
    const above = list[index - 1];
    return above ? putBefore(takeOut(document, id), id, above.id) : null;
  }
  const below = list[index + 1];
  if (!below) return null;
  const out = takeOut(document, id);
  if (goesOn(below.step)) return putBehind(out, id, below.id);
  const next = list[index + 2];
  return next ? putBefore(out, id, next.id) : null;
}

/** Removes a step: what led to it leads to what was behind it. */
export function deleteStep(document: BotDocument, id: string): BotDocument {
  const out = takeOut(document, id, true);
  const { [id]: _, ...others } = rawOf(out);
  return withSteps(out, others);
}

const SHORT_NAME = /^[A-Za-z0-9_-]{1,28}$/;

/** Gives a step another short name, wherever it is named. Null: the name is taken, or is none. */
export function renameStep(document: BotDocument, from: string, to: string): BotDocument | null {
  if (!SHORT_NAME.test(to) || Object.hasOwn(rawOf(document), to)) return null;
  const led = leadAll(document, (name) => (name === from ? to : name));
  const entries = Object.entries(rawOf(led)).map(([id, step]) => [id === from ? to : id, step]);
  return withSteps(led, Object.fromEntries(entries));
}

/** A short name that is free, made of the kind of step. */
function freeName(document: BotDocument, type: FlowStepType): string {
  const taken = rawOf(document);
  const base = type.replaceAll("_", "-");
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!Object.hasOwn(taken, name)) return name;
  }
}

/** Where a new step goes: behind a step, or to where an edge of a step leads. */
export type NewPlace = { readonly behind: string } | { readonly from: string; readonly at: string };

/**
 * Adds a step: behind another one, before it when nothing can be behind it, or at an edge that leads nowhere yet. Without a
 * place it is the last one. Gives its short name, too.
 */
export function addStep(
  document: BotDocument,
  step: StepRecord & { readonly type: FlowStepType },
  place?: NewPlace,
): { readonly document: BotDocument; readonly id: string } {
  const id = freeName(document, step.type);
  const list = listOf(document);
  const added = putStep(document, id, step);
  if (list.length === 0) return { document: withSteps(added, rawOf(added), id), id };
  if (place && "from" in place) {
    const from = stepsOf(added).get(place.from) ?? {};
    return { document: putStep(added, place.from, leadEdge(from, place.at, id)), id };
  }
  const other = list.find((one) => one.id === place?.behind) ?? list.at(-1);
  if (!other) return { document: added, id };
  if (goesOn(other.step)) return { document: putBehind(added, id, other.id), id };
  const free = freeChoice(other);
  if (free !== null)
    return { document: putStep(added, other.id, leadEdge(other.step, free, id)), id };
  const isLast = other.type === "end" || other.type === "hand_over" || other.type === "go_to";
  return { document: isLast && goesOn(step) ? putBefore(added, id, other.id) : added, id };
}

/** The first answer or topic of a step that leads nowhere yet. */
function freeChoice({ type, step }: ListedStep): string | null {
  const member = type === "choose" ? "choices" : type === "classify" ? "topics" : "";
  const given = step[member];
  if (!Array.isArray(given)) return null;
  const ways: unknown[] = given;
  const index = ways.findIndex((one) => isRecord(one) && one["next"] === undefined);
  return index < 0 ? null : `${member}.${index}.next`;
}

/** The step with one of its edges leading to another step; undefined: nowhere. */
export function leadEdge(step: StepRecord, at: string, to: Name): StepRecord {
  const led = putAt(step, at.split("."), to);
  return isRecord(led) ? led : step;
}

/** The value with another one at a place; undefined removes it. What is not there is not made, but for its last name. */
export function putAt(value: unknown, [first, ...rest]: readonly string[], put: unknown): unknown {
  if (first === undefined) return put;
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return items.map((one, index) => (String(index) === first ? putAt(one, rest, put) : one));
  }
  if (!isRecord(value)) return value;
  const after = putAt(rest.length > 0 ? (value[first] ?? {}) : undefined, rest, put);
  if (after !== undefined) return { ...value, [first]: after };
  const { [first]: _, ...others } = value;
  return others;
}

/** What was written, and what was written before it: `undo` goes back. */
export interface Edits {
  readonly past: readonly BotDocument[];
  readonly now: BotDocument;
  /** What the last change was made to: changes of the same field are undone together. */
  readonly field: string | null;
}

const MOST_PAST = 100;

export const beginEdits = (now: BotDocument): Edits => ({ past: [], now, field: null });

/** Writes another document. `field`: a text that is being typed, whose letters are one change. */
export function edit(
  { past, now, field: before }: Edits,
  next: BotDocument,
  field: string | null = null,
): Edits {
  if (next === now) return { past, now, field: before };
  if (field !== null && field === before) return { past, now: next, field };
  return { past: [...past, now].slice(-MOST_PAST), now: next, field };
}

/** Goes back to before the last change. */
export function undo({ past, now }: Edits): Edits {
  const before = past.at(-1);
  return before
    ? { past: past.slice(0, -1), now: before, field: null }
    : { past, now, field: null };
}
