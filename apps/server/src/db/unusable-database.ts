/**
 * Codes for a certificate of an unknown authority, which most hosted PostgreSQL services have. Node's own words would
 * advise one of Node's flags.
 */
const UNVOUCHED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/**
 * The error with which a start or a command ends when its database cannot be used. `databaseUrl` is the setting;
 * undefined for the embedded database, which no setting names.
 */
export function unusableDatabase(databaseUrl: string | undefined, cause: unknown): Error {
  const setting = databaseUrl === undefined ? "" : "DATABASE_URL: ";
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why = UNVOUCHED.has(code)
    ? `its certificate is of no known authority (${code}): add sslmode=verify-full&sslrootcert=FILE, the authority's certificate, or sslmode=no-verify to encrypt only`
    : describeFault(cause);
  const message = `${setting}the database cannot be used: ${why}`;
  return new Error(message, { cause });
}

/** The error in one line for a person. An AggregateError (all addresses of a host refused) has its words inside. */
export function describeFault(error: unknown): string {
  if (error instanceof AggregateError)
    return error.errors.map((inner) => describeFault(inner)).join("; ");
  return error instanceof Error ? error.message : String(error);
}
