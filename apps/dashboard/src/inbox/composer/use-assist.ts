import { useState, type RefObject } from "react";
import { ApiError } from "../../api/api-error.ts";
import { call, type InputOf } from "../../api/call.ts";
import type { DeskRow } from "../../api/shapes.ts";
import { failureText } from "../../kit/use-call.ts";
import { locale } from "../../text/locale.ts";
import { t, type PlainKey } from "../../text/t.ts";
import { useThreads } from "../thread/threads.ts";
import type { Draft, Mode } from "./drafts.ts";

type Rewriting = InputOf<"rewrite">["body"]["how"];
/** What a member has a model do. */
export type Assist = "suggest" | "summarise" | Rewriting;

/** What a model does for the composer, and how it ended. */
export interface Assisting {
  readonly busy: boolean;
  /** What happened, in words; empty: nothing yet. */
  readonly said: string;
  /** Why the last call failed, in words; null: it did not. */
  readonly failed: string | null;
  /** Puts the text before back; undefined: nothing was put in, or the person went on with it. */
  readonly undo: (() => void) | undefined;
  readonly run: (what: Assist) => void;
}

/** Whether a text in the composer is needed for it. */
export const needsText = (what: Assist): boolean =>
  what === "friendlier" || what === "shorter" || what === "formal";

interface Put {
  readonly mode: Mode;
  readonly text: string;
  readonly before: Draft;
}

/**
 * Has a model write for the composer. What is for the customer replaces the reply's text, what is for the team (a summary,
 * what the customer wrote in another language) is added to the note; both can be undone. A suggestion for an empty reply is
 * shown over the composer. Nothing is sent.
 */
export function useAssist(
  row: DeskRow,
  latest: RefObject<Draft>,
  put: (next: Draft) => void,
): Assisting {
  const { store, work } = useThreads();
  const [busy, setBusy] = useState(false);
  const [said, say] = useState<PlainKey | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [last, setLast] = useState<Put>();
  const { id } = row;

  /** Puts what a model wrote into a text, unless the person has changed it since. */
  const write = (mode: Mode, asked: string, text: string, suggestionId?: string): void => {
    const before = latest.current;
    if (before.texts[mode] !== asked) return say("composer.ai.changed");
    const next = {
      ...before,
      mode,
      texts: { ...before.texts, [mode]: text },
      ...(mode === "reply" && { suggestionId: suggestionId ?? before.suggestionId }),
    };
    setLast({ mode, text, before });
    say(mode === "note" ? "composer.ai.noted" : "composer.ai.done");
    put(next);
  };
  const forTeam = (text: string): void => {
    const { note } = latest.current.texts;
    write("note", note, note === "" ? text : `${note}\n${text}`);
  };
  const suggest = async (): Promise<void> => {
    const asked = latest.current.texts.reply;
    const made = await call("askSuggestion", { params: { id } });
    await work.refresh(id);
    if (asked === "" && latest.current.texts.reply === "") return say("composer.ai.suggestedDone");
    write("reply", asked, made.text, made.id);
    store.forgetSuggestion(id, made.id);
  };
  const change = async (how: Rewriting): Promise<void> => {
    const { mode, texts } = latest.current;
    const text = texts[mode];
    if (text.trim() !== "") {
      const made = await call("rewrite", { body: { text: text.trim(), how } });
      return write(mode, text, made.text);
    }
    forTeam(await translateLast(id, store.thread(id).entries, how));
  };
  const make = async (what: Assist): Promise<void> => {
    setBusy(true);
    setFailed(null);
    say("composer.ai.busy");
    try {
      if (what === "suggest") await suggest();
      else if (what === "summarise")
        forTeam((await call("summarise", { params: { id }, body: { lang: locale } })).text);
      else await change(what);
    } catch (cause) {
      say(null);
      setFailed(faultText(cause));
    } finally {
      setBusy(false);
    }
  };
  const { mode, texts } = latest.current;
  const isLast = last !== undefined && last.mode === mode && texts[mode] === last.text;
  return {
    busy,
    said: said !== null && (busy || last === undefined || isLast) ? t(said) : "",
    failed,
    undo: isLast
      ? () => {
          const { mode: before, texts: former, suggestionId } = last.before;
          const now = latest.current;
          put({
            ...now,
            mode: before,
            texts: { ...now.texts, [last.mode]: former[last.mode] },
            suggestionId,
          });
          setLast(undefined);
          say(null);
        }
      : undefined,
    run: (what) => {
      if (!busy) void make(what);
    },
  };
}

/** The customer's last text in another language. Throws NOT_ALLOWED_IN_STATE when there is none, or `how` is no language. */
async function translateLast(
  id: string,
  entries: ReturnType<ReturnType<typeof useThreads>["store"]["thread"]>["entries"],
  how: Rewriting,
): Promise<string> {
  const message = entries.findLast(
    (entry) =>
      entry.kind === "message" && entry.direction === "inbound" && (entry.text ?? "") !== "",
  );
  if (!message || (how !== "en" && how !== "ar"))
    throw new ApiError({
      code: "NOT_ALLOWED_IN_STATE",
      details: [{ path: "", message: "", code: "nothing" }],
    });
  const body = { messageId: message.id, to: how };
  return (await call("translate", { params: { id }, body })).text;
}

const FAULTS: Readonly<Record<string, PlainKey>> = {
  no_bot: "composer.ai.fault.no_bot",
  no_model: "composer.ai.fault.no_model",
  cost_cap: "composer.ai.fault.cost_cap",
  nothing: "composer.ai.fault.nothing",
  refused: "composer.ai.fault.refused",
  no_source: "composer.ai.fault.no_source",
};

function faultText(cause: unknown): string {
  const error = cause instanceof ApiError ? cause : new ApiError({ code: "INTERNAL", cause });
  if (error.code === "AI_REPLY_LIMIT_REACHED") return t("composer.ai.fault.limit");
  if (error.code === "MODEL_UNAVAILABLE") return t("composer.ai.fault.busy");
  const key = FAULTS[error.details[0]?.code ?? ""];
  return key ? t(key) : failureText(error);
}
