import type { Context } from "../../context.ts";
import { contactOperations } from "../../operations/contacts.ts";
import { keeping, perform } from "../../write.ts";
import { readRecords } from "../refs/read-records.ts";
import { mergeContacts } from "./merge-contacts.ts";

/** Merges two contacts for a program, as `mergeContacts`; the answer is kept with the merge. */
export const mergeByProgram = perform(
  contactOperations.mergeContact,
  (actor, context: Context, workspaceId, { id, mergedId }, { keep }) =>
    keeping(
      keep,
      async ({ id: keptId }: { readonly id: string }, tx) => {
        const [record] = await readRecords(tx, workspaceId, [keptId]);
        if (!record) throw new Error("the kept contact was not read");
        return record;
      },
      (within) => mergeContacts(actor, context, workspaceId, id, mergedId, { within }),
    ),
);
