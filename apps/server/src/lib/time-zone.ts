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

/** Whether it is an IANA name that this machine knows ("Asia/Kuwait"). Offsets such as "+03:00" are not. */
export const isTimeZone = (name: string): boolean =>
  /^[A-Za-z]/.test(name) && name.length <= 64 && formatOf(name) !== null;

/** The wall-clock time of the zone at this instant, as the milliseconds at which a clock in UTC shows the same. */
export function wallOf(zone: string, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone)?.formatToParts(at) ?? [])
    parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const DAY_MS = 24 * 60 * 60_000;

/** How far the zone's clock is ahead of UTC at this instant, in milliseconds. */
const offsetAt = (zone: string, at: number): number => {
  const second = Math.floor(at / 1_000) * 1_000;
  return wallOf(zone, second) - second;
};

/**
 * The instant at which the zone's clock shows this wall time. For a time that is shown twice, it is the first. A time
 * that a change of clocks skips lies as long after the change as it would have.
 */
export function instantOf(zone: string, wall: number): number {
  const before = wall - offsetAt(zone, wall - DAY_MS);
  const after = wall - offsetAt(zone, wall + DAY_MS);
  const shown = [before, after].filter((at) => wallOf(zone, at) === wall);
  return shown.length === 0 ? before : Math.min(...shown);
}

/**
 * The instant after `from` and up to `to` at which the zone's clock changes, or null. The two may be a day apart at
 * most.
 */
export function clockChange(zone: string, from: number, to: number): number | null {
  const offset = offsetAt(zone, from);
  if (offsetAt(zone, to) === offset) return null;
  // Searches in whole seconds: no zone has ever changed within one.
  let [still, changed] = [Math.floor(from / 1_000), Math.ceil(to / 1_000)];
  while (changed - still > 1) {
    const middle = Math.floor((still + changed) / 2);
    if (offsetAt(zone, middle * 1_000) === offset) still = middle;
    else changed = middle;
  }
  return changed * 1_000;
}
