import type { Config } from "./config.ts";
import type { Db, Tx } from "./db/database.ts";
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
import type { OutboundStatus } from "./wire/words.ts";

/** A message whose status moved, as followers see it. */
export interface MessageChange {
  readonly workspaceId: string;
  readonly messageId: string;
  readonly broadcastId: string | null;
  /** Of a campaign: the contact that its recipient is stored under. */
  readonly recipientId: string | null;
  readonly from: OutboundStatus;
  readonly to: OutboundStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly at: Date;
  /** Whom a failure concerns; a campaign stops for `template` and `account`. */
  readonly scope?: "recipient" | "template" | "account";
}

/** Runs in the transaction that moved the statuses; gives the events to emit with them. */
export type SettlementFollower = (
  context: Context,
  tx: Tx,
  changes: readonly MessageChange[],
) => Promise<NewEvent[]>;

/** A customer's message that was stored; a stop or start word alone is none. */
export interface InboundMessage {
  readonly workspaceId: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly messageId: string;
  /** When it was written, as the platform says, and not in the future. */
  readonly at: Date;
}

/** Runs in the transaction that stored the messages; nobody waits for it before the commit. */
export type InboundFollower = (
  context: Context,
  tx: Tx,
  messages: readonly InboundMessage[],
) => Promise<void>;

/** Two contacts that become one. */
interface ContactMerge {
  readonly workspaceId: string;
  readonly keepId: string;
  readonly mergedId: string;
  readonly at: Date;
}

/** Brings what refers to the merged contact over to the other, in the transaction of the merge; gives the events. */
export type MergeFollower = (context: Context, tx: Tx, merge: ContactMerge) => Promise<NewEvent[]>;

/** A conversation whose messages were moved into another one of its channel, and which goes. */
export interface ThreadJoin {
  readonly workspaceId: string;
  readonly fromId: string;
  readonly intoId: string;
}

/** Brings what refers to the conversation over to the other, before it goes, in the same transaction. */
export type JoinFollower = (tx: Tx, joined: ThreadJoin) => Promise<void>;

/** Names what uses a segment, which is not deleted then. */
export type SegmentUsers = (tx: Tx, workspaceId: string, segmentId: string) => Promise<string[]>;

/**
 * What operations need from outside. An operation asks for the part it uses (`Pick<Context, "db" | "clock">`);
 * `app.ts` makes the whole, tests replace parts.
 */
export interface Context {
  readonly config: Config;
  /**
   * True in a command: what it sets is set by whoever owns the machine. False in a server: what is set there is set by a
   * workspace's people, and addresses among it go through the guard.
   */
  readonly operator: boolean;
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly sealer: Sealer;
  readonly wake: Wake;
  /** Under which id this process claims work, and which processes are gone. */
  readonly life: ProcessLife;
  /** Tells streams and desks of this and other processes what moves, without a promise. */
  readonly topics: Topics;
  /** Exact sliding limits; in this process, in the database or in Redis. */
  readonly rateLimits: RateLimits;
  readonly groupCommit: GroupCommit<Context>;
  /** How large work that nobody waits for gives way to requests. */
  readonly background: Background;
  /** To platforms and gateways at their own addresses, and at those that the operator or this server set. */
  readonly providerHttp: StreamingHttp;
  /** To addresses that a workspace or a customer named: public hosts only, checked again when connecting. */
  readonly guardedHttp: StreamingHttp;
  /** Links to SMPP gateways, one per account for the whole process. */
  readonly smpp: SmppSessions;
  /** Who keeps counts of message statuses (campaigns); `messages` is below them and does not know them. */
  readonly settlementFollowers: readonly SettlementFollower[];
  /** Who looks at what customers write (campaigns: whose answer it is). */
  readonly inboundFollowers: readonly InboundFollower[];
  /** Who refers to contacts; `contacts` is above them and does not know them. */
  readonly mergeFollowers: readonly MergeFollower[];
  /** Who refers to conversations; `messages` is below them and does not know them. */
  readonly joinFollowers: readonly JoinFollower[];
  /** Which campaigns use a segment; `segments` is below them and does not know them. */
  readonly segmentUsers: SegmentUsers;
  /** Where the sandbox, if it runs here, says so. */
  readonly sandbox: SandboxSlot;
}
