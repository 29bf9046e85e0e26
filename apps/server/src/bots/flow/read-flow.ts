import { Check } from "typebox/value";
import { CONFIRM_NO, CONFIRM_YES } from "../../wire/confirm-labels.ts";
import type { BotFault, BotFaultCode, BotTexts } from "../../wire/bot.ts";
import {
  edgesOf,
  FLOW_STEP_TYPES,
  flowStepShapes,
  MOST_SEGMENTS,
  segmentsIn,
  waits,
  type Flow,
  type FlowStep,
} from "../../wire/flow.ts";
import { shapeFaults } from "../record/shape-faults.ts";
import { numberIn } from "./answers.ts";
import { brokenPlaces, KNOWN_VARIABLES, namesUsed, textFor, type FlowLocale } from "./fill.ts";
import { isPhrase } from "./plain-words.ts";

type Document = Readonly<Record<string, unknown>>;

/** Whether a value is a step of a flow. */
function isStep(value: unknown): value is FlowStep {
  const type = stepType(value);
  return type !== null && Check(flowStepShapes[type], value);
}

function stepType(value: unknown): (typeof FLOW_STEP_TYPES)[number] | null {
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  return FLOW_STEP_TYPES.find((type) => type === value.type) ?? null;
}

/** The flow of a document; steps that are none are left out, so that a draft can be tried. Pure. */
export function readFlow(document: Document): Flow {
  // A step may have any name, as `__proto__`.
  const steps = Object.fromEntries(
    stepsOf(document).flatMap(([id, step]): [string, FlowStep][] =>
      isStep(step) ? [[id, step]] : [],
    ),
  );
  const { entry, handOver } = document;
  const words: unknown =
    typeof handOver === "object" && handOver !== null && "words" in handOver ? handOver.words : [];
  return {
    entry: typeof entry === "string" ? entry : (Object.keys(steps)[0] ?? ""),
    steps,
    handOverWords: Array.isArray(words) ? words.filter((one) => typeof one === "string") : [],
  };
}

const stepsOf = ({ steps }: Document): [string, unknown][] =>
  typeof steps === "object" && steps !== null ? Object.entries(steps) : [];

const LONGEST_LABEL = 20;
const ID = /^[A-Za-z0-9_-]{1,28}$/;

/**
 * Why a flow cannot be published, by step: a step or a next one that is not there, one that nothing leads to, a name that
 * nothing sets, a text without words, a label too long for a button, a circle in which nothing waits. Pure.
 */
export function flowFaults(document: Document): BotFault[] {
  const faults = stepFaults(document);
  if (faults.length > 0) return faults;
  const flow = readFlow(document);
  if (!Object.hasOwn(flow.steps, flow.entry)) {
    const message = "must be the name of a step";
    return [{ path: "entry", step: null, code: "ENTRY_UNKNOWN", message }];
  }
  return [
    ...edgeFaults(flow),
    ...reachFaults(flow),
    ...wordFaults(flow),
    ...segmentFaults(flow),
    ...callFaults(flow),
    ...circleFaults(flow),
  ];
}

const fault = (
  step: string,
  at: string,
  code: BotFaultCode,
  message: string,
  values?: BotFault["values"],
): BotFault => ({
  path: at === "" ? `steps.${step}` : `steps.${step}.${at}`,
  step,
  code,
  message,
  ...(values && { values }),
});

function stepFaults(document: Document): BotFault[] {
  return stepsOf(document).flatMap(([id, step]): BotFault[] => {
    if (!ID.test(id))
      return [fault(id, "", "NAME", "must have a name of 1 to 28 letters, digits, - and _")];
    const type = stepType(step);
    if (type === null)
      return [fault(id, "type", "TYPE_UNKNOWN", `must be one of ${FLOW_STEP_TYPES.join(", ")}`)];
    return shapeFaults(flowStepShapes[type], step).map(({ at, message, values }) =>
      fault(id, at, "SHAPE", message, values),
    );
  });
}

const entriesOf = ({ steps }: Flow): [string, FlowStep][] => Object.entries(steps);

function edgeFaults(flow: Flow): BotFault[] {
  return entriesOf(flow).flatMap(([id, step]) =>
    edgesOf(step)
      .filter(({ to }) => !Object.hasOwn(flow.steps, to))
      .map(({ at, to }) =>
        fault(id, at, "EDGE_MISSING", `leads to ${to}, which is no step`, { to }),
      ),
  );
}

function reachFaults(flow: Flow): BotFault[] {
  const reached = new Set([flow.entry]);
  for (const id of reached)
    for (const { to } of edgesOf(flow.steps[id] ?? { type: "end" }))
      if (Object.hasOwn(flow.steps, to)) reached.add(to);
  return entriesOf(flow)
    .filter(([id]) => !reached.has(id))
    .map(([id]) => fault(id, "", "UNREACHABLE", "is reached from no other step"));
}

