/**
 * What a start or a command that ends for its database says. `databaseUrl`: what is set; undefined for the embedded one,
 * which no setting names.
 */
export function unusableDatabase(databaseUrl: string | undefined, cause: unknown): Error {
  const setting = databaseUrl === undefined ? "" : "DATABASE_URL: ";
  const message = `${setting}the database cannot be used: ${describeFault(cause)}`;
  return new Error(message, { cause });
}

/** One line for a person. An AggregateError (every address of a host refused) has its words inside. */
export function describeFault(error: unknown): string {
  if (error instanceof AggregateError)
    return error.errors.map((inner) => describeFault(inner)).join("; ");
  return error instanceof Error ? error.message : String(error);
}
