import { madeByName } from "../actor.ts";
import type { NewEvent } from "../webhooks/event.ts";
import type { SuggestionJson } from "../wire/suggestion.ts";
import type { SuggestionState } from "../wire/words.ts";
import type { TemplateGiven } from "./choose-template.ts";

/** What the text of a suggestion rests on. */
export interface Source {
  readonly title: string;
  readonly url?: string | undefined;
}

/** What a suggestion proposes. */
export interface Suggested {
  /** Of a template its filled text. */
  readonly text: string;
  /** The template by its id, and what fills it; null: plain text. */
  readonly template: TemplateGiven | null;
  readonly reason: string | null;
  readonly sources: readonly Source[];
}

/** A reply that a program proposes in a conversation. */
export interface Suggestion extends Suggested {
  readonly id: string;
  readonly conversationId: string;
  /** The actor as `actorName` writes it. */
  readonly author: string;
  /** What a key is called; null: another actor. */
  readonly authorName: string | null;
  readonly state: SuggestionState;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
  /** Who used, discarded or replaced it, as `actorName` writes it. */
  readonly settledBy: string | null;
  readonly messageId: string | null;
}

/** A suggestion as both APIs show it. */
export const presentSuggestion = (one: Suggestion): SuggestionJson => ({
  id: one.id,
  conversationId: one.conversationId,
  state: one.state,
  text: one.text,
  templateId: one.template?.template.id ?? null,
  reason: one.reason,
  sources: one.sources.map(({ title, url }) => ({ title, url: url ?? null })),
  authorName: one.authorName,
  createdAt: one.createdAt.toISOString(),
  settledAt: one.settledAt?.toISOString() ?? null,
  messageId: one.messageId,
});

/** The event of a suggestion that was used or discarded. `contactId`: the customer of its conversation. */
export const settledEvent = (
  workspaceId: string,
  contactId: string,
  one: Suggestion,
): NewEvent => ({
  workspaceId,
  type: "suggestion.settled",
  data: {
    conversationId: one.conversationId,
    contactId,
    suggestion: presentSuggestion(one),
    ...madeByName(one.settledBy),
  },
});

/** Whether both propose the same. The order of members does not count: the database keeps its own. */
export const isSame = (a: Suggested, b: Suggested): boolean => contentOf(a) === contentOf(b);

const contentOf = ({ text, template, reason, sources }: Suggested): string =>
  JSON.stringify([
    text,
    template && [
      template.template.id,
      template.body ?? [],
      template.header?.text ?? null,
      template.header?.mediaId ?? null,
      (template.buttons ?? []).map(({ index, text: value }) => [index, value]),
    ],
    reason,
    sources.map(({ title, url }) => [title, url ?? null]),
  ]);
