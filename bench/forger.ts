import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

/** What the run asks of the process that attacks. */
export type ForgerAsk = "end";

const [, , origin = "", pathsText = "", connectionsText = ""] = process.argv;
const { hostname, port } = new URL(origin);
const paths = pathsText.split(",");
/** Just below what Meta sends at most: read whole by a reader that checks afterwards. */
const BODY = randomBytes(3_000_000);
const HOLD_MS = 8_000;
const AGAIN_MS = 1_000;

const counts: Record<string, number> = {};
let over = false;
const open = new Set<Socket>();

/**
 * One connection with a forged call: all of the body but its last byte comes at once, that byte after eight seconds.
 * Whatever the answer is, it comes again a second later.
 */
function attack(index: number): void {
  if (over) return;
  const socket = connect({
    host: hostname,
    port: Number(port),
    // Four addresses: a forger has more than one.
    localAddress: `127.0.0.${2 + (index % 4)}`,
  });
  open.add(socket);
  let held: NodeJS.Timeout | undefined;
  socket.on("connect", () => {
    socket.write(
      `POST ${paths[index % paths.length]} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n` +
        `x-hub-signature-256: sha256=${"a".repeat(64)}\r\ncontent-length: ${BODY.length}\r\n\r\n`,
    );
    socket.write(BODY.subarray(0, -1), () => {
      held = setTimeout(() => socket.write(BODY.subarray(-1)), HOLD_MS);
    });
  });
  socket.once("data", (answer: Buffer) => {
    const status = answer.toString("latin1", 9, 12);
    counts[status] = (counts[status] ?? 0) + 1;
    socket.destroy();
  });
  socket.on("error", () => {
    counts["broken"] = (counts["broken"] ?? 0) + 1;
  });
  socket.on("close", () => {
    clearTimeout(held);
    open.delete(socket);
    setTimeout(() => attack(index), AGAIN_MS);
  });
}

for (let index = 0; index < Number(connectionsText); index++) attack(index);

process.on("message", (_ask: ForgerAsk) => {
  over = true;
  process.send?.(counts);
  for (const socket of open) socket.destroy();
  setTimeout(() => process.exit(0), 100);
});
process.on("disconnect", () => process.exit(1));
process.send?.({});
