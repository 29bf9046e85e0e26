/** Why the server cannot listen at the address of the settings, in words for the operator. Null for any other error. */
export function listenFault(error: unknown, host: string, port: number): string | null {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `PORT ${port} on ${host} is taken; set another PORT`;
  if (code === "EACCES") return `PORT ${port} needs more rights; set a PORT above 1023`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `HOST ${host} is no address of this machine`;
  return null;
}
