/** The shapes of docs/web-chat.md that the widget reads and writes. */
export interface Attachment {
  readonly type: string;
  readonly url: string | null;
  readonly mimeType: string | null;
  readonly fileName: string | null;
  readonly size: number | null;
}

export interface ChatMessage {
  readonly id: string;
  readonly clientId: string | null;
  readonly from: "visitor" | "agent";
  readonly agentName?: string | null;
  readonly text: string | null;
  readonly attachments: readonly Attachment[];
  readonly status: string;
  readonly createdAt: string;
}

export interface ChatSettings {
  readonly name: string;
  readonly greeting: string | null;
  readonly color: string | null;
  readonly position: string | null;
  readonly locale: string | null;
  readonly maxFileBytes: number;
  readonly fileTypes: readonly string[];
}

export interface Session {
  readonly token: string;
  readonly verified: boolean;
  readonly cursor: string;
  readonly messages: readonly ChatMessage[];
  /** There are older messages, which are not told. */
  readonly earlier: boolean;
  readonly unread: number;
  readonly settings: ChatSettings;
}

/** What the site says of a visitor; proven by `id` and its `hash`, or unproven without both. */
export interface SiteUser {
  readonly id?: string;
  readonly hash?: string;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
}

/** A file the server has taken. */
export interface Upload {
  readonly id: string;
  readonly url: string;
  readonly mimeType: string;
  readonly size: number;
  readonly fileName: string;
}
