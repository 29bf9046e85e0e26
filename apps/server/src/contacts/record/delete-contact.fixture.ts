import type { Context } from "../../context.ts";
import { changeContacts } from "./change-contacts.ts";

/** Deletes one contact as `parley contacts delete` deletes many. Does nothing when it does not exist. */
export async function deleteContact(
  context: Pick<Context, "db" | "ids" | "clock" | "sealer">,
  workspaceId: string,
  id: string,
): Promise<void> {
  const cause = { source: "bulk", ref: null } as const;
  await context.db.transaction((tx) =>
    changeContacts(context, tx, workspaceId, [id], { action: "delete" }, cause),
  );
}
