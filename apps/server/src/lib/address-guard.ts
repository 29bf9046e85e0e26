import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { addressesOfName, isPrivateName, type Resolve } from "./resolve-name.ts";

/** The address is one that customers may not make us call. `message` says why, in words for a person. */
export class AddressRefused extends Error {}

export interface AddressGuard {
  /**
   * Judges what can be judged without a name server, and returns the URL. Use only this URL from then on: an address
   * must not be checked in one spelling and called in another. Throws `AddressRefused`.
   */
  inspect(url: string): URL;
  /**
   * Every IP address of an inspected URL. Throws `AddressRefused` when one of them is refused, and `NameUnresolved`
   * when the name has no address within 3 seconds.
   */
  addressesOf(url: URL): Promise<readonly string[]>;
  /**
   * Does both, for an address that is being registered (contract §5, URL check). Throws what the two others throw, and
   * `AddressRefused` above 2,048 characters.
   */
  check(url: string): Promise<URL>;
}

// Somebody who tries Parley at home reads this first, in a terminal that may lack the server's settings.
const NOT_PUBLIC =
  "the host is not public (PARLEY_OUTBOUND_ALLOW admits private ones, for the server and the command line)";

// WHATWG `URL` would strip or reinterpret these characters. No honest webhook address needs them.
// eslint-disable-next-line no-control-regex
const UNFIT = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/u;
// An https receiver may use any port from 1024 on, but not the port of a data store.
const STORE_PORTS = new Set([
  1433, 1521, 2375, 2379, 3306, 5432, 5984, 6379, 9042, 9200, 11211, 27017,
]);

const closed = new BlockList();
for (const cidr of (
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
  "192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 " +
  // 168.63.129.16 is Azure's wire server: a public number that answers inside every machine there.
  "203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32 " +
  "2001::/23 2001:db8::/32 2002::/16 3fff::/20 3ffe::/16 2620:4f:8000::/48"
).split(" ")) {
  addCidr(closed, cidr);
}
// Of IPv6 only global unicast is open. This rule excludes mapped, compatible, NAT64, unique-local, link-local and
// multicast addresses.
const globalUnicast = new BlockList();
addCidr(globalUnicast, "2000::/3");

function addCidr(list: BlockList, cidr: string): void {
  const [address = "", bits] = cidr.split("/");
  const version = isIP(address);
  const width = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? width : Number(bits);
  if (version === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > width) {
    throw new Error(`not an address range: ${cidr}`);
  }
  list.addSubnet(address, prefix, version === 4 ? "ipv4" : "ipv6");
}

function within(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

function ownAddressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map((one) => one.address),
  );
}

/**
 * Decides which addresses customers may make us call. `allow` (PARLEY_OUTBOUND_ALLOW) lists CIDRs that are admitted
 * although they are private, with any port and with http. Throws an `Error` when an entry is not a CIDR.
 */
export function createAddressGuard(options: {
  readonly allow: readonly string[];
  readonly resolve?: Resolve;
  readonly ownAddresses?: () => readonly string[];
}): AddressGuard {
  const allowed = new BlockList();
  for (const cidr of options.allow) addCidr(allowed, cidr);
  const anyAllowed = options.allow.length > 0;
  const ownAddresses = options.ownAddresses ?? ownAddressesOfMachine;

  function inspect(text: string): URL {
    if (UNFIT.test(text) || !text.isWellFormed()) {
      throw new AddressRefused("the address has a character that no address may have");
    }
    const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
    if (authority === undefined) throw new AddressRefused("the address must start with https://");
    if (/[@%]/.test(authority)) {
      throw new AddressRefused("the address must not carry credentials or escapes in its host");
    }
    const url = URL.parse(text);
    if (!url) throw new AddressRefused("the address is not a URL");
    // `URL` may have turned a full-width or enclosed character into "@" or ":".
    if (url.username !== "" || url.password !== "") {
      throw new AddressRefused("the address must not carry credentials");
    }
    url.hash = "";
    if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
    const literal = literalOf(url);
    if (literal === null) {
      const labels = url.hostname.split(".");
      if (labels.includes("")) throw new AddressRefused("the host is not a name");
      // With an allow list, a private name may lead to an admitted address. Its addresses decide later.
      if (!anyAllowed && isPrivateName(url.hostname)) {
        throw new AddressRefused(NOT_PUBLIC);
      }
    }
    admit(url, literal === null ? [] : [literal]);
    return url;
  }

  /**
   * Throws `AddressRefused` when one of these addresses is not open, or when scheme, port or name are not allowed for
   * them.
   */
  function admit(url: URL, addresses: readonly string[]): void {
    if (url.port === "0") throw new AddressRefused("the port is not usable");
    const outside = addresses.filter((address) => !within(allowed, address));
    for (const address of outside) {
      const open = isIP(address) === 4 || within(globalUnicast, address);
      if (!open || within(closed, address) || ownAddresses().includes(address)) {
        throw new AddressRefused(NOT_PUBLIC);
      }
    }
    // No address is known yet: the URL is judged as public, unless an allow list might still admit it.
    if (outside.length === 0 && (addresses.length > 0 || anyAllowed)) return;
    if (url.protocol !== "https:") throw new AddressRefused("the address must start with https://");
    const port = url.port === "" ? 443 : Number(url.port);
    if ((port !== 443 && port < 1024) || STORE_PORTS.has(port)) {
      throw new AddressRefused(`port ${port} is not open to webhooks`);
    }
    if (literalOf(url) === null && isPrivateName(url.hostname)) {
      throw new AddressRefused(NOT_PUBLIC);
    }
  }

  async function addressesOf(url: URL): Promise<readonly string[]> {
    const literal = literalOf(url);
    const addresses =
      literal === null ? await addressesOfName(url.hostname, options.resolve) : [literal];
    admit(url, addresses);
    return addresses;
  }

  return {
    inspect,
    addressesOf,
    async check(text) {
      // Only registration has this limit: a gateway that takes an SMS text in its address gets longer ones.
      if (text.length > 2_048)
        throw new AddressRefused("the address is longer than 2,048 characters");
      const url = inspect(text);
      await addressesOf(url);
      return url;
    },
  };
}

/**
 * The host when it is an IP address, without brackets; null when it is a name. `URL` has already turned every numeric
 * spelling into the dotted form.
 */
export function literalOf(url: URL): string | null {
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) === 0 ? null : host;
}
