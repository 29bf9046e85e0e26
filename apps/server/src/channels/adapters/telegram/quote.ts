/**
 * `reply_parameters` (Bot API, ReplyParameters) for a message by the id under which we keep it (`messageKey`). When the
 * customer deleted that message, the reply goes without the quote.
 */
export const quoteOf = (
  key: string,
): { readonly message_id: number; readonly allow_sending_without_reply: true } => ({
  message_id: Number(key.slice(key.indexOf(":") + 1)),
  allow_sending_without_reply: true,
});
