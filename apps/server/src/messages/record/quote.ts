import type { AttachmentJson } from "../../wire/attachment.ts";

/** What a message keeps of the one that it quotes: its id here, and its id at the platform. */
export const quoteAttachment = (quoted: {
  readonly id: string;
  readonly providerMessageId: string;
}): AttachmentJson => ({
  type: "quote",
  messageId: quoted.providerMessageId,
  replyTo: quoted.id,
});

/** The message that these attachments quote. Undefined: none. `replyTo` is absent when it is not known here. */
export const quoteIn = (attachments: readonly AttachmentJson[]): AttachmentJson | undefined =>
  attachments.find(({ type }) => type === "quote");
