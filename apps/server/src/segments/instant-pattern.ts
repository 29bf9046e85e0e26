// Leap years: the last two digits are 04, 08 … 96, or the year is a full century that 400 divides.
const BY_FOUR = "0[48]|[2468][048]|[13579][26]";
const LEAP = `([0-9]{2}(${BY_FOUR})|(00|${BY_FOUR})00)`;
const DAYS = [
  "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])",
  "(0[469]|11)-(0[1-9]|[12][0-9]|30)",
  "02-(0[1-9]|1[0-9]|2[0-8])",
].join("|");

/**
 * An existing date or a UTC time, as an attribute holds it: a pattern of PostgreSQL. `2026-13-01`, from a table
 * with day and month exchanged, and `2026-02-31` are text.
 */
export const INSTANT = [
  `^([0-9]{4}-(${DAYS})|${LEAP}-02-29)`,
  "(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,3})?Z)?$",
].join("");
