import { useEffect, useEffectEvent } from "react";

/** The commands that a key or the command menu sends to the parts of the page. */
export type Command =
  | "assign"
  | "assign-me"
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

const listeners = new Map<Command, Set<() => void>>();

/** Passes the command to the component that handles it now. */
export function command(name: Command): void {
  for (const listener of listeners.get(name) ?? []) listener();
}

/** Handles the command while the component is shown. */
export function useCommand(name: Command, run: () => void): void {
  const latest = useEffectEvent(run);
  useEffect(() => {
    const listener = () => latest();
    const heard = listeners.get(name) ?? new Set();
    listeners.set(name, heard.add(listener));
    return () => void heard.delete(listener);
  }, [name]);
}
