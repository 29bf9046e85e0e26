import { IntlMessageFormat } from "intl-messageformat";
import type { en } from "./en.ts";
import { formatLocale, locale } from "./locale.ts";
import type { ValuesOf } from "./message-type.ts";

type Texts = typeof en;
export type TextKey = keyof Texts;
/** The keys of texts without values: what a table of words may hold. */
export type PlainKey = {
  [K in TextKey]: ValuesOf<Texts[K]> extends [] ? K : never;
}[TextKey];

let texts: Readonly<Record<TextKey, string>> | undefined;
const formats = new Map<TextKey, IntlMessageFormat>();

/** Loads the words of the page's language. Nothing may be shown before. */
export async function loadTexts(): Promise<void> {
  texts = locale === "ar" ? (await import("./ar.ts")).ar : (await import("./en.ts")).en;
}

/** A text in the page's language, filled with its values. A wrong key, or a missing value, does not compile. */
export function t<K extends TextKey>(key: K, ...[values]: ValuesOf<Texts[K]>): string {
  let format = formats.get(key);
  if (!format) {
    format = new IntlMessageFormat(texts?.[key] ?? key, formatLocale);
    formats.set(key, format);
  }
  return String(format.format({ ...values }));
}
