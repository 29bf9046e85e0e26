import type { FlowPreview, PreviewLine, PreviewSaid } from "../../wire/flow-preview.ts";
import { PREVIEW_LINES } from "../../wire/flow-preview.ts";
import { customerText, localeOf, type Closed } from "../hand-over/hand-over-words.ts";
import type { FlowLocale } from "./fill.ts";
import { readFlow } from "./read-flow.ts";
import {
  runFlow,
  type OutsideOutcome,
  type OutsideStep,
  type FlowEffect,
  type FlowEnd,
  type FlowEvent,
  type FlowPlace,
  type FlowWorld,
} from "./run-flow.ts";

/** Turns that go on at once are taken further so often, in one talk: a worker would go on, a preview answers. */
const MOST_ROUNDS = 20;
const START: FlowPlace = { step: null, variables: {}, again: 0 };

/** The world of a preview: the language is the customer's until they write in another one. */
export interface PreviewWorld extends FlowWorld {
  /** When a closed workspace opens; null: it is open. */
  readonly closed: Closed | null;
}

/**
 * What a flow says and does when a customer writes this, turn by turn. The first words begin it, as in a conversation.
 * Nothing is stored, sent, called or metered. Pure; at most 500 lines.
 */
export function previewFlow(
  document: Readonly<Record<string, unknown>>,
  said: readonly PreviewSaid[],
  world: PreviewWorld,
): Omit<FlowPreview, "faults"> {
  const talk = new PreviewTalk(document, world);
  for (const one of said) talk.hears(one);
  return talk.shown();
}

class PreviewTalk {
  readonly #flow: ReturnType<typeof readFlow>;
  readonly #handOver: unknown;
  readonly #world: PreviewWorld;
  readonly #lines: PreviewLine[] = [];
  readonly #said: { from: "customer"; text: string | null }[] = [];
  #place: FlowPlace = START;
  /** The step outside of the flow that it is at: the reader says how that ends. */
  #outside: OutsideStep | null = null;
  #state: FlowPreview["state"] = "quiet";
  #rounds = 0;

  constructor(document: Readonly<Record<string, unknown>>, world: PreviewWorld) {
    this.#flow = readFlow(document);
    this.#handOver = document["handOver"];
    this.#world = world;
  }

