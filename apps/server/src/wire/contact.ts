import { Type } from "typebox";
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
  type Shown,
} from "./schema.ts";
import { CHANNEL_TYPES } from "./words.ts";

const WORDS = {
  name: "The whole name.",
  email: "An e-mail address, in letters of any script.",
  phone:
    "With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets are removed.",
  notes: "What the team notes about the contact.",
  tags: "Stored in lower case without repeats. At most 16 KiB in all.",
  attributes: "A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels.",
} as const;

/**
 * An e-mail address, as a pattern that every reader of JSON Schema understands. `looksLikeEmail` is stricter about
 * letters beyond ASCII.
 */
const EMAIL = {
  pattern: (() => {
    const local = '[^\\s@<>()\\[\\]\\\\,;:"\\u0000-\\u001f\\u007f]+';
    const label =
      "(?!-)[^\\s\\u0000-\\u002c\\u002e\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u009f]{1,63}(?<!-)";
    return `^\\s*(${local}@(${label}\\.)+(?!\\d+\\s*$)${label})?\\s*$`;
  })(),
  "x-fault": "must be an e-mail address",
} as const;

const MARKS = "[\\s.()\\[\\]\\-\\u2010-\\u2015]*";
/** A phone number as `normalisePhone` takes it, or none at all. */
const PHONE = {
  pattern: `^(?!${MARKS}0${MARKS}0${MARKS}$)${MARKS}(\\+?${MARKS}([0-9]${MARKS})+)?$`,
  "x-fault": "must be 1 to 40 digits",
} as const;

/** No country has shorter numbers, with its code. A short code sends, and no message goes to it. */
export const LEAST_DIGITS = 7;
/** No number is longer (ITU-T E.164). */
export const MOST_DIGITS = 15;
const ANY_DIGIT = "[0-9\\u0660-\\u0669\\u06f0-\\u06f9]";
const ZERO = "[0\\u0660\\u06f0]";
/**
 * A number that a message goes to, as `recipientDigits` takes it: in digits of Arabic and Persian keyboards too. No country
 * code begins with 0.
 */
export const RECIPIENT = {
  pattern: `^${MARKS}(\\+|${ZERO}${MARKS}${ZERO})?${MARKS}(?!${ZERO})(${ANY_DIGIT}${MARKS}){${LEAST_DIGITS},${MOST_DIGITS}}$`,
  "x-fault": `must be ${LEAST_DIGITS} to ${MOST_DIGITS} digits, with the country code and no 0 before it`,
} as const;

export const ContactJson = Type.Object(
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
export type ContactJson = Shown<typeof ContactJson>;

/** All tags together must not exceed 16 KiB, so more cannot fit. */
const MOST_TAGS = 16_384;

export const Tag = Type.String({ maxLength: 200, ...NO_NUL });

/** What a new contact may have beside its addresses. */
const PARTICULARS = {
  notes: Type.Optional(Type.String({ maxLength: 5000, ...NO_NUL, description: WORDS.notes })),
  tags: Type.Optional(Type.Array(Tag, { maxItems: MOST_TAGS, description: WORDS.tags })),
  attributes: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: WORDS.attributes }),
  ),
};
const NAME = Type.Optional(Type.String({ maxLength: 200, ...NO_NUL, description: WORDS.name }));
const MAIL = Type.Optional(Type.String({ maxLength: 200, ...EMAIL, description: WORDS.email }));
const TELEPHONE = Type.Optional(Type.String({ maxLength: 40, ...PHONE, description: WORDS.phone }));

const BOUNDED_ATTRIBUTES = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    maxProperties: 1_000,
    description: WORDS.attributes,
  }),
);

/** What a declared operation takes of a contact. */
export const contactMembers = {
  name: NAME,
  email: MAIL,
  phone: TELEPHONE,
  ...PARTICULARS,
  attributes: BOUNDED_ATTRIBUTES,
};

/** A contact that is made for a number which the request names elsewhere. */
export const ContactOfNumber = Type.Object(
  { name: NAME, email: MAIL, ...PARTICULARS, attributes: BOUNDED_ATTRIBUTES },
  {
    $id: "ContactOfNumber",
    additionalProperties: false,
    description: "For a contact that has to be created. One that exists stays as it is.",
  },
);

