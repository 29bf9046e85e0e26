import { Type } from "typebox";
import { MOMENT } from "../wire/calendar.ts";
import { ID, NO_NUL } from "../wire/schema.ts";

/** An id in an input. A malformed one is answered like an unknown one. */
export const anyId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, ...NO_NUL, description, examples: [ID] });

/** An id in the query of a list. A malformed one is refused. */
export const idText = (description: string) =>
  Type.String({
    pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    maxLength: 36,
    "x-fault": "must be an id",
    description,
    examples: [ID],
  });

/** A moment in an input: ISO 8601 with its zone. */
export const moment = (description: string) =>
  Type.String({
    maxLength: 40,
    pattern: MOMENT,
    "x-fault":
      "must be a moment with its zone, like 2026-11-21T10:00:00Z or 2026-11-21T13:00:00+03:00",
    description,
    examples: ["2026-11-21T10:00:00Z"],
  });
