import type { Person } from "../contacts/record/person.ts";

/**
 * The steps of an erasure, in order; each is done in batches. First comes what nobody can add to any more (the
 * contact itself was removed with the request), then the calls that were open when it began, then what only tells
 * about the person.
 */
export const STEPS = [
  "recipients",
  "messages",
  "visitors",
  "refusals",
  "failures",
  "passcodes",
  "jobs",
  // Waits for open calls to platforms and gateways.
  "calls",
  "recipients_again",
  "messages_again",
  "threads",
  "contact",
  "events",
  "answers",
  "files",
] as const;
export type Step = (typeof STEPS)[number];

/**
 * Texts of members that an erasure leaves as they are, by id: members remove the number or e-mail address
 * themselves.
 */
export interface StillNamed {
  readonly segments: readonly string[];
  readonly campaigns: readonly string[];
}

/** An erasure, running or done. Times are ISO 8601 text. */
export interface Erasure {
  readonly id: string;
  readonly contactId: string;
  readonly state: "running" | "done";
  readonly step: Step | "done";
  /** How many rows of each kind were removed. */
  readonly counts: Readonly<Record<string, number>>;
  /** Saved segments and campaigns that named the person by number or e-mail address when it began. */
  readonly stillNamed: StillNamed;
  /** What it waits for, or the last error. */
  readonly waitsFor: string | null;
  readonly actor: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
}

/** The keys by which a person is found everywhere; sealed in the row while they are needed. */
export type Keys = Pick<Person, "phones" | "pastPhones" | "emails" | "externalIds"> & {
  readonly identities: readonly { readonly channelId: string; readonly externalId: string }[];
};

/** A running erasure, locked. */
export interface Running extends Erasure {
  readonly workspaceId: string;
  readonly ids: readonly string[];
  readonly cursor: string;
  readonly keys: Keys;
}

/** Where the sealed keys are stored. */
export const keysPlace = (workspaceId: string, id: string): string =>
  `person_erasure:${workspaceId}:${id}`;
