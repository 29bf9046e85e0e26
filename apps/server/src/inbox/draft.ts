/** A member's unsent text. */
export interface Draft {
  readonly mode: "reply" | "note";
  readonly text: string;
  /** Uploads. */
  readonly media: readonly string[];
}

export interface DraftKey {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly conversationId: string;
}
