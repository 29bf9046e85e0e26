/** The customer of the open conversation. */
export function Details(_props: { conversationId: string }) {
  return null;
}
