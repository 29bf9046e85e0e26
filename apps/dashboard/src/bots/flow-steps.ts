import type { FlowStepType } from "../../../server/src/wire/flow.ts";
import type { BotDocument } from "./bots-query.ts";
import { isRecord } from "./document-file.ts";

/*
 * The steps of a flow and where each goes on. A draft may hold anything, and what is not touched stays as it is. All is pure.
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
/** Whether a step goes on at `next`. */
export const goesOn = (step: StepRecord): boolean => {
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

/** The name of a step that an edge leads to; undefined: it leads nowhere. */
export type StepName = string | undefined;

/** The value with each name at this place of it replaced; undefined removes it. The same object when nothing changed. */
function replaceAt(
  value: unknown,
  place: readonly string[],
  change: (to: string, at: string) => StepName,
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
export function withEdges(
  step: StepRecord,
  change: (to: string, at: string) => StepName,
): StepRecord {
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
export const entryOf = (document: BotDocument): string | null => {
  const { entry } = document;
  const steps = stepsOf(document);
  if (typeof entry === "string") return steps.has(entry) ? entry : null;
  return steps.keys().next().value ?? null;
};
