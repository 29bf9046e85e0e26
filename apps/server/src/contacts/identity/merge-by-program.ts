import type { Context } from "../../context.ts";
import { contactOperations } from "../../operations/contacts.ts";
import type { ContactRecordJson } from "../../wire/contact-record.ts";
import { perform, type Kept } from "../../write.ts";
import { readRecords } from "../refs/read-records.ts";
import { mergeContacts } from "./merge-contacts.ts";

/** Merges two contacts for a program, as `mergeContacts`; the answer is kept with the merge. */
export const mergeByProgram = perform(
  contactOperations.mergeContact,
  async (actor, context: Context, workspaceId, { id, mergedId }, { keep }) => {
    let kept: Kept<ContactRecordJson> | undefined;
    await mergeContacts(actor, context, workspaceId, id, mergedId, {
      async within(tx, { id: keptId }) {
        const [record] = await readRecords(tx, workspaceId, [keptId]);
        if (record) kept = await keep(tx, record);
      },
    });
    if (!kept) throw new Error("the kept contact was not read");
    return kept;
  },
);