  hears({ text, payload }: PreviewSaid): void {
    const isLate = text === undefined && payload === undefined;
    if (isLate && (this.#state !== "waiting" || this.#outside)) return;
    // The reader says how the step ended; the customer said nothing.
    const outcome = this.#outside && outcomeOf(this.#outside, payload, this.#locale());
    if (outcome) return this.#take({ kind: "called", outcome });
    const words = text ?? (payload === undefined ? null : this.#labelOf(payload));
    if (isLate) this.#did({ did: "time_out", step: this.#place.step });
    else {
      this.#said.push({ from: "customer", text: words });
      this.#add({ by: "customer", text: words });
    }
    // People answer from here on.
    if (this.#state === "handed_over") return;
    if (this.#outside) return;
    const begins = this.#state !== "waiting";
    if (begins) this.#place = START;
    const event: FlowEvent = isLate
      ? { kind: "due" }
      : { kind: "said", text: words, press: payload ?? null };
    this.#take(begins ? { kind: "go" } : event);
  }

  shown(): Omit<FlowPreview, "faults"> {
    return {
      lines: this.#lines.slice(0, PREVIEW_LINES),
      step: this.#state === "waiting" ? this.#place.step : null,
      state: this.#state,
      variables: this.#place.variables,
    };
  }

  #take(first: FlowEvent): void {
    let event = first;
    while (this.#lines.length < PREVIEW_LINES) {
      const world = { ...this.#world, locale: this.#locale() };
      const turn = runFlow(this.#flow, this.#place, event, world);
      for (const effect of turn.effects) {
        if (effect.kind === "say")
          this.#add({ by: "bot", step: effect.step, text: effect.text, choices: effect.choices });
        else if (effect.kind === "note") this.#did({ did: "note", text: effect.text });
        else if (effect.kind === "keep") this.#keeps(effect);
        else {
          const isTag = effect.kind === "tag";
          if (effect.add.length > 0) this.#did({ did: isTag ? "tag" : "label", names: effect.add });
          if (effect.remove.length > 0)
            this.#did({ did: isTag ? "untag" : "unlabel", names: effect.remove });
        }
      }
      this.#place = turn.place;
      this.#outside = turn.outside?.step ?? null;
      if (turn.ends) return this.#ends(turn.ends, turn.taken.at(-1)?.step ?? null);
      this.#state = "waiting";
      if (this.#outside) return this.#asks(this.#outside);
      if (!turn.goesOn) {
        const step = this.#flow.steps[turn.place.step ?? ""];
        if (step?.type === "wait")
          this.#did({ did: "wait", step: turn.place.step, minutes: turn.waitMinutes });
        return;
      }
      if (++this.#rounds > MOST_ROUNDS) return;
      event = { kind: "go" };
    }
  }

  #keeps({ field, attribute, value }: Extract<FlowEffect, { kind: "keep" }>): void {
    const names = [field, attribute].filter((one) => one !== null);
    this.#did({ did: "keep", names, text: String(value) });
  }

  /** A preview calls no one: it offers the outcomes. */
  #asks(step: OutsideStep): void {
    const topics = step.type === "classify" ? step.topics : [];
    this.#did({
      did: step.type,
      step: this.#place.step,
      text: step.type === "call" ? step.url : step.type === "ai" ? step.bot : null,
      choices: [
        ...topics.map(({ id, description }) => ({ text: description, payload: `topic/${id}` })),
        ...(step.type === "classify" ? [] : [{ text: "ok", payload: "ok" }]),
        { text: "failed", payload: "failed" },
      ],
    });
  }

  #ends(ends: FlowEnd, step: string | null): void {
    if (ends.kind !== "hand_over") {
      this.#state = "ended";
      return this.#did({ did: "end", step });
    }
    this.#state = "handed_over";
    const own = ends.text ?? customerText(this.#handOver, this.#locale(), this.#world.closed);
    this.#add({ by: "bot", step, text: own });
    this.#did({
      did: ends.to ? "assign" : "hand_over",
      step,
      reason: ends.reason,
      text: ends.summary,
    });
  }

  #locale(): FlowLocale {
    return localeOf(this.#said, this.#world.locale);
  }

  /** What the button with this payload says. */
  #labelOf(payload: string): string {
    const offered = this.#lines.flatMap(({ choices }) => choices);
    return offered.findLast((one) => one.payload === payload)?.text ?? payload;
  }

  #did(line: Partial<PreviewLine>): void {
    this.#add({ by: "flow", ...line });
  }

  #add(line: Partial<PreviewLine>): void {
    this.#lines.push({
      by: "bot",
      step: null,
      text: null,
      choices: [],
      did: null,
      names: [],
      minutes: null,
      reason: null,
      ...line,
    });
  }
}

const ANSWER = {
  en: "(The AI assistant answers here.)",
  ar: "(هنا يجيب المساعد الذكي.)",
} as const;

/** How a step outside of the flow ended, as the reader chose; null: nothing was chosen. */
function outcomeOf(
  step: OutsideStep,
  payload: string | undefined,
  locale: FlowLocale,
): OutsideOutcome | null {
  if (payload === "failed") return { kind: "failed", why: "preview" };
  if (payload?.startsWith("topic/") && step.type === "classify")
    return { kind: "topic", topic: payload.slice("topic/".length) };
  if (payload !== "ok") return null;
  if (step.type === "ai") return { kind: "ok", say: ANSWER[locale] };
  const results = step.type === "call" ? (step.results ?? []) : [];
  return {
    kind: "ok",
    values: Object.fromEntries(results.map(({ path, into }) => [into, `(${path})`])),
  };
}
