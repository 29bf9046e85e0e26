/** What a code of the system means for somebody who named a file. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of its path is no folder",
  EISDIR: "it is a folder",
  EACCES: "this user may not",
  EPERM: "this user may not",
  EROFS: "its disk takes no writes",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk's quota is full",
  EIO: "the disk answers with an error",
};
const WRITES = /^(?:write|fsync|fdatasync|mkdir|rename|link|unlink)$/;

/**
 * A fault of a file as a sentence for whoever named it, with the system's code at its end. Null for any other error.
 * `file`: the name that was given, where another one (a draft) was opened.
 */
export function fileFault(error: unknown, file?: string): string | null {
  if (!(error instanceof Error && "code" in error && "syscall" in error)) return null;
  const meaning = MEANINGS[String(error.code)];
  const call = String(error.syscall);
  // A socket that is missing is no file that anybody named.
  if (meaning === undefined || call === "connect" || call === "listen") return null;
  const name = file ?? ("path" in error ? String(error.path) : "a file");
  const verb =
    file !== undefined || WRITES.test(call) ? "written" : call === "read" ? "read" : "opened";
  return `${name} cannot be ${verb}: ${meaning} (${String(error.code)})`;
}
