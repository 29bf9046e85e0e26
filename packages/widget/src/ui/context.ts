import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Chat } from "../chat.ts";
import { Language } from "../texts/texts.ts";

/** What every part of the surface needs. */
export interface Surface {
  readonly chat: Chat;
  readonly language: Language;
  readonly origin: string;
  readonly now: Date;
  /** Puts the focus where the visitor goes on, for a button that goes away when it is used. */
  readonly goOn: { current: () => void };
}

export const SurfaceContext = createContext<Surface | null>(null);

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error("outside of the chat");
  return surface;
}
