import type { SettleAttachment } from "../../media/fetch-media.ts";
import { lockMessage, patchAttachment } from "./attachment-store.ts";

/** Settles a file of a message under the message's lock and shows the result in its `attachments`. */
export const settleAttachment: SettleAttachment = async (tx, file, settle) => {
  await lockMessage(tx, file);
  const facts = await settle();
  if (facts !== null) await patchAttachment(tx, file, facts);
};
