import type { BotFaultCode, ShapeRule } from "../../../server/src/wire/bot.ts";
import { t, type KeyWith, type PlainKey } from "../text/t.ts";
import type { BotFault } from "./bots-query.ts";

const RULES = {
  missing: "flow.rule.missing",
  unknown: "flow.rule.unknown",
  form: "flow.rule.form",
} as const satisfies Partial<Record<ShapeRule, PlainKey>>;
const LIMITS = {
  short: "flow.rule.short",
  long: "flow.rule.long",
  few: "flow.rule.few",
  many: "flow.rule.many",
  small: "flow.rule.small",
  large: "flow.rule.large",
} as const satisfies Record<Exclude<ShapeRule, keyof typeof RULES>, KeyWith<"limit">>;

type Value = (name: string) => string;
const plain = (key: PlainKey) => (): string => t(key);

/** What is wrong, by its code and its values. */
const WORDS: Readonly<Record<BotFaultCode, (value: Value) => string>> = {
  SHAPE: (value) => shapeText(value("rule"), value("limit")),
  KIND_UNKNOWN: plain("flow.fault.KIND_UNKNOWN"),
  SCOPE_SHORT: (value) => t("flow.fault.SCOPE_SHORT", { least: Number(value("least")) }),
  DISCLOSURE_MISSING: plain("flow.fault.DISCLOSURE_MISSING"),
  HAND_OVER_MISSING: plain("flow.fault.HAND_OVER_MISSING"),
  ADDRESS: plain("flow.fault.ADDRESS"),
  ADDRESS_REFUSED: plain("flow.fault.ADDRESS_REFUSED"),
  NO_SECRET: plain("flow.fault.NO_SECRET"),
  NAME: plain("flow.fault.NAME"),
  TYPE_UNKNOWN: plain("flow.fault.TYPE_UNKNOWN"),
  ENTRY_UNKNOWN: plain("flow.fault.ENTRY_UNKNOWN"),
  EDGE_MISSING: (value) => t("flow.fault.EDGE_MISSING", { to: value("to") }),
  UNREACHABLE: plain("flow.fault.UNREACHABLE"),
  CIRCLE: plain("flow.fault.CIRCLE"),
  TEXT_MISSING: plain("flow.fault.TEXT_MISSING"),
  NAME_UNKNOWN: (value) => t("flow.fault.NAME_UNKNOWN", { name: value("name") }),
  NAME_TWICE: plain("flow.fault.NAME_TWICE"),
  CHOICE_TOO_LONG: (value) => t("flow.fault.CHOICE_TOO_LONG", { most: value("most") }),
  LABEL_TWICE: plain("flow.fault.LABEL_TWICE"),
  PLACE_UNFILLED: plain("flow.fault.PLACE_UNFILLED"),
  NUMBER: plain("flow.fault.NUMBER"),
  CALL_UNCONFIRMED: plain("flow.fault.CALL_UNCONFIRMED"),
  BOT_UNKNOWN: plain("flow.fault.BOT_UNKNOWN"),
  FLOW_UNKNOWN: plain("flow.fault.FLOW_UNKNOWN"),
  MEMBER_UNKNOWN: plain("flow.fault.MEMBER_UNKNOWN"),
  CHANNEL_UNKNOWN: (value) => t("flow.fault.CHANNEL_UNKNOWN", { name: value("name") }),
  SEGMENT_UNKNOWN: (value) => t("flow.fault.SEGMENT_UNKNOWN", { name: value("name") }),
  SOURCE_UNKNOWN: (value) => t("flow.fault.SOURCE_UNKNOWN", { name: value("name") }),
  SEGMENTS_MANY: (value) => t("flow.fault.SEGMENTS_MANY", { most: value("most") }),
  ANSWER_KIND: plain("flow.fault.ANSWER_KIND"),
};

/** Whether this page has words for a code. */
export const isFaultCode = (code: string): code is BotFaultCode => Object.hasOwn(WORDS, code);

