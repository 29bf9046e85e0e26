import { spawn, type ChildProcess } from "node:child_process";
import type { RunAs } from "./postgres-binaries.ts";

/**
 * A shell that waits at a pipe. This process holds the other end, so the pipe closes when this process ends, however
 * that happens. Then the shell asks PostgreSQL to end as in a clean stop, and forces it after ten seconds. By then
 * another process may have its number. On Linux the shell sees that and leaves that process alone.
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

/** Makes this PostgreSQL end within seconds after this process, also when this process is killed outright. */
export function endWithUs(postgres: ChildProcess, pid: number, runAs: RunAs | undefined): void {
  const watch = spawn("/bin/sh", ["-c", WATCH, "parley-watch", String(pid)], {
    ...runAs,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    // A group of its own: what kills our whole group must not kill the watch too.
    detached: true,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" },
  });
  // Without a shell, the next start ends what is left, as after a power cut.
  watch.once("error", () => {});
  watch.stdin.once("error", () => {});
  postgres.once("exit", () => watch.kill());
}
