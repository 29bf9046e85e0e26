import type { Chat } from "./chat.ts";
import type { ChatMessage, SiteUser } from "./protocol.ts";
import type { Store } from "./state.ts";

/** What the page has asked for. */
export interface Options {
  locale: string | null;
  readonly color: string | null;
  readonly position: string | null;
  readonly theme: string | null;
}

interface Events {
  /** How many messages are unread, when it changes. */
  unread: number;
  /** True when the panel opens, false when it closes. */
  open: boolean;
  /** Every message that is new in this tab, from either side. */
  message: ChatMessage;
}

type Listener<K extends keyof Events> = (value: Events[K]) => void;

/** `window.Parley`. Before the script is there a plain array takes the same calls: `["open"]`, `["setLocale", "ar"]`. */
export interface PublicApi {
  open(): void;
  close(): void;
  /** True when the server takes the proof. Never rejects. */
  identify(user: SiteUser): Promise<boolean>;
  logout(): Promise<void>;
  setLocale(locale: string): void;
  /** Returns how to stop listening. */
  on<K extends keyof Events>(event: K, listener: Listener<K>): () => void;
  push(call: readonly unknown[]): void;
}

declare global {
  interface Window {
    Parley?: PublicApi | readonly (readonly unknown[])[];
  }
}

export function publicApi(
  chat: Chat,
  store: Store,
  setLocale: (locale: string) => void,
): PublicApi {
  const listeners: { [K in keyof Events]: Set<Listener<K>> } = {
    unread: new Set(),
    open: new Set(),
    message: new Set(),
  };
  const tell = <K extends keyof Events>(event: K, value: Events[K]) => {
    for (const listener of listeners[event]) {
      try {
        listener(value);
      } catch (error) {
        // The page's own mistake: reported as its own, and the chat goes on.
        reportError(error);
      }
    }
  };
  store.subscribe((state, before) => {
    if (state.open !== before.open) tell("open", state.open);
    if (state.unread !== before.unread) tell("unread", state.unread);
  });
  chat.onMessage = (message) => tell("message", structuredClone(message));
  const api: PublicApi = {
    open: () => chat.setOpen(true),
    close: () => chat.setOpen(false),
    identify: (user) => chat.identify(user),
    logout: () => chat.logout(),
    setLocale,
    on(event, listener) {
      listeners[event].add(listener);
      return () => listeners[event].delete(listener);
    },
    push([name, ...parameters]) {
      const call: unknown =
        typeof name === "string" && Object.hasOwn(api, name) ? Reflect.get(api, name) : undefined;
      if (typeof call === "function") Reflect.apply(call, api, parameters);
      else console.warn(`Parley: there is no call "${String(name)}"`);
    },
  };
  return api;
}
