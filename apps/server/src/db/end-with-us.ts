import { spawn, type ChildProcess } from "node:child_process";
import type { RunAs } from "./postgres-binaries.ts";

/**
 * A shell that waits at a pipe whose other end this process holds: it closes when this process ends, however that is. Then
 * PostgreSQL is asked to end as by a clean stop, and after ten seconds told to. Its number may be somebody else's by then
 * where that can be seen (Linux).
 */
const WATCH = `
  is_there() {
    kill -0 "$1" 2>/dev/null || return 1
    [ -e /proc/self/comm ] || return 0
    read -r name <"/proc/$1/comm" && [ "$name" = postgres ]
  }
  read -r _
  is_there "$1" && kill -INT "$1"
  for second in 1 2 3 4 5 6 7 8 9 10; do
    is_there "$1" || exit 0
    sleep 1
  done
  kill -QUIT "$1"
`;

/** Has this PostgreSQL end within seconds after this process, also when this one is killed outright and can do nothing. */
export function endWithUs(postgres: ChildProcess, pid: number, runAs: RunAs | undefined): void {
  const watch = spawn("/bin/sh", ["-c", WATCH, "parley-watch", String(pid)], {
    ...runAs,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    // Not in our group: what kills all of that must not kill the watch too.
    detached: true,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" },
  });
  // Without a shell the next start ends what is left, as it does after a power cut.
  watch.once("error", () => {});
  watch.stdin.once("error", () => {});
  postgres.once("exit", () => watch.kill());
}
