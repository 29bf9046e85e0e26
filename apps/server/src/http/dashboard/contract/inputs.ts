import { Type } from "typebox";
import { NO_NUL } from "../../../wire/schema.ts";

/** Inputs that many faces take. */

/** A record's id. A malformed one is answered like an unknown one. */
export const Id = Type.String({ minLength: 1, maxLength: 100, ...NO_NUL });
/** The name of a person or thing. */
export const Name = Type.String({ minLength: 1, maxLength: 200, ...NO_NUL });
/** One value of a channel's or gateway's form. */
export const FormValue = Type.String({ maxLength: 5_000, ...NO_NUL });
export { Nothing } from "../../../wire/schema.ts";
