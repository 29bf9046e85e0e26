/*
 * A template before the platform has it, and the platform's rules for it (channels.md §2.9). Imports nothing at run
 * time: the browser runs the same rules while somebody types.
 */

import type { TEMPLATE_CATEGORIES } from "../wire/words.ts";

export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

export type DraftHeader =
  | { readonly kind: "text"; readonly text: string; readonly example?: string }
  /** `file`: an upload that shows the reviewer what the header will hold. */
  | { readonly kind: "image" | "video" | "document"; readonly file: string };

export type DraftButton =
  | { readonly kind: "quick_reply"; readonly text: string }
  | {
      readonly kind: "url";
      readonly text: string;
      readonly url: string;
      /** The whole address as an example, when it ends with {{1}}. */
      readonly example?: string;
    }
  | { readonly kind: "phone"; readonly text: string; readonly phone: string };

export interface TemplateDraft {
  readonly name: string;
  readonly language: string;
  readonly category: TemplateCategory;
  /** The variables of header and body have names, as {{first_name}}; absent: numbers, as {{1}}. A button's is {{1}} always. */
  readonly named?: boolean;
  readonly header?: DraftHeader;
  readonly body: string;
  /** One for each variable of the body, in the order of `placesIn`. */
  readonly bodyExamples: readonly string[];
  readonly footer?: string;
  readonly buttons: readonly DraftButton[];
}

export const DRAFT_LIMITS = {
  name: 512,
  header: 60,
  body: 1_024,
  footer: 60,
  buttons: 10,
  urlButtons: 2,
  phoneButtons: 1,
  buttonText: 25,
  url: 2_000,
  phone: 20,
  example: 200,
} as const;

/** The rule that a field breaks. `most`, `least` and `number` are for the words that a person reads. */
export interface DraftFault {
  /** `name`, `language`, `header`, `body`, `bodyExamples[0]`, `footer`, `buttons`, `buttons[0].text` … */
  readonly path: string;
  readonly rule:
    | "empty"
    | "long"
    | "name"
    | "language"
    | "variable"
    | "named_variable"
    | "gap"
    | "edge"
    | "adjacent"
    | "ratio"
    | "example"
    | "one_variable"
    | "one_name"
    | "no_variable"
    | "plain"
    | "lines"
    | "file"
    | "url"
    | "url_variable"
    | "phone"
    | "many"
    | "same"
    | "mixed";
  readonly most?: number;
  readonly least?: number;
  readonly number?: number;
}

const VARIABLE = /\{\{(\d+)\}\}/g;
const NAMED_VARIABLE = /\{\{([a-z][a-z_]*)\}\}/g;
const BRACES = /\{\{|\}\}/;
const length = (text: string): number => Array.from(text).length;

