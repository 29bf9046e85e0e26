import { Type } from "typebox";
import { AT, ID, id, nullableCount, nullableText, oneOf, time, type Shown } from "./schema.ts";

export const MediaRecord = Type.Object(
  {
    id: id("The file's id, for `attachments` and headers of templates."),
    kind: oneOf(["image", "audio", "video", "document", "sticker"], "What the file is."),
    status: oneOf(
      ["pending", "stored", "failed"],
      "`pending` while the file is fetched from the platform; `failed` when it never arrived.",
    ),
    url: nullableText(
      "Where its bytes are: whoever has the address can read them. Null unless it is stored.",
    ),
    mimeType: nullableText("What its bytes are, whatever the sender called them."),
    fileName: nullableText("As it was named."),
    size: nullableCount("Bytes."),
    createdAt: time("When it was stored."),
  },
  {
    $id: "MediaFile",
    description: "A file: of a message, or an upload that no message carries yet.",
  },
);
export type MediaRecord = Shown<typeof MediaRecord>;

export const mediaExample: MediaRecord = {
  id: ID,
  kind: "image",
  status: "stored",
  url: `https://parley.example.com/media/${ID}/signature`,
  mimeType: "image/png",
  fileName: "parcel.png",
  size: 70,
  createdAt: AT,
};
