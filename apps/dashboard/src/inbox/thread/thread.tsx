import { useRow } from "../use-inbox.ts";

/** The open conversation. */
export function Thread({ conversationId }: { conversationId: string }) {
  return (
    <section className="thread">
      <h2>
        <bdi>{useRow(conversationId)?.name}</bdi>
      </h2>
    </section>
  );
}
