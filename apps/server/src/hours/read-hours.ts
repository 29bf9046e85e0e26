import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { tagOfRecord } from "../lib/version-tag.ts";
import { wallOf } from "../lib/time-zone.ts";
import { hoursOperations } from "../operations/hours.ts";
import { DAY_MINUTES, type HoursJson, type Week } from "../wire/hours.ts";
import { findWorkspaces } from "../workspaces/find-workspace.ts";
import { perform } from "../write.ts";
import { isOpen, nextClosing, nextOpening, type Hours } from "./hours.ts";
import { selectHours, type StoredHours } from "./hours-store.ts";
import { nextRamadan } from "./ramadan.ts";

/** Hours with the version under which they were saved: what computed from an older one computes again. */
export interface VersionedHours extends Hours {
  readonly version: number;
}

const allDay = [{ from: 0, to: DAY_MINUTES }];
const ALWAYS: Week = {
  monday: allDay,
  tuesday: allDay,
  wednesday: allDay,
  thursday: allDay,
  friday: allDay,
  saturday: allDay,
  sunday: allDay,
};
const NEVER_SAVED = { timeZone: null, week: ALWAYS, periods: [], days: [], version: 0 };

/**
 * The business hours of a workspace. One that never saved any is always open (version 0). Throws NOT_FOUND for an unknown
 * workspace.
 */
export async function readHours(db: Queryable, workspaceId: string): Promise<VersionedHours> {
  const { hours, zone } = await storedHours(db, workspaceId);
  const { week, periods, days, version } = hours;
  return { zone, week, periods, days, version };
}

/** What a member sees of the hours. */
export const showHours = perform(
  hoursOperations.readHours,
  (_actor, context: Pick<Context, "db" | "clock">, workspaceId) =>
    presentHours(context.db, workspaceId, context.clock.now().getTime()),
);

/** The hours as JSON, with what they say at this moment. */
export async function presentHours(
  db: Queryable,
  workspaceId: string,
  now: number,
): Promise<HoursJson> {
  const { hours, zone } = await storedHours(db, workspaceId);
  const { timeZone, week, periods, days, version } = hours;
  const counted: Hours = { zone, week, periods, days };
  const open = isOpen(counted, now);
  const until = open ? nextClosing(counted, now) : nextOpening(counted, now);
  return {
    timeZone,
    zone,
    week,
    periods,
    days,
    version,
    etag: tagOfRecord({ version }),
    changedAt: hours.changedAt?.toISOString() ?? null,
    now: { open, until: until === null ? null : new Date(until).toISOString() },
    ramadan: nextRamadan(new Date(wallOf(zone, now)).toISOString().slice(0, 10)),
  };
}

type Saved = Omit<StoredHours, "changedAt"> & { readonly changedAt?: Date };

async function storedHours(
  db: Queryable,
  workspaceId: string,
): Promise<{ readonly hours: Saved; readonly zone: string }> {
  const workspace = (await findWorkspaces(db, [workspaceId])).get(workspaceId);
  if (!workspace) throw new AppError("NOT_FOUND", { explanation: `no workspace ${workspaceId}` });
  const hours: Saved = (await selectHours(db, workspaceId)) ?? NEVER_SAVED;
  return { hours, zone: hours.timeZone ?? workspace.timeZone };
}
