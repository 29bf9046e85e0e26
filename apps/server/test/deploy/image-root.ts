import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Image } from "./containerfile.ts";

/**
 * The root of a container, made by hand where no engine is: the tree at its place, and of the system only the libraries
 * that its programs load. What the tree needs beyond them is missing here, and fails the start.
 */
export interface ImageRoot {
  readonly at: string;
  /** The folder that the image's volume is. */
  readonly data: string;
}

const SETPRIV = "/usr/bin/setpriv";

/** Why such a root cannot be entered here; false: it can. */
export function noNamespace(): string | false {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "a root of one's own needs Linux and root";
  if (!existsSync(SETPRIV)) return "no setpriv is installed here";
  const tried = spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]);
  return tried.status === 0 ? false : "this machine lets no one unshare its mounts";
}

/** The libraries and the loader of a program, by their places. */
function librariesOf(program: string): string[] {
  const said = execFileSync("ldd", [program], { encoding: "utf8" });
  return [...said.matchAll(/(\/\S+) \(0x/g)].map(([, file = ""]) => file);
}

/** Where the tree is in the root that `folder` will hold. */
export const placeOfTree = (folder: string, image: Image): string =>
  path.join(folder, "root", image.folder);

/** Makes the root in `folder`. The tree is already in it, at its place. */
export function makeImageRoot(folder: string, image: Image): ImageRoot {
  const at = path.join(folder, "root");
  const data = path.join(folder, "data");
  for (const name of ["etc", "proc", "tmp", "dev", "run", image.volume])
    mkdirSync(path.join(at, name), { recursive: true });
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, image.user.uid, image.user.gid);
  const node = path.join(at, image.folder, "bin/node");
  for (const file of new Set([...librariesOf(node), ...librariesOf(SETPRIV), SETPRIV])) {
    mkdirSync(path.join(at, path.dirname(file)), { recursive: true });
    copyFileSync(file, path.join(at, file));
  }
  const { uid, gid } = image.user;
  writeFileSync(path.join(at, "etc/passwd"), `parley:x:${uid}:${gid}::${image.volume}:/none\n`);
  writeFileSync(path.join(at, "etc/group"), `parley:x:${gid}:\n`);
  writeFileSync(path.join(at, "etc/hosts"), "127.0.0.1 localhost\n");
  return { at, data };
}

/** How words begin in the root: by the image's user, with no capability and none to be gained. */
function asUser({ user, folder }: Image, words: readonly string[]): string[] {
  const { uid, gid } = user;
  const [program = "", ...rest] = words;
  // What an engine does by the image's PATH and WORKDIR.
  const place = program === "node" ? path.join(folder, "bin/node") : program;
  const inside = rest.map((one) =>
    /^(scripts|apps|bin)\//.test(one) ? path.join(folder, one) : one,
  );
  const dropped = `--clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all`;
  return [
    SETPRIV,
    "--reuid",
    `${uid}`,
    "--regid",
    `${gid}`,
    ...dropped.split(" "),
    place,
    ...inside,
  ];
}

/**
 * Starts the image's command in the root as a container does with `--read-only --cap-drop=ALL --tmpfs /tmp`: processes and
 * mounts of its own, and nothing that can be written but the volume and /tmp.
 */
export function startInRoot(root: ImageRoot, image: Image, env: Readonly<Record<string, string>>) {
  const script = `set -e
    mount --bind ${root.at} ${root.at}
    mount -t proc proc ${root.at}/proc
    mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs ${root.at}/tmp
    mount --bind ${root.data} ${root.at}${image.volume}
    mount -o remount,bind,ro ${root.at}
    cd ${root.at}
    exec /usr/sbin/chroot ${root.at} "$@"`;
  const own = ["--mount", "--pid", "--fork", "--kill-child"];
  const words = [...own, "sh", "-c", script, "sh", ...asUser(image, image.command)];
  return begin("/usr/bin/unshare", words, image, env);
}

/** The process of the image's command, which is the first of its own namespace. */
export function processIn(started: ChildProcess): number {
  return Number(readFileSync(`/proc/${started.pid}/task/${started.pid}/children`, "utf8"));
}

/** Runs further words beside it, as an engine's `exec` does. */
export function execInRoot(
  pid: number,
  image: Image,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const enter = ["--target", String(pid), "--mount", "--pid", "--root", "--wd"];
  return begin("/usr/bin/nsenter", [...enter, ...asUser(image, words)], image, env);
}

const begin = (
  program: string,
  words: readonly string[],
  image: Image,
  env: Readonly<Record<string, string>>,
) => spawn(program, words, { env: { ...image.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
