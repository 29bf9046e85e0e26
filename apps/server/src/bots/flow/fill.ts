/** The languages that flows speak. */
export type FlowLocale = "en" | "ar";

/** What a flow knows without setting it. */
export const KNOWN_VARIABLES = ["first_name", "channel", "language", "next_opening"] as const;

const PLACE = /\{\{ *([a-z][a-z0-9_]*) *\}\}/g;

/** The names of the places in a text: "Hello {{first_name}}". */
export const namesUsed = (text: string): string[] =>
  [...text.matchAll(PLACE)].map(([, name = ""]) => name);

/** Openings of a place that is none: without an end, or with a name that no variable has ("{{First name}}"). */
export const brokenPlaces = (text: string): string[] =>
  text.replaceAll(PLACE, "").match(/\{\{[^{}"]{0,30}\}{0,2}/g) ?? [];

/** The text with its places filled; what is not known becomes nothing. */
export const fillText = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(PLACE, (_, name: string) => wordOf(values[name])).trim();

const wordOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** The text of a step in a language; in the other one where it has none. */
export function textFor(
  texts: { readonly en?: string; readonly ar?: string },
  locale: FlowLocale,
): string {
  const [own, other] = locale === "ar" ? [texts.ar, texts.en] : [texts.en, texts.ar];
  return (own?.trim() ? own : other) ?? "";
}
