// Ends with 0 when the server of this machine can serve (`/readyz`), for the health check of a container: an image without
// curl has Node. Says why on stderr otherwise. With `--wait` it waits for that, for a unit of systemd: five minutes at most
// (a migration may take longer, which is no fault), and only while the service (MAINPID) runs, else it ends with 1.
import { fileURLToPath } from "node:url";

const MOST_MS = 5 * 60_000;
try {
  // As the server reads it: the environment wins.
  process.loadEnvFile(fileURLToPath(new URL("../.env", import.meta.url)));
} catch {
  // There need not be one.
}
const { HOST = "", MAINPID = "", PORT = "" } = process.env;
const everywhere = { "": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]" };
const host = everywhere[HOST] ?? (HOST.includes(":") ? `[${HOST}]` : HOST);

async function fault() {
  try {
    const answer = await fetch(`http://${host}:${PORT || "3000"}/readyz`, {
      signal: AbortSignal.timeout(4_000),
    });
    return answer.ok ? null : await answer.text();
  } catch (error) {
    return error.cause?.message ?? error.message;
  }
}

function runs(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

const waits = process.argv.includes("--wait");
let why = await fault();
for (
  const deadline = Date.now() + MOST_MS;
  waits && why !== null && Date.now() < deadline;
  why = await fault()
) {
  if (MAINPID !== "" && !runs(Number(MAINPID))) {
    console.error("the server ended before it was ready; its log says why");
    process.exit(1);
  }
  await new Promise((resolve) => setTimeout(resolve, 250));
}
if (why !== null) {
  console.error(`not ready: ${why}`);
  process.exit(waits ? 0 : 1);
}
