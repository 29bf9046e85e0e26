export const LOCALES = ["en", "ar"] as const;
export type Locale = (typeof LOCALES)[number];

const isLocale = (value: string | null): value is Locale => value === "en" || value === "ar";

const KEY = "parley.locale";

/** `?lang=` applies to the whole visit, also to the pages after it. */
function wished(): Locale | null {
  const asked = new URLSearchParams(location.search).get("lang");
  if (isLocale(asked)) sessionStorage.setItem(KEY, asked);
  const kept = sessionStorage.getItem(KEY);
  return isLocale(kept) ? kept : null;
}

function detected(): Locale {
  const saved = localStorage.getItem(KEY);
  if (isLocale(saved)) return saved;
  const spoken = navigator.languages.map((tag) => tag.split("-")[0] ?? "").find(isLocale);
  return spoken ?? "en";
}

const override = wished();

/** The language of this page, fixed when it is loaded: `?lang=`, else the member's setting, else the browser's. */
export const locale: Locale = override ?? detected();

/** For formatting: Arabic with Latin digits, as all of the interface. */
export const formatLocale = locale === "ar" ? "ar-u-nu-latn" : "en";

/** The same for dates: days before months, as most of the world writes them. */
export const dateLocale = locale === "en" ? "en-GB" : formatLocale;

/** Takes up the setting of the member who signed in; null leaves the choice to the browser. */
export function followMember(setting: Locale | null): void {
  if (setting === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, setting);
  if (override === null && detected() !== locale) location.reload();
}

/** Changes the language by hand. The page is loaded anew, in that language. */
export function changeLocale(chosen: Locale): void {
  sessionStorage.removeItem(KEY);
  localStorage.setItem(KEY, chosen);
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  location.assign(address);
}
