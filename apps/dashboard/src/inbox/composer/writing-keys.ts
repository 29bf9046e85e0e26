import type { KeyboardEvent } from "react";

type Act = "close" | "down" | "none" | "pick" | "resolve" | "send" | "up";

/** ⌘Z or Ctrl Z, by its place on the keyboard. */
export const isUndo = ({ code, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  code === "KeyZ" && (metaKey || ctrlKey) && !shiftKey && !altKey;

/** The effect of a key in the text. While an input method composes, none has an effect. */
export function keysOf({
  listed,
  sendKey,
}: {
  listed: boolean;
  sendKey: "enter" | "mod-enter";
}): (event: KeyboardEvent) => Act {
  return (event) => {
    // 229: Safari ends a composition before it reports the key.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return "none";
    const mod = event.metaKey || event.ctrlKey;
    if (event.key === "Escape") return "close";
    if (listed && event.key === "ArrowUp") return "up";
    if (listed && event.key === "ArrowDown") return "down";
    if (listed && (event.key === "Tab" || event.key === "Enter") && !event.shiftKey && !mod)
      return "pick";
    if (event.key !== "Enter" || event.altKey) return "none";
    if (mod) return event.shiftKey ? "resolve" : "send";
    // On a touch screen Enter is the only way to a new line.
    if (sendKey === "mod-enter" || event.shiftKey || matchMedia("(pointer: coarse)").matches)
      return "none";
    return "send";
  };
}
