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
  /** Answers that are offered: a press says the words. */
  readonly choices?: readonly string[];
  readonly status: string;
  readonly createdAt: string;
}

/** What the window may ask its visitor. */
export type Question = "name" | "email";

export interface ChatSettings {
  /** The title; empty: there is none. */
  readonly name: string;
  readonly logo: string | null;
  readonly askWhen: "before" | "after";
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
  /** What this visitor has not said yet and the owner wants to know. */
  readonly asks: readonly Question[];
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