/** The numbers of a text's variables, each once, smallest first. */
export function variablesIn(text: string): number[] {
  const numbers = Array.from(text.matchAll(VARIABLE), ([, number]) => Number(number));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

type Places = Pick<TemplateDraft, "named">;

const variableOf = ({ named = false }: Places): RegExp => (named ? NAMED_VARIABLE : VARIABLE);

/** The variables of a text, each once: numbers from the smallest, names in the order of the text. */
export function placesIn(text: string, places: Places): string[] {
  if (places.named !== true) return variablesIn(text).map(String);
  return [...new Set(Array.from(text.matchAll(NAMED_VARIABLE), ([, name = ""]) => name))];
}

/** Everything that the platform would refuse at once, by field. Empty: the template can be submitted. */
export function draftFaults(draft: TemplateDraft): DraftFault[] {
  return [
    ...nameFaults(draft),
    ...(draft.header ? headerFaults(draft.header, draft) : []),
    ...bodyFaults(draft),
    ...(draft.footer === undefined ? [] : footerFaults(draft.footer)),
    ...buttonFaults(draft.buttons),
  ];
}

function nameFaults({ name, language }: TemplateDraft): DraftFault[] {
  const faults: DraftFault[] = [];
  if (name === "") faults.push({ path: "name", rule: "empty" });
  else if (name.length > DRAFT_LIMITS.name)
    faults.push({ path: "name", rule: "long", most: DRAFT_LIMITS.name });
  else if (!/^[a-z0-9_]+$/.test(name)) faults.push({ path: "name", rule: "name" });
  if (!/^[a-z]{2,3}(_[A-Z]{2,3})?$/.test(language))
    faults.push({ path: "language", rule: "language" });
  return faults;
}

function headerFaults(header: DraftHeader, places: Places): DraftFault[] {
  const path = "header";
  const variable = variableOf(places);
  if (header.kind !== "text") return header.file === "" ? [{ path, rule: "file" }] : [];
  const { text, example = "" } = header;
  if (text.trim() === "") return [{ path, rule: "empty" }];
  if (length(text) > DRAFT_LIMITS.header)
    return [{ path, rule: "long", most: DRAFT_LIMITS.header }];
  const fixed = text.replaceAll(variable, "");
  if (/[\n\r*_~`]|\p{Extended_Pictographic}/u.test(fixed.replaceAll(/\{\{[^{}]*\}\}/g, "")))
    return [{ path, rule: "plain" }];
  const found = Array.from(text.matchAll(variable), ([, place]) => place);
  if (BRACES.test(fixed)) return [{ path, rule: noVariable(places) }];
  if (places.named === true) {
    if (found.length > 1) return [{ path, rule: "one_name" }];
  } else if (found.length > 1 || (found.length === 1 && found[0] !== "1"))
    return [{ path, rule: "one_variable" }];
  return found.length === 1 ? exampleFaults("headerExample", example) : [];
}

/** Braces that are no variable: of which kind it must be. */
const noVariable = ({ named = false }: Places) =>
  named ? ("named_variable" as const) : ("variable" as const);

function exampleFaults(path: string, example: string): DraftFault[] {
  if (example.trim() === "") return [{ path, rule: "example" }];
  return length(example) > DRAFT_LIMITS.example
    ? [{ path, rule: "long", most: DRAFT_LIMITS.example }]
    : [];
}

function bodyFaults(draft: TemplateDraft): DraftFault[] {
  const { body, bodyExamples: examples, named = false } = draft;
  const path = "body";
  if (body.trim() === "") return [{ path, rule: "empty" }];
  if (length(body) > DRAFT_LIMITS.body) return [{ path, rule: "long", most: DRAFT_LIMITS.body }];
  const fixed = body.replaceAll(variableOf(draft), " ");
  if (BRACES.test(fixed)) return [{ path, rule: noVariable(draft) }];
  const faults: DraftFault[] = [];
  if (/\n{3,}| {5,}|\t/.test(body)) faults.push({ path, rule: "lines" });
  const places = placesIn(body, draft);
  const gap = named ? -1 : places.findIndex((place, index) => Number(place) !== index + 1);
  if (gap >= 0) faults.push({ path, rule: "gap", number: gap + 1 });
  // Marks around it do not count: "… {{1}}." also ends with a variable.
  const core = body.replace(/^[\s\p{P}]*(?=\{\{)|(?<=\}\})[\s\p{P}]*$/gu, "");
  if (/^\{\{\w+\}\}|\{\{\w+\}\}$/.test(core)) faults.push({ path, rule: "edge" });
  if (/\}\}\s*\{\{/.test(body)) faults.push({ path, rule: "adjacent" });
  const words = fixed.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const least = 2 * places.length + 1;
  if (places.length > 0 && words < least) faults.push({ path, rule: "ratio", least });
  if (gap < 0)
    for (const index of places.keys())
      faults.push(...exampleFaults(`bodyExamples[${index}]`, examples[index] ?? ""));
  return faults;
}

function footerFaults(footer: string): DraftFault[] {
  const path = "footer";
  if (footer.trim() === "") return [{ path, rule: "empty" }];
  if (length(footer) > DRAFT_LIMITS.footer)
    return [{ path, rule: "long", most: DRAFT_LIMITS.footer }];
  if (BRACES.test(footer)) return [{ path, rule: "no_variable" }];
  return /\n/.test(footer) ? [{ path, rule: "plain" }] : [];
}

function buttonFaults(buttons: readonly DraftButton[]): DraftFault[] {
  const path = "buttons";
  const faults: DraftFault[] = [];
  const count = (kind: DraftButton["kind"]) => buttons.filter((one) => one.kind === kind).length;
  if (buttons.length > DRAFT_LIMITS.buttons)
    faults.push({ path, rule: "many", most: DRAFT_LIMITS.buttons });
  // Quick replies must stand together, before or after the others.
  const kinds = buttons.map(({ kind }) => kind === "quick_reply");
  const turns = kinds.filter((quick, index) => index > 0 && quick !== kinds[index - 1]).length;
  if (turns > 1) faults.push({ path, rule: "mixed" });
  for (const [index, button] of buttons.entries()) {
    const at = `buttons[${index}]`;
    faults.push(...labelFaults(`${at}.text`, button.text));
    if (buttons.findIndex(({ text }) => text.trim() === button.text.trim()) < index)
      faults.push({ path: `${at}.text`, rule: "same" });
    if (
      button.kind === "phone" &&
      !/^\+[1-9]\d{6,18}$/.test(button.phone.replaceAll(/[\s()-]/g, ""))
    )
      faults.push({ path: `${at}.phone`, rule: "phone" });
    if (button.kind === "url") faults.push(...urlFaults(at, button));
  }
  if (count("url") > DRAFT_LIMITS.urlButtons)
    faults.push({ path, rule: "many", most: DRAFT_LIMITS.urlButtons });
  if (count("phone") > DRAFT_LIMITS.phoneButtons)
    faults.push({ path, rule: "many", most: DRAFT_LIMITS.phoneButtons });
  return faults;
}

function labelFaults(path: string, text: string): DraftFault[] {
  if (text.trim() === "") return [{ path, rule: "empty" }];
  if (length(text) > DRAFT_LIMITS.buttonText)
    return [{ path, rule: "long", most: DRAFT_LIMITS.buttonText }];
  return BRACES.test(text) ? [{ path, rule: "no_variable" }] : [];
}

function urlFaults(
  at: string,
  { url, example = "" }: Extract<DraftButton, { kind: "url" }>,
): DraftFault[] {
  const path = `${at}.url`;
  if (url.length > DRAFT_LIMITS.url) return [{ path, rule: "long", most: DRAFT_LIMITS.url }];
  if (!/^https?:\/\/[^\s/]+\.[^\s/]+/.test(url)) return [{ path, rule: "url" }];
  const fixed = url.replace(/\{\{1\}\}$/, "");
  if (BRACES.test(fixed)) return [{ path, rule: "url_variable" }];
  if (fixed === url) return [];
  if (example.trim() === "") return [{ path: `${at}.example`, rule: "example" }];
  return example.startsWith(fixed) ? [] : [{ path: `${at}.example`, rule: "url" }];
}
