import { Type, type Static } from "typebox";
import { keyActor } from "../../api-keys/api-key.ts";
import { createContact } from "../../contacts/record/create-contact.ts";
import { listContactsBy } from "../../contacts/refs/list-contacts-by.ts";
import { findContact } from "../../contacts/identity/find-contact.ts";
import { listContacts } from "../../contacts/record/list-contacts.ts";
import { updateContact } from "../../contacts/record/update-contact.ts";
import { AppError } from "../../errors.ts";
import { moment } from "../../operations/ids.ts";
import { sameVersion } from "../../lib/version-tag.ts";
import type { Call } from "./route.ts";
import type { ContactJson, ContactPatch, NewContact } from "../../wire/contact.ts";
import { NO_NUL, oneOf } from "../../wire/schema.ts";
import { CONTACT_SEARCH_ORDERS } from "../../wire/words.ts";

export const ContactQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      ...NO_NUL,
      examples: ["sara"],
      description:
        "Part of a name, email or phone; case is ignored. A phone may be written with + or 00, spaces and hyphens.",
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 1,
      "x-cap": Number.MAX_SAFE_INTEGER,
      description: "Which page, from 1.",
      examples: [1],
    }),
  ),
  pageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 50,
      "x-cap": 200,
      description: "How many a page holds. Above 200 acts as 200.",
      examples: [50],
    }),
  ),
  updatedAfter: Type.Optional(
    moment(
      "Only contacts that changed after this moment: a field, a ref or the consent. To copy all contacts read `POST /v1/contacts/search`, whose cursor leaves no one out.",
    ),
  ),
  sort: Type.Optional(
    oneOf(
      CONTACT_SEARCH_ORDERS,
      "`newest`: the newest first, as without it. `updatedAt`: the one that changed longest ago first.",
      "updatedAt",
    ),
  ),
  include: Type.Optional(
    oneOf(["refs"], "`refs`: each contact also has `refs` and `updatedAt`.", "refs"),
  ),
});

/**
 * Newest first. The contacts are stored documents, joined as text: parsing and writing them again costs three
 * times as much.
 */
export async function getContacts({
  context,
  principal,
  query,
}: Call<Static<typeof ContactQuery>>): Promise<string> {
  const { search, page: asked = 1, pageSize: size = 50, updatedAfter, sort, include } = query;
  const of = { ...(search !== undefined && { search }), page: asked, pageSize: size };
  if (updatedAfter !== undefined || sort === "updatedAt" || include) {
    const found = await listContactsBy(context, principal.workspaceId, {
      ...of,
      updatedAfter: updatedAfter === undefined ? null : new Date(updatedAfter),
      order: sort ?? "newest",
      withRefs: include !== undefined,
    });
    return JSON.stringify(found);
  }
  const { total, page, pageSize, documents } = await listContacts(
    context,
    principal.workspaceId,
    of,
  );
  return `{"total":${total},"page":${page},"pageSize":${pageSize},"items":[${documents}]}`;
}

/** POST /v1/contacts */
export async function postContact({
  context,
  principal,
  body,
  once,
}: Call<unknown, NewContact>): Promise<string> {
  const keep = once(JSON.stringify).within;
  return JSON.stringify(
    await createContact(keyActor(principal), context, principal.workspaceId, body, { keep }),
  );
}

/** A merged contact answers as the contact it became. */
export async function getContact({ context, principal, params }: Call): Promise<string> {
  const contact = await findContact(context.db, principal.workspaceId, params["id"] ?? "");
  if (!contact) throw new AppError("NOT_FOUND");
  return JSON.stringify(contact);
}

/** PATCH /v1/contacts/{id}. `Parley-Held` names what the customer's own STOP held back (contract §6, Consent). */
export async function patchContact({
  context,
  principal,
  params,
  body,
  setHeader,
  ifMatch,
}: Call<unknown, ContactPatch>): Promise<string> {
  const contactId = params["id"] ?? "";
  const actor = keyActor(principal);
  const held = (): void => setHeader("parley-held", "optedOut");
  const match = (current: ContactJson): void => sameVersion(ifMatch, current);
  return JSON.stringify(
    await updateContact(actor, context, principal.workspaceId, contactId, body, { held, match }),
  );
}
