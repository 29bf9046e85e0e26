import type { Config } from "./config.ts";
import type { Db, Queryable, Tx } from "./db/database.ts";
import type { ProcessLife } from "./db/process-life.ts";
import type { Background } from "./lib/background.ts";
import type { Clock } from "./lib/clock.ts";
import type { GroupCommit } from "./lib/group-commit.ts";
import type { StreamingHttp } from "./lib/http.ts";
import type { SmppSessions } from "./lib/smpp/sessions.ts";
import type { Ids } from "./lib/ids.ts";
import type { Logger } from "./lib/logger.ts";
import type { SandboxSlot } from "./lib/sandbox-slot.ts";
import type { Sealer } from "./lib/seal.ts";
import type { RateLimits } from "./lib/rate-limit/rate-limits.ts";
import type { Topics } from "./lib/topics.ts";
import type { Wake } from "./lib/wake.ts";
import type { NewEvent } from "./webhooks/event.ts";
import type { ChannelType, HandlerKind, OutboundStatus } from "./wire/words.ts";

/** A message whose status has changed, as followers see it. */
export interface MessageChange {
  readonly workspaceId: string;
  readonly messageId: string;
  readonly broadcastId: string | null;
  /** For a campaign's message: the contact under which its recipient is stored. */
  readonly recipientId: string | null;
  readonly from: OutboundStatus;
  readonly to: OutboundStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly at: Date;
  /** What a failure concerns. A campaign stops for `template` and `account`. */
  readonly scope?: "recipient" | "template" | "account";
}

/** Runs in the transaction that changed the statuses. Returns the events to emit with them. */
export type SettlementFollower = (
  context: Context,
  tx: Tx,
  changes: readonly MessageChange[],
) => Promise<NewEvent[]>;

/** A customer's message that was stored. A stop or start word alone is not one. */
export interface InboundMessage {
  readonly workspaceId: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly messageId: string;
  /** When it was written, as the platform says, but never in the future. */
  readonly at: Date;
}

/** Runs in the transaction that stored the messages. Nobody waits for it before the commit. */
export type InboundFollower = (
  context: Context,
  tx: Tx,
  messages: readonly InboundMessage[],
) => Promise<void>;

/** What gives a locked conversation to a person, or to no one. */
export interface HandlerChange {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly channelType: ChannelType;
  /** `nobody`: it was resolved or given back, and the next message may start a bot. */
  readonly to: Exclude<HandlerKind, "bot">;
  /** The actor (`actorName`) who did it; null: a person at the phone's app. */
  readonly by: string | null;
}

/** What a change of the handler did. */
export interface HandlersLeft {
  /** The bot that answers, or that answered last, of each conversation whose handler changed, by its id. */
  readonly changed: ReadonlyMap<
    string,
    { readonly kind: HandlerKind; readonly botId: string | null }
  >;
  /**
   * Stores what follows from it: what the bot had not sent yet is not sent. Call it after slots are reserved, and emit its
   * events.
   */
  settle(): Promise<NewEvent[]>;
}

/**
 * Runs in the transaction in which a person took a conversation, under the conversation's lock and before slots are
 * reserved. It locks the messages that the bot has not sent.
 */
export type HandlerFollower = (
  context: Context,
  tx: Tx,
  changes: readonly HandlerChange[],
) => Promise<HandlersLeft>;

/** What a platform reports of a passcode. */
export interface PasscodeReport {
  readonly account: { readonly workspaceId: string; readonly channelId: string };
  readonly event: {
    readonly externalMessageId: string;
    readonly correlationId: string | null;
    readonly status: OutboundStatus;
    readonly occurredAt: Date;
    readonly errorCode: string | null;
  };
}

/** Those who settle reports about passcodes, which are in no thread. */
export interface PasscodeStatuses {
  /** Which of these ids, as the platform returned them, are passcodes. */
  find(
    tx: Tx,
    keys: readonly {
      readonly workspaceId: string;
      readonly providerId: string;
      readonly id: string;
    }[],
  ): Promise<ReadonlySet<string>>;
  /** Moves them. Returns the events, which the caller emits. */
  settle(
    context: Pick<Context, "clock">,
    tx: Tx,
    reports: readonly PasscodeReport[],
  ): Promise<NewEvent[]>;
}

