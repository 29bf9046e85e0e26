/** The languages that pages and the chat window speak. */
export type PageLanguage = "en" | "ar";

/**
 * Our language that a list of languages asks for first (`ar`, `ar-KW,ar;q=0.9,en;q=0.8`); null when it asks for none of
 * ours. The highest weight wins, then the earlier one (RFC 9110, 12.5.4). Only the first part of a tag counts, so
 * `es-AR`, the Spanish of Argentina, is not Arabic.
 */
export function preferredLanguage(asked: string | undefined): PageLanguage | null {
  let best: PageLanguage | null = null;
  let bestWeight = 0;
  for (const one of (asked ?? "").split(",")) {
    const [, language, weight = "1"] =
      /^\s*(ar|en)(?:[-_][\w-]*)?\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?$/i.exec(one) ?? [];
    if (language === undefined || !(Number(weight) > bestWeight)) continue;
    best = language.toLowerCase() === "ar" ? "ar" : "en";
    bestWeight = Number(weight);
  }
  return best;
}

/**
 * The language of a page: the one in its address (`?lang=ar`), else the first of the browser's list, else English.
 * `chosen` says whether it came from the address.
 */
export function pageLanguage(
  url: string,
  accepted: string | undefined,
): { readonly language: PageLanguage; readonly chosen: boolean } {
  const [, wish] = /[?&]lang=(ar|en)\b/.exec(url) ?? [];
  const language = preferredLanguage(wish ?? accepted) ?? "en";
  return { language, chosen: wish !== undefined };
}
