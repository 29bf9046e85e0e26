import { lookup, Resolver } from "node:dns/promises";
import { readFileSync, statSync } from "node:fs";
import { isIP, SocketAddress, type LookupFunction } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { callbackify } from "node:util";

/** Finds every IP address of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const LOOKUP_MS = 3_000;
/** How long the system may take for a name that the name servers do not know. */
const SYSTEM_MS = 500;
/**
 * How much longer an IPv6 address may take than an IPv4 one (RFC 8305 has 50 ms). Some name servers never answer that
 * question.
 */
const SIXTH_MS = 250;
const HOSTS =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
// Last labels that never belong to a public host (RFC 6761, 6762, 7686, 8375, and common private ones).
const PRIVATE_NAMES = new Set(
  "localhost localdomain local internal intranet lan home corp private invalid test example onion alt arpa".split(
    " ",
  ),
);
/**
 * There is no such name, it has no address, or there is nobody to ask. The machine may still know it from somewhere
 * else.
 */
const UNKNOWN = /^(ENOTFOUND|ENODATA|ECONNREFUSED)$/;

/** A name that has no address or could not be looked up. The message says which of the two, without the name. */
export class NameUnresolved extends Error {}

/** Whether only the machine's system can know this name: it has one label, or a private ending. */
export function isPrivateName(hostname: string): boolean {
  const labels = hostname.split(".");
  return labels.length < 2 || PRIVATE_NAMES.has(labels.at(-1) ?? "");
}

/** The addresses of a name, at least one, as `resolve` finds them within 3 seconds. Throws `NameUnresolved`. */
export async function addressesOfName(
  hostname: string,
  resolve: Resolve = resolveName,
): Promise<readonly string[]> {
  const done = new AbortController();
  const late = sleep(LOOKUP_MS, null, { signal: done.signal }).catch(() => null);
  let addresses: readonly string[] | null;
  try {
    addresses = await Promise.race([resolve(hostname), late]);
  } catch (error) {
    throw new NameUnresolved(wordsOf(codeOf(error)));
  } finally {
    done.abort();
  }
  if (addresses === null) throw new NameUnresolved(wordsOf("ETIMEOUT"));
  if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0))
    throw new NameUnresolved(wordsOf("ENODATA"));
  return addresses;
}

function wordsOf(code: string): string {
  if (code === "ENOTFOUND") return "there is no such host";
  if (code === "ENODATA") return "the host has no address";
  if (code === "ETIMEOUT") return "the name server did not answer in time";
  return "the name server could not tell the host's address";
}

/**
 * Looks in the machine's hosts file, then asks its name servers directly. `getaddrinfo` alone does not do: Node runs
 * only two of its calls at a time, so two names with silent servers would hold up every other look-up, the database's
 * among them. It is asked only for private names, and for names that the servers do not know, which it may find through
 * its search domains. Tests replace the machine's servers (`servers`) and `getaddrinfo` (`askSystem`).
 */
export function createResolve({
  servers,
  askSystem = lookUp,
}: { readonly servers?: readonly string[]; readonly askSystem?: Resolve } = {}): Resolve {
  let lastTurn: Promise<unknown> = Promise.resolve();

  /**
   * Asks the system for one name after the other, so that unknown names use only one of its two calls. A name that
   * waits longer than `SYSTEM_MS` for its turn and its answer counts as unknown.
   */
  function askSystemInTurn(hostname: string, reason: unknown): Promise<readonly string[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    let over = false;
    const late = setTimeout(() => {
      over = true;
      reject(reason);
    }, SYSTEM_MS);
    lastTurn = lastTurn.then(async () => {
      if (over) return;
      await askSystem(hostname).then(resolve, () => reject(reason));
      clearTimeout(late);
    });
    return promise;
  }

  return async (hostname) => {
    const own = inHosts(hostname);
    if (own.length > 0) return own;
    if (isPrivateName(hostname)) return askSystem(hostname);
    // A new resolver each time follows changes of the machine's network.
    const resolver = new Resolver({ timeout: 700, tries: 2 });
    if (servers) resolver.setServers(servers);
    const four = resolver.resolve4(hostname);
    const six = resolver.resolve6(hostname);
    const found = await Promise.allSettled([four, enough(four, six)]);
    resolver.cancel();
    const addresses = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = found.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    const reason: unknown = reasons.find((one) => !UNKNOWN.test(codeOf(one))) ?? reasons[0];
    if (!UNKNOWN.test(codeOf(reason))) throw reason;
    return askSystemInTurn(hostname, reason);
  };
}

const resolveName = createResolve();

/** Makes the look-up of a socket that resolves its name itself (`net.connect({ lookup })`). */
export function lookupBy(addressesOf: Resolve): LookupFunction {
  const foundLater = callbackify((hostname: string) => addressesOf(hostname));
  return (hostname, { all }, done) => {
    foundLater(hostname, (error, addresses) => {
      const [first = ""] = addresses ?? [];
      if (error) done(error, first, 0);
      else if (all) {
        done(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        );
      } else done(null, first, isIP(first));
    });
  };
}

/** The look-up of such a socket through `addressesOfName`. */
export const lookupName: LookupFunction = lookupBy((hostname) => addressesOfName(hostname));

async function lookUp(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map((one) => one.address);
}

/** The IPv6 addresses; an empty list when they come more than `SIXTH_MS` after the IPv4 ones. */
async function enough(
  four: Promise<readonly string[]>,
  six: Promise<readonly string[]>,
): Promise<readonly string[]> {
  const done = new AbortController();
  const rest = four.then(
    () => sleep(SIXTH_MS, [], { signal: done.signal }).catch(() => []),
    () => six,
  );
  return Promise.race([six, rest]).finally(() => done.abort());
}

let hosts: { readonly mark: string; readonly names: ReadonlyMap<string, readonly string[]> } = {
  mark: "",
  names: new Map(),
};

/** The addresses of a name in the machine's hosts file, which is read again when it has changed. */
function inHosts(hostname: string): readonly string[] {
  try {
    const { mtimeMs, size, ino } = statSync(HOSTS);
    const mark = `${mtimeMs} ${size} ${ino}`;
    if (hosts.mark !== mark) hosts = { mark, names: parseHosts(readFileSync(HOSTS, "utf8")) };
  } catch {
    return [];
  }
  return hosts.names.get(hostname.toLowerCase()) ?? [];
}

/** The names in a hosts file, in lower case, each with its addresses as a socket writes them. */
export function parseHosts(text: string): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const line of text.split("\n")) {
    const [written = "", ...aliases] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(written) === 0) continue;
    const address = asToldBySockets(written);
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), address]);
    }
  }
  return names;
}

/**
 * Writes an address as a socket does: `FD00:0::1` becomes `fd00::1`. The address that a connection reached is compared
 * with it.
 */
function asToldBySockets(address: string): string {
  // An address with a zone belongs to one network link, and stays as it is.
  if (isIP(address) !== 6 || address.includes("%")) return address;
  return new SocketAddress({ address, family: "ipv6" }).address;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
