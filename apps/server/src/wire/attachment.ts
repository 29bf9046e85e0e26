import { Type } from "typebox";
import { ref, type Shown } from "./schema.ts";

/** What adapters (`channels/adapters`), `media/` and later changes put into a message's `attachments`. */

const some = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], description }));
const figure = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"], description }));
const degrees = (description: string) => Type.Optional(Type.Number({ description }));

/** One for all types: what a platform tells of each differs, and only what was told is there. */
export const AttachmentJson = Type.Object(
  {
    type: Type.String({
      description:
        "A file: `image`, `audio`, `video`, `document`, `sticker`. What was said: `location`, `contact`, `button`, `button_reply`, `list_reply`, `nfm_reply`, `call_permission_reply`, `order`, `reaction`, `link`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`, `template`, `unsupported`. What belongs to it: `quote`, `forwarded`, `product`, `referral`, `story_reply`, `album`, `start`. What became of it: `edited`, `deleted`.",
    }),
    mediaId: Type.Optional(Type.String({ description: "Of a file that is kept here." })),
    url: some("Of a file that is kept here: good for whoever has it. Else what was linked to."),
    status: Type.Optional(
      Type.String({
        description:
          "Of a file: `pending` while it is fetched (its `url` answers 503 `MEDIA_PENDING`), then `stored`, or `failed` with `reason` (its `url` answers 404).",
      }),
    ),
    reason: some("Why a file failed, or is not there."),
    detail: some("The same in words."),
    mimeType: some("Of a `stored` file what its bytes are, before what the sender called them."),
    fileName: some("As the sender named it."),
    size: figure("Bytes."),
    caption: some("The message's `text` as well."),
    voice: Type.Optional(Type.Boolean({ description: "Recorded, not chosen." })),
    animated: Type.Optional(Type.Boolean({ description: "Of a sticker or video: it moves." })),
    messageId: some(
      "Of `quote` and `reaction`: the `providerMessageId` of the message that is meant.",
    ),
    emoji: some("Of `reaction`: absent when it was taken back."),
    text: some("Of `button`: what stands on it."),
    payload: some("Of `button` and `start`: what you gave the platform to hand back."),
    id: some("The platform's: of a reply chosen from a list or of buttons, the one you gave."),
    title: some("Of what was chosen, linked to or played, and of a card."),
    subtitle: some("Of a card (`template`)."),
    price: some("Of a card, where it is told apart: in words, with the currency."),
    imageUrl: some("Of a card: its picture, at the platform."),
    retailerId: some("Of a card: your own id of the product."),
    buttons: Type.Optional(
      Type.Array(
        Type.Object(
          { text: Type.Optional(Type.String({ description: "What stands on it." })) },
          { additionalProperties: true },
        ),
        { description: "Of a card: what stands on each, and its `url` or `payload`." },
      ),
    ),
    description: some("Of what was chosen."),
    response: some(
      "Of `nfm_reply`: the form's answers, as JSON. Of `call_permission_reply`: `accept` or `reject`.",
    ),
    permanent: Type.Optional(
      Type.Boolean({ description: "Of `call_permission_reply`: until it is taken back." }),
    ),
    until: Type.Optional(
      Type.String({ format: "date-time", description: "Of `call_permission_reply`: its end." }),
    ),
    latitude: degrees("Of a place, from -90 to 90."),
    longitude: degrees("Of a place, from -180 to 180."),
    live: Type.Optional(Type.Boolean({ description: "The place goes on changing." })),
    name: some("Of a place, a contact or a form."),
    address: some("Of a place."),
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
    originalType: some("Of `unsupported`: the platform's word for it."),
    code: some("Of `unsupported`: the platform's error, where it told one."),
    at: Type.Optional(
      Type.String({ format: "date-time", description: "Of `edited` and `deleted`: when." }),
    ),
  },
  {
    $id: "Attachment",
    additionalProperties: true,
    description:
      "`type` says which members can be there; what the platform did not tell is absent or null.",
  },
);

export type AttachmentJson = Shown<typeof AttachmentJson>;

export const attachments = Type.Array(ref(AttachmentJson), {
  description: "Files, and what a text does not hold. Several belong to one message.",
});
