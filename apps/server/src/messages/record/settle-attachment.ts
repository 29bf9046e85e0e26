import type { SettleAttachment } from "../../media/fetch-media.ts";
import { lockMessage, patchAttachment } from "./attachment-store.ts";

/** Settles a file under the lock of its message, and writes the facts into the message's `attachments`. */
export const settleAttachment: SettleAttachment = async (tx, file, settle) => {
  await lockMessage(tx, file);
  const facts = await settle();
  if (facts !== null) await patchAttachment(tx, file, facts);
};
