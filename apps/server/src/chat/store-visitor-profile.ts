import type { Context } from "../context.ts";
import { addAttributes } from "../contacts/attributes/add-attributes.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import type { Profile } from "./visitor-store.ts";

/**
 * Stores what a page says of its visitor on the contact. The proof covers only the user's id. The e-mail address
 * and the phone number could belong to anybody, so they identify nobody: they become attributes with names that
 * say so.
 */
export function storeVisitorProfile(
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  workspaceId: string,
  contactId: string,
  userId: string | null,
  { name, email, phone }: Profile,
): Promise<NewEvent[]> {
  return addAttributes(context, tx, workspaceId, contactId, {
    ...(name !== undefined && { name }),
    attributes: {
      ...(userId !== null && { web_user_id: userId }),
      ...(email !== undefined && { web_email_unverified: email }),
      ...(phone !== undefined && { web_phone_unverified: phone }),
    },
  });
}
