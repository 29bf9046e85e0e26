/**
 * The settings that our statements, and the reading of their answers, rely on. Every connection sets them, because an
 * operator's own PostgreSQL may have other defaults.
 * - At `repeatable read`, a claim that met another's fails instead of looking again.
 * - A date as `22/11/2026` is read wrong.
 * - Without `array_nulls`, a missing value in a list is the word NULL.
 * - We wait for locks as long as it takes, and keep connections that nobody uses for a while.
 *
 * How long a statement may take is the operator's decision.
 */
const SETTINGS = [
  "default_transaction_isolation = 'read committed'",
  "timezone = 'UTC'",
  "datestyle = 'ISO, MDY'",
  "intervalstyle = 'postgres'",
  "bytea_output = 'hex'",
  "extra_float_digits = 1",
  "standard_conforming_strings = on",
  "array_nulls = on",
  "transform_null_equals = off",
  "lock_timeout = 0",
  "idle_session_timeout = 0",
];

/**
 * Once a second PostgreSQL checks whether the client is still there. Otherwise a statement that was given up would go
 * on waiting for its lock, and hold a connection. The TCP settings find a vanished machine of ours within half a minute
 * and free its locks; over a Unix socket they have no effect. PostgreSQL on Windows can do neither.
 */
const CLIENT_LOOKS = [
  ["client_connection_check_interval", "1s"],
  ["tcp_keepalives_idle", "10"],
  ["tcp_keepalives_interval", "3"],
  ["tcp_keepalives_count", "3"],
  ["tcp_user_timeout", "20s"],
];

/** The statements of all settings, sent at once. */
export const SESSION = [
  ...SETTINGS.map((setting) => `set ${setting}`),
  `select ${CLIENT_LOOKS.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(", ")}
   where version() !~* 'windows|mingw|msvc|visual'`,
].join("; ");
