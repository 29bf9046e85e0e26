import { spawnSync } from "node:child_process";

/** The first of the names that is a program of this machine, at least of this version; null when there is none. */
function find(names: readonly string[], ask: readonly string[], least: readonly [number, number]) {
  for (const name of names) {
    const { status, stdout } = spawnSync(name, [...ask], { encoding: "utf8" });
    const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
    if (status !== 0 || Number(major) < least[0]) continue;
    if (Number(major) > least[0] || Number(minor) >= least[1]) return name;
  }
  return null;
}

/** Languages of the clients beside our own. A test of one that is missing says that it was left out. */
export const PYTHON_COMMAND = find(["python3"], ["--version"], [3, 9]);
export const PHP_COMMAND = find(["php"], ["-r", "echo PHP_VERSION;"], [8, 1]);

/** For `test`: why it is left out, or false. */
export const without = (name: "Python" | "PHP"): string | false => {
  const found = name === "Python" ? PYTHON_COMMAND : PHP_COMMAND;
  return found === null ? `no ${name} on this machine` : false;
};
