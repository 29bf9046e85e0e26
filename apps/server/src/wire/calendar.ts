const LEAP_YEAR = "([1-9]\\d(0[48]|[2468][048]|[13579][26])|(1[26]|[2468][048]|[3579][26])00)";
const DAY_OF_ANY_YEAR =
  "((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))";

/**
 * A day of the calendar, as part of a pattern: 31 April is none, and 29 February is one in leap years only. JavaScript's
 * Date would read 31 February as a day in March, and PostgreSQL would refuse it.
 */
export const DAY = `([1-9]\\d{3}-${DAY_OF_ANY_YEAR}|${LEAP_YEAR}-02-29)`;
/** Hours and minutes, as part of a pattern. */
export const CLOCK = "([01]\\d|2[0-3]):[0-5]\\d";
/** The time of a moment with its zone, which follows the day, as part of a pattern. */
export const TIME_IN_ZONE = `T${CLOCK}(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]${CLOCK})`;
/** A moment of ISO 8601 with its zone. */
export const MOMENT = `^${DAY}${TIME_IN_ZONE}$`;
