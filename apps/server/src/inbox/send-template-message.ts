import type { Actor } from "../actor.ts";
import { storeEachAnswer } from "../api-keys/kept-answers.ts";
import { findContacts } from "../contacts/identity/find-contact.ts";
import { openContacts } from "../contacts/identity/open-contact.ts";
import { contactOfEachRef } from "../contacts/refs/find-refs.ts";
import { normaliseContact, recipientDigits } from "../contacts/record/contact-input.ts";
import type { Context } from "../context.ts";
import { openCampaignThreads } from "../conversations/open-campaign-threads.ts";
import type { Tx } from "../db/database.ts";
import { AppError, faultsToShow, invalid } from "../errors.ts";
import { createGate, type Gate } from "../lib/gate.ts";
import { SomeRefused, type Settled } from "../lib/group-commit.ts";
import { acceptMessages } from "../messages/accept/accept-message.ts";
import { templateMessages } from "../operations/template-messages.ts";
import type { StoredTemplate } from "../templates/template.ts";
import { isUnfit, refuseUnfit } from "../unfit-item.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { RECIPIENT, type ContactJson } from "../wire/contact.ts";
import type {
  TemplateMessageAcceptedJson,
  TemplateMessageJson,
  TemplateMessageResultsJson,
} from "../wire/template-message.ts";
import { perform, type Around, type Kept } from "../write.ts";
import { chooseTemplate, fillChosen } from "./choose-template.ts";
import type { FilledTemplate } from "./fill-template.ts";

/**
 * Sends a template of a program to a number or a contact, who need not have written yet. Contact, conversation, message,
 * slot and events are stored in one transaction, with the answer under the caller's key; calls that arrive together share
 * it. Throws VALIDATION_FAILED, NOT_FOUND for an unknown contact, TEMPLATE_NOT_APPROVED, TEMPLATE_PARAMETERS,
 * CHANNEL_NEEDED, CONTACT_OPTED_OUT, MESSAGE_LIMIT_REACHED, SUBSCRIPTION_SUSPENDED.
 */
export const sendTemplateMessage = perform(
  templateMessages.sendTemplateMessage,
  async (actor, context: Context, workspaceId, input, { keep }) => {
    const [prepared] = await prepare(context, workspaceId, [input]);
    if (!prepared?.ok) throw prepared?.error ?? new Error("the message was not prepared");
    const message = { actor, workspaceId, ...prepared.value };
    return context.groupCommit.submit(storeEach, { message, keep });
  },
);

/** Stores the messages of calls that arrived together, each with its answer under its caller's key. */
async function storeEach(
  context: Context,
  tx: Tx,
  calls: readonly { readonly message: NewTemplateMessage; readonly keep: Around["keep"] }[],
): Promise<Settled<Kept<TemplateMessageAcceptedJson>>[]> {
  const stored = await store(
    context,
    tx,
    calls.map(({ message }) => message),
  );
  const kept = await storeEachAnswer(
    calls.map(
      ({ keep }, index) =>
        () =>
          keep(tx, stored[index] ?? missing()),
    ),
  );
  return kept.map((value) => ({ ok: true, value }));
}

/**
 * Batches of one process are stored one after another, and a rest follows each, five times as long as it took: so a sixth of
 * the time at most goes to storing them, and customers' own messages have the rest. On a busy machine a batch takes longer,
 * and so does its rest. How fast they are sent is the number's matter (`broadcasts/send/batch-places.ts`).
 */
const BATCH_RULES = {
  atOnce: 1,
  waiting: 16,
  waitingEach: 4,
  retryAfterSeconds: 2,
  rest: { times: 5, mostMs: 2_500 },
} as const;
// By database as a process uses it for requests, so that what was held by a process ends with it.
const batchGates = new WeakMap<Context["db"], Gate>();

function batchGate({ db }: Pick<Context, "db">): Gate {
  const gate = batchGates.get(db) ?? createGate(BATCH_RULES);
  batchGates.set(db, gate);
  return gate;
}

/**
 * As `sendTemplateMessage`, for many in one transaction, in their order. Each has its own result: one that is refused leaves
 * nothing behind and stops no other. Batches wait for their turn; throws OVERLOADED when too many of the workspace, or of
 * all, wait already.
 */
export const sendTemplateBatch = perform(
  templateMessages.sendTemplateBatch,
  (actor, context: Context, workspaceId, { messages }, { keep }) =>
    batchGate(context).run(async () => {
      const prepared = await prepare(context, workspaceId, messages);
      const good = new Map<number, NewTemplateMessage>();
      const refused = new Map<number, Error>();
      for (const [index, one] of prepared.entries())
        if (one.ok) good.set(index, { actor, workspaceId, ...one.value });
        else refused.set(index, one.error);
      return storeGood(context, good, refused, (tx, accepted) =>
        keep(tx, {
          results: messages.map((_, index) => resultOf(accepted.get(index), refused.get(index))),
        }),
      );
    }, workspaceId),
);