/** What is wrong and what to do, in the page's language: the server's code and its values choose the words. */
export const faultText = ({ code, values = {} }: Pick<BotFault, "code" | "values">): string =>
  // A newer server may have more codes than this page, which was loaded before.
  Object.hasOwn(WORDS, code)
    ? WORDS[code]((name) => String(values[name] ?? ""))
    : t("flow.fault.OTHER", { code });

function shapeText(rule: string, limit: string): string {
  for (const [name, key] of Object.entries(RULES)) if (name === rule) return t(key);
  for (const [name, key] of Object.entries(LIMITS)) if (name === rule) return t(key, { limit });
  return t("flow.rule.form");
}

/** Where a fault is, by the label of its field; the last name of the path decides within a step. */
const PLACES: Readonly<Record<string, PlainKey>> = {
  name: "bots.column.name",
  scope: "bots.scope",
  mode: "bots.mode",
  tone: "bots.tone",
  instructions: "bots.guidance",
  "trigger.when": "bots.when",
  "trigger.words": "flow.trigger.words",
  "trigger.channels": "flow.trigger.channels",
  trigger: "flow.tab.triggers",
  "disclosure.en": "bots.disclosure.en",
  "disclosure.ar": "bots.disclosure.ar",
  "handOver.text.en": "bots.handOver.en",
  "handOver.text.ar": "bots.handOver.ar",
  "handOver.outside.en": "bots.outside.en",
  "handOver.outside.ar": "bots.outside.ar",
  "handOver.words": "bots.words",
  "limits.turnsPerConversation": "bots.turns",
  "limits.costPerDay": "bots.money",
  url: "flow.address",
  waitSeconds: "flow.wait",
  lookups: "bots.lookups",
  model: "bots.model",
  secret: "flow.secret",
  entry: "flow.problem.document",
  steps: "flow.steps",
};
const LISTS = {
  sources: "bots.source",
  topics: "bots.topic",
  lookups: "bots.lookup",
  procedures: "bots.procedure",
} as const;
const STEP_PLACES: Readonly<Record<string, PlainKey>> = {
  text: "flow.text",
  "text.en": "flow.text.en",
  "text.ar": "flow.text.ar",
  again: "flow.again.en",
  choices: "flow.answers",
  cases: "flow.cases",
  topics: "flow.topics",
  inputs: "flow.inputs",
  results: "flow.results",
  into: "flow.into",
  variable: "flow.variable",
  value: "flow.value",
  add: "flow.tags.add",
  remove: "flow.tags.remove",
  minutes: "flow.minutes",
  retries: "flow.retries",
  timeout: "flow.timeout",
  "timeout.minutes": "flow.timeout",
  next: "flow.next",
  otherwise: "flow.next.unanswered",
  refused: "flow.next.no",
  url: "flow.url",
  bot: "flow.ai.bot",
  question: "flow.question",
  to: "flow.assign.to",
  memberId: "flow.member",
  summary: "flow.summary",
  name: "flow.name",
};
const NUMBERED = {
  choices: "flow.answer",
  cases: "flow.case",
  topics: "flow.topic",
  results: "flow.result",
} as const;

/** The label of the field that has a fault; null: it has no field, and the path says where. */
export function faultPlace({ path, step }: Pick<BotFault, "path" | "step">): string | null {
  if (step === null) {
    const [list = "", index] = path.split(".");
    const number = Number(index) + 1;
    if (path.startsWith("trigger.channels.")) return t("flow.trigger.channels");
    for (const [name, key] of Object.entries(LISTS))
      if (name === list && number > 0) return t(key, { number });
    const key = PLACES[path];
    return key ? t(key) : null;
  }
  const inStep = path.slice(`steps.${step}`.length + 1);
  if (inStep === "" || inStep === "type") return null;
  const [first = "", index] = inStep.split(".");
  const number = Number(index) + 1;
  for (const [name, key] of Object.entries(NUMBERED))
    if (name === first && number > 0) return t(key, { number });
  const key = STEP_PLACES[inStep] ?? STEP_PLACES[first];
  return key ? t(key) : null;
}
