import { Type, type Static } from "typebox";
import { CHANNEL_TYPES } from "../../channels/adapter.ts";
import { createContact } from "../../contacts/record/create-contact.ts";
import { findContact } from "../../contacts/identity/find-contact.ts";
import { listContacts } from "../../contacts/record/list-contacts.ts";
import { updateContact } from "../../contacts/record/update-contact.ts";
import { AppError } from "../../errors.ts";
import type { Call } from "./route.ts";
import {
  AT,
  count,
  ID,
  id,
  NO_NUL,
  nullableOneOf,
  nullableText,
  nullableTime,
  ref,
  time,
} from "./shapes.ts";

const WORDS = {
  name: "The whole name.",
  email: "An e-mail address, in letters of any script.",
  phone:
    "With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets go.",
  notes: "What the team notes about the contact.",
  tags: "Stored in lower case without repeats. At most 16 KiB in all.",
  attributes: "A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels.",
} as const;

/** In words that every reader of JSON Schema knows; `looksLikeEmail` is stricter with letters beyond ASCII. */
const EMAIL = {
  pattern: (() => {
    const local = '[^\\s@<>()\\[\\]\\\\,;:"\\u0000-\\u001f\\u007f]{1,64}';
    const label =
      "(?!-)[^\\s\\u0000-\\u002c\\u002e\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u009f]{1,63}(?<!-)";
    return `^\\s*(${local}@(${label}\\.)+(?!\\d+\\s*$)${label})?\\s*$`;
  })(),
  "x-fault": "must be an e-mail address",
} as const;

/** As `normalisePhone` takes it: 1 to 40 digits between marks. */
const PHONE = {
  pattern: (() => {
    const marks = "[\\s.()\\[\\]\\-\\u2010-\\u2015]*";
    return `^(?!${marks}0${marks}0${marks}$)${marks}(\\+?${marks}([0-9]${marks})+)?$`;
  })(),
  "x-fault": "must be 1 to 40 digits",
} as const;

export const Contact = Type.Object(
  {
    id: id("The contact's id."),
    name: nullableText("The whole name. Campaigns read it as {{name}} and {{first_name}}."),
    email: nullableText("The e-mail address."),
    phone: nullableText("Digits with the country code, without a plus sign."),
    notes: nullableText("What the team notes about the contact."),
    channelType: nullableOneOf(
      CHANNEL_TYPES,
      "The channel on which the contact first wrote; null when it never did.",
    ),
    externalId: nullableText(
      "The contact's id on that channel: phone number, Messenger PSID, or a stable web visitor id.",
    ),
    tags: Type.Array(Type.String(), {
      description: "Always lower-case, so that `VIP` and `vip` are never two tags.",
    }),
    attributes: Type.Record(Type.String(), Type.Unknown(), {
      description: "Free-form values by name. A campaign body reads them as {{attribute.NAME}}.",
    }),
    optedOut: Type.Boolean({ description: "Whether the contact takes no campaigns." }),
    optedOutAt: nullableTime("Since when the contact takes no campaigns."),
    lastSeenAt: nullableTime("When the contact last wrote or was seen."),
    createdAt: time("When the contact was made."),
  },
  { $id: "Contact", description: "A person, on one channel or several." },
);

export const NewContact = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200, ...NO_NUL, description: WORDS.name })),
    email: Type.Optional(Type.String({ maxLength: 200, ...EMAIL, description: WORDS.email })),
    phone: Type.Optional(Type.String({ maxLength: 40, ...PHONE, description: WORDS.phone })),
    notes: Type.Optional(Type.String({ maxLength: 5000, ...NO_NUL, description: WORDS.notes })),
    tags: Type.Optional(
      Type.Array(Type.String({ maxLength: 200, ...NO_NUL }), { description: WORDS.tags }),
    ),
    attributes: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: WORDS.attributes }),
    ),
  },
  {
    $id: "NewContact",
    description:
      "At least one of `email` and `phone` must be given (CONTACT_NEEDS_IDENTITY). A text is trimmed; an empty one counts as not given.",
  },
);

const given = (name: "email" | "phone") => ({
  required: [name],
  properties: { [name]: { pattern: "\\S" } },
});

/** As the document has it. The rule has a code of its own, so it is the operation that refuses and not the schema. */
export const NewContactDocumented = { ...NewContact, anyOf: [given("email"), given("phone")] };

const clearable = (maxLength: number, form: object, description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ["string", "null"], maxLength, ...form, description }),
  );

export const ContactChange = Type.Object(
  {
    name: clearable(200, NO_NUL, WORDS.name),
    email: clearable(200, EMAIL, WORDS.email),
    phone: clearable(40, PHONE, WORDS.phone),
    notes: clearable(5000, NO_NUL, WORDS.notes),
    tags: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ["array", "null"],
        items: { type: "string", maxLength: 200, ...NO_NUL },
        description: WORDS.tags,
      }),
    ),
    attributes: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ["object", "null"],
        description: WORDS.attributes,
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
    additionalProperties: false,
    description:
      "A member that is absent stays as it is, null clears it. Tags and attributes are replaced as a whole. The rules are those of NewContact.",
  },
);

export const ContactPage = Type.Object(
  {
    total: count("All that match, on every page."),
    page: Type.Integer({ minimum: 1, description: "The page that was asked for." }),
    pageSize: Type.Integer({ minimum: 1, description: "How many a page holds." }),
    items: Type.Array(ref("Contact"), { description: "Newest first. Empty past the end." }),
  },
  { $id: "ContactPage", description: "One page of contacts, with the total." },
);

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
  const contactId = params["id"] ?? "";
  const cause = { source: "api", ref: principal.publicKey } as const;
  return JSON.stringify(
    await updateContact(context, principal.workspaceId, contactId, body, "api", cause),
  );
}
