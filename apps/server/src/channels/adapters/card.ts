/** A card as platforms show it: a title, perhaps a second line and a price, and buttons below. */
export interface Card {
  readonly title: string | null;
  readonly subtitle: string | null;
  /** In words, with the currency. */
  readonly price: string | null;
  /** The page that the card opens, and its picture at the platform. */
  readonly url: string | null;
  readonly imageUrl: string | null;
  /** For a product: the platform's id, and the business's own. */
  readonly id: string | null;
  readonly retailerId: string | null;
  readonly buttons: readonly CardButton[];
}

interface CardButton {
  readonly text: string | null;
  readonly url: string | null;
  /** The text that the platform returns to the business. */
  readonly payload: string | null;
}

/** An empty card to start from. */
export const EMPTY_CARD: Card = {
  title: null,
  subtitle: null,
  price: null,
  url: null,
  imageUrl: null,
  id: null,
  retailerId: null,
  buttons: [],
};

/** How many cards of a message, and buttons of a card, are read. No platform comes near these numbers. */
export const MOST_CARDS = 32;

/**
 * Cards in words, for the inbox: title, subtitle and price each on a line, each button on a line with a bullet,
 * and an empty line between two cards. Null when no card has words.
 */
export function cardText(cards: readonly Card[]): string | null {
  const told = cards.flatMap(({ title, subtitle, price, buttons }) => {
    const labels = buttons.map(({ text }) => text && `• ${text}`);
    const lines = [title, subtitle, price, ...labels].filter((line) => line !== null);
    return lines.length > 0 ? [lines.join("\n")] : [];
  });
  return told.length > 0 ? told.join("\n\n") : null;
}

/** Adds a card to the attachments of a message (type `template`), with its filled fields only. */
export function cardAttachment({ buttons, ...card }: Card): Readonly<Record<string, unknown>> {
  const facts = { type: "template", ...card };
  return {
    ...withoutNull(facts),
    ...(buttons.length > 0 && { buttons: buttons.map((button) => withoutNull({ ...button })) }),
  };
}

function withoutNull(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
