import type { Sighting } from "./match-contacts.ts";
import { isSameNumber, spellingsOf } from "./other-spelling.ts";

/** A contact as far as matching needs it. It changes while a batch is matched. */
export interface CandidateContact {
  readonly contactId: string;
  readonly optedOut: boolean;
  phone: string | null;
  email: string | null;
  /** Fields that the stored contact lacks: a sighting may fill them. */
  readonly lacks: { readonly name: boolean; readonly phone: boolean; readonly channel: boolean };
  /** The platform's own ids of the person that are in force, by channel. */
  readonly users: Map<string, Set<string>>;
  /** The numbers by which the person is known now, by channel. */
  readonly numbers: Map<string, Set<string>>;
}

/** The contact that an id on a channel leads to. */
export interface Holding {
  person: CandidateContact;
  readonly isNumber: boolean;
  since: Date;
  retiredAt: Date | null;
}

/** An id that a sighting adds to its person. */
interface LearnedIdentity {
  readonly externalId: string;
  readonly isNumber: boolean;
}

export interface SightingResult {
  readonly person: CandidateContact;
  readonly claims: readonly LearnedIdentity[];
  /** The contact that lost the number, which belongs to another person now. */
  readonly released: CandidateContact | null;
  /** A contact that the platform now says is the same person. */
  readonly same: CandidateContact | null;
}

/** The id of a person that is a phone number, which can pass to somebody else. All other ids are the platform's own. */
export function isNumberId(channelType: string, externalId: string): boolean {
  return channelType === "WHATSAPP" && /^\d+$/.test(externalId);
}

/** All ids by which the platform names this customer in this call: one or two. */
export function idsOf(s: Pick<Sighting, "externalId" | "alternateId">): string[] {
  return s.alternateId === undefined || s.alternateId === s.externalId
    ? [s.externalId]
    : [s.externalId, s.alternateId];
}

/** An e-mail address as identities compare it. NFC only: compatibility forms are other addresses, of other people. */
export function emailKey(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}

export const identityKey = (
  s: Pick<Sighting, "workspaceId" | "channelId">,
  externalId: string,
): string => JSON.stringify([s.workspaceId, s.channelId, externalId]);

/** The key of a workspace's number in look-ups. */
export const phoneKey = (workspaceId: string, phone: string): string =>
  JSON.stringify([workspaceId, phone]);

/** The key of a workspace's e-mail address in look-ups, in any case. No number's key has its form. */
export const mailKey = (workspaceId: string, email: string): string =>
  JSON.stringify([workspaceId, "@", emailKey(email)]);

/** The contacts of a batch, and the rules of matching (docs/identities.md). */
export class People {
  readonly #holdings = new Map<string, Holding>();
  readonly #phones = new Map<string, CandidateContact[]>();
  readonly #mails = new Map<string, CandidateContact[]>();

  hold(key: string, holding: Holding): void {
    this.#holdings.set(key, holding);
  }
  holding(s: Pick<Sighting, "workspaceId" | "channelId">, externalId: string): Holding | undefined {
    return this.#holdings.get(identityKey(s, externalId));
  }
  /** Oldest contact first. */
  addPhone(key: string, person: CandidateContact): void {
    this.#phones.set(key, [...(this.#phones.get(key) ?? []), person]);
  }
  addMail(key: string, person: CandidateContact): void {
    this.#mails.set(key, [...(this.#mails.get(key) ?? []), person]);
  }

  /** True when there is nothing to learn: every id leads to the same person already. */
  isSettled(s: Sighting): boolean {
    const found = idsOf(s).map((id) => this.holding(s, id));
    const [first] = found;
    return (
      first !== undefined &&
      found.every((one) => one?.person === first.person && one.retiredAt === null) &&
      (s.phone === null || first.person.phone !== null)
    );
  }

