import type { BotDocument } from "./bots-query.ts";
import { isRecord } from "./document-file.ts";
import { stepsOf, type StepRecord } from "./flow-steps.ts";

/** What a document means where it says nothing. */
const DEFAULTS: readonly (readonly [path: string, value: unknown])[] = [
  ["tone", "friendly"],
  ["trigger.when", "always"],
  ["quietMs", 2_000],
  ["waitSeconds", 10],
];

/** One difference between two documents of a bot. */
export interface DocumentChange {
  /** The member: "trigger.words"; of a step its member in it, "" for the step itself. */
  readonly path: string;
  /** The step that it is in: its short name, and what it is in the document that has it, the later one first. */
  readonly step: { readonly id: string; readonly is: StepRecord } | null;
  readonly kind: "added" | "removed" | "changed";
  /** Undefined: it was not there. */
  readonly before: unknown;
  /** Undefined: it is not there any more. */
  readonly after: unknown;
}

/** What differs from one document to another, in the order of the later one; the form and the kind are left out. */
export function changesOf(before: BotDocument, after: BotDocument): DocumentChange[] {
  const { steps: _before, format: _format, kind: _kind, ...was } = before;
  const { steps: _after, format: _formatNow, kind: _kindNow, ...is } = after;
  return [...membersOf(was, is, null), ...stepChanges(before, after)];
}

function stepChanges(before: BotDocument, after: BotDocument): DocumentChange[] {
  const [was, is] = [stepsOf(before), stepsOf(after)];
  const changes: DocumentChange[] = [];
  for (const [id, step] of is) {
    const old = was.get(id);
    if (old) changes.push(...membersOf(old, step, { id, is: step }));
    else
      changes.push({ path: "", step: { id, is: step }, kind: "added", before: old, after: step });
  }
  for (const [id, step] of was)
    if (!is.has(id))
      changes.push({
        path: "",
        step: { id, is: step },
        kind: "removed",
        before: step,
        after: undefined,
      });
  return changes;
}

function membersOf(
  before: StepRecord,
  after: StepRecord,
  step: DocumentChange["step"],
): DocumentChange[] {
  const defaults = step === null ? DEFAULTS : [];
  const withDefaults = (one: StepRecord) => {
    const leaves = leavesOf(one);
    for (const [path, value] of defaults) if (!leaves.has(path)) leaves.set(path, value);
    return leaves;
  };
  const [was, is] = [withDefaults(before), withDefaults(after)];
  return [...new Set([...is.keys(), ...was.keys()])].flatMap((path) => {
    const [old, now] = [was.get(path), is.get(path)];
    if (sameValue(old, now)) return [];
    const kind = old === undefined ? "added" : now === undefined ? "removed" : "changed";
    return { path, step, kind, before: old, after: now };
  });
}

/** The values of a document by their places. Lists are values; what is empty is not there. */
function leavesOf(record: StepRecord, at = ""): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  for (const [name, value] of Object.entries(record)) {
    const path = at === "" ? name : `${at}.${name}`;
    if (isRecord(value)) for (const leaf of leavesOf(value, path)) leaves.set(...leaf);
    else if (!isEmpty(value)) leaves.set(path, value);
  }
  return leaves;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

/** Whether two values say the same, in whatever order the members of their objects stand. */
const sameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  return Object.entries(value)
    .map(([name, one]) => [name, ordered(one)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
