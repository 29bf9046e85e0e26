import { hash } from "node:crypto";
import { CONFIRM_NO, CONFIRM_YES } from "../../wire/confirm-labels.ts";
import {
  asksOutside,
  type Flow,
  type FlowCondition,
  type FlowStep,
  type KEPT_FIELDS,
} from "../../wire/flow.ts";
import { answerAs, chosen, numberIn, type Offered } from "./answers.ts";
import { fillText, textFor, type FlowLocale } from "./fill.ts";
import { isPhrase, plainWords } from "./plain-words.ts";

/** Where a flow is. `again`: how often the step has asked again. */
export interface FlowPlace {
  readonly step: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly again: number;
}

/** What a step outside of the flow gave: values for variables, a text to say, the topic; or why it gave nothing. */
export type OutsideOutcome =
  | {
      readonly kind: "ok";
      readonly values?: Readonly<Record<string, string | number>>;
      readonly say?: string;
      /** A language model wrote what it says. */
      readonly byModel?: boolean;
    }
  | { readonly kind: "topic"; readonly topic: string }
  | { readonly kind: "failed"; readonly why: string };

/**
 * What moves a flow: it begins or goes on, the customer said something, the time of its step is over, a step outside of it
 * ended.
 */
export type FlowEvent =
  | { readonly kind: "go" }
  | { readonly kind: "said"; readonly text: string | null; readonly press: string | null }
  | { readonly kind: "due" }
  | { readonly kind: "called"; readonly outcome: OutsideOutcome };

/** A step that needs another system or a model: the worker does it between two turns. */
export type OutsideStep = Extract<FlowStep, { type: "call" | "ai" | "classify" }>;
export interface Outside {
  readonly step: OutsideStep;
  /** What a call posts. */
  readonly inputs: Readonly<Record<string, string>>;
  /** The question or the text, filled; null: what the customer wrote last. */
  readonly text: string | null;
}

/** What a flow knows of the conversation. */
export interface FlowWorld {
  readonly locale: FlowLocale;
  readonly channelType: string;
  readonly firstName: string;
  readonly tags: readonly string[];
  /** The segments that the contact is in, of those that the flow names. */
  readonly segments: readonly string[];
  readonly open: boolean;
  /** In words for the customer; empty: never. */
  readonly nextOpening: string;
}

export type FlowEffect =
  | {
      readonly kind: "say";
      readonly step: string;
      readonly text: string;
      readonly choices: readonly { readonly text: string; readonly payload: string }[];
      /** A language model wrote it. */
      readonly byModel?: true;
    }
  | {
      readonly kind: "tag" | "label";
      readonly add: readonly string[];
      readonly remove: readonly string[];
    }
  | { readonly kind: "note"; readonly text: string }
  /** The contact keeps an answer. */
  | {
      readonly kind: "keep";
      readonly field: (typeof KEPT_FIELDS)[number] | null;
      readonly attribute: string | null;
      readonly value: string | number;
    };

export type FlowEnd =
  | { readonly kind: "end" }
  | {
      readonly kind: "hand_over";
      readonly reason: "asked" | "flow";
      readonly text: string | null;
      readonly summary: string | null;
      /** Who gets it; absent: as it is. */
      readonly to?: FlowAssign;
    };

export type FlowAssign =
  | { readonly kind: "member"; readonly memberId: string }
  | { readonly kind: "least_busy" | "nobody" };

/** The outcome of one turn of a flow. */
export interface FlowTurn {
  readonly effects: readonly FlowEffect[];
  readonly taken: readonly { readonly step: string; readonly type: string }[];
  readonly place: FlowPlace;
  /** Null: it waits, or goes on at once. */
  readonly ends: FlowEnd | null;
  /** While it waits: how long at most; null: only the customer moves it. */
  readonly waitMinutes: number | null;
  /** It took as many steps as a turn may, and goes on at once. */
  readonly goesOn: boolean;
  /** It is at a step that a worker does outside of a transaction; null: it is not. */
  readonly outside: Outside | null;
}