  /** The person behind a sighting, by the first rule that fits; undefined: a new one. */
  find(s: Sighting): CandidateContact | undefined {
    for (const id of this.#userIds(s)) {
      const holding = this.holding(s, id);
      if (holding) return holding.person;
    }
    for (const id of this.#numbers(s)) {
      const holding = this.holding(s, id);
      if (holding && heldAt(holding, s.at) && !this.#isOther(s, holding.person))
        return holding.person;
    }
    const { phone, verifiedEmail } = s;
    for (const spelling of phone === null ? [] : spellingsOf(phone)) {
      const byPhone = this.#phones
        .get(phoneKey(s.workspaceId, spelling))
        ?.find(
          (one) =>
            one.phone === spelling && !this.#isOther(s, one) && !this.#lost(s, spelling, one),
        );
      if (byPhone) return byPhone;
    }
    if (verifiedEmail === undefined || verifiedEmail === null) return undefined;
    const byMail = this.#mails.get(mailKey(s.workspaceId, verifiedEmail)) ?? [];
    const [only, ...more] = byMail;
    // Two contacts have the address. A wrong guess would show one person the other's messages.
    return only && more.length === 0 && !this.#isOther(s, only) ? only : undefined;
  }

  /** Remembers the contact of a sighting. */
  learn(s: Sighting, person: CandidateContact, isNew: boolean): SightingResult {
    const claims: LearnedIdentity[] = [];
    let released: CandidateContact | null = null;
    let same: CandidateContact | null = null;
    for (const externalId of idsOf(s)) {
      const isNumber = isNumberId(s.channelType, externalId);
      const before = this.holding(s, externalId);
      if (before && before.person === person && before.retiredAt === null) continue;
      // The platform's id never changes its owner. A number passes to another person, but not because of news from
      // before that.
      if (before && (!isNumber || before.since > s.at)) continue;
      if (before && before.retiredAt !== null && before.retiredAt > s.at) continue;
      if (before && before.person !== person && before.retiredAt === null) {
        // The platform named an id of the former holder, or our person had another number: they are two people.
        // Else one was only known by the id and the other only by the number, and now we are told that they are
        // one.
        const strangers = has(before.person.users, s) || has(person.numbers, s);
        before.person.numbers.get(s.channelId)?.delete(externalId);
        if (strangers) {
          released = before.person;
          if (s.phone !== null && released.phone !== null && isSameNumber(released.phone, s.phone))
            released.phone = null;
        } else same = before.person;
      }
      claims.push({ externalId, isNumber });
      this.hold(identityKey(s, externalId), { person, isNumber, since: s.at, retiredAt: null });
      add(isNumber ? person.numbers : person.users, s.channelId, externalId);
    }
    if (s.phone !== null && person.phone === null && (s.seen || isNew)) {
      const others = spellingsOf(s.phone).flatMap((spelling) =>
        (this.#phones.get(phoneKey(s.workspaceId, spelling)) ?? []).filter(
          (one) => one !== person && one.phone === spelling,
        ),
      );
      const [only, ...more] = others;
      // A contact from which a new one was told apart cannot be the same person.
      if (only && more.length === 0 && !isNew && !has(only.users, s)) same ??= only;
      person.phone = s.phone;
      this.addPhone(phoneKey(s.workspaceId, s.phone), person);
    }
    return { person, claims, released, same };
  }

  /** Two different people: the platform has its own id of both, and the ids differ. */
  #isOther(s: Sighting, person: CandidateContact): boolean {
    const theirs = person.users.get(s.channelId);
    const given = this.#userIds(s);
    return (
      theirs !== undefined &&
      theirs.size > 0 &&
      given.length > 0 &&
      !given.some((id) => theirs.has(id))
    );
  }

  /** Whether the person had the number on this channel and gave it up before the sighting. */
  #lost(s: Sighting, phone: string, person: CandidateContact): boolean {
    const holding = this.holding(s, phone);
    return holding !== undefined && holding.person === person && !heldAt(holding, s.at);
  }

  #userIds(s: Sighting): string[] {
    return idsOf(s).filter((id) => !isNumberId(s.channelType, id));
  }
  #numbers(s: Sighting): string[] {
    return idsOf(s).filter((id) => isNumberId(s.channelType, id));
  }
}

/** Adds an id to the person's ids of its channel. */
export function add(ids: Map<string, Set<string>>, channelId: string, externalId: string): void {
  ids.set(channelId, (ids.get(channelId) ?? new Set()).add(externalId));
}
const has = (ids: ReadonlyMap<string, ReadonlySet<string>>, s: { channelId: string }): boolean =>
  (ids.get(s.channelId)?.size ?? 0) > 0;

const heldAt = (holding: Holding, at: Date): boolean =>
  holding.retiredAt === null || at < holding.retiredAt;
