import type { Person } from "../contacts/record/person.ts";

/**
 * The steps of an erasure, in order; each is done in batches. First what nobody can add to any more (the contact itself
 * went with the request), then what was in the air when it began, then what only tells about it.
 */
export const STEPS = [
  "recipients",
  "messages",
  "visitors",
  "refusals",
  "failures",
  "passcodes",
  "jobs",
  // Calls to platforms and gateways that were in the air are waited for.
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

/** What people wrote and an erasure leaves as it is, by id: they take the number or e-mail address out themselves. */
export interface StillNamed {
  readonly segments: readonly string[];
  readonly campaigns: readonly string[];
}

/** A person being forgotten, or forgotten. Times are ISO 8601 text. */
export interface Erasure {
  readonly id: string;
  readonly contactId: string;
  readonly state: "running" | "done";
  readonly step: Step | "done";
  /** How many of what went. */
  readonly counts: Readonly<Record<string, number>>;
  /** Saved segments and campaigns that named the person by number or e-mail address at its start. */
  readonly stillNamed: StillNamed;
  /** What it waits for, or what went wrong last. */
  readonly waitsFor: string | null;
  readonly actor: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
}

/** By what a person is found everywhere; sealed in the row while it is needed. */
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

/** Where the sealed keys lie. */
export const keysPlace = (workspaceId: string, id: string): string =>
  `person_erasure:${workspaceId}:${id}`;
