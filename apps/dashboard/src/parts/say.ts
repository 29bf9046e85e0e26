import { locale } from "../text/locale.ts";

/** A sample in the page's language. Samples are no texts of the product, so they stand beside the parts. */
export const say = (en: string, ar: string): string => (locale === "ar" ? ar : en);
