import type { ProcessPlace } from "../db/process-life.ts";

// What doctor makes of what it measured. The limits are those of deploy/prometheus/alerts.yml.

const CLOCK_OFF_MS = 5_000;
const BACKUP_OLD_HOURS = 36;

/** A fault when processes run and none of them works: replies and webhooks are accepted, and nothing is sent. */
export function workerFault(processes: readonly Pick<ProcessPlace, "role">[]): string | null {
  if (processes.length === 0 || processes.some(({ role }) => role !== "api")) return null;
  return "no process does Parley's work, so nothing is sent: start one with PARLEY_ROLE=worker or all";
}

/** A warning when this machine's clock is off. `ahead`: how far PostgreSQL's is ahead of it, in milliseconds. */
export function clockWarning(ahead: number): string | null {
  if (Math.abs(ahead) <= CLOCK_OFF_MS) return null;
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const how = ahead > 0 ? "behind" : "ahead of";
  return `the clock of this machine is ${seconds} s ${how} PostgreSQL's: have a time service set it (NTP)`;
}

/** A warning when the last backup is old. An installation without any may be backed up by something else. */
export function backupWarning(last: Date | null, now: Date): string | null {
  const hours = last === null ? 0 : (now.getTime() - last.getTime()) / 3_600_000;
  if (hours <= BACKUP_OLD_HOURS) return null;
  return `the last backup was made ${Math.floor(hours)} hours ago: look why none was made since (systemctl status parley-backup)`;
}
