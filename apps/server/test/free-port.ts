import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * The system gives ports from 32,768 (Linux) or 49,152 (macOS) on to connections that go out, and to servers that ask for
 * any port. Browsers and `fetch` refuse some ports up to 10,080.
 */
const [FROM, BELOW] = [10_240, 32_768];

/**
 * A port of 127.0.0.1 on which nothing listens, and which the system gives to no other test: it is still free when a
 * program listens there seconds later, and again after each restart of the program.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, BELOW);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