/** Steps of one turn. */
const MOST_STEPS = 50;
const RETRIES = 2;
/** Their whole message asks for a person. */
const WANTS_PERSON: readonly string[] = [
  "human",
  "agent",
  "person",
  "موظف",
  "شخص",
  "انسان",
  "خدمة العملاء",
];
const AGAIN = {
  en: "I did not understand that.",
  ar: "لم أفهم ذلك.",
} as const;

/** Takes the steps of a flow from its place until one waits, at most 50. Pure: the same input has the same outcome. */
export function runFlow(flow: Flow, from: FlowPlace, event: FlowEvent, world: FlowWorld): FlowTurn {
  const turn = new Turn(flow, from, world);
  const current = from.step === null ? undefined : flow.steps[from.step];
  // "A person" may be one of the answers that the step offers: then the flow goes on at that answer.
  if (event.kind === "said" && wantsPerson(flow, event.text) && !turn.offers(from.step, event))
    return turn.handOver("asked");
  if (from.step === null) return turn.walk(flow.entry);
  // What a draft or a version lost: no one may wait for it.
  if (!current) return turn.handOver("flow");
  if (event.kind === "go") return turn.walk(from.step);
  if (event.kind === "called") return turn.called(from.step, current, event.outcome);
  return event.kind === "due" ? turn.timedOut(current) : turn.answer(from.step, current, event);
}

function wantsPerson(flow: Flow, text: string | null): boolean {
  return [...WANTS_PERSON, ...flow.handOverWords].some((one) => isPhrase(text ?? "", one));
}

type Said = Extract<FlowEvent, { kind: "said" }>;

class Turn {
  readonly #flow: Flow;
  readonly #world: FlowWorld;
  readonly #effects: FlowEffect[] = [];
  readonly #taken: { step: string; type: string }[] = [];
  #variables: Record<string, unknown>;
  #tags: Set<string>;
  /** The last step of this turn whose text was empty when it was filled. */
  #wordless: string | null = null;
  readonly #from: FlowPlace;
  readonly #plainOf = new Map<string, string>();

  constructor(flow: Flow, from: FlowPlace, world: FlowWorld) {
    this.#flow = flow;
    this.#world = world;
    this.#from = from;
    this.#variables = { ...from.variables };
    this.#tags = new Set(world.tags);
  }

