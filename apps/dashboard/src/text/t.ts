import { createElement, Fragment, type ReactElement } from "react";
import type { en } from "./en.ts";
import { cutText, fillText, formsOf } from "./fill-text.ts";
import { formatLocale, locale } from "./locale.ts";
import type { NamesOf, TextValue, ValuesOf } from "./message-type.ts";
import { MissingPart } from "./missing-part.ts";
import { PARTS, type TextPart } from "./parts.ts";

type Texts = typeof en;
export type TextKey = keyof Texts;
/** The keys of texts without values: what a table of words may hold. */
export type PlainKey = {
  [K in TextKey]: ValuesOf<Texts[K]> extends [] ? K : never;
}[TextKey];

const texts = new Map<string, string>();
const cut = new Map<TextKey, ReturnType<typeof cutText>>();
const forms = formsOf(formatLocale);

const loads = new Map<TextPart, Promise<void>>();

/** Loads a part of the words in the page's language, once. Nothing that has these words may be shown before. */
export function loadTexts(part: TextPart): Promise<void> {
  const known = loads.get(part);
  if (known) return known;
  const load = PARTS[part][locale]().then(
    (loaded) => {
      for (const [key, text] of Object.entries<string>(loaded.texts)) texts.set(key, text);
    },
    (fault: unknown) => {
      // The next page that needs them asks again.
      loads.delete(part);
      throw fault;
    },
  );
  loads.set(part, load);
  return load;
}

/** A module of pages together with the texts that it shows, all of them unless parts are named. Throws MissingPart. */
export async function withTexts<Module>(
  load: Promise<Module>,
  ...parts: readonly TextPart[]
): Promise<Module> {
  const wanted = parts.length > 0 ? parts : (["desk", "rest"] as const);
  try {
    const [module] = await Promise.all([load, ...wanted.map(loadTexts)]);
    return module;
  } catch (fault) {
    throw new MissingPart(fault);
  }
}

/** A text in the page's language, filled with its values. A wrong key, or a missing value, does not compile. */
export function t<K extends TextKey>(key: K, ...[values]: ValuesOf<Texts[K]>): string {
  return fillText<never>(cutOf(key), { ...values }, forms).join("");
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
  return createElement(Fragment, null, ...fillText<ReactElement>(cutOf(key), { ...values }, forms));
}

function cutOf(key: TextKey): ReturnType<typeof cutText> {
  const known = cut.get(key);
  if (known) return known;
  const text = texts.get(key);
  // A key is seen by people only when a page was shown without its part, which `parts.test.ts` rules out.
  if (text === undefined) return [key];
  const pieces = cutText(text);
  cut.set(key, pieces);
  return pieces;
}