/** Texts without words, labels too long or twice, and names that nothing sets. */
function wordFaults(flow: Flow): BotFault[] {
  const known = new Set<string>(KNOWN_VARIABLES);
  for (const [, step] of entriesOf(flow)) {
    if (step.type === "set") known.add(step.variable);
    if ("into" in step && step.into) known.add(step.into);
    if (step.type === "call") for (const { into } of step.results ?? []) known.add(into);
  }
  return entriesOf(flow).flatMap(([id, step]) => {
    const found: BotFault[] = [];
    if ("text" in step && typeof step.text === "object" && isEmpty(step.text))
      found.push(fault(id, "text", "TEXT_MISSING", "must have words in one language"));
    const words = JSON.stringify(step);
    const names = [...namesUsed(words), ...namesAsked(step)].filter((one) => !known.has(one));
    for (const one of new Set([...names, ...brokenPlaces(words)]))
      found.push(fault(id, "", "NAME_UNKNOWN", unknownName(one, known), { name: one }));
    return [...found, ...choiceFaults(id, step)];
  });
}

const unknownName = (name: string, known: ReadonlySet<string>): string =>
  `uses ${name}, which nothing sets; here it may use ${[...known].join(", ")}`;

const namesAsked = (step: FlowStep): string[] =>
  step.type === "branch"
    ? step.cases.flatMap((one) => ("variable" in one.if ? one.if.variable : []))
    : [];

function choiceFaults(id: string, step: FlowStep): BotFault[] {
  return [
    ...namesTwice(id, step),
    ...labelFaults(id, step),
    ...unfilledTexts(step)
      .filter(({ text }) => text.includes("{{"))
      .map(({ at }) =>
        fault(id, at, "PLACE_UNFILLED", "must not hold {{…}}: nothing is filled in here"),
      ),
    ...numberFaults(id, step),
    ...fieldFaults(id, step),
  ];
}

/** Choices and topics with the same short name. */
function namesTwice(id: string, step: FlowStep): BotFault[] {
  const [list, ids] =
    step.type === "choose"
      ? ["choices", step.choices.map((one) => one.id)]
      : step.type === "classify"
        ? ["topics", step.topics.map((one) => one.id)]
        : ["", []];
  return ids.flatMap((one, n) =>
    ids.indexOf(one) < n ? [fault(id, `${list}.${n}.id`, "NAME_TWICE", TWICE)] : [],
  );
}

interface Label {
  readonly at: string;
  readonly texts: BotTexts;
}

/** What a step offers as answers. */
function labelsOf(step: FlowStep): readonly Label[] {
  if (step.type === "choose")
    return step.choices.map(({ label }, n) => ({ at: `choices.${n}.label`, texts: label }));
  if (step.type !== "confirm") return [];
  return [
    { at: "yes", texts: step.yes ?? CONFIRM_YES },
    { at: "no", texts: step.no ?? CONFIRM_NO },
  ];
}

/** Answers without words, too long for a button, or that a customer cannot tell apart. */
function labelFaults(id: string, step: FlowStep): BotFault[] {
  const labels = labelsOf(step);
  return labels.flatMap(({ at, texts }, n) => {
    if (isEmpty(texts)) return [fault(id, at, "TEXT_MISSING", "must have words in one language")];
    if ([texts.en, texts.ar].some((label = "") => label.length > LONGEST_LABEL))
      return [fault(id, at, "CHOICE_TOO_LONG", TOO_LONG, { most: LONGEST_LABEL })];
    const isTwice = labels
      .slice(0, n)
      .some((other) => LOCALES.some((locale) => isSame(texts, other.texts, locale)));
    return isTwice ? [fault(id, at, "LABEL_TWICE", "must have other words than the others")] : [];
  });
}

const LOCALES = ["en", "ar"] as const;
const isSame = (one: BotTexts, other: BotTexts, locale: FlowLocale): boolean =>
  isPhrase(textFor(one, locale), textFor(other, locale));
const TOO_LONG = `must be at most ${LONGEST_LABEL} characters, as buttons of WhatsApp, Messenger and Instagram are`;

/** Texts in which no variable is filled. */
function unfilledTexts(step: FlowStep): readonly { readonly at: string; readonly text: string }[] {
  const places = (name: string, texts: readonly string[] = []) =>
    texts.map((text, n) => ({ at: `${name}.${n}`, text }));
  if (step.type === "tag" || step.type === "label")
    return [...places("add", step.add), ...places("remove", step.remove)];
  if (step.type === "branch")
    return step.cases.flatMap((one, n) =>
      "value" in one.if ? [{ at: `cases.${n}.if.value`, text: one.if.value }] : [],
    );
  if (step.type === "classify")
    return step.topics.map(({ description: text }, n) => ({ at: `topics.${n}.description`, text }));
  return labelsOf(step).map(({ at, texts: { en = "", ar = "" } }) => ({ at, text: en + ar }));
}