  /** Takes steps from this one on. Undefined: there is no next one, the flow ends. */
  walk(start: string | undefined): FlowTurn {
    let id = start;
    for (let n = 0; n < MOST_STEPS; n++) {
      if (id === undefined) return this.#end();
      const step = this.#flow.steps[id];
      if (!step) return this.handOver("flow");
      this.#taken.push({ step: id, type: step.type });
      const next = this.#take(id, step);
      if (typeof next !== "object") id = next;
      else return next;
    }
    return { ...this.#at(id ?? null, 0), goesOn: true };
  }

  /** What a customer said at a step that waits. */
  answer(id: string, step: FlowStep, said: Said): FlowTurn {
    if (step.type === "choose") {
      const index = chosen(this.#offers(id, step), said);
      const choice = step.choices[index];
      if (!choice) return this.#again(id, step);
      if (step.into) this.#set(step.into, this.#offers(id, step)[index]?.label ?? choice.id);
      return this.walk(choice.next);
    }
    if (step.type === "confirm") {
      const offers = this.#offers(id, step);
      // The button of an earlier question says "Yes" too, but to something else.
      const isOfThis = said.press === null || offers.some((one) => one.payload === said.press);
      const index = isOfThis ? chosen(offers, said) : -1;
      if (index < 0) return this.#again(id, step);
      return this.walk(index === 0 ? step.next : step.refused);
    }
    if (step.type === "ask") {
      const value = answerAs(step.as ?? "text", said.text ?? "");
      if (value === null) return this.#again(id, step);
      this.#set(step.into, value);
      const { field = null, attribute = null, next } = step;
      if (field === null && attribute === null) return this.walk(next);
      this.#effects.push({ kind: "keep", field, attribute, value });
      // The next turn reads the contact again: the answer may decide in which segment it is.
      return next === undefined ? this.#end() : { ...this.#at(next, 0), goesOn: true };
    }
    // A message ends a wait.
    return this.walk(step.type === "wait" ? step.next : id);
  }

  /** Whether a step offers what the customer said as one of its answers. */
  offers(id: string | null, said: Said): boolean {
    const step = id === null ? undefined : this.#flow.steps[id];
    if (id === null || (step?.type !== "choose" && step?.type !== "confirm")) return false;
    return chosen(this.#offers(id, step), said) >= 0;
  }

  /** The time of a step is over. */
  timedOut(step: FlowStep): FlowTurn {
    return this.walk("timeout" in step ? step.timeout?.next : nextOf(step));
  }

  /** A step outside of the flow ended. One that failed goes on at its `otherwise`, or a person does. */
  called(id: string, step: FlowStep, outcome: OutsideOutcome): FlowTurn {
    if (!asksOutside(step)) return this.walk(id);
    if (outcome.kind === "failed") {
      if (step.otherwise !== undefined) return this.walk(step.otherwise);
      const summary = `${step.name ?? id}: ${outcome.why}`.slice(0, LONGEST_SUMMARY);
      return this.#ended({ kind: "hand_over", reason: "flow", text: null, summary });
    }
    if (outcome.kind === "topic") {
      const topic =
        step.type === "classify" ? step.topics.find((one) => one.id === outcome.topic) : undefined;
      if (!topic) return this.handOver("flow");
      if (step.type === "classify" && step.into) this.#set(step.into, topic.id);
      return this.walk(topic.next);
    }
    for (const [name, value] of Object.entries(outcome.values ?? {})) this.#set(name, value);
    this.#say(id, outcome.say ?? "", [], outcome.byModel);
    return this.walk(nextOf(step));
  }

  handOver(reason: "asked" | "flow"): FlowTurn {
    return this.#ended({ kind: "hand_over", reason, text: null, summary: null });
  }

  /** What a worker has to do at the step where the flow is; null: nothing. */
  outside(id: string | null): Outside | null {
    const step = id === null ? undefined : this.#flow.steps[id];
    if (!step || !asksOutside(step)) return null;
    const values = this.#values();
    const given = step.type === "call" ? Object.entries(step.inputs ?? {}) : [];
    const text =
      step.type === "ai" ? step.question : step.type === "classify" ? step.text : undefined;
    const filled = fillText(text ?? "", values);
    return {
      step,
      inputs: Object.fromEntries(given.map(([name, one]) => [name, fillText(one, values)])),
      text: filled === "" ? null : filled,
    };
  }

  /** Does a step: gives the next one, or how the turn ends. */
  #take(id: string, step: FlowStep): string | undefined | FlowTurn {
    switch (step.type) {
      case "send": {
        const text = this.#text(step.text);
        if (text === "") this.#wordless = step.name ?? id;
        this.#say(id, text, []);
        return step.next;
      }
      case "choose":
      case "confirm":
      case "ask": {
        const text = this.#text(step.text);
        // Its places were filled with nothing. A customer who hears no question cannot answer it.
        if (text === "") return this.#saysNothing(step.name ?? id);
        if (step.type === "ask") this.#say(id, text, []);
        else this.#offer(id, step, text);
        return this.#waiting(id, step.timeout?.minutes ?? null);
      }
      case "wait":
        return this.#waiting(id, step.minutes);
      case "branch":
        return step.cases.find((one) => this.#holds(one.if))?.next ?? step.next;
      case "set":
        this.#set(step.variable, fillText(step.value, this.#values()));
        return step.next;
      case "tag":
      case "label": {
        const { type: kind, add = [], remove = [] } = step;
        this.#effects.push({ kind, add, remove });
        if (kind === "tag") {
          for (const one of add) this.#tags.add(one);
          for (const one of remove) this.#tags.delete(one);
        }
        return step.next;
      }
      case "note":
        this.#effects.push({ kind: "note", text: fillText(step.text, this.#values()) });
        return step.next;
      case "go_to":
        return step.next;
      case "end":
        return this.#end();
      case "call":
      case "ai":
      case "classify":
        return { ...this.#at(id, 0), outside: this.outside(id) };
      case "assign":
        return this.#ended({ ...this.#farewell(step), to: assigned(step) });
      case "hand_over":
        return this.#ended(this.#farewell(step));
    }
  }

  #farewell(step: Extract<FlowStep, { type: "hand_over" | "assign" }>) {
    const text = step.text ? this.#text(step.text) : "";
    const summary = fillText(step.summary ?? "", this.#values());
    return {
      kind: "hand_over",
      reason: "flow",
      text: text === "" ? null : text,
      summary: summary === "" ? null : summary,
    } as const;
  }

  /** Asks again, or gives up after as many tries as the step allows. */
  #again(id: string, step: Extract<FlowStep, { retries?: number }>): FlowTurn {
    const again = this.#from.again + 1;
    if (again > (step.retries ?? RETRIES))
      return step.otherwise === undefined ? this.handOver("flow") : this.walk(step.otherwise);
    const own = step.type === "ask" && step.again ? this.#text(step.again) : "";
    const lead = own === "" ? AGAIN[this.#world.locale] : own;
    this.#taken.push({ step: id, type: step.type });
    if (step.type === "ask")
      this.#say(id, own === "" ? `${lead} ${this.#text(step.text)}` : own, []);
    else this.#offer(id, step, `${lead} ${this.#text(step.text)}`);
    return { ...this.#at(id, again), waitMinutes: step.timeout?.minutes ?? null };
  }

  #offer(id: string, step: Extract<FlowStep, { type: "choose" | "confirm" }>, text: string): void {
    const choices = this.#offers(id, step).map(({ label, payload }) => ({ text: label, payload }));
    this.#say(id, text, choices);
  }

  #offers(id: string, step: Extract<FlowStep, { type: "choose" | "confirm" }>): Offered[] {
    const { locale } = this.#world;
    if (step.type === "choose")
      return step.choices.map((one) => ({
        payload: `${id}/${one.id}`,
        label: textFor(one.label, locale),
      }));
    const asked = [step.text.en, step.text.ar].map((text = "") => fillText(text, this.#values()));
    const mark = hash("sha256", asked.join("\n"), "hex").slice(0, MARK_LENGTH);
    return [
      { payload: `${id}/yes/${mark}`, label: textFor(step.yes ?? CONFIRM_YES, locale) },
      { payload: `${id}/no/${mark}`, label: textFor(step.no ?? CONFIRM_NO, locale) },
    ];
  }

  #say(step: string, text: string, choices: FlowSay["choices"], byModel = false): void {
    if (text === "") return;
    this.#effects.push({ kind: "say", step, text, choices, ...(byModel && { byModel }) });
  }

  #text(texts: { readonly en?: string; readonly ar?: string }): string {
    return Array.from(fillText(textFor(texts, this.#world.locale), this.#values()))
      .slice(0, LONGEST_TEXT)
      .join("");
  }

  /** A long value is cut, and one that would make the run too large is not kept. */
  #set(name: string, value: string | number): void {
    const kept =
      typeof value === "string" ? Array.from(value).slice(0, LONGEST_VALUE).join("") : value;
    const variables = { ...this.#variables, [name]: kept };
    if (new TextEncoder().encode(JSON.stringify(variables)).length <= MOST_VARIABLES)
      this.#variables = variables;
  }

  #values(): Readonly<Record<string, unknown>> {
    const { firstName, channelType, locale, nextOpening } = this.#world;
    return {
      first_name: firstName,
      channel: channelType,
      language: locale,
      next_opening: nextOpening,
      ...this.#variables,
    };
  }

  #holds(condition: FlowCondition): boolean {
    if ("channel" in condition) return condition.channel === this.#world.channelType;
    if ("language" in condition) return condition.language === this.#world.locale;
    if ("hours" in condition) return (condition.hours === "open") === this.#world.open;
    if ("tag" in condition) return this.#tags.has(condition.tag);
    if ("segment" in condition) return this.#world.segments.includes(condition.segment);
    const value = this.#values()[condition.variable];
    const words = this.#plain(
      typeof value === "string" || typeof value === "number" ? String(value) : "",
    );
    if (condition.op === "is_set") return words !== "";
    const wanted = this.#plain(condition.value);
    switch (condition.op) {
      case "is":
        return words === wanted;
      case "is_not":
        return words !== wanted;
      case "contains":
        return wanted !== "" && words.includes(wanted);
      case "more":
        return compared(value, condition.value, (one, other) => one > other);
      case "less":
        return compared(value, condition.value, (one, other) => one < other);
    }
  }

  /** `plainWords`, once for each text of a turn: a branch may compare one many times. */
  #plain(text: string): string {
    const known = this.#plainOf.get(text);
    if (known !== undefined) return known;
    const plain = plainWords(text);
    this.#plainOf.set(text, plain);
    return plain;
  }

  #waiting(id: string, waitMinutes: number | null): FlowTurn {
    return { ...this.#at(id, 0), waitMinutes };
  }

  /** The flow is through. Where all that it had to say was empty, people answer. */
  #end(): FlowTurn {
    const isSaid = this.#effects.some(({ kind }) => kind === "say");
    return this.#wordless !== null && !isSaid
      ? this.#saysNothing(this.#wordless)
      : this.#ended({ kind: "end" });
  }

  #saysNothing(step: string): FlowTurn {
    const summary = `${step}: has no words for the customer`;
    return this.#ended({ kind: "hand_over", reason: "flow", text: null, summary });
  }

