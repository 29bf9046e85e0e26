import type { ContactChange } from "../contacts/record/change-contacts.ts";
import type { Tx } from "../db/database.ts";

/** What a write of a job takes beside its input. */
export interface JobWithin {
  /** Runs in the write's transaction, as its last work. */
  readonly within?: (tx: Tx, job: BulkJob) => Promise<void>;
}

export type BulkAction = ContactChange["action"];

/** A change to many contacts that a worker makes in batches. Times are ISO 8601 text. */
export interface BulkJob {
  readonly id: string;
  readonly action: BulkAction;
  readonly details: Readonly<Record<string, unknown>>;
  readonly segmentId: string | null;
  readonly state: "running" | "paused" | "done" | "cancelled" | "failed";
  readonly reason: string | null;
  /** Contacts that the change is for, so far. */
  readonly matched: number;
  /** Contacts that it changed. */
  readonly changed: number;
  readonly actor: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
}

/**
 * Why a job failed, from its stored reason, for an interface with words of its own. Rules that are no longer valid are named
 * by their place (`rules[2].value`).
 */
export const jobFailureKind = (reason: string): "rules" | "other" =>
  /^(?:definition|match|rules)\b/.test(reason) ? "rules" : "other";

/** The progress of a job through the list: how many contacts, of how many, were processed. */
export interface JobProgress {
  readonly id: string;
  readonly done: number;
  readonly total: number;
}
