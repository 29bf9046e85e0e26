import { lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { useNavigate } from "@tanstack/react-router";
import { ask, placeOf, type Asked } from "./actions/ask.ts";
import { targetsNow } from "../desk/targets.ts";
import { command, takeEarly, useCommand, type Command } from "../desk/commands.ts";
import { useBootstrap, useInbox } from "../desk/use-inbox.ts";
import { withTexts } from "../text/t.ts";

/** By `event.code`, the place on the keyboard, so that they work on an Arabic layout too. */
const KEYS: Readonly<Record<string, Command>> = {
  KeyJ: "next",
  KeyK: "previous",
  Enter: "open",
  KeyU: "up",
  KeyR: "reply",
  KeyN: "note",
  KeyT: "template",
  KeyA: "assign",
  KeyB: "bot",
  KeyI: "assign-me",
  KeyL: "labels",
  KeyS: "snooze",
  KeyE: "resolve",
  KeyX: "select",
  KeyZ: "undo",
  Period: "details",
};

/** After `g`. */
const PLACES: Readonly<Record<string, string>> = {
  KeyM: "/inbox/mine",
  KeyU: "/inbox/unassigned",
  KeyA: "/inbox/all",
  KeyS: "/inbox/snoozed",
  KeyR: "/inbox/resolved",
  KeyC: "/contacts",
  KeyP: "/campaigns",
  KeyB: "/bots",
  KeyK: "/knowledge",
  KeyT: "/templates",
  Comma: "/settings/profile",
};
const GO_MS = 1_500;

// With the words of the composer, whose keys it names too.
const KeysList = lazy(async () => ({
  default: (await withTexts(import("./keys-list.tsx"), "desk")).KeysList,
}));

let helpListeners: (() => void) | undefined;

/** The keys of every page. They are off while somebody types, in a dialog, and by the member's setting. */
export function useKeys(): void {
  const { settings, member } = useBootstrap();
  const { store, work } = useInbox();
  const navigate = useNavigate();
  const isOn = settings.keys;
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    let wentAt = 0;
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isBusy(event)) return;
      if (takeEarly(event.key)) return event.preventDefault();
      const place = Date.now() - wentAt < GO_MS ? PLACES[event.code] : undefined;
      wentAt = 0;
      if (event.shiftKey) {
        if (event.code === "Slash") helpListeners?.();
        else if (event.code === "KeyU") command("unread");
        else if (event.code === "KeyB") command("bot-did");
        else return;
      } else if (place !== undefined) void navigate({ href: place });
      else if (event.code === "KeyG") wentAt = Date.now();
      else if (event.code === "Slash") void navigate({ to: "/search", search: {} });
      else if (!perform(event)) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn, navigate]);
  const withTargets = useEffectEvent((run: (ids: readonly string[]) => void) => {
    const ids = targetsNow();
    if (ids.length > 0) run(ids);
  });
  useCommand("assign", () => withTargets((ids) => askAt("assign", ids)));
  useCommand("labels", () => withTargets((ids) => askAt("labels", ids)));
  useCommand("snooze", () => withTargets((ids) => askAt("snooze", ids)));
  useCommand("assign-me", () =>
    withTargets((ids) => void work.change(ids, { assigneeId: member.id })),
  );
  useCommand("resolve", () =>
    withTargets((ids) => {
      const isOpen = ids.some((id) => store.row(id)?.status !== "resolved");
      void work.change(ids, { status: isOpen ? "resolved" : "open" });
    }),
  );
  useCommand("unread", () =>
    withTargets((ids) => {
      for (const id of ids) void work.markUnread(id);
    }),
  );
  useCommand("undo", () => work.undoLast());
}

const askAt = (kind: Asked["kind"], ids: readonly string[]): void =>
  ask({ kind, ids, at: placeOf(kind, ids) });

function perform(event: KeyboardEvent): boolean {
  const name = KEYS[event.code];
  if (name === undefined) return false;
  // On what Enter opens by itself it keeps its own meaning.
  if (name === "open" && event.target instanceof Element && event.target.closest(OPENS))
    return false;
  command(name);
  return true;
}

const OPENS = 'a, button, summary, input, [tabindex="0"]';
const FLOATING = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

function isBusy(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  if (document.querySelector(FLOATING) !== null) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox])");
}

/** The dialog that lists the keys. */
export function KeysHelp() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    helpListeners = () => setOpen(true);
    return () => {
      helpListeners = undefined;
    };
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <KeysList close={() => setOpen(false)} />
    </Suspense>
  );
}
