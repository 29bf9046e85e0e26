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

/** A shape by its name in the document. */
export function ref(name: string): TSchema {
  return Type.Ref(name);
}

export const ID = "01a3b0e2-7c00-7000-8000-0123456789ab";
export const AT = "2026-11-21T10:00:00.000Z";
