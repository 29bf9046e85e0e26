import { clockChange, instantOf, isTimeZone, wallOf } from "../../lib/time-zone.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { UNLISTED_ZONES } from "./zone-names.ts";

/** The times at which a campaign may write to a recipient. Minutes count from midnight of the recipient's day. */
export type Timing = Pick<
  Broadcast,
  "scheduledAt" | "timeZone" | "localTime" | "quietFrom" | "quietUntil"
>;

const DAY_MIN = 1_440;
const MINUTE_MS = 60_000;
/** A missed start still happens within this time; later, people would get last night's news in the morning. */
export const GRACE_MS = 6 * 60 * MINUTE_MS;
/** How far the first zone of the world is ahead of UTC. */
const FIRST_ZONE_MS = 14 * 60 * MINUTE_MS;

let zones: readonly string[] | undefined;
/**
 * The values that a contact's attribute `timezone` may have: every name of the IANA database that the runtime
 * knows. They are collected by the first campaign that asks, because a tenth of a start went into it.
 */
export const contactZones = (): readonly string[] =>
  (zones ??= [
    ...new Set(Intl.supportedValuesOf("timeZone").concat(UNLISTED_ZONES.filter(isTimeZone))),
  ]);

/** Whether the campaign depends on the recipients' zones. */
export const usesZones = (timing: Timing): boolean =>
  (timing.localTime && timing.scheduledAt !== null) || timing.quietFrom !== null;

/**
 * When the scheduled campaign must be opened. With each contact's own time that is when the first zone of the
 * world gets there.
 */
export function scheduledStart(timing: Timing): Date | null {
  const { scheduledAt, timeZone, localTime } = timing;
  if (scheduledAt === null || !localTime) return scheduledAt;
  return new Date(wallOf(timeZone, scheduledAt.getTime()) - FIRST_ZONE_MS);
}

/**
 * From when on recipients of a zone may be written to; null: now. `zone` empty: the campaign's. With `localTime`
 * first the scheduled wall clock in the recipient's zone counts, then that zone's quiet hours.
 */
export function opensAt(timing: Timing, zone: string, now: Date): Date | null {
  const own = zone === "" ? timing.timeZone : zone;
  let at = now.getTime();
  if (timing.localTime && timing.scheduledAt !== null) {
    const wall = wallOf(timing.timeZone, timing.scheduledAt.getTime());
    at = Math.max(at, instantOf(own, wall));
  }
  const { quietFrom, quietUntil } = timing;
  if (quietFrom !== null && quietUntil !== null) at = endOfQuiet(own, quietFrom, quietUntil, at);
  return at > now.getTime() ? new Date(at) : null;
}

/**
 * The first instant from `at` on at which the zone's clock shows no quiet time. At a clock change it is checked
 * again, because the end of the quiet time may be skipped or come twice.
 */
function endOfQuiet(zone: string, from: number, until: number, at: number): number {
  for (;;) {
    const ofDay = wallOf(zone, at) % (DAY_MIN * MINUTE_MS);
    const late = ofDay >= from * MINUTE_MS;
    const early = ofDay < until * MINUTE_MS;
    if (!(from < until ? late && early : late || early)) return at;
    const left = until * MINUTE_MS - ofDay;
    const end = at - (at % 1_000) + (left > 0 ? left : left + DAY_MIN * MINUTE_MS);
    at = clockChange(zone, at, end) ?? end;
  }
}

/** Which zones may be written to now, and when the next of the others opens (null: none is closed). */
export function openZones(
  timing: Timing,
  zones: readonly string[],
  now: Date,
): { readonly open: readonly string[]; readonly next: Date | null } {
  const open: string[] = [];
  let next: Date | null = null;
  for (const zone of zones) {
    const at = opensAt(timing, zone, now);
    if (at === null) open.push(zone);
    else if (next === null || at < next) next = at;
  }
  return { open, next };
}

/** "21:30" as minutes; null when it is not a time. */
export function minutesOf(text: string): number | null {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined ? null : Number(hour) * 60 + Number(minute);
}
