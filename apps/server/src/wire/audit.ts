import { Type } from "typebox";
import { AT, ID, id, nullableText, text, time, type Shown } from "./schema.ts";

export const AuditEntryJson = Type.Object(
  {
    id: id("The entry."),
    actor: text("Who: `member:ID`, `key:ID`, `bot:ID`, `cli` (the command line) or `system`."),
    action: text("What was done, like `segment.created`. New ones come with new versions."),
    subject: text("The id of the record, or its name."),
    facts: Type.Record(Type.String(), Type.Unknown(), {
      description: "Ids, names of fields and counts that belong to it.",
    }),
    at: time("When."),
  },
  { $id: "AuditEntry", description: "One change, and who made it." },
);
export const AuditPageJson = Type.Object(
  {
    items: Type.Array(AuditEntryJson, { description: "Newest first." }),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "AuditPage", description: "Read on with `cursor` until `nextCursor` is null." },
);
export type AuditPageJson = Shown<typeof AuditPageJson>;

export const auditEntryExample: AuditPageJson["items"][number] = {
  id: ID,
  actor: `key:${ID}`,
  action: "label.put",
  subject: "vip",
  facts: { color: "#b3261e" },
  at: AT,
};
