/** The languages that pages and the chat window speak. */
export type PageLanguage = "en" | "ar";

/**
 * The one of ours that is asked for first in a list of languages (`ar`, `ar-KW,ar;q=0.9,en;q=0.8`): best weight first,
 * then as written (RFC 9110, 12.5.4). By the first part of a tag, so that Spanish of Argentina (`es-AR`) is not Arabic.
 * Null when none of them is asked for.
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

/** The language of a page: the one that its address chooses (`?lang=ar`), else the browser's first, else English. */
export function pageLanguage(
  url: string,
  accepted: string | undefined,
): { readonly language: PageLanguage; readonly chosen: boolean } {
  const [, wish] = /[?&]lang=(ar|en)\b/.exec(url) ?? [];
  const language = preferredLanguage(wish ?? accepted) ?? "en";
  return { language, chosen: wish !== undefined };
}
