import { formatLocale } from "../text/locale.ts";

const languages = new Intl.DisplayNames(formatLocale, { type: "language", fallback: "code" });

/** `Arabic`, with the code for people who look for it. */
export const languageWord = (code: string): string => {
  try {
    return languages.of(code.replace("_", "-")) ?? code;
  } catch {
    return code;
  }
};
