import type { en } from "./en.ts";

/** A text by number: the categories of Intl.PluralRules that the language has. */
export type Counted = { readonly other: string } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, "other">]?: string;
};

/** What every language must say. */
export type Texts = {
  readonly [K in keyof typeof en]: (typeof en)[K] extends string ? string : Counted;
};
