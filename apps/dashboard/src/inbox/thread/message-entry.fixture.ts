import type { MessageEntry } from "../../api/shapes.ts";

/** A customer's text as a thread has it. */
export const messageEntry = (
  id: string,
  at: string,
  more: Partial<MessageEntry> = {},
): MessageEntry => ({
  kind: "message",
  id,
  at,
  direction: "inbound",
  type: "text",
  text: id,
  attachments: [],
  status: "received",
  errorCode: null,
  errorMessage: null,
  source: "channel",
  authorId: null,
  authorName: null,
  byAi: false,
  turnId: null,
  clientId: null,
  resendOf: null,
  broadcastId: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  quoted: null,
  ...more,
});
