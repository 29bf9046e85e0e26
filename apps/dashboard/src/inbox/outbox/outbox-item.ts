import type { InputOf } from "../../api/call.ts";

/** The content to send. `files`: what the bubble shows of them until the server answers. */
export type Sending =
  | { readonly kind: "reply"; readonly body: Omit<InputOf<"sendReply">["body"], "clientId"> }
  | {
      readonly kind: "template";
      readonly body: Omit<InputOf<"sendTemplate">["body"], "clientId">;
      /** The text with its variables filled in, for the bubble. */
      readonly preview: string;
    }
  | { readonly kind: "note"; readonly body: InputOf<"addNote">["body"] };

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
}

export const textOf = ({ what }: OutboxItem): string =>
  what.kind === "template" ? what.preview : (what.body.text ?? "");
