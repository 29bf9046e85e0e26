import {
  parseInstant,
  type AttributeDefinition,
  type AttributeType,
} from "../contacts/attributes/attribute-definition.ts";
import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import type { Context } from "../context.ts";
import { selectTagsAndAttributes } from "./segment-sample-store.ts";

/** An attribute that rules can use. */
export interface AttributeChoice extends Pick<AttributeDefinition, "key" | "label" | "type"> {
  /** The attribute has a definition, which rules must fit. */
  readonly defined: boolean;
  /** Its choices, or the values of contacts, the most frequent first. */
  readonly values: readonly string[];
}

/** Suggestions for a person who writes a rule. */
export interface SegmentChoices {
  readonly tags: readonly string[];
  readonly attributes: readonly AttributeChoice[];
}

const EACH = 500;
const MOST_TAGS = 200;
const MOST_KEYS = 100;
const MOST_VALUES = 50;
const LONGEST_VALUE = 60;

/**
 * Tags and attributes to choose from: defined ones, and those of the 500 newest and the 500 oldest contacts.
 * Others can be typed.
 */
export async function segmentChoices(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<SegmentChoices> {
  const [defined, rows] = await Promise.all([
    attributeDefinitions(context, workspaceId),
    selectTagsAndAttributes(context.db, workspaceId, EACH),
  ]);
  const tags = new Map<string, number>();
  const values = new Map<string, Map<unknown, number>>();
  for (const row of rows) {
    for (const tag of row.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
    for (const [key, value] of Object.entries(row.attributes)) {
      if (value === null || typeof value === "object") continue;
      const seen = values.get(key) ?? new Map<unknown, number>();
      seen.set(value, (seen.get(value) ?? 0) + 1);
      values.set(key, seen);
    }
  }
  const found = [...values].filter(([key]) => !defined.has(key)).slice(0, MOST_KEYS);
  return {
    tags: mostFrequent(tags).slice(0, MOST_TAGS),
    attributes: [
      ...[...defined.values()].map(({ key, label, type, choices }) => ({
        key,
        label,
        type,
        defined: true,
        values: choices.length > 0 ? choices : textsOf(type, values.get(key)),
      })),
      ...found.map(([key, seen]) => {
        const type = typeOf([...seen.keys()]);
        return { key, label: key, type, defined: false, values: textsOf(type, seen) };
      }),
    ],
  };
}

const mostFrequent = <T>(counts: ReadonlyMap<T, number>): T[] =>
  [...counts].toSorted(([, a], [, b]) => b - a).map(([value]) => value);

/** The texts of an attribute, when they are few and short enough to be choices. */
function textsOf(type: AttributeType, seen: ReadonlyMap<unknown, number> = new Map()): string[] {
  if (type !== "text") return [];
  return mostFrequent(seen)
    .filter((value) => typeof value === "string" && value !== "")
    .map(String)
    .filter((value) => value.length <= LONGEST_VALUE)
    .slice(0, MOST_VALUES);
}

/** The type of an undefined attribute, guessed from its values. */
function typeOf(values: readonly unknown[]): AttributeType {
  const all = (fits: (value: unknown) => boolean): boolean => values.every(fits);
  if (all((value) => typeof value === "number")) return "number";
  if (all((value) => typeof value === "boolean")) return "boolean";
  return all((value) => parseInstant(value) !== null) ? "date" : "text";
}
