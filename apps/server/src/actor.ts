import type { Scope } from "./wire/words.ts";

export const MEMBER_ROLES = ["owner", "admin", "agent"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/**
 * Whoever makes a change: the first argument of every write. `policies.ts` checks the role of a member, the scopes of a
 * key, and which operations are open to bots. The operator, who runs the server, and the system may do everything.
 */
export type Actor =
  | { readonly kind: "member"; readonly memberId: string; readonly role: MemberRole }
  /** `publicKey` is the public half, by which a contact's history names the key. */
  | {
      readonly kind: "key";
      readonly keyId: string;
      readonly publicKey: string;
      /** Empty: full access, as far as an operation is open to keys. */
      readonly scopes: readonly Scope[];
    }
  | { readonly kind: "bot"; readonly botId: string }
  /** The person at the command line. */
  | { readonly kind: "operator" }
  /** Parley itself: workers, reports of a platform, the demo (`part`). */
  | { readonly kind: "system"; readonly part?: "demo" };

export const OPERATOR: Actor = { kind: "operator" };
export const SYSTEM: Actor = { kind: "system" };
export const DEMO: Actor = { kind: "system", part: "demo" };

/**
 * Whether an author (in the form of `actorName`) is a person. Platforms let people answer for longer than programs.
 * Null is an unknown author.
 */
export const isPerson = (author: string | null): boolean =>
  author !== null && (author === "cli" || author.startsWith("member:"));

/** What an event says of the actor: nothing of Parley itself, which acts for customers and platforms. */
export const madeBy = (actor: Actor | undefined): { readonly by?: string } =>
  madeByName(actor === undefined ? null : actorName(actor));

/** The same of an actor's name; null is an unknown one. */
export const madeByName = (name: string | null): { readonly by?: string } =>
  name === null || name === "system" || name === "demo" ? {} : { by: name };

/** The actor as the database stores it: "member:<id>", "key:<id>", "bot:<id>", "cli", "system" or "demo". */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "member":
      return `member:${actor.memberId}`;
    case "key":
      return `key:${actor.keyId}`;
    case "bot":
      return `bot:${actor.botId}`;
    case "operator":
      return "cli";
    case "system":
      return actor.part ?? "system";
  }
}
