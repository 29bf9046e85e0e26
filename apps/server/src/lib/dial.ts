import net from "node:net";

const CONNECT_MS = 5_000;
/** How long an address may be silent before the next one is tried beside it (RFC 8305). */
const NEXT_MS = 250;

/**
 * Opens a TCP connection to the address that answers first. Rejects after 5 seconds, or when all have failed, with the
 * error of the one that failed first. Every address may answer until the end. Node by itself gives an address up after
 * half a second, so it never reaches a distant address that stands beside a dead one.
 */
export function dial(addresses: readonly string[], port: number): Promise<net.Socket> {
  const left = inTurn(addresses);
  const trying = new Set<net.Socket>();
  let first: Error | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<net.Socket>();
  let next: NodeJS.Timeout | undefined;
  const late = setTimeout(
    () => end(Object.assign(new Error("connect timed out"), { code: "ETIMEDOUT" })),
    CONNECT_MS,
  );

  function end(outcome: net.Socket | Error): void {
    clearTimeout(late);
    clearTimeout(next);
    left.length = 0;
    for (const socket of trying) if (socket !== outcome) socket.destroy();
    trying.clear();
    if (outcome instanceof Error) reject(outcome);
    else resolve(outcome);
  }

  function tryNext(): void {
    clearTimeout(next);
    const host = left.shift();
    if (host === undefined) return;
    const socket = net.connect({ host, port, noDelay: true, keepAlive: true });
    trying.add(socket);
    const failed = (error: Error) => {
      if (!trying.delete(socket)) return;
      first ??= error;
      if (left.length > 0) tryNext();
      else if (trying.size === 0) end(first);
    };
    socket.on("error", failed);
    socket.once("connect", () => {
      socket.removeListener("error", failed);
      end(socket);
    });
    next = setTimeout(tryNext, NEXT_MS);
  }
  tryNext();
  return promise;
}

/** Takes IPv4 and IPv6 addresses in turn. So a dead family costs one wait, and not one for each address. */
function inTurn(addresses: readonly string[]): string[] {
  const [one = "", ...others] = addresses;
  const same = others.filter((address) => net.isIP(address) === net.isIP(one));
  const other = others.filter((address) => net.isIP(address) !== net.isIP(one));
  const turns = Array.from({ length: Math.max(same.length, other.length) }, (_, at) => [
    other[at],
    same[at],
  ]);
  return [one, ...turns.flat()].filter((address) => address !== undefined);
}
