import { Type, type TSchema } from "typebox";

/** Pieces that schemas of several nouns share. */

export const ID = "01a3b0e2-7c00-7000-8000-0123456789ab";
export const AT = "2026-11-21T10:00:00.000Z";

/** A moment, ISO 8601 in UTC. */
export const time = (description: string) => Type.String({ format: "date-time", description });
export const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time", description });
export const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], description });
/** The id of a record of ours. */
export const id = (description: string) => Type.String({ format: "uuid", description });
export const nullableId = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], format: "uuid", description });
/** A number of things, from zero. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const nullableCount = (description: string) =>
  Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 0, description });
export const freeForm = Type.Record(Type.String(), Type.Unknown());

/** One of some words. */
export const oneOf = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: "string", enum: [...values], description });

/** One of a closed list of texts, or null. */
export const nullableOneOf = (values: readonly string[], description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], enum: [...values, null], description });

/** Text that can be a record's id, as every list takes it. */
export const idText = (description: string) =>
  Type.String({
    pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    "x-fault": "must be an id",
    description,
    examples: [ID],
  });

/** What lists that are read by cursor take. */
export const cursorQuery = {
  cursor: Type.Optional(idText("`nextCursor` of the page before.")),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 50,
      "x-cap": 200,
      description: "How many at most. Above 200 acts as 200.",
      examples: [50],
    }),
  ),
};

/** A shape by its name in the document. */
export function ref(name: string): TSchema {
  return Type.Ref(name);
}

/** What a text of a request may not hold: the databases that texts end in take no NUL. */
export const NO_NUL = {
  pattern: "^[^\\u0000]*$",
  "x-fault": "must not hold the character U+0000",
} as const;
