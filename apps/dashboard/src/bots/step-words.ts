import type { FlowStepType } from "../../../server/src/wire/flow.ts";
import type { Icon } from "../kit/icon.tsx";
import { locale } from "../text/locale.ts";
import { t, type PlainKey } from "../text/t.ts";
import { isRecord } from "./document-file.ts";
import { edgesOfStep, nameOfStep, type ListedStep, type StepRecord } from "./flow-steps.ts";

type IconName = Parameters<typeof Icon>[0]["name"];

/** What each kind of step is called, what it does, and its sign. */
export const STEP_TYPES = {
  send: ["flow.type.send", "flow.about.send", "message-square"],
  choose: ["flow.type.choose", "flow.about.choose", "columns-3"],
  ask: ["flow.type.ask", "flow.about.ask", "message-circle-question-mark"],
  branch: ["flow.type.branch", "flow.about.branch", "arrow-up-down"],
  set: ["flow.type.set", "flow.about.set", "pencil"],
  tag: ["flow.type.tag", "flow.about.tag", "tag"],
  label: ["flow.type.label", "flow.about.label", "layers"],
  note: ["flow.type.note", "flow.about.note", "file-text"],
  confirm: ["flow.type.confirm", "flow.about.confirm", "shield-check"],
  call: ["flow.type.call", "flow.about.call", "webhook"],
  ai: ["flow.type.ai", "flow.about.ai", "sparkles"],
  classify: ["flow.type.classify", "flow.about.classify", "list-filter"],
  wait: ["flow.type.wait", "flow.about.wait", "timer"],
  assign: ["flow.type.assign", "flow.about.assign", "user-plus"],
  hand_over: ["flow.type.hand_over", "flow.about.hand_over", "hand"],
  go_to: ["flow.type.go_to", "flow.about.go_to", "reply"],
  end: ["flow.type.end", "flow.about.end", "circle-check"],
} as const satisfies Record<FlowStepType, readonly [PlainKey, PlainKey, IconName]>;

export const typeWord = (type: FlowStepType | null): string =>
  t(type === null ? "flow.type.unknown" : STEP_TYPES[type][0]);

export const typeIcon = (type: FlowStepType | null): IconName =>
  type === null ? "circle-alert" : STEP_TYPES[type][2];

/** A text of a step in the page's language, else in the other one. */
export function textOfStep(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (!isRecord(value)) return "";
  const texts = [value[locale], value["en"], value["ar"]];
  return texts.find((one) => typeof one === "string" && one.trim() !== "")?.toString() ?? "";
}

const itemAt = (value: unknown, index: string | undefined): StepRecord => {
  const items: unknown[] = Array.isArray(value) ? value : [];
  const item = items[Number(index)];
  return isRecord(item) ? item : {};
};

/** When a branch is taken: the answer, the number of its case, "no". */
export function branchWord(step: StepRecord, at: string): string {
  const [first = "", index] = at.split(".");
  const number = Number(index) + 1;
  switch (first) {
    case "choices": {
      const answer = textOfStep(itemAt(step["choices"], index)["label"]);
      return t("flow.when.answer", { answer: answer === "" ? String(number) : answer });
    }
    case "topics":
      return t("flow.when.topic", { number });
    case "cases":
      return caseWord(itemAt(step["cases"], index)["if"]) ?? t("flow.when.case", { number });
    case "refused":
      return t("flow.when.refused");
    case "timeout":
      return t("flow.when.late");
    case "otherwise":
      return t("flow.when.otherwise");
    default:
      return t("flow.when.next");
  }
}

/** A condition in a few words; null: it has no short ones. */
function caseWord(condition: unknown): string | null {
  if (!isRecord(condition)) return null;
  const { hours, language, tag, segment } = condition;
  if (hours === "open" || hours === "closed")
    return t(hours === "open" ? "flow.open" : "flow.closed");
  if (language === "en" || language === "ar")
    return t(language === "en" ? "flow.lang.en" : "flow.lang.ar");
  const named = tag ?? segment;
  return typeof named === "string" && named !== "" ? named : null;
}

/** What a step says or does, in one line. */
export function summaryOf({ type, step }: ListedStep): string {
  switch (type) {
    case "send":
    case "choose":
    case "ask":
    case "confirm":
      return textOfStep(step["text"]) || t("flow.said.nothing");
    case "note":
      return textOfStep(step["text"]);
    case "tag":
    case "label":
      return [
        ...wordsIn(step["add"]).map((one) => `+ ${one}`),
        ...wordsIn(step["remove"]).map((one) => `− ${one}`),
      ].join("  ");
    case "set":
      return `${textOfStep(step["variable"])} = ${textOfStep(step["value"])}`;
    case "wait":
      return typeof step["minutes"] === "number"
        ? t("flow.did.wait", { minutes: step["minutes"] })
        : "";
    case "call":
      return textOfStep(step["url"]);
    case "ai":
      return textOfStep(step["bot"]);
    case "hand_over":
    case "assign":
      return textOfStep(step["text"]) || textOfStep(step["summary"]);
    case "branch":
    case "classify":
    case "go_to":
    case "end":
    case null:
      return "";
  }
}

export const wordsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** The name of a step that another one leads to. */
export const nameAt = (steps: ReadonlyMap<string, StepRecord>, id: string): string =>
  nameOfStep(id, steps.get(id) ?? {});

/** Where a step goes on that its place in the list does not show: back to a menu, on to a step that branches share. */
export function waysOf(
  { id, step, level }: ListedStep,
  list: readonly ListedStep[],
  steps: ReadonlyMap<string, StepRecord>,
): string[] {
  const index = list.findIndex((one) => one.id === id);
  const below = list.slice(index + 1).find((one) => one.level <= level);
  return edgesOfStep(step).flatMap(({ at, to }) => {
    const name = nameAt(steps, to);
    if (at === "next") return below?.id === to ? [] : [t("flow.goes.on", { name })];
    const isBelow = list.some(({ id: one, by }) => one === to && by?.from === id && by.at === at);
    return isBelow ? [] : [t("flow.goes.to", { when: branchWord(step, at), name })];
  });
}

/** When a step is taken, where that is not always; null: the step above leads to it. */
export function whenOf(
  { id, by }: ListedStep,
  steps: ReadonlyMap<string, StepRecord>,
): string | null {
  const from = by && steps.get(by.from);
  if (from) return branchWord(from, by.at);
  const isElse = [...steps.values()].some(({ type, next }) => type === "branch" && next === id);
  return isElse ? t("flow.when.otherwise") : null;
}
