import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import type { ChannelType } from "../../wire/words.ts";
import type { ContactInput } from "../record/contact.ts";
import { insertNewContacts } from "../record/create-contact.ts";
import { lockPeople, readPeople } from "./identity-store.ts";
import { spellingsOf } from "./other-spelling.ts";
import { phoneKey } from "./people.ts";

/** A number on a channel, to which we write first. */
export interface NumberOnChannel {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly channelType: ChannelType;
  /** Digits. */
  readonly phone: string;
}

/** A number with who writes to it, and what its contact is made of when there is none. */
type NewNumber = NumberOnChannel & {
  readonly actor: Actor;
  readonly fields: Omit<ContactInput, "phone">;
};

/** What a message to a number found. */
export interface OpenedContact {
  readonly contactId: string;
  /** True for the first of equal numbers whose contact was made. */
  readonly created: boolean;
}

/**
 * The contacts that messages to these numbers reach, found by the rules of docs/identities.md, so that a customer's answer
 * finds the same one. Creates those that are missing with their `fields`, which must be valid; a number that is named twice
 * gets one contact, and so do calls at once. Call it first in the transaction, `count` when the rows of the contacts are
 * locked, and emit the events last.
 */
export async function openContacts(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  numbers: readonly NewNumber[],
): Promise<{
  readonly opened: readonly OpenedContact[];
  readonly events: readonly NewEvent[];
  readonly count: () => void;
}> {
  if (numbers.length === 0) return { opened: [], events: [], count: () => {} };
  const at = context.clock.now();
  const sightings = numbers.map((to) => ({
    ...to,
    externalId: to.phone,
    name: null,
    at,
    seen: false,
  }));
  // Sent together: the second statement runs when the locks are there.
  const [, people] = await Promise.all([lockPeople(tx, sightings), readPeople(tx, sightings)]);
  const known = sightings.map((one) => people.find(one)?.contactId);
  const strangers = new Map<string, NewNumber>();
  for (const [index, to] of numbers.entries())
    if (known[index] === undefined && !strangers.has(lineOf(to))) strangers.set(lineOf(to), to);
  const items = [...strangers.values()].map(({ actor, workspaceId, phone, fields }) => ({
    actor,
    workspaceId,
    contact: { ...fields, phone },
  }));
  const { outcomes, events, count } = await insertNewContacts(context, tx, items);
  const made = new Map<string, string>();
  for (const [index, line] of [...strangers.keys()].entries()) {
    const outcome = outcomes[index];
    if (!outcome?.ok) throw outcome?.error ?? new Error("no answer for the contact");
    made.set(line, outcome.value.id);
  }
  const opened = numbers.map((to, index): OpenedContact => {
    const contactId = known[index] ?? made.get(lineOf(to));
    if (contactId === undefined) throw new Error("the contact was not opened");
    return { contactId, created: strangers.get(lineOf(to)) === to };
  });
  return { opened, events, count };
}

/** One line has one text, however its number is spelled. */
const lineOf = ({ workspaceId, phone }: NumberOnChannel): string =>
  phoneKey(workspaceId, spellingsOf(phone).toSorted()[0] ?? phone);
