import { Type, type Static } from "typebox";
import { CHANNEL_TYPES } from "../../channels/adapter.ts";
import { createContact } from "../../contacts/create-contact.ts";
import { findContact } from "../../contacts/find-contact.ts";
import { listContacts } from "../../contacts/list-contacts.ts";
import { updateContact } from "../../contacts/update-contact.ts";
import { AppError } from "../../errors.ts";
import type { Call } from "./route.ts";
import {
  AT,
  freeForm,
  ID,
  nullableOneOf,
  nullableText,
  nullableTime,
  ref,
  time,
} from "./shapes.ts";

export const Contact = Type.Object(
  {
    id: Type.String(),
    name: Type.Optional(nullableText),
    email: Type.Optional(nullableText),
    phone: Type.Optional(nullableText),
    notes: Type.Optional(nullableText),
    channelType: Type.Optional(nullableOneOf(CHANNEL_TYPES)),
    externalId: Type.Optional(
      Type.Unsafe<string | null>({
        type: ["string", "null"],
        description: "Phone number, Messenger PSID, or a stable web visitor id.",
      }),
    ),
    tags: Type.Array(Type.String(), { description: "Always lower-case." }),
    attributes: Type.Optional(freeForm),
    optedOut: Type.Boolean(),
    optedOutAt: Type.Optional(nullableTime),
    lastSeenAt: Type.Optional(nullableTime),
    createdAt: time,
  },
  { $id: "Contact" },
);

export const NewContact = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200 })),
    email: Type.Optional(Type.String({ maxLength: 200 })),
    phone: Type.Optional(
      Type.String({ maxLength: 40, description: "E.164 without the plus sign." }),
    ),
    notes: Type.Optional(Type.String({ maxLength: 5000 })),
    tags: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), { description: "At most 16 KiB in all." }),
    ),
    attributes: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "A campaign body reads these as {{attribute.<key>}}. At most 16 KiB in all.",
      }),
    ),
  },
  { $id: "NewContact", description: "At least one of email and phone must be there." },
);

const clearable = (maxLength: number) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength }));

export const ContactChange = Type.Object(
  {
    name: clearable(200),
    email: clearable(200),
    phone: clearable(40),
    notes: clearable(5000),
    tags: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ["array", "null"],
        items: { type: "string", maxLength: 200 },
        description: "At most 16 KiB in all.",
      }),
    ),
    attributes: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ["object", "null"],
        description: "At most 16 KiB in all.",
      }),
    ),
    optedOut: Type.Optional(
      Type.Boolean({
        description:
          "True: no campaign is sent to this contact, nor to anybody with the same number, until they opt in again. Kept with the time and the key that asked, and told as `contact.opted_out` or `contact.opted_in`.",
      }),
    ),
  },
  {
    $id: "ContactChange",
    description:
      "A member that is absent stays as it is, null clears it. Tags and attributes are replaced as a whole. The rules are those of NewContact.",
  },
);

export const ContactPage = Type.Object(
  {
    total: Type.Integer(),
    page: Type.Integer(),
    pageSize: Type.Integer(),
    items: Type.Array(ref("Contact")),
  },
  { $id: "ContactPage" },
);

export const ContactQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "Part of a name, email or phone; case is ignored. A phone may be written with + or 00, spaces and hyphens.",
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, "x-cap": Number.MAX_SAFE_INTEGER })),
  pageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      "x-cap": 200,
      description: "Capped at 200 regardless of what is asked.",
    }),
  ),
});

export const newContactExample = {
  name: "Sara Haddad",
  phone: "201001234567",
  tags: ["vip"],
  attributes: { city: "Cairo" },
};
export const contactChangeExample = { name: "Sara Haddad", notes: null, tags: ["vip", "tea"] };
export const contactExample = {
  id: ID,
  name: "Sara Haddad",
  email: null,
  phone: "201001234567",
  notes: null,
  channelType: null,
  externalId: null,
  tags: ["vip"],
  attributes: { city: "Cairo" },
  optedOut: false,
  optedOutAt: null,
  lastSeenAt: null,
  createdAt: AT,
};

const END = Buffer.from("]}");

/** Newest first. The contacts are stored documents, joined as text: to parse and write them again costs three times as much. */
export async function getContacts({
  context,
  principal,
  query,
}: Call<Static<typeof ContactQuery>>): Promise<string | Buffer> {
  const { total, page, pageSize, documents } = await listContacts(context, principal.workspaceId, {
    ...(query.search !== undefined && { search: query.search }),
    page: query.page ?? 1,
    pageSize: query.pageSize ?? 50,
  });
  const head = `{"total":${total},"page":${page},"pageSize":${pageSize},"items":[`;
  if (typeof documents === "string") return `${head}${documents}]}`;
  return Buffer.concat([Buffer.from(head), documents, END]);
}

/** POST /v1/contacts */
export async function postContact({
  context,
  principal,
  body,
  once,
}: Call<unknown, Static<typeof NewContact>>): Promise<string> {
  return JSON.stringify(
    await createContact(context, principal.workspaceId, body, once(JSON.stringify)),
  );
}

/** A contact that was merged answers as the one it became. */
export async function getContact({ context, principal, params }: Call): Promise<string> {
  const contact = await findContact(context.db, principal.workspaceId, params["id"] ?? "");
  if (!contact) throw new AppError("NOT_FOUND");
  return JSON.stringify(contact);
}

/** PATCH /v1/contacts/{id} */
export async function patchContact({
  context,
  principal,
  params,
  body,
}: Call<unknown, Static<typeof ContactChange>>): Promise<string> {
  const id = params["id"] ?? "";
  const cause = { source: "api", ref: principal.publicKey } as const;
  return JSON.stringify(
    await updateContact(context, principal.workspaceId, id, body, "api", cause),
  );
}
