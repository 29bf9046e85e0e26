import { Type } from "typebox";
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
import { EVERYONE, face } from "./face.ts";
import { Id } from "./inputs.ts";

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
} as const;
