import { IntlMessageFormat } from "intl-messageformat";
import { createElement, Fragment, type ReactElement } from "react";
import type { en } from "./en.ts";
import { formatLocale, locale } from "./locale.ts";
import type { NamesOf, TextValue, ValuesOf } from "./message-type.ts";

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
  return String(formatOf(key).format({ ...values }));
}

/** The keys of texts that need exactly these values. */
export type KeyWith<Names extends string> = {
  [K in TextKey]: [NamesOf<Texts[K]>, Names] extends [Names, NamesOf<Texts[K]>] ? K : never;
}[TextKey];

/** The same as `t`, for a sentence with elements in it, such as a name that is a link. */
export function told<K extends TextKey>(
  key: K,
  values: { readonly [Name in NamesOf<Texts[K]>]: TextValue | ReactElement },
): ReactElement {
  const parts = formatOf(key).formatToParts<ReactElement>({ ...values });
  return createElement(Fragment, null, ...parts.map(({ value }) => value));
}

function formatOf(key: TextKey): IntlMessageFormat {
  const made = formats.get(key) ?? new IntlMessageFormat(texts?.[key] ?? key, formatLocale);
  formats.set(key, made);
  return made;
}