  #ended(ends: FlowEnd): FlowTurn {
    return { ...this.#at(this.#from.step, 0), ends };
  }

  #at(step: string | null, again: number): FlowTurn {
    return {
      effects: this.#effects,
      taken: this.#taken,
      place: { step, variables: this.#variables, again },
      ends: null,
      waitMinutes: null,
      goesOn: false,
      outside: null,
    };
  }
}

/** Compares two numbers in any digits. What is no number is neither more nor less. */
function compared(
  value: unknown,
  wanted: string,
  fits: (one: number, other: number) => boolean,
): boolean {
  const one = typeof value === "number" ? value : numberIn(typeof value === "string" ? value : "");
  const other = numberIn(wanted);
  return one !== null && other !== null && fits(one, other);
}

type FlowSay = Extract<FlowEffect, { kind: "say" }>;
/** The longest text of a message (spec). */
const LONGEST_TEXT = 4_096;
const LONGEST_VALUE = 1_000;
/** Signs that tell what a customer agrees to, in the buttons of a `confirm`. */
const MARK_LENGTH = 12;
const LONGEST_SUMMARY = 500;
/** Bytes of a run's variables; a run keeps 16 KiB. */
const MOST_VARIABLES = 12_000;

const assigned = ({ to, memberId = "" }: Extract<FlowStep, { type: "assign" }>): FlowAssign =>
  to === "member" ? { kind: "member", memberId } : { kind: to };

/** What a worker has to do at the step where a flow is, as it was when the step was entered; null: nothing. Pure. */
export const outsideAt = (flow: Flow, place: FlowPlace, world: FlowWorld): Outside | null =>
  new Turn(flow, place, world).outside(place.step);

const nextOf = (step: FlowStep): string | undefined => ("next" in step ? step.next : undefined);
