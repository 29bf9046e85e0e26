import { call } from "../../api/call.ts";
import { t } from "../../text/t.ts";
import type { MineOf, OpenedConversation } from "../../api/shapes.ts";
import type { RefusedFile, UploadedFile } from "../../api/upload.ts";

export type Mode = "reply" | "note";

/** Unsent text for one conversation. */
export interface Draft {
  readonly mode: Mode;
  readonly texts: Readonly<Record<Mode, string>>;
  /** The files for the reply. */
  readonly files: readonly UploadedFile[];
  /** Files that do not go with it, until the person removes them or sends the rest. Kept in this tab only. */
  readonly refused: readonly RefusedFile[];
  /** The suggestion that the reply was made from. */
  readonly suggestionId?: string | undefined;
  /** The message that the reply quotes. Kept in this browser only. */
  readonly quote?: Quote | undefined;
}

/** A message that is quoted, as the chip over the text shows it. */
export interface Quote {
  readonly id: string;
  /** Who wrote it, as the thread names them. */
  readonly by: string;
  /** Its words, or the name of its kind. */
  readonly words: string;
}

/** One change of the files of a draft. */
export type FileChange =
  | { readonly add: UploadedFile }
  | { readonly refuse: RefusedFile }
  | { readonly remove: string };

/** The draft with the change made. */
export function changedFiles(draft: Draft, change: FileChange): Draft {
  if ("add" in change) return { ...draft, files: [...draft.files, change.add] };
  if ("refuse" in change) return { ...draft, refused: [...draft.refused, change.refuse] };
  const others = <F extends UploadedFile>(files: readonly F[]): readonly F[] =>
    files.filter(({ id }) => id !== change.remove);
  return { ...draft, files: others(draft.files), refused: others(draft.refused) };
}

/** A draft is sent to the server after this pause in typing, in ms. */
const SERVER_MS = 800;
const EMPTY: Draft = { mode: "reply", texts: { reply: "", note: "" }, files: [], refused: [] };

/**
 * The drafts of one member: stored in the browser with each key, on the server a moment later, each under its own
 * conversation. The browser's version counts until the server has it.
 */
export class Drafts {
  readonly #memberId: string;
  readonly #learn: (mine: MineOf) => void;
  /** What was written in this tab: a reopened conversation may come with its former draft. */
  readonly #written = new Map<string, Draft>();
  /** By conversation: the composer that shows its draft. */
  readonly #listeners = new Map<string, () => void>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(memberId: string, learn: (mine: MineOf) => void) {
    this.#memberId = memberId;
    this.#learn = learn;
    addEventListener("storage", ({ key, newValue }) => {
      const begin = this.#key("");
      // Removed: the server has it, and it is still the draft.
      if (key === null || newValue === null || !key.startsWith(begin)) return;
      const id = key.slice(begin.length);
      this.#written.set(id, parsed(newValue));
      this.#listeners.get(id)?.();
    });
  }

  /**
   * Calls `changed` when another tab of this browser wrote or sent the draft. What is sent there is no longer a draft here:
   * somebody would send it once more. Gives what ends it.
   */
  follow(id: string, changed: (draft: Draft) => void): () => void {
    const listener = () => {
      const draft = this.#written.get(id);
      if (draft !== undefined) changed(draft);
    };
    this.#listeners.set(id, listener);
    return () => {
      if (this.#listeners.get(id) === listener) this.#listeners.delete(id);
    };
  }

  /** The draft to begin with. `told`: the server's draft. */
  read(id: string, told: OpenedConversation["draft"]): Draft {
    const written = this.#written.get(id);
    if (written !== undefined) return written;
    const kept = localStorage.getItem(this.#key(id));
    if (kept !== null) {
      const draft = parsed(kept);
      // The page was left before the server had it.
      if (!this.#timers.has(id)) this.#saveSoon(id, draft);
      return draft;
    }
    if (told === null) return EMPTY;
    return {
      mode: told.mode,
      texts: { ...EMPTY.texts, [told.mode]: told.text },
      files: told.media.map((file) => ({ id: file, name: t("thread.file") })),
      refused: [],
    };
  }

  write(id: string, draft: Draft): void {
    this.#written.set(id, draft);
    try {
      localStorage.setItem(this.#key(id), JSON.stringify(draft));
    } catch {
      // The browser's storage is full: the server keeps it all the same.
    }
    this.#saveSoon(id, draft);
  }

  #saveSoon(id: string, draft: Draft): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => void this.#save(id, draft), SERVER_MS),
    );
  }

  async #save(id: string, draft: Draft): Promise<void> {
    this.#timers.delete(id);
    const { mode, texts, files } = draft;
    try {
      const mine = await call("saveDraft", {
        params: { id },
        body: {
          mode,
          text: texts[mode].slice(0, 4096),
          ...(mode === "reply" && files.length > 0 && { media: files.map((file) => file.id) }),
        },
      });
      this.#learn(mine);
      // Only one of the two texts is on the server.
      const other = texts[mode === "reply" ? "note" : "reply"];
      const isKept = other === "" && draft.quote === undefined;
      if (!this.#timers.has(id) && isKept && (mode === "reply" || files.length === 0))
        localStorage.removeItem(this.#key(id));
    } catch {
      // The browser has it; the next key, or the next visit, tries again.
    }
  }

  #key(id: string): string {
    return `parley.draft ${this.#memberId} ${id}`;
  }
}

function parsed(kept: string): Draft {
  try {
    const draft: Partial<Draft> | null = JSON.parse(kept);
    const { reply = "", note = "" } = draft?.texts ?? {};
    return {
      mode: draft?.mode === "note" ? "note" : "reply",
      texts: { reply, note },
      files: draft?.files ?? [],
      refused: [],
      ...(draft?.suggestionId !== undefined && { suggestionId: draft.suggestionId }),
      ...(draft?.quote !== undefined && { quote: draft.quote }),
    };
  } catch {
    return EMPTY;
  }
}
