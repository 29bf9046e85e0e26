import { useEffectEvent, useLayoutEffect } from "react";

/** The commands that a key or the command menu sends to the parts of the page. */
export type Command =
  | "assign"
  | "assign-me"
  | "bot"
  | "bot-did"
  | "details"
  | "labels"
  | "next"
  | "note"
  | "open"
  | "previous"
  | "reply"
  | "resolve"
  | "select"
  | "snooze"
  | "template"
  | "undo"
  | "unread"
  | "up";

type Listener = (typed: string) => void;
const listeners = new Map<Command, Set<Listener>>();

/** Commands of a composer. Before it is there they wait for it. */
const OF_COMPOSER: ReadonlySet<Command> = new Set(["reply", "note", "template"]);
/** How long a conversation may take to open before what was pressed meanwhile is forgotten. */
const WAIT_MS = 5_000;
let comesUntil = 0;
let early: { readonly name: Command; typed: string } | null = null;

/** A conversation is being opened, and its composer will be there soon. */
export function composerComes(): void {
  comesUntil = Date.now() + WAIT_MS;
}

/** Passes the command to the component that handles it now. */
export function command(name: Command): void {
  const heard = listeners.get(name);
  if (heard !== undefined && heard.size > 0) for (const listener of heard) listener("");
  else if (OF_COMPOSER.has(name) && Date.now() < comesUntil) early = { name, typed: "" };
}

/**
 * Takes a key that was pressed after the key for a composer that is not there yet: it belongs to the text. As a shortcut it
 * might resolve the conversation.
 */
export function takeEarly(key: string): boolean {
  if (early !== null && (key === "Escape" || Date.now() >= comesUntil)) early = null;
  if (early === null) return false;
  if (Array.from(key).length === 1) early.typed += key;
  return true;
}

/**
 * Handles the command while the component is shown. `typed`: the text that was typed before the component was there. It
 * listens before the page is painted: what is on the screen hears its key, and no key is between what was typed before
 * and the focus.
 */
export function useCommand(name: Command, run: Listener): void {
  const latest = useEffectEvent(run);
  useLayoutEffect(() => {
    const listener: Listener = (typed) => latest(typed);
    const heard = listeners.get(name) ?? new Set();
    listeners.set(name, heard.add(listener));
    if (early?.name === name && Date.now() < comesUntil) {
      const { typed } = early;
      early = null;
      listener(typed);
    }
    return () => void heard.delete(listener);
  }, [name]);
}
