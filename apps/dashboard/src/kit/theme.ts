export type Theme = "light" | "dark";
const KEY = "parley.theme";
const isTheme = (value: string | null): value is Theme => value === "light" || value === "dark";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** `?theme=` applies to the whole visit, also to the pages after it. */
function wished(): Theme | null {
  const asked = new URLSearchParams(location.search).get("theme");
  if (isTheme(asked)) sessionStorage.setItem(KEY, asked);
  const kept = sessionStorage.getItem(KEY);
  return isTheme(kept) ? kept : null;
}
let override = wished();

/** What the member chose; null: as the system. */
export function chosenTheme(): Theme | null {
  const saved = localStorage.getItem(KEY);
  return isTheme(saved) ? saved : null;
}

function show(): void {
  document.documentElement.dataset.theme =
    override ?? chosenTheme() ?? (dark.matches ? "dark" : "light");
}

/** Shows the theme: of `?theme=`, else the member's, else the system's, which it follows. */
export function startTheme(): void {
  show();
  dark.addEventListener("change", show);
}

/** Applies the setting of the member who signed in; null: the system's. */
export function followMemberTheme(setting: Theme | null): void {
  if (setting === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, setting);
  show();
}

/** Changes the theme by hand, which overrides the address. */
export function changeTheme(chosen: Theme | null): void {
  override = null;
  sessionStorage.removeItem(KEY);
  followMemberTheme(chosen);
}
