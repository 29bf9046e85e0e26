import { Type } from "typebox";
import { ref, type Shown } from "./schema.ts";

/** What adapters (`channels/adapters`), `media/` and later changes put into a message's `attachments`. */

const some = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], description }));
const figure = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"], description }));
const degrees = (description: string) => Type.Optional(Type.Number({ description }));

/** One shape for all types. Platforms tell different things of each type, and only what was told is there. */
export const AttachmentJson = Type.Object(
  {
    type: Type.String({
      description:
        "A file: `image`, `audio`, `video`, `document`, `sticker`. What was said: `location`, `contact`, `button`, `button_reply`, `list_reply`, `nfm_reply`, `call_permission_reply`, `order`, `reaction`, `choices` (offered by us), `link`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`, `template`, `unsupported`. What belongs to it: `quote`, `forwarded`, `product`, `referral`, `story_reply`, `album`, `start`. What happened to it: `edited`, `deleted`.",
    }),
    mediaId: Type.Optional(Type.String({ description: "The id of a file that is kept here." })),
    url: some(
      "The address of a file that is kept here; whoever has it can read the file. Otherwise the address that was linked to.",
    ),
    status: Type.Optional(
      Type.String({
        description:
          "The state of a file: `pending` while it is fetched (its `url` answers 503 `MEDIA_PENDING`), then `stored`, or `failed` with `reason` (its `url` answers 404).",
      }),
    ),
    reason: some("Why a file failed or is not there."),
    detail: some("The reason in words."),
    mimeType: some(
      "Of a `stored` file: what its bytes are. Before that: what the sender called them.",
    ),
    fileName: some("The name that the sender gave the file."),
    size: figure("Bytes."),
    caption: some("The text that goes with a file. It is the message's `text` too."),
    voice: Type.Optional(
      Type.Boolean({
        description: "True for a recorded voice message, not for a chosen sound file.",
      }),
    ),
    animated: Type.Optional(
      Type.Boolean({ description: "True for a sticker or video that moves." }),
    ),
    messageId: some(
      "Of `quote` and `reaction`: the `providerMessageId` of the message that it refers to.",
    ),
    replyTo: Type.Optional(
      Type.String({
        description:
          "Of `quote`: the id of the message here, when it is known. It is the message's `replyTo` too.",
      }),
    ),
    emoji: some("Of `reaction`. Absent when the reaction was taken back."),
    text: some("Of `button`: its label."),
    payload: some("Of `button` and `start`: the text that you gave the platform to hand back."),
    id: some(
      "The platform's id. Of a reply that was chosen from a list or from buttons: the id that you gave.",
    ),
    title: some("The title of what was chosen, linked to or played, or of a card."),
    subtitle: some("The subtitle of a card (`template`)."),
    price: some(
      "The price on a card, in words and with the currency, when the platform gives it separately.",
    ),
    imageUrl: some("The address of a card's picture, at the platform."),
    retailerId: some("Of a card: your own id of the product."),
    buttons: Type.Optional(
      Type.Array(
        Type.Object(
          { text: Type.Optional(Type.String({ description: "The button's label." })) },
          { additionalProperties: true },
        ),
        {
          description:
            "The buttons of a card or of `choices`, each with its label and its `url` or `payload`.",
        },
      ),
    ),
    description: some("The description of what was chosen."),
    response: some(
      "Of `nfm_reply`: the form's answers, as JSON. Of `call_permission_reply`: `accept` or `reject`.",
    ),
    permanent: Type.Optional(
      Type.Boolean({
        description: "Of `call_permission_reply`: the permission holds until it is taken back.",
      }),
    ),
    until: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Of `call_permission_reply`: when the permission ends.",
      }),
    ),
    latitude: degrees("The latitude of a place, from -90 to 90."),
    longitude: degrees("The longitude of a place, from -180 to 180."),
    live: Type.Optional(Type.Boolean({ description: "True while the place keeps moving." })),
    name: some("The name of a place, a contact or a form."),
    address: some("The address of a place."),
    phones: Type.Optional(
      Type.Array(
        Type.Object(
          { phone: Type.Optional(Type.String({ description: "As the platform wrote it." })) },
          { additionalProperties: true },
        ),
        { description: "Of a contact that was passed on." },
      ),
    ),
    emails: Type.Optional(
      Type.Array(Type.String(), { description: "Of a contact that was passed on." }),
    ),
    originalType: some("Of `unsupported`: the platform's name for it."),
    code: some("Of `unsupported`: the platform's error, when it gave one."),
    at: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Of `edited` and `deleted`: when it happened.",
      }),
    ),
  },
  {
    $id: "Attachment",
    additionalProperties: true,
    description:
      "`type` says which members there can be. A member that the platform did not tell is absent or null.",
  },
);

export type AttachmentJson = Shown<typeof AttachmentJson>;

export const attachments = Type.Array(ref(AttachmentJson), {
  description: "Files, and everything else that is not text. A message can have several.",
});
