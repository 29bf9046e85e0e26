import { Type } from "typebox";
import { MOMENT } from "../../../wire/calendar.ts";

/** ISO 8601 with its zone. */
export const Moment = Type.String({
  maxLength: 40,
  pattern: MOMENT,
});