/** An answer of another kind than the field of the contact is. */
function fieldFaults(id: string, step: FlowStep): BotFault[] {
  if (step.type !== "ask" || step.field === undefined) return [];
  const kind = step.field === "email" ? "email" : "text";
  return (step.as ?? "text") === kind
    ? []
    : [
        fault(id, "as", "ANSWER_KIND", `must be ${kind}: the contact keeps it as ${step.field}`, {
          name: kind,
        }),
      ];
}

/** More segments than a turn looks into. */
function segmentFaults(flow: Flow): BotFault[] {
  if (segmentsIn(flow).length <= MOST_SEGMENTS) return [];
  const message = `must name at most ${MOST_SEGMENTS} segments in all branches together`;
  return [
    { path: "steps", step: null, code: "SEGMENTS_MANY", message, values: { most: MOST_SEGMENTS } },
  ];
}

/** More and less than what is no number. */
function numberFaults(id: string, step: FlowStep): BotFault[] {
  if (step.type !== "branch") return [];
  return step.cases.flatMap((one, n) =>
    "value" in one.if &&
    (one.if.op === "more" || one.if.op === "less") &&
    numberIn(one.if.value) === null
      ? [fault(id, `cases.${n}.if.value`, "NUMBER", "must be a number such as 12 or 0.5")]
      : [],
  );
}

const TWICE = "must be another name than the others";

/** Addresses that cannot be called, members that are not named, and changing calls that no yes of the customer is before. */
function callFaults(flow: Flow): BotFault[] {
  const unconfirmed = unconfirmedSteps(flow);
  return entriesOf(flow).flatMap(([id, step]) => {
    if (step.type === "assign" && step.to === "member" && step.memberId === undefined)
      return [fault(id, "memberId", "MEMBER_UNKNOWN", "must be the id of a member")];
    if (step.type !== "call") return [];
    const found: BotFault[] = [];
    if (!isAddress(step.url))
      found.push(fault(id, "url", "ADDRESS", "must be an address that begins with https://"));
    if (changes(step) && unconfirmed.has(id))
      found.push(fault(id, "", "CALL_UNCONFIRMED", UNCONFIRMED));
    return found;
  });
}

const UNCONFIRMED =
  "changes something, so each way to it must lead over the next of a confirm; only send, note, tag, label, branch and go_to may stand between";

/** Whether a call can be posted there: it names no variable, for a customer must not choose who is called. */
export function isAddress(url: string): boolean {
  if (url.includes("{{") || !URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

const changes = (step: FlowStep): boolean => step.type === "call" && step.changes !== false;

/** What may stand between a confirm and its call: it changes no variable, and waits for nothing. */
const KEEPS_YES: ReadonlySet<FlowStep["type"]> = new Set([
  "send",
  "note",
  "tag",
  "label",
  "branch",
  "go_to",
]);

/** The steps that a way leads to on which no yes of the customer counts any more. */
function unconfirmedSteps(flow: Flow): ReadonlySet<string> {
  const open = new Set([flow.entry]);
  const confirmed = new Set<string>();
  const enter = (to: string, yes: boolean) => void (yes ? confirmed : open).add(to);
  // Sets give what is added while they are read.
  const follow = (ids: ReadonlySet<string>, isConfirmed: boolean) => {
    for (const id of ids) {
      const step = flow.steps[id];
      if (!step) continue;
      for (const { at, to } of edgesOf(step))
        enter(
          to,
          step.type === "confirm" ? at === "next" : isConfirmed && KEEPS_YES.has(step.type),
        );
    }
  };
  for (let size = -1; size !== open.size + confirmed.size;) {
    size = open.size + confirmed.size;
    follow(open, false);
    follow(confirmed, true);
  }
  return open;
}

const isEmpty = ({ en = "", ar = "" }: { readonly en?: string; readonly ar?: string }): boolean =>
  en.trim() === "" && ar.trim() === "";

/** Circles in which no step waits: the worker would never come to an end. */
function circleFaults(flow: Flow): BotFault[] {
  const state = new Map<string, "open" | "done">();
  const found = new Set<string>();
  const visit = (start: string): void => {
    const stack: { readonly id: string; readonly to: string[] }[] = [];
    const enter = (id: string) => {
      const step = flow.steps[id];
      if (!step || waits(step) || state.get(id) === "done") return;
      if (state.get(id) === "open") return void found.add(id);
      state.set(id, "open");
      stack.push({ id, to: edgesOf(step).map(({ to }) => to) });
    };
    enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const to = top.to.pop();
      if (to !== undefined) enter(to);
      else {
        state.set(top.id, "done");
        stack.pop();
      }
    }
  };
  for (const id of Object.keys(flow.steps)) visit(id);
  return [...found].map((id) =>
    fault(id, "", "CIRCLE", "is in a circle in which no step waits for the customer"),
  );
}
