import { ar } from "./ar.ts";
import { en } from "./en.ts";
import type { Texts } from "./shape.ts";

type CountedKey = { [K in keyof Texts]: Texts[K] extends string ? never : K }[keyof Texts];
/** A text that goes by no number. */
export type PlainKey = Exclude<keyof Texts, CountedKey>;

const LANGUAGES: Readonly<Record<string, Texts>> = { en, ar };

/** The first of these locales that the widget speaks; English when it speaks none. */
export function chooseLocale(wanted: readonly (string | null | undefined)[]): string {
  for (const locale of wanted) {
    if (!locale) continue;
    try {
      const name = new Intl.Locale(locale);
      if (LANGUAGES[name.language]) return name.toString();
    } catch {
      // No locale at all ("english"): the next one.
    }
  }
  return "en";
}

/** Which way the lines of a locale run. */
export const directionOf = (locale: string): "ltr" | "rtl" =>
  new Intl.Locale(locale).language === "ar" ? "rtl" : "ltr";

/** Texts, numbers and times of one language. */
export class Language {
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
  readonly #texts: Texts;
  readonly #plural: Intl.PluralRules;

  constructor(locale: string) {
    this.locale = locale;
    this.direction = directionOf(locale);
    this.#texts = LANGUAGES[new Intl.Locale(locale).language] ?? en;
    this.#plural = new Intl.PluralRules(locale);
  }

  say(key: PlainKey, values: Readonly<Record<string, string>> = {}): string {
    return fill(this.#texts[key], values);
  }

  count(key: CountedKey, count: number): string {
    const texts = this.#texts[key];
    return fill(texts[this.#plural.select(count)] ?? texts.other, { count: this.number(count) });
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.locale).format(value);
  }

  /** "820 kB", "10 MB". */
  size(bytes: number): string {
    const [value, unit] =
      bytes < 1024 ** 2
        ? [Math.max(1, Math.round(bytes / 1024)), "kilobyte"]
        : [Math.round((bytes / 1024 ** 2) * 10) / 10, "megabyte"];
    const format = new Intl.NumberFormat(this.locale, {
      style: "unit",
      unit,
      unitDisplay: "short",
    });
    return format.format(value);
  }

  /** "Just now", "5 min. ago"; after an hour the time of day. */
  time(at: Date, now: Date): string {
    const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
    if (minutes < 1 && minutes > -5) return this.say("now");
    if (minutes > 0 && minutes < 60)
      return new Intl.RelativeTimeFormat(this.locale, { style: "short" }).format(
        -minutes,
        "minute",
      );
    return new Intl.DateTimeFormat(this.locale, { timeStyle: "short" }).format(at);
  }

  /** "Today", "Yesterday", "Monday", "3 March", with the year when it is another. */
  day(at: Date, now: Date): string {
    const days = dayNumber(now) - dayNumber(at);
    if (days >= 0 && days < 2) {
      const word = new Intl.RelativeTimeFormat(this.locale, { numeric: "auto" }).format(
        -days,
        "day",
      );
      return word.charAt(0).toLocaleUpperCase(this.locale) + word.slice(1);
    }
    const options: Intl.DateTimeFormatOptions =
      days > 0 && days < 7
        ? { weekday: "long" }
        : {
            day: "numeric",
            month: "long",
            ...(at.getFullYear() !== now.getFullYear() && { year: "numeric" }),
          };
    return new Intl.DateTimeFormat(this.locale, options).format(at);
  }

  /** The whole date and time, on demand. */
  exact(at: Date): string {
    const format = new Intl.DateTimeFormat(this.locale, { dateStyle: "long", timeStyle: "short" });
    return format.format(at);
  }
}

/** The calendar day where the visitor is, as a number. */
export function dayNumber(at: Date): number {
  return Math.round(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000);
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
