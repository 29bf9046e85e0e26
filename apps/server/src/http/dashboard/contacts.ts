import { consentHistory } from "../../contacts/consent/consent-history.ts";
import { findContact } from "../../contacts/identity/find-contact.ts";
import { withoutInvisible } from "../../contacts/record/contact-input.ts";
import { findPerson } from "../../contacts/record/person.ts";
import { foldText } from "../../contacts/record/contact.ts";
import { createContact } from "../../contacts/record/create-contact.ts";
import { countFiltered, readContactPage } from "../../contacts/record/read-contact-page.ts";
import { updateContact } from "../../contacts/record/update-contact.ts";
import type { Context } from "../../context.ts";
import type { Sql } from "../../db/sql.ts";
import { AppError, invalid } from "../../errors.ts";
import { readPerson } from "../../persons/read-person.ts";
import { presentErasure } from "../../persons/erase-by-program.ts";
import { startErasure } from "../../persons/start-erasure.ts";
import { CONSENT_HELD } from "../../contacts/consent/change-consent.ts";
import { filterDefinition, type ContactFilter } from "../../segments/contact-filter.ts";
import { previewSegment } from "../../segments/preview-segment.ts";
import { segmentChoices } from "../../segments/segment-choices.ts";
import { compileSegment } from "../../segments/segment-sql.ts";
import { listTemplates } from "../../templates/list-templates.ts";
import { CONVERSATION_STATUSES } from "../../wire/words.ts";
import type { contacts } from "./contract/contacts.ts";
import type { Handlers } from "./handlers.ts";

const PAGE_SIZE = 50;
/** Changes of consent that the page shows, and entries of the ledger that are read for them. */
const MOST_CONSENT = 100;
const READ_CONSENT = 500;
const MOST_TEMPLATES = 200;
/** Above this number a filtered list says "1,000+". */
const COUNTED = 1_000;

/** The list of contacts, and one person. */
export const contactHandlers: Handlers<Omit<typeof contacts, "startContactJob">> = {
  async listContacts(context, { caller, query }) {
    const { sort: order = "newest", page = 1, pageSize = PAGE_SIZE, ...filter } = query;
    const where = await conditionOf(context, caller.workspaceId, filter);
    const asked = { order, page, pageSize };
    const read = await readContactPage(context, caller.workspaceId, where, asked);
    return { items: read.contacts, more: read.more, total: read.total };
  },

  async countContacts(context, { caller: { workspaceId }, query }) {
    const { exact, ...filter } = query;
    const definition = await filterDefinition(context, workspaceId, filter);
    if (definition === null) {
      const one = { order: "newest", page: 1, pageSize: 1 } as const;
      const { total } = await readContactPage(context, workspaceId, null, one);
      return { count: total, exact: true };
    }
    if (exact === "1") return previewSegment(context, workspaceId, definition);
    const where = compileSegment(definition, context.clock.now());
    const count = await countFiltered(context, workspaceId, where, COUNTED + 1);
    return { count, exact: count !== null && count <= COUNTED };
  },

  readContactFilter: async (context, { caller, query }) => ({
    definition: await filterDefinition(context, caller.workspaceId, query),
  }),

  createContact: (context, { caller, body }) =>
    createContact(caller.actor, context, caller.workspaceId, body),

  async readPerson(context, { caller, params }) {
    const person = await readPerson(context, caller.workspaceId, params.id);
    return {
      contact: person.contact,
      merged: person.merged.map(({ id, mergedAt, contact }) => ({
        id,
        name: contact.name,
        mergedAt: mergedAt.toISOString(),
      })),
      identities: person.identities.map(({ since, retiredAt, ...one }) => ({
        ...one,
        since: since.toISOString(),
        retiredAt: retiredAt?.toISOString() ?? null,
      })),
      refs: Object.entries(person.refs).map(([system, value]) => ({ system, value })),
      alike: person.alike,
      conversations: person.threads.map((one) => ({
        id: one.id,
        channelId: one.channelId,
        channelType: one.channelType,
        status: CONVERSATION_STATUSES.find((status) => status === one.status) ?? "open",
        lastMessageAt: one.lastMessageAt?.toISOString() ?? null,
        preview: one.preview,
        inInbox: one.inInbox,
      })),
    };
  },

  async readConsent(context, { caller: { workspaceId }, params }) {
    const person = await findPerson(context.db, workspaceId, params.id);
    if (!person?.alive) throw new AppError("NOT_FOUND");
    const { contactId } = person;
    const reading = { newest: READ_CONSENT + 1 };
    const read = await consentHistory(context, workspaceId, { contactId }, reading);
    const entries = read.slice(-READ_CONSENT);
    // A change of a number has one entry for each contact with the number.
    const key = ({ at, optedOut, source, detail, held }: (typeof entries)[number]) =>
      JSON.stringify([at, optedOut, source, detail, held]);
    const newest = new Map(entries.toReversed().map((entry) => [key(entry), entry]));
    return {
      more: read.length > READ_CONSENT || newest.size > MOST_CONSENT,
      items: [...newest.values()]
        .slice(0, MOST_CONSENT)
        .map(({ at, optedOut, source, channelType, detail, phone, held, evidence }) => ({
          at,
          optedOut,
          source,
          channelType,
          detail,
          held,
          evidence,
          // The hash of an erased person's number means nothing to anybody.
          phone: phone !== null && /^\d+$/.test(phone) ? phone : null,
        })),
    };
  },

  async changeConsent(context, { caller, params, body: { optedOut, evidence } }) {
    let isHeld = false;
    const held = () => (isHeld = true);
    const { actor, workspaceId } = caller;
    const options = { evidence, held };
    const contact = await updateContact(
      actor,
      context,
      workspaceId,
      params.id,
      { optedOut },
      options,
    );
    if (isHeld) throw new AppError("CONSENT_HELD", CONSENT_HELD);
    return contact;
  },

  async eraseContact(context, { caller, params, body }) {
    const { actor, workspaceId } = caller;
    const contact = await findContact(context.db, workspaceId, params.id);
    const name = contact && (contact.name ?? contact.phone ?? contact.email ?? contact.id);
    if (name !== null && plain(body.confirm) !== plain(name))
      throw invalid("confirm", `must be ${name}`);
    const { alike, ...erasure } = await startErasure(actor, context, workspaceId, params.id);
    return { ...presentErasure(erasure), alike: [...alike] };
  },
  async listFirstTemplates(context, { caller: { workspaceId }, params, query }) {
    if (!(await findContact(context.db, workspaceId, params.id))) throw new AppError("NOT_FOUND");
    const filter = { channelId: query.channelId, limit: MOST_TEMPLATES };
    return { templates: await listTemplates(context, workspaceId, filter) };
  },

  async listAttributes(context, { caller }) {
    const { attributes } = await segmentChoices(context, caller.workspaceId);
    return {
      attributes: attributes.map(({ key, label, type, defined, values }) => ({
        key,
        label,
        type,
        choices: type === "choice" ? [...values] : [],
        defined,
      })),
    };
  },
};

/** The name as somebody can type it: joiners, marks of direction and the number of spaces cannot be seen. */
const plain = (name: string): string =>
  foldText(withoutInvisible(name)).replaceAll(/\s+/g, " ").trim();

/** The filter's condition over `contact c`; null: all contacts. */
export async function conditionOf(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  filter: ContactFilter,
): Promise<Sql | null> {
  const definition = await filterDefinition(context, workspaceId, filter);
  return definition && compileSegment(definition, context.clock.now());
}
