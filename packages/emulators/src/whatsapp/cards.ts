import { GraphRefusal } from "./errors.ts";

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const ofType = (list: readonly Loose[], type: string): Loose | undefined =>
  list.find((one) => String(one["type"]).toLowerCase() === type);

/** A carousel needs every card of the template, each with its file. */
export function checkCards(carousel: Loose, sent: readonly Loose[]): void {
  const cards = listOf(ofType(sent, "carousel")?.["cards"]);
  const wanted = listOf(carousel["cards"]).length;
  if (cards.length !== wanted)
    throw new GraphRefusal(
      132000,
      `carousel: number of cards (${cards.length}) does not match the expected number of cards (${wanted})`,
    );
  for (const [index, card] of cards.entries())
    if (!ofType(listOf(card["components"]), "header"))
      throw new GraphRefusal(131008, `carousel: card ${index} requires its header`);
}

/** An offer that shows when it ends needs that time. */
export function checkOffer(offer: Loose, sent: readonly Loose[]): void {
  const own = offer["limited_time_offer"];
  if (!isObject(own) || own["has_expiration"] !== true) return;
  const [parameter] = listOf(ofType(sent, "limited_time_offer")?.["parameters"]);
  const value = parameter?.["limited_time_offer"];
  if (!isObject(value) || typeof value["expiration_time_ms"] !== "number")
    throw new GraphRefusal(131008, "limited_time_offer: expiration_time_ms is required");
}
