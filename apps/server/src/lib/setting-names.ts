/** All variables that `config.ts` reads. */
export const SETTING_NAMES = [
  "HOST",
  "PORT",
  "NODE_ENV",
  "DATABASE_URL",
  "REDIS_URL",
  "S3_URL",
  "SMTP_URL",
  "LOG_LEVEL",
  "PARLEY_PUBLIC_URL",
  "PARLEY_DATA_DIR",
  "PARLEY_ROLE",
  "PARLEY_MASTER_KEY",
  "PARLEY_DEMO",
  "PARLEY_OUTBOUND_ALLOW",
  "PARLEY_MODEL_URLS",
  "PARLEY_TRUSTED_PROXIES",
  "PARLEY_MEDIA_MAX_BYTES",
  "PARLEY_UNSENT_MAX_BYTES",
  "PARLEY_DISK_RESERVE",
  "PARLEY_METRICS_TOKEN",
  "PARLEY_MAX_REQUESTS",
  "PARLEY_MAX_REQUESTS_PER_KEY",
  "PARLEY_DEFAULT_PLAN",
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

/** Our other variables, of no use to an operator: of the launcher, the tests, the bench and the guides' examples. */
const OTHERS =
  /^PARLEY_(LAUNCHER_PID|TEST_POSTGRES|TEST_MODEL_URL|CHROMIUM|CRASH_SEED|BENCH_[A-Z_]+|KEY|URL)$/;

/** A variable that looks like a setting but is none. It is ignored. */
export interface UnknownSetting {
  readonly name: string;
  /** The setting that was probably meant. */
  readonly nearest: SettingName | null;
}

/** The names that begin like ours but that nothing reads, each with the setting that was probably meant. */
export function unknownSettings(names: Iterable<string>): UnknownSetting[] {
  const known: readonly string[] = SETTING_NAMES;
  const all = [...names];
  return all
    .filter((name) => /^parley_/i.test(name) && !known.includes(name) && !OTHERS.test(name))
    .filter(isNotOfServices(all))
    .sort()
    .map((name) => ({ name, nearest: nearestTo(name) }));
}

/**
 * Kubernetes sets variables in each container for every service: `PARLEY_SERVICE_HOST` and `PARLEY_PORT` for one called
 * parley. They are not settings.
 */
function isNotOfServices(names: readonly string[]): (name: string) => boolean {
  const end = "_SERVICE_HOST";
  const services = names.flatMap((name) =>
    name.endsWith(end) ? [name.slice(0, -end.length)] : [],
  );
  return (name) =>
    !services.some(
      (one) => name.startsWith(`${one}_SERVICE_`) || `${name}_`.startsWith(`${one}_PORT_`),
    );
}

/** The line that tells a person about it. */
export const describeUnknown = ({ name, nearest }: UnknownSetting): string =>
  `${name} is no setting and is ignored${nearest === null ? "" : `; ${nearest} may be meant`}`;

/**
 * The name without our prefix. Half of the settings have none, so it does not count: `PARLEY_DATABSE_URL` is near
 * `DATABASE_URL`.
 */
const bare = (name: string): string => name.toUpperCase().replace(/^PARLEY_/, "");

function nearestTo(name: string): SettingName | null {
  const given = bare(name);
  let best: { readonly name: SettingName; readonly steps: number } | null = null;
  for (const setting of SETTING_NAMES) {
    const known = bare(setting);
    // `PARLEY_DATA` is a whole word of `PARLEY_DATA_DIR`.
    const part = known.startsWith(`${given}_`) || given.startsWith(`${known}_`);
    const steps = part ? 1 : stepsBetween(given, known);
    if (steps <= Math.ceil(known.length / 3) && (best === null || steps < best.steps))
      best = { name: setting, steps };
  }
  return best?.name ?? null;
}

/** The number of letters to insert, remove, change or swap with their neighbour to make one text of the other. */
function stepsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const at = (line: readonly number[], index: number) => line[index] ?? Infinity;
      let steps = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        steps = Math.min(steps, at(before, column - 2) + 1);
      next.push(steps);
    }
    [before, last] = [last, next];
  }
  return last[b.length] ?? Infinity;
}
