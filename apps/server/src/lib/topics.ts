import type { Queue } from "./wake.ts";

/** What one browser tab of a member shows. */
export interface ShownTab {
  readonly tab: string;
  readonly memberId: string;
  readonly conversationId: string | null;
  readonly typing: boolean;
}

/** A note on a topic. It is small: it travels in a database notification of at most 8,000 bytes. */
export type Note =
  /** The conversation of a visitor has changed; `sequence` is the number of its last change. */
  | { readonly kind: "thread"; readonly sequence: number }
  /** Somebody types. Towards the visitor: an agent. Towards agents: the visitor of the conversation. */
  | { readonly kind: "typing"; readonly active: boolean; readonly conversationId?: string }
  /** On `deskTopic`: what tabs show; own parts of conversations that changed; whether the workspace's lists did. */
  | {
      readonly kind: "desk";
      readonly tabs: readonly ShownTab[];
      readonly own: readonly (readonly [memberId: string, conversationId: string])[];
      readonly settings: boolean;
    }
  /** On `deskTopic`: the member has another notice. */
  | { readonly kind: "notice"; readonly memberId: string }
  /** The tokens of this browser of the visitor ended. */
  | { readonly kind: "ended"; readonly visitorId: string }
  /** On `NUDGE_TOPIC` alone: there is work in these queues for processes that have workers. */
  | { readonly kind: "nudge"; readonly queues: readonly Queue[] }
  /** Heard on `RESYNC_TOPIC` alone: notes of any topic may have been missed until now, so look at what is stored. */
  | { readonly kind: "resync" };

/**
 * Notifies listeners in this process and in every other one on the database, at once and without a promise: a
 * notification can be lost (a listener away, a connection cut), so what must arrive is stored, and listeners also look
 * now and then.
 */
export interface Topics {
  /** Names this process in notes that are written inside a transaction. */
  readonly processId: string;
  /** False while notes of other processes cannot come in. */
  readonly connected: boolean;
  /** To the listeners of this process alone: for notes that the caller's transaction tells the others. */
  dispatch(topic: string, note: Note): void;
  /** To everybody. Resolves when it is on its way; a failure is logged. */
  publish(topic: string, note: Note): Promise<void>;
  /** Gives the end of it. The first call opens the listening connection. */
  subscribe(topic: string, hear: (note: Note) => void): () => void;
  /** Ends the connection under way, as a network would (tests, doctor). */
  cut(): Promise<void>;
  close(): Promise<void>;
}

/** The notification channel of the database. */
export const TOPICS_CHANNEL = "parley_topics";

/** Tells that notes of other processes come in from now on: at the start, and again after every gap. */
export const RESYNC_TOPIC = "resync";

/** What processes without workers tell those that have some. */
export const NUDGE_TOPIC = "nudge";

/** The topic of the visitor (anonymous browser or verified user) on a web channel. */
export const visitorTopic = (channelId: string, externalId: string): string =>
  `${channelId}/${externalId}`;
/** What agents of a workspace hear. */
export const deskTopic = (workspaceId: string): string => `desk/${workspaceId}`;
