import type { TObject } from "typebox";
import type { FaultDetail } from "../../errors.ts";
import type { NamedRate } from "../../operations/rates.ts";

/** The faults that an operation finds beyond the schema, in a body that need not fit the schema. */
export type FurtherFaults = (body: Readonly<Record<string, unknown>>) => readonly FaultDetail[];

/** A record has a version: that of its whole JSON, or without the members that change on their own (a count). */
export type Versioned = true | { readonly without: readonly string[] };

/** The members of a record that are no part of its version. */
export const leftOut = (versioned: Versioned | undefined): readonly string[] =>
  typeof versioned === "object" ? versioned.without : [];

/** A member of an answer and its value. It imports nothing, like the rest of this file. */
export type CreatedWhen = readonly [member: string, value: string];

/**
 * One route as data, as far as the edge reads it. Each door adds what its permission needs (a scope, roles) and
 * what its document or its browser needs. It imports only types, so that a browser can import a table of faces.
 */
export interface Face {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** In OpenAPI form, below the door's prefix: `/contacts/{id}`. */
  readonly path: string;
  /** Without one the route takes no parameters. An unknown parameter is a fault. */
  readonly query?: TObject;
  /** Without one the route reads no body and ignores one, unless it is `bare`. */
  readonly body?: TObject;
  /** It has no body, and a member of a JSON body is a fault like any unknown name. Any other body is ignored. */
  readonly bare?: true;
  readonly furtherFaults?: FurtherFaults;
  /** The answer of a POST holds a secret, so it is sealed where it is kept for a repeat. */
  readonly secret?: true;
  /** Its answer is one record and carries its version as `ETag`, but for a deletion; a change takes `If-Match`. */
  readonly versioned?: Versioned;
  /** A limit of the principal's calls of this kind, beside the door's. */
  readonly rate?: NamedRate;
  /** It reads or begins so much that it is among the first to be refused when the process has too much to do. */
  readonly heavy?: true;
  /** The status of a success; 200 when absent. */
  readonly status?: 200 | 201 | 202;
  /** The status is 201 where this member of the answer has this value: the call made something, others change it. */
  readonly createdWhen?: CreatedWhen;
}

/**
 * Whether a call without a body is one with `{}`: a POST whose members are all optional. A change without a body is
 * refused, because its body may have been lost on the way. A contact needs an identity, which its schema cannot say: the
 * bodies of the specification, which take further members, must be there.
 */
export function mayLackBody({ method, body }: Pick<Face, "method" | "body">): boolean {
  if (method !== "POST" || !body || !("additionalProperties" in body)) return false;
  return Object.keys(body.properties).every((name) => !body.required?.includes(name));
}