/** Stores a batch's messages without those that are refused meanwhile, which move to `refused`. */
async function storeGood<T>(
  context: Context,
  good: Map<number, NewTemplateMessage>,
  refused: Map<number, Error>,
  keep: (tx: Tx, accepted: ReadonlyMap<number, TemplateMessageAcceptedJson>) => Promise<T>,
): Promise<T> {
  for (;;) {
    const places = [...good.keys()];
    try {
      return await context.db.transaction(async (tx) => {
        // Many at once: people's replies go first.
        const stored = await store(context, tx, [...good.values()], true);
        const inOrder = stored.values();
        return keep(tx, new Map(places.map((index) => [index, inOrder.next().value ?? missing()])));
      });
    } catch (error) {
      if (!(error instanceof SomeRefused)) throw error;
      // What was opened for them is undone; the others are stored without them. Each round has fewer.
      for (const [at, reason] of error.refused) {
        const index = places[at] ?? missing();
        good.delete(index);
        refused.set(index, reason);
      }
    }
  }
}

function resultOf(
  accepted: TemplateMessageAcceptedJson | undefined,
  refusal: Error | undefined,
): TemplateMessageResultsJson["results"][number] {
  if (accepted) return { outcome: "accepted", message: accepted };
  if (!(refusal instanceof AppError)) throw refusal ?? new Error("a message without a result");
  const { code } = refusal;
  const details = (faultsToShow(refusal) ?? []).map(({ path, message }) => ({ path, message }));
  return { outcome: "refused", error: { message: code, details } };
}

/** Who gets a message: a contact that is known, or a number whose contact is made when there is none. */
type Addressee =
  | { readonly contactId: string; readonly phone: string }
  | { readonly phone: string; readonly fields: NonNullable<TemplateMessageJson["contact"]> };

interface PreparedMessage {
  readonly to: Addressee;
  readonly channelId: string;
  readonly filled: FilledTemplate;
}

interface NewTemplateMessage extends PreparedMessage {
  readonly actor: Actor;
  readonly workspaceId: string;
}

/** Everything that needs no transaction: who is meant, which template on which channel, its places filled. */
async function prepare(
  context: Context,
  workspaceId: string,
  inputs: readonly TemplateMessageJson[],
): Promise<Settled<PreparedMessage>[]> {
  const fit = inputs.filter((input) => !isUnfit(input));
  const known = await knownContacts(context, workspaceId, fit);
  const templates = new Map<string, Promise<StoredTemplate>>();
  const prepared: Settled<PreparedMessage>[] = [];
  for (const input of inputs) {
    try {
      refuseUnfit(input);
      const to = addresseeOf(known.get(input), input);
      // Messages of one batch mostly name the same template.
      const choice = JSON.stringify([input.template, input.channelId]);
      const chosen =
        templates.get(choice) ?? chooseTemplate(context, workspaceId, input, input.channelId);
      templates.set(choice, chosen);
      const template = await chosen;
      const filled = await fillChosen(context, template, input);
      prepared.push({ ok: true, value: { to, channelId: template.channelId, filled } });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      prepared.push({ ok: false, error });
    }
  }
  return prepared;
}

/** The contacts that the messages name, by id or by what another system calls them. */
async function knownContacts(
  { db }: Pick<Context, "db">,
  workspaceId: string,
  inputs: readonly TemplateMessageJson[],
): Promise<ReadonlyMap<TemplateMessageJson, ContactJson>> {
  const byRef = inputs.flatMap((input) =>
    Object.entries(input.ref ?? {}).map(([system, value]) => ({ input, system, value })),
  );
  const ofRefs = await contactOfEachRef(db, workspaceId, byRef);
  const named = [
    ...inputs.map((input) => [input, input.contactId] as const),
    ...byRef.map(({ input }, index) => [input, ofRefs[index]] as const),
  ];
  const ids = named.flatMap(([, id]) => (typeof id === "string" ? [id] : []));
  const found = await findContacts(db, workspaceId, ids);
  const contacts = new Map(found.map((one) => [one.id, one]));
  return new Map(
    named.flatMap(([input, id]) => {
      const contact = contacts.get(id ?? "");
      return contact ? [[input, contact]] : [];
    }),
  );
}