export const NewContact = Type.Object(
  {
    name: NAME,
    email: MAIL,
    phone: TELEPHONE,
    ...PARTICULARS,
  },
  {
    $id: "NewContact",
    description:
      "At least one of `email` and `phone` must be given (CONTACT_NEEDS_IDENTITY). A text is trimmed; an empty one counts as not given.",
  },
);

export type NewContact = Shown<typeof NewContact>;

/** Demands a value that says something. A phone number of hyphens and blanks alone is none. */
const given = (name: "email" | "phone") => ({
  required: [name],
  properties: { [name]: { pattern: name === "phone" ? "[0-9]" : "\\S" } },
});

/**
 * The shape in the document, with the rule of email or phone. That rule has an error code of its own, so the operation
 * checks it and not the schema.
 */
export const NewContactDocumented = { ...NewContact, anyOf: [given("email"), given("phone")] };

const Tags = (description: string) =>
  Type.Optional(Type.Array(Tag, { maxItems: 200, description }));

/** Members that change tags and attributes one by one, so that two writers at once lose nothing of each other. */
export const partMembers = {
  addTags: Tags("Tags that the contact has afterwards, beside its others."),
  removeTags: Tags("Tags that the contact does not have afterwards."),
  setAttributes: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 1_000,
      description: "Attributes to set; all others stay.",
    }),
  ),
  removeAttributes: Type.Optional(
    Type.Array(Type.String({ maxLength: 200, ...NO_NUL }), {
      maxItems: 1_000,
      description: "Names of attributes to remove.",
    }),
  ),
};
const PartChanges = Type.Object(partMembers);
export type PartChanges = Shown<typeof PartChanges>;

const clearable = (maxLength: number, form: object, description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ["string", "null"], maxLength, ...form, description }),
  );

export const ContactPatch = Type.Object(
  {
    name: clearable(200, NO_NUL, WORDS.name),
    email: clearable(200, EMAIL, WORDS.email),
    phone: clearable(40, PHONE, WORDS.phone),
    notes: clearable(5000, NO_NUL, WORDS.notes),
    tags: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ["array", "null"],
        items: { type: "string", maxLength: 200, ...NO_NUL },
        maxItems: MOST_TAGS,
        description: WORDS.tags,
      }),
    ),
    attributes: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: ["object", "null"],
        description: WORDS.attributes,
      }),
    ),
    ...partMembers,
    optedOut: Type.Optional(
      Type.Boolean({
        description:
          "True: no campaign is sent to this contact, nor to anybody with the same number, until they opt in again. The change is kept with its time and the key that asked for it, and sent as the event `contact.opted_out` or `contact.opted_in`. False does not undo the customer's own STOP: the contact stays opted out, the answer says `Parley-Held: optedOut`, and the ledger of consent keeps the try.",
      }),
    ),
  },
  {
    $id: "ContactChange",
    additionalProperties: false,
    description:
      "An absent member stays as it is, and null clears it. `tags` and `attributes` replace; the members with `add`, `set` and `remove` change one by one. The rules are those of NewContact.",
  },
);

export type ContactPatch = Shown<typeof ContactPatch>;

const listedRefs = Type.Record(Type.String(), Type.String(), {
  description:
    "With `include=refs`: what other systems call the contact, by the name of the system.",
});
export const ListedContactJson = Type.Object(
  {
    ...ContactJson.properties,
    refs: Type.Optional(listedRefs),
    updatedAt: Type.Optional(
      time("With `include=refs`: when a field, a ref or the consent last changed."),
    ),
  },
  { $id: "ListedContact", description: "A contact in a list, with what was asked for." },
);

export const ContactPageJson = Type.Object(
  {
    total: count("All that match, on every page."),
    page: Type.Integer({ minimum: 1, description: "The page that was asked for." }),
    pageSize: Type.Integer({ minimum: 1, description: "How many a page holds." }),
    items: Type.Array(ref(ListedContactJson), {
      description: "In the order that was asked for. Empty past the end.",
    }),
  },
  { $id: "ContactPage", description: "One page of contacts, with the total." },
);

export const newContactExample: NewContact = {
  name: "Sara Haddad",
  phone: "201001234567",
  tags: ["vip"],
  attributes: { city: "Cairo" },
};
export const contactPatchExample: ContactPatch = {
  name: "Sara Haddad",
  notes: null,
  tags: ["vip", "tea"],
};
export const contactExample: ContactJson = {
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
