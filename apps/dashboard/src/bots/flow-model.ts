import type { FlowStepType } from "../../../server/src/wire/flow.ts";
import type { BotDocument } from "./bots-query.ts";
import { isRecord } from "./document-file.ts";
import { listOf } from "./flow-order.ts";
import {
  entryOf,
  goesOn,
  stepsOf,
  withEdges,
  type ListedStep,
  type StepName,
  type StepRecord,
} from "./flow-steps.ts";

/*
 * What is done with the steps of a flow in their list: each change gives another document, and leaves what it does not touch
 * as it is. All is pure.
 */

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
function leadAll(
  document: BotDocument,
  change: (to: string, from: string) => StepName,
): BotDocument {
  const steps = Object.fromEntries(
    Object.entries(rawOf(document)).map(([id, step]) => [
      id,
      isRecord(step) ? withEdges(step, (to) => change(to, id)) : step,
    ]),
  );
  const entry = entryOf(document);
  return withSteps(document, steps, entry === null ? document["entry"] : change(entry, ""));
}

const nextOf = ({ next }: StepRecord): StepName => (typeof next === "string" ? next : undefined);

/** The step going on elsewhere; undefined: nowhere. */
function withNext(step: StepRecord, next: StepName): StepRecord {
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
export function leadEdge(step: StepRecord, at: string, to: StepName): StepRecord {
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
