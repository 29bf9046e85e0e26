import { Type, type Static, type TObject, type TProperties, type TSchema } from "typebox";

/** Pieces that the shapes are made of. */

export const ID = "01a3b0e2-7c00-7000-8000-0123456789ab";
export const AT = "2026-11-21T10:00:00.000Z";
export const ETAG = '"dW5kZXIgdGhlIG9jZWFuIQ"';

/** The TypeScript type of a shape. */
export type Shown<S extends TSchema> = Fixed<Static<S>>;
/** Makes every member read-only: whoever reads JSON changes nothing in it. */
type Fixed<T> = T extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Fixed<T[K]> }
    : T;

/** A text. */
export const text = (description: string) => Type.String({ description });
export const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], description });
/** A moment, ISO 8601 in UTC. */
export const time = (description: string) => Type.String({ format: "date-time", description });
export const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time", description });
/** The id of a record of ours. */
export const id = (description: string) => Type.String({ format: "uuid", description });
export const nullableId = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], format: "uuid", description });
/** A number of things, from zero. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const nullableCount = (description: string) =>
  Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 0, description });
/** An object with any members. */
export const freeForm = Type.Record(Type.String(), Type.Unknown());

/** One of a closed list of texts. */
export const oneOf = <const T extends string>(
  values: readonly T[],
  description: string,
  example?: T,
) =>
  Type.Unsafe<T>({
    type: "string",
    enum: [...values],
    description,
    ...(example !== undefined && { examples: [example] }),
  });
export const nullableOneOf = <const T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T | null>({ type: ["string", "null"], enum: [...values, null], description });

/** An object, or null. */
export const nullable = <P extends TProperties>(shape: TObject<P>, description: string) =>
  Type.Unsafe<Static<TObject<P>> | null>({ ...shape, type: ["object", "null"], description });

/** The name of a shape in the document; empty when it has none. */
export const nameOf = (shape: TSchema): string => ("$id" in shape ? String(shape.$id) : "");

/** A shape by its name in the document. */
export const ref = <S extends TSchema>(shape: S) => Type.Unsafe<Static<S>>({ $ref: nameOf(shape) });

/** A shape by its name, or null. */
export const orNull = <S extends TSchema>(shape: S, description: string) =>
  Type.Unsafe<Static<S> | null>({
    anyOf: [{ $ref: nameOf(shape) }, { type: "null" }],
    description,
  });

/** A page of a list that is read by cursor. */
export const cursorPage = <S extends TSchema>(name: string, item: S, order: string) =>
  Type.Object(
    {
      items: Type.Array(ref(item), { description: order }),
      nextCursor: nullableId("Give it as `cursor` to read on. Null at the end."),
    },
    { $id: name, description: "Read on with `cursor` until `nextCursor` is null." },
  );

/** The answer of an operation that has nothing to say. */
export const Nothing = Type.Object({});

/** Forbids NUL in a text of a request, because the databases that texts end in take none. */
export const NO_NUL = {
  pattern: "^[^\\u0000]*$",
  "x-fault": "must not hold the character U+0000",
} as const;
