import type { Queue } from "./wake.ts";

/** What one browser tab of a member shows. */
export interface ShownTab {
  readonly tab: string;
  readonly memberId: string;
  readonly conversationId: string | null;
  readonly typing: boolean;
}

/** A hint on a topic. It is small, because a database notification has at most 8,000 bytes. */
export type Hint =
  /** The conversation of a visitor has changed; `sequence` is the number of its last change. */
  | { readonly kind: "thread"; readonly sequence: number }
  /** Somebody is typing. For the visitor it is an agent; for agents it is the visitor of the conversation. */
  | { readonly kind: "typing"; readonly active: boolean; readonly conversationId?: string }
  /**
   * On `deskTopic`: what tabs show, whose own parts of which conversations changed, and whether the workspace's lists
   * changed.
   */
  | {
      readonly kind: "desk";
      readonly tabs: readonly ShownTab[];
      readonly own: readonly (readonly [memberId: string, conversationId: string])[];
      readonly settings: boolean;
    }
  /** On `deskTopic`: the conversation has a new suggestion, or one less. */
  | { readonly kind: "suggestion"; readonly conversationId: string }
  /** On `deskTopic`: the member has a new notice. */
  | { readonly kind: "notice"; readonly memberId: string }
  /** The tokens of this browser of the visitor ended. */
  | { readonly kind: "ended"; readonly visitorId: string }
  /** Only on `NUDGE_TOPIC`: there is work in these queues, for processes with workers. */
  | { readonly kind: "nudge"; readonly queues: readonly Queue[] }
  /** Only on `RESYNC_TOPIC`: hints of any topic may have been missed until now, so look at what is stored. */
  | { readonly kind: "resync" };

/**
 * Notifies listeners in this process and in all others on the same database, at once but without a guarantee. A
 * notification is lost when a listener is away or a connection is cut. So what must arrive is stored, and listeners
 * also look now and then.
 */
export interface Topics {
  /** Identifies this process in hints that are written inside a transaction. */
  readonly processId: string;
  /** False while hints of other processes cannot come in. */
  readonly connected: boolean;
  /** Notifies only the listeners of this process: the caller's transaction notifies the others. */
  dispatch(topic: string, hint: Hint): void;
  /** Notifies all processes. Resolves when the hint is on its way. A failure is only logged. */
  publish(topic: string, hint: Hint): Promise<void>;
  /**
   * Calls `hear` with each hint of the topic. The returned function ends it. The first subscription opens the listening
   * connection.
   */
  subscribe(topic: string, hear: (hint: Hint) => void): () => void;
  /** Breaks the connection, as a network would (for tests and `doctor`). */
  cut(): Promise<void>;
  close(): Promise<void>;
}

/** The notification channel of the database. */
export const TOPICS_CHANNEL = "parley_topics";

/** On this topic a hint says that hints of other processes arrive from now on: at the start and after every gap. */
export const RESYNC_TOPIC = "resync";

/** Processes without workers publish here that there is work. */
export const NUDGE_TOPIC = "nudge";

/** The topic of the visitor (anonymous browser or verified user) on a web channel. */
export const visitorTopic = (channelId: string, externalId: string): string =>
  `${channelId}/${externalId}`;
/** The topic of the agents of a workspace. */
export const deskTopic = (workspaceId: string): string => `desk/${workspaceId}`;
