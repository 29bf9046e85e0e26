import { Type, type TSchema } from "typebox";

/** Pieces that schemas of several nouns share. */

export const time = Type.String({ format: "date-time" });
export const nullableTime = Type.Unsafe<string | null>({
  type: ["string", "null"],
  format: "date-time",
});
export const nullableText = Type.Unsafe<string | null>({ type: ["string", "null"] });
export const nullableInteger = Type.Unsafe<number | null>({ type: ["integer", "null"] });
export const freeForm = Type.Record(Type.String(), Type.Unknown());

/** One of some words. */
export const oneOf = (values: readonly string[]) =>
  Type.Unsafe<string>({ type: "string", enum: [...values] });

/** One of a closed list of texts, or null. */
export const nullableOneOf = (values: readonly string[]) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], enum: [...values, null] });

/** Text that can be a record's id, as every list takes it. */
export const idText = (description: string) =>
  Type.String({ pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", description });

/** What lists that are read by cursor take. */
export const cursorQuery = {
  cursor: Type.Optional(idText("`nextCursor` of the page before.")),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      "x-cap": 200,
      description: "Capped at 200 regardless of what is asked.",
    }),
  ),
};

/** A shape by its name in the document. */
export function ref(name: string): TSchema {
  return Type.Ref(name);
}

export const ID = "01a3b0e2-7c00-7000-8000-0123456789ab";
export const AT = "2026-11-21T10:00:00.000Z";
