import { Type } from "typebox";
import { AT, ID, id, nullableId, oneOf, text, time, type Shown } from "./schema.ts";

/** The members of a contact that an export can have, in the order of a file with all of them. */
export const EXPORT_FIELDS = [
  "id",
  "name",
  "email",
  "phone",
  "notes",
  "tags",
  "attributes",
  "channelType",
  "externalId",
  "optedOut",
  "optedOutAt",
  "lastSeenAt",
  "createdAt",
] as const;
export const EXPORT_FORMATS = ["csv", "jsonl"] as const;

export const ContactExportJson = Type.Object(
  {
    id: id("The export."),
    state: oneOf(
      ["ready"],
      "`ready`: `GET /v1/exports/{id}/content` gives the file, which is written while it is read.",
    ),
    format: oneOf(EXPORT_FORMATS, "The form of the file."),
    fields: Type.Array(text("A member of a contact."), { description: "In their order." }),
    segmentId: nullableId("The segment that it follows."),
    createdAt: time("When it was asked for."),
    expiresAt: time("Until when it can be read."),
  },
  { $id: "ContactExport", description: "A choice of contacts to read as a file." },
);
export type ContactExportJson = Shown<typeof ContactExportJson>;

export const contactExportExample: ContactExportJson = {
  id: ID,
  state: "ready",
  format: "csv",
  fields: ["id", "name", "phone"],
  segmentId: null,
  createdAt: AT,
  expiresAt: "2026-11-22T10:00:00.000Z",
};