/** Two contacts that become one. */
interface ContactMerge {
  readonly workspaceId: string;
  readonly keepId: string;
  readonly mergedId: string;
  readonly at: Date;
}

/** Moves what refers to the merged contact to the other one, in the transaction of the merge. Returns the events. */
export type MergeFollower = (context: Context, tx: Tx, merge: ContactMerge) => Promise<NewEvent[]>;

/** A conversation whose messages were moved into another one of its channel. It is about to be deleted. */
export interface ThreadJoin {
  readonly workspaceId: string;
  readonly fromId: string;
  readonly intoId: string;
  /** The contact of the kept one. */
  readonly contactId: string;
  readonly at: Date;
}

/**
 * Moves what refers to the conversation to the other one, in the same transaction, before it is deleted. Returns the
 * events.
 */
export type JoinFollower = (tx: Tx, joined: ThreadJoin) => Promise<NewEvent[]>;

/** A saved reply that the team shares, as it is now; null: it was deleted. */
interface SavedReplyChange {
  readonly id: string;
  readonly now: { readonly title: string; readonly text: string } | null;
}

/** Runs in the transaction that changed it, under its lock. */
export type SavedReplyFollower = (
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  change: SavedReplyChange,
) => Promise<void>;

/** Names what uses a segment. A segment in use is not deleted. */
export type SegmentUsers = (tx: Tx, workspaceId: string, segmentId: string) => Promise<string[]>;

/** Names what is about to send a template, or sends it. A template in use is not deleted. */
export type TemplateUsers = (
  db: Queryable,
  workspaceId: string,
  templateId: string,
) => Promise<string[]>;

/**
 * What operations need from outside. An operation asks only for the part that it uses (`Pick<Context, "db" |
 * "clock">`). `open-context.ts` makes the whole, and tests replace parts.
 */
export interface Context {
  readonly config: Config;
  /**
   * True in a command: the owner of the machine makes the settings. False in a server: a workspace's people make them,
   * and addresses in them go through the guard.
   */
  readonly operator: boolean;
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly wake: Wake;
  /** The id under which this process claims work, and which other processes are gone. */
  readonly life: ProcessLife;
  /** Notifies streams of this process and others of changes, without a guarantee. */
  readonly topics: Topics;
  /** Exact sliding limits, counted in this process, in the database or in Redis. */
  readonly rateLimits: RateLimits;
  readonly groupCommit: GroupCommit<Context>;
  /** Lets large work that nobody waits for give way to requests. */
  readonly background: Background;
  /** Calls platforms and gateways at their own addresses, and at those that the operator or this server set. */
  readonly providerHttp: StreamingHttp;
  /** Calls addresses that a workspace or a customer named: public hosts only, checked again at the connection. */
  readonly guardedHttp: StreamingHttp;
  /** Links to SMPP gateways, one per account for the whole process. */
  readonly smpp: SmppSessions;
  /** Those who count message statuses (campaigns). `messages` may not import them. */
  readonly settlementFollowers: readonly SettlementFollower[];
  /** Those who know passcodes. `messages` may not import them. */
  readonly passcodeStatuses: PasscodeStatuses;
  /** Those who look at what customers write (campaigns: whose answer it is). */
  readonly inboundFollowers: readonly InboundFollower[];
  /** Those who answer conversations as long as no person does (bots). `messages` and `conversations` may not import them. */
  readonly handlerFollowers: readonly HandlerFollower[];
  /** Those who refer to contacts. `contacts` may not import them. */
  readonly mergeFollowers: readonly MergeFollower[];
  /** Those who refer to conversations. `messages` may not import them. */
  readonly joinFollowers: readonly JoinFollower[];
  /** Those who use what shared saved replies say (knowledge). `inbox` may not import them. */
  readonly savedReplyFollowers: readonly SavedReplyFollower[];
  /** Which campaigns and bots use a segment. `segments` may not import them. */
  readonly segmentUsers: readonly SegmentUsers[];
  /** Which campaigns send a template. `templates` may not import them. */
  readonly templateUsers: TemplateUsers;
  /** The sandbox's place, if it runs in this process. */
  readonly sandbox: SandboxSlot;
}