function addresseeOf(
  known: ContactJson | undefined,
  { to, contactId, ref, contact = {} }: TemplateMessageJson,
): Addressee {
  const given = [to, contactId, ref].filter((one) => one !== undefined).length;
  if (given === 0) throw invalid("to", "is missing: give `to`, `contactId` or `ref`");
  if (given > 1)
    throw invalid(
      "to",
      `give one of \`to\`, \`contactId\` and \`ref\`: ${given} are here, ${given - 1} too many`,
    );
  if (to === undefined) {
    if (!known) throw new AppError("NOT_FOUND", { explanation: "no such contact" });
    const { id, phone } = known;
    if (phone === null)
      throw invalid(ref ? "ref" : "contactId", "must be a contact with a phone number");
    return { contactId: id, phone };
  }
  const phone = recipientDigits(to);
  if (phone === null) throw invalid("to", RECIPIENT["x-fault"]);
  try {
    normaliseContact({ ...contact, phone });
  } catch (error) {
    throw within("contact", error);
  }
  return { phone, fields: contact };
}

/**
 * Stores the messages with the contacts and conversations that they need, each in its own workspace. Throws `SomeRefused`
 * when some are refused, so that what was opened for them is undone. `afterReplies`: they are sent when no other message
 * is due.
 */
async function store(
  context: Context,
  tx: Tx,
  messages: readonly NewTemplateMessage[],
  afterReplies = false,
): Promise<TemplateMessageAcceptedJson[]> {
  const strangers = messages.flatMap(({ to, channelId, actor, workspaceId }) =>
    "fields" in to
      ? [{ actor, workspaceId, channelId, channelType: "WHATSAPP" as const, ...to }]
      : [],
  );
  const { opened, events, count } = await openContacts(context, tx, strangers);
  const inOrder = opened.values();
  const reached = messages.map(({ to, workspaceId, channelId }) => {
    const { contactId, created } =
      "fields" in to ? (inOrder.next().value ?? missing()) : { ...to, created: false };
    return { contactId, created, workspaceId, channelId, externalId: to.phone };
  });
  const threads = await openThreads(context, tx, reached);
  count();
  const replies = messages.map(({ actor, workspaceId, filled }, index) => ({
    actor,
    workspaceId,
    conversationId: threads.of[index]?.id ?? missing(),
    ...filled,
  }));
  const earlier = [...events, ...threads.events];
  const settled = await acceptMessages(context, tx, replies, earlier, afterReplies);
  const refused = settled.flatMap((one, index) => (one.ok ? [] : [[index, one.error] as const]));
  if (refused.length > 0) throw new SomeRefused(new Map(refused));
  return settled.flatMap((one, index) => {
    if (!one.ok) return [];
    const { id, status, errorCode } = one.value;
    const { id: conversationId, contactId } = threads.of[index] ?? missing();
    const { created: contactCreated = false } = reached[index] ?? {};
    const failed = errorCode === null ? {} : { errorCode };
    return [{ id, status, ...failed, conversationId, contactId, contactCreated }];
  });
}

function missing(): never {
  throw new Error("the conversation was not opened");
}

/** The conversation of each message, channel by channel in the order of their workspaces. */
async function openThreads(
  context: Context,
  tx: Tx,
  reached: readonly {
    readonly contactId: string;
    readonly workspaceId: string;
    readonly created: boolean;
    readonly channelId: string;
    readonly externalId: string;
  }[],
): Promise<{
  readonly of: readonly ({ readonly id: string; readonly contactId: string } | undefined)[];
  readonly events: readonly NewEvent[];
}> {
  const at = context.clock.now();
  const fresh = new Set(reached.flatMap((one) => (one.created ? [one.contactId] : [])));
  const events: NewEvent[] = [];
  const found = new Map<string, { readonly id: string; readonly contactId: string }>();
  const byChannel = Map.groupBy(reached, (one) => `${one.workspaceId}/${one.channelId}`);
  for (const key of [...byChannel.keys()].toSorted()) {
    const ofChannel = byChannel.get(key) ?? [];
    const { workspaceId, channelId } = ofChannel[0] ?? missing();
    const people = new Map(ofChannel.map((one) => [one.contactId, one]));
    const wants = [...people.values()].map(({ contactId, externalId }) => ({
      contactId,
      externalId,
      isNew: fresh.has(contactId),
    }));
    const on = { workspaceId, channelId, channelType: "WHATSAPP" } as const;
    const opened = await openCampaignThreads(context, tx, on, wants, at);
    events.push(...opened.events);
    for (const [contactId, thread] of opened.threads)
      found.set(`${channelId}/${contactId}`, thread);
  }
  return { of: reached.map((one) => found.get(`${one.channelId}/${one.contactId}`)), events };
}

/** The faults of a member's own value, under the member's name. */
function within(name: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return error;
  const details = error.facts.details?.map((one) => ({ ...one, path: `${name}.${one.path}` }));
  return new AppError("VALIDATION_FAILED", { ...error.facts, ...(details && { details }) });
}
