import { Chat } from "./chat.ts";
import { DEFAULT_COLOR, inkOn, parseColor, visibleOn } from "./color.ts";
import { publicApi, type Options } from "./public.ts";
import type { ChatSettings } from "./protocol.ts";
import { homeOf } from "./home.ts";
import { Server } from "./server.ts";
import { BLANK, Store, type State } from "./state.ts";
import { keyValue } from "./storage.ts";
import css from "./style.css?inline";
import { chooseLocale, directionOf } from "./texts/texts.ts";
import { mount } from "./ui/app.tsx";

const BEFORE_ASKED: ChatSettings = {
  name: "",
  logo: null,
  askWhen: "after",
  greeting: null,
  color: null,
  position: null,
  locale: null,
  maxFileBytes: 10 * 1024 * 1024,
  fileTypes: [],
};

/** Puts the chat on the page that carries this script tag, and its one name, `Parley`, on the window. */
export function begin(script: Element | null): void {
  const channelId = script instanceof HTMLScriptElement ? script.dataset["channel"] : undefined;
  if (!(script instanceof HTMLScriptElement) || !channelId) {
    console.error("Parley: the script tag needs data-channel");
    return;
  }
  const waiting = window.Parley;
  if (waiting && !Array.isArray(waiting)) return;
  const { dataset } = script;
  const options: Options = {
    locale: dataset["locale"] ?? null,
    color: parseColor(dataset["color"]),
    position: dataset["position"] ?? null,
    theme: dataset["theme"] ?? null,
  };
  const server = new Server(homeOf(new URL(script.src, location.href)), channelId);
  const prefix = `parley:${channelId}:`;
  const storage = keyValue(() => localStorage);
  const visit = keyValue(() => sessionStorage);
  const openKey = `${prefix}open`;
  const settings = remembered(storage.get(`${prefix}look`));
  const wish = () =>
    chooseLocale([options.locale, document.documentElement.lang, ...navigator.languages]);
  const store = new Store({
    ...BLANK,
    open: false,
    locale: localeFor(options, settings),
    settings,
    pending: [],
    writer: "",
  });
  const chat = new Chat(server, store, storage, prefix, wish);
  const api = publicApi(chat, store, (locale) => {
    options.locale = locale;
    store.set({ locale: localeFor(options, store.state.settings) });
  });
  window.Parley = api;
  for (const call of waiting ?? []) api.push(call);

  const show = () => {
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "open" });
    dress(root);
    paint(host, options, store.state);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => paint(host, options, store.state));
    store.subscribe((state, before) => {
      if (state.open !== before.open) visit.set(openKey, state.open ? "1" : "");
      if (state.settings !== before.settings)
        store.set({ locale: localeFor(options, state.settings) });
      if (state.settings !== before.settings || state.locale !== before.locale)
        paint(host, options, store.state);
    });
    document.body.append(host);
    mount(root, { chat, store, origin: server.origin });
    const wide = matchMedia("(min-width: 481px)").matches;
    if ((visit.get(openKey) && wide) || dataset["open"] === "true") {
      chat.reopened = true;
      chat.setOpen(true);
    }
    chat.start();
  };
  if (document.body) show();
  else document.addEventListener("DOMContentLoaded", show);
}

/** The page's wish, then the channel's, then what the page and the browser speak. */
function localeFor(options: Options, settings: ChatSettings): string {
  return chooseLocale([
    options.locale,
    settings.locale,
    document.documentElement.lang,
    ...navigator.languages,
  ]);
}

/** What the channel looked like last time: the launcher has its colour before the server is asked. */
function remembered(text: string | null): ChatSettings {
  try {
    return { ...BEFORE_ASKED, ...(JSON.parse(text ?? "{}") as Partial<ChatSettings>) };
  } catch {
    return BEFORE_ASKED;
  }
}

/** Styles by a constructed sheet: a policy without `unsafe-inline` allows those, and no style element. */
function dress(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
}

/**
 * Colours and side, set one by one through the CSSOM: style attributes are what strict policies forbid. Where neither the
 * page nor the channel says a side, it is the one where a line of the language ends: right, of Arabic left.
 */
function paint(host: HTMLElement, options: Options, { settings, locale }: State): void {
  const color = options.color ?? parseColor(settings.color) ?? DEFAULT_COLOR;
  const dark = options.theme
    ? options.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  host.dataset["theme"] = dark ? "dark" : "light";
  const end = directionOf(locale) === "rtl" ? "left" : "right";
  host.dataset["position"] =
    (options.position ?? settings.position ?? end) === "left" ? "left" : "right";
  host.style.setProperty("--brand", color);
  host.style.setProperty("--on-brand", inkOn(color));
  host.style.setProperty(
    "--seen-brand",
    dark ? visibleOn(color, "#1b2220", "#eef3f0") : visibleOn(color, "#ffffff", "#17211c"),
  );
}
