import { parameterText } from "../../templates/parameter-text.ts";
import type { Broadcast, ButtonText } from "../record/broadcast.ts";
import { isBlank, leastText, parseText, renderText, type Subject } from "./placeholders.ts";

/** A fact of the contact that a text shows; `first_name` is derived from the name. */
export type Fact =
  | { readonly kind: "name" | "phone" | "email" }
  | { readonly kind: "attribute"; readonly key: string };

/** What one recipient gets: the texts of a template's parts, or a text. */
export type Rendered = RenderedTemplate | { readonly text: string };
interface RenderedTemplate {
  readonly parameters: readonly string[];
  readonly headerText: string | null;
  readonly buttons: readonly ButtonText[];
}

/** A campaign's text, cut once, ready to be filled in for each contact. */
export interface Rendering {
  /** The facts that must be known of a contact, each once: their values are frozen when the audience is stored. */
  readonly facts: readonly Fact[];
  /**
   * The texts that are empty unless one of these facts (by their index in `facts`) has a value: Meta refuses an
   * empty parameter, and an empty text cannot be sent.
   */
  readonly needs: readonly (readonly number[])[];
  /** What this contact gets, or null when a required value is missing. Values in the order of `facts`. */
  render(values: readonly (string | null)[]): Rendered | null;
}

const keyOf = (fact: Fact): string => (fact.kind === "attribute" ? `.${fact.key}` : fact.kind);

/** The values for the texts of a campaign, and which of them each recipient must have. */
export function renderingOf(
  broadcast: Pick<Broadcast, "kind" | "body" | "variables" | "headerText" | "buttonTexts">,
): Rendering {
  const template = broadcast.kind === "WHATSAPP_TEMPLATE";
  const { variables, headerText, buttonTexts } = broadcast;
  const header = headerText === null ? [] : [headerText];
  const texts = (
    template
      ? [...variables, ...header, ...buttonTexts.map((button) => button.text)]
      : [broadcast.body ?? ""]
  ).map(parseText);
  const facts = new Map<string, Fact>();
  const needs: number[][] = [];
  for (const pieces of texts) {
    const shown: string[] = [];
    for (const piece of pieces) {
      if (typeof piece === "string" || piece.kind === "unknown") continue;
      const fact: Fact =
        piece.kind === "attribute"
          ? { kind: piece.kind, key: piece.key }
          : { kind: piece.kind === "first_name" ? "name" : piece.kind };
      facts.set(keyOf(fact), fact);
      shown.push(keyOf(fact));
    }
    const places = [...facts.keys()];
    if (isBlank(leastText(pieces))) needs.push(shown.map((key) => places.indexOf(key)));
  }
  const list = [...facts.values()];
  const finish = template ? parameterText : (text: string) => text;
  return {
    facts: list,
    needs,
    render(values) {
      const subject = subjectOf(list, values);
      const filled = texts.map((pieces, place) => {
        const button = buttonTexts[place - variables.length - header.length];
        const encode = template && button?.kind === "url" ? urlPart : undefined;
        return finish(renderText(pieces, subject, encode));
      });
      if (filled.some(isBlank)) return null;
      if (!template) return { text: filled[0] ?? "" };
      const parameters = filled.splice(0, variables.length);
      const [shownHeader = null] = filled.splice(0, header.length);
      const buttons = buttonTexts.map((button, n) => ({ ...button, text: filled[n] ?? "" }));
      return { parameters, headerText: shownHeader, buttons };
    },
  };
}

/** A value in an address: all special characters are encoded; a path may have several parts. */
const urlPart = (value: string): string =>
  value.toWellFormed().split("/").map(encodeURIComponent).join("/");

function subjectOf(facts: readonly Fact[], values: readonly (string | null)[]): Subject {
  const attributes = new Map<string, string>();
  const subject = { name: null, phone: null, email: null } as Record<string, string | null>;
  for (const [index, fact] of facts.entries()) {
    const value = values[index] ?? null;
    if (fact.kind !== "attribute") subject[fact.kind] = value;
    else if (value !== null) attributes.set(fact.key, value);
  }
  const { name = null, phone = null, email = null } = subject;
  return { name, phone, email, attributes: Object.fromEntries(attributes) };
}
