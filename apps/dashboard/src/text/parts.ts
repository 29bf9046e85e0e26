import type { Locale } from "./locale.ts";

/**
 * The texts in the parts in which they are loaded: those of the sign-in and the inbox's list, those of a conversation,
 * and all others.
 */
export const PARTS = {
  first: {
    en: () => import("./first.en.ts"),
    ar: () => import("./first.ar.ts"),
  },
  desk: {
    en: () => import("./desk.en.ts"),
    ar: () => import("./desk.ar.ts"),
  },
  rest: {
    en: () => import("./rest.en.ts"),
    ar: () => import("./rest.ar.ts"),
  },
} as const satisfies Record<
  string,
  Record<Locale, () => Promise<{ readonly texts: Readonly<Record<string, string>> }>>
>;
export type TextPart = keyof typeof PARTS;
