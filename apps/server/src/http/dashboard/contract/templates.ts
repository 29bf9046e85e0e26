import { TemplateSyncJson } from "../../../wire/channel.ts";
import { Type } from "typebox";
import { TEMPLATE_CATEGORIES } from "../../../channels/template-draft.ts";
import {
  id,
  NO_NUL,
  nullableText,
  nullableTime,
  oneOf,
  text,
  type Shown,
} from "../../../wire/schema.ts";
import { TemplateJson } from "../../../wire/template.ts";
import { BROADCAST_STATUSES, CHANNEL_STATUSES } from "../../../wire/words.ts";
import { ADMINS, EVERYONE, face } from "./face.ts";
import { Id } from "./inputs.ts";

/** Longer than any part may be, so that the rules can name the part that is too long. */
const Words = Type.String({ maxLength: 5_000, ...NO_NUL });

/** A template with what the platform last said of it. */
export const ListedTemplate = Type.Object({
  template: TemplateJson,
  rejectedReason: nullableText("Of a rejected one: the platform's word, like INVALID_FORMAT."),
  rejectionDetail: nullableText("The platform's sentences, where it gave any."),
  quality: nullableText("GREEN, YELLOW or RED. Null: unknown."),
  editable: Type.Boolean({ description: "The platform takes other words for it." }),
});
export type ListedTemplate = Shown<typeof ListedTemplate>;

/** A channel whose platform has templates. */
export const TemplateChannel = Type.Object({
  id: id("The channel."),
  name: text("Shown."),
  status: oneOf(CHANNEL_STATUSES, "Whether it is connected."),
  syncedAt: nullableTime("When its list was last read whole."),
  syncError: nullableText("What went wrong since, in the platform's words."),
});
export type TemplateChannel = Shown<typeof TemplateChannel>;

const Header = Type.Union([
  Type.Object({
    kind: Type.Literal("text"),
    text: Words,
    example: Type.Optional(Words),
  }),
  Type.Object({
    kind: Type.Union([Type.Literal("image"), Type.Literal("video"), Type.Literal("document")]),
    /** An upload, as the example that the platform's reviewers see. */
    file: Id,
  }),
]);

const Button = Type.Union([
  Type.Object({ kind: Type.Literal("quick_reply"), text: Words }),
  Type.Object({
    kind: Type.Literal("url"),
    text: Words,
    url: Words,
    example: Type.Optional(Words),
  }),
  Type.Object({ kind: Type.Literal("phone"), text: Words, phone: Words }),
]);

/**
 * The content of a template. Names of faults in `details`: `body`, `bodyExamples[0]`, `headerExample`,
 * `buttons[1].text` …
 */
const Content = {
  /** Header and body name their variables: {{first_name}}. Of a template that exists it stays as it is. */
  named: Type.Optional(Type.Boolean()),
  header: Type.Optional(Header),
  body: Words,
  bodyExamples: Type.Array(Words, { maxItems: 100 }),
  footer: Type.Optional(Words),
  buttons: Type.Array(Button, { maxItems: 20 }),
};

export const templates = {
  /** The templates that the platform still has, by name and language, with every channel that can have some. */
  listTemplates: face({
    method: "GET",
    path: "/templates",
    who: EVERYONE,
    query: Type.Object({
      channel: Type.Optional(Id),
      status: Type.Optional(Type.String({ maxLength: 40, ...NO_NUL })),
      /** Part of the name. */
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...NO_NUL })),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, ...NO_NUL })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    answer: Type.Object({
      templates: Type.Array(ListedTemplate),
      channels: Type.Array(TemplateChannel),
      nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
    }),
  }),
  readTemplate: face({
    method: "GET",
    path: "/templates/{id}",
    who: EVERYONE,
    answer: Type.Object({
      listed: ListedTemplate,
      channel: TemplateChannel,
      /** The newest 20 campaigns that send it. */
      campaigns: Type.Array(
        Type.Object({
          id: id("The campaign."),
          name: text("Its name."),
          status: oneOf(BROADCAST_STATUSES, "How far it is."),
        }),
      ),
    }),
  }),
  /** Reads the whole list of one channel at its platform. It may take half a minute for thousands. */
  syncTemplates: face({
    method: "POST",
    path: "/channels/{id}/template-sync",
    who: ADMINS,
    answer: TemplateSyncJson,
  }),
  /** Submits a template for review. 400 by field, both for known rules and for the platform's refusal. */
  createTemplate: face({
    method: "POST",
    path: "/templates",
    who: ADMINS,
    status: 201,
    body: Type.Object({
      channelId: Id,
      name: Words,
      language: Words,
      category: oneOf(TEMPLATE_CATEGORIES, "The platform may choose another."),
      ...Content,
    }),
    answer: ListedTemplate,
  }),
  /** Submits other words; name, language and category stay. 409 in a status in which the template cannot be edited. */
  editTemplate: face({
    method: "PUT",
    path: "/templates/{id}",
    who: ADMINS,
    body: Type.Object(Content),
    answer: ListedTemplate,
  }),
} as const;
