import { Type } from "typebox";
import {
  count,
  id,
  NO_NUL,
  nullableCount,
  nullableText,
  oneOf,
  text,
  type Shown,
} from "../../../wire/schema.ts";
import { ChannelFormJson, ChannelRecordJson, PaceJson } from "../../../wire/channel.ts";
import { BROADCAST_STATUSES } from "../../../wire/words.ts";
import { ADMINS, face } from "./face.ts";

const WebLook = Type.Object({
  scriptTag: text("What goes into the pages of the site."),
  tryPage: text("Where anybody can be its visitor."),
  origins: Type.Array(Type.String(), { description: "Who may show it; empty: any page." }),
  title: nullableText("The name in the head of the window."),
  logo: nullableText("The address of the picture beside it."),
  ask: nullableText("What the window asks its visitor: name, email or both."),
  askWhen: nullableText("before the first message, or after it"),
  greeting: nullableText("What the window says before anybody wrote."),
  color: nullableText("#rrggbb"),
  position: nullableText("left or right; null: where a line of the language ends."),
  locale: nullableText("en, ar or auto"),
  maxFileBytes: nullableText("The largest file of a visitor."),
});
export type WebLookJson = Shown<typeof WebLook>;

export const ChannelDetail = Type.Object({
  channel: ChannelRecordJson,
  pace: PaceJson,
  campaigns: Type.Array(
    Type.Object({
      id: id("A campaign that sends on it or is about to."),
      name: text("Its name."),
      status: oneOf(BROADCAST_STATUSES, "Its status."),
    }),
  ),
  templates: Type.Union([
    Type.Object({
      count: count("Templates that its platform lists."),
      readAt: nullableText("When they were read last."),
      due: Type.Boolean({ description: "They are about to be read, after a connect or a change." }),
    }),
    Type.Null({ description: "Its platform has no templates." }),
  ]),
  web: Type.Union([WebLook, Type.Null()]),
});
export type ChannelDetail = Shown<typeof ChannelDetail>;

/** A picture in base64; empty: none any more. */
const Logo = Type.String({ maxLength: 65_536, pattern: "^[A-Za-z0-9+/]*={0,2}$" });
const Ask = oneOf(["", "name", "email", "name email"], "Empty: nothing.");
const AskWhen = oneOf(["", "before", "after"], "Empty: after.");
const Position = oneOf(["", "left", "right"], "Empty: where a line of the language ends.");
const WebLocale = oneOf(["", "en", "ar", "auto"], "Empty: auto.");

/**
 * Connected accounts. VALIDATION_FAILED names the wrong field and what its value must be. Secrets are never sent
 * back.
 */
export const channels = {
  listChannels: face({
    method: "GET",
    path: "/channels",
    who: ADMINS,
    answer: Type.Object({
      channels: Type.Array(ChannelRecordJson, {
        description: "Oldest first, disconnected ones last.",
      }),
      forms: Type.Array(ChannelFormJson),
      /** Whether platforms can reach this server: not at an address of this machine or network alone. */
      publicUrl: text("This server's address as platforms know it."),
      reachable: Type.Boolean({ description: "Platforms can call that address." }),
      limit: nullableCount("How many channels the plan allows; null: any number."),
      taken: count("How many are connected."),
    }),
  }),
  readChannel: face({ method: "GET", path: "/channels/{id}", who: ADMINS, answer: ChannelDetail }),
  /**
   * The look and the secrets of a chat window. `identitySecret` is shown when a new one was created: to rotate a
   * secret needs a fresh proof.
   */
  changeWebChannel: face({
    method: "PATCH",
    path: "/channels/{id}/web",
    who: ADMINS,
    body: Type.Object({
      origins: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 })),
      title: Type.Optional(Type.String({ maxLength: 60, ...NO_NUL })),
      logo: Type.Optional(Logo),
      ask: Type.Optional(Ask),
      askWhen: Type.Optional(AskWhen),
      greeting: Type.Optional(Type.String({ maxLength: 500, ...NO_NUL })),
      color: Type.Optional(Type.String({ maxLength: 7 })),
      position: Type.Optional(Position),
      locale: Type.Optional(WebLocale),
      maxFileBytes: Type.Optional(Type.String({ maxLength: 8 })),
      rotateIdentitySecret: Type.Optional(Type.Boolean()),
      rotateVisitorTokens: Type.Optional(Type.Boolean()),
    }),
    answer: Type.Object({ web: WebLook, identitySecret: nullableText("The new one.") }),
  }),
} as const;
