const formats = new Map<string, Intl.DateTimeFormat | null>();
function formatOf(zone: string): Intl.DateTimeFormat | null {
  let format = formats.get(zone);
  if (format === undefined) {
    try {
      format = new Intl.DateTimeFormat("en-US", {
        timeZone: zone,
        calendar: "iso8601",
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
      });
    } catch {
      format = null;
    }
    formats.set(zone, format);
  }
  return format;
}

/** An IANA name that this machine knows ("Asia/Kuwait"); offsets such as "+03:00" are none. */
export const isTimeZone = (name: string): boolean =>
  /^[A-Za-z]/.test(name) && name.length <= 64 && formatOf(name) !== null;

/** The wall clock of the zone at this instant, as milliseconds that a UTC calendar reads the same. */
export function wallOf(zone: string, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone)?.formatToParts(at) ?? [])
    parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** When the zone's clock shows this; a time that a change of clocks leaves out is the moment after it. */
export function instantOf(zone: string, wall: number): number {
  const guess = wall - (wallOf(zone, wall) - wall);
  const at = wall - (wallOf(zone, guess) - guess);
  // Left out: west of Greenwich the second look falls before the change, the first one after it.
  return wallOf(zone, at) === wall ? at : Math.max(guess, at);
}
