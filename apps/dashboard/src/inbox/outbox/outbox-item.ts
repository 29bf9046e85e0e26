import type { FaultDetail } from "../../api/api-error.ts";
import type { InputOf } from "../../api/call.ts";
import type { UploadedFile } from "../../api/upload.ts";
import type { Quote } from "../composer/drafts.ts";

/** The content to send. */
export type Sending =
  | {
      readonly kind: "reply";
      readonly body: Omit<InputOf<"sendReply">["body"], "clientId">;
      /** The files of `media` by name, in its order. Items that an older version stored lack them. */
      readonly files?: readonly UploadedFile[];
      /** The message of `replyTo`, for the bubble. */
      readonly quote?: Quote | undefined;
    }
  | {
      readonly kind: "template";
      readonly body: Omit<InputOf<"sendTemplate">["body"], "clientId">;
      /** The text with its variables filled in, for the bubble. */
      readonly preview: string;
    }
  | {
      /** A suggested reply, as the person leaves it. */
      readonly kind: "suggested";
      readonly suggestionId: string;
      readonly body: Omit<InputOf<"useSuggestion">["body"], "clientId">;
      readonly files: readonly UploadedFile[];
      /** The text for the bubble. */
      readonly preview: string;
      readonly quote?: Quote | undefined;
    }
  | { readonly kind: "note"; readonly body: InputOf<"writeNote">["body"] };

/**
 * - waiting: to be sent, now or when the server answers again
 * - refused: the server said no; the person decides
 * - asks: it has waited so long that the server no longer knows its key; the person decides
 */
export type OutboxState = "waiting" | "refused" | "asks";

/** A message that is being sent. The browser keeps it until the server has it or a person discards it. */
export interface OutboxItem {
  /** UUIDv7, made at the press of Send: the `Idempotency-Key` of every try. */
  readonly id: string;
  readonly memberId: string;
  readonly conversationId: string;
  /** When Send was pressed, ms since 1970. */
  readonly at: number;
  readonly what: Sending;
  readonly state: OutboxState;
  /** Why it was refused: the server's code. */
  readonly code: string | null;
  /** What the server found wrong with it, each by its place in the body. */
  readonly faults?: readonly FaultDetail[];
}

export const textOf = ({ what }: OutboxItem): string =>
  "preview" in what ? what.preview : (what.body.text ?? "");

/** The message that a message quotes; undefined: none. */
export const quoteOf = ({ what }: OutboxItem): Quote | undefined =>
  "quote" in what ? what.quote : undefined;

/** The files of a message, in their order. A name is empty when an older version stored the item. */
export const filesOf = ({ what }: OutboxItem): readonly UploadedFile[] =>
  what.kind === "suggested"
    ? what.files
    : what.kind === "reply"
      ? (what.files ?? (what.body.media ?? []).map((id) => ({ id, name: "" })))
      : [];

/** The faults of a refused message that name one of its files. */
export function fileFaultsOf(
  item: OutboxItem,
): readonly { readonly file: UploadedFile; readonly detail: FaultDetail }[] {
  const files = filesOf(item);
  return (item.faults ?? []).flatMap((detail) => {
    const index = /^(?:attachments|media)\[(\d+)\]$/.exec(detail.path)?.[1];
    const file = index === undefined ? undefined : files[Number(index)];
    return file ? [{ file, detail }] : [];
  });
}
