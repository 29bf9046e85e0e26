import type { Chat } from "./chat.ts";
import { fileFault, isPicture } from "./files.ts";
import { newId } from "./lock.ts";
import type { ChatSettings, Upload } from "./protocol.ts";

export const MOST_FILES = 10;

/** A file chosen for the next message. */
export interface Draft {
  readonly key: string;
  readonly file: File;
  /** How much has gone, 0 to 1. */
  readonly share: number;
  readonly upload: Upload | null;
  readonly failed: boolean;
  /** A blob address for pictures. */
  readonly preview: string | null;
  readonly cancel: AbortController;
}

export type Refusal =
  | { readonly kind: "too-many" }
  | { readonly kind: "too-large" | "wrong-type" | "empty"; readonly name: string };

/** The files of the message being written: checked, uploaded at once, shown with how far they are. */
export class Uploads {
  readonly #chat: Chat;
  readonly #changed: (drafts: readonly Draft[]) => void;
  #drafts: readonly Draft[] = [];

  constructor(chat: Chat, changed: (drafts: readonly Draft[]) => void) {
    this.#chat = chat;
    this.#changed = changed;
  }

  /** Takes what the server would take and returns what it would not. */
  add(files: readonly File[], settings: ChatSettings): Refusal[] {
    const refusals: Refusal[] = [];
    for (const file of files) {
      const kind = fileFault(file, settings);
      if (kind) refusals.push({ kind, name: file.name });
      else if (this.#drafts.length >= MOST_FILES) {
        refusals.push({ kind: "too-many" });
        break;
      } else this.#begin(file);
    }
    return refusals;
  }

  retry(key: string): void {
    const draft = this.#drafts.find((one) => one.key === key);
    if (!draft) return;
    this.#change(key, { failed: false, share: 0 });
    void this.#upload(draft);
  }

  remove(key: string): void {
    for (const draft of this.#drafts)
      if (draft.key === key) {
        draft.cancel.abort();
        if (draft.preview) URL.revokeObjectURL(draft.preview);
      }
    this.#set(this.#drafts.filter((draft) => draft.key !== key));
  }

  /** The uploaded files, for the message; the drafts are empty after it. */
  take(): Upload[] {
    const uploads = this.#drafts.flatMap(({ upload }) => upload ?? []);
    this.clear();
    return uploads;
  }

  clear(): void {
    for (const { key } of this.#drafts) this.remove(key);
  }

  #begin(file: File): void {
    const draft: Draft = {
      key: newId(),
      file,
      share: 0,
      upload: null,
      failed: false,
      preview: isPicture(file.type) ? URL.createObjectURL(file) : null,
      cancel: new AbortController(),
    };
    this.#set([...this.#drafts, draft]);
    void this.#upload(draft);
  }

  async #upload({ key, file, cancel }: Draft): Promise<void> {
    const upload = await this.#chat.upload(
      file,
      (share) => this.#change(key, { share }),
      cancel.signal,
    );
    if (cancel.signal.aborted) return;
    this.#change(key, upload ? { upload, share: 1 } : { failed: true });
  }

  #change(key: string, change: Partial<Draft>): void {
    this.#set(this.#drafts.map((draft) => (draft.key === key ? { ...draft, ...change } : draft)));
  }

  #set(drafts: readonly Draft[]): void {
    this.#drafts = drafts;
    this.#changed(drafts);
  }
}
