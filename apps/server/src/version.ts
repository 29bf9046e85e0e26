import { readFileSync } from "node:fs";
import path from "node:path";

const FILE = path.join(import.meta.dirname, "../../../package.json");

/** The version of this Parley, as the installation's package.json names it: "1.1.0". */
export const VERSION: string = readVersion();

function readVersion(): string {
  const read: unknown = JSON.parse(readFileSync(FILE, "utf8"));
  if (typeof read === "object" && read !== null && "version" in read) return String(read.version);
  throw new Error("package.json of the installation names no version");
}
