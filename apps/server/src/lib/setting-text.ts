import { isIP } from "node:net";
import { databaseHosts } from "./database-hosts.ts";

/** The address range as a CIDR. A single address becomes a range of one. Null when the text is neither. */
export function asCidr(text: string): string | null {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const width = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return width < 0 || Number(bits ?? width) > width ? null : `${address}/${bits ?? width}`;
}

/** Whether it is an http or https address without user, password, query or fragment. */
export function isWebAddress(text: string): boolean {
  if (!hasScheme(text, ["http:", "https:"])) return false;
  const url = new URL(text);
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

/**
 * Whether it is an address with a host, with one of these schemes (colon included), and with a name and password that
 * can be decoded.
 */
function hasScheme(text: string, schemes: readonly string[]): boolean {
  const url = URL.parse(text);
  if (url === null || !schemes.includes(url.protocol) || url.hostname === "") return false;
  try {
    // `50%off` cannot be decoded. Its first use would throw without naming the setting.
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}

/** Parley needs a server that takes writes. libpq's words for other servers are refused. */
const TARGETS = [null, "any", "read-write", "primary"];

/**
 * Whether the driver can read this PostgreSQL address. It has one host or several
 * (`postgres://user@a:5432,b:5432/name`). Without a host it leads to a socket (`postgres://user@/name?host=/run`).
 */
export function isDatabaseAddress(text: string): boolean {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text)) return false;
  const addresses = databaseHosts(text);
  return addresses.every((address) => {
    const url =
      URL.parse(address) ??
      (addresses.length === 1 ? URL.parse(address.replace("@/", "@socket/")) : null);
    if (url === null || (addresses.length > 1 && url.hostname === "")) return false;
    const { searchParams } = url;
    return (
      /^\d{0,5}$/.test(searchParams.get("port") ?? "") &&
      TARGETS.includes(searchParams.get("target_session_attrs"))
    );
  });
}

/**
 * Whether it is a Redis address. The database in it must be a number: with anything else the driver would end the
 * process.
 */
export function isRedisAddress(text: string): boolean {
  if (!hasScheme(text, ["redis:", "rediss:"])) return false;
  const { pathname, searchParams } = new URL(text);
  return /^\/?\d{0,9}$/.test(pathname) && /^\d{0,9}$/.test(searchParams.get("db") ?? "");
}

/** Whether it is a mail server's address. A `from` must hold a mail address, or no mail would ever leave. */
export function isMailAddress(text: string): boolean {
  if (!hasScheme(text, ["smtp:", "smtps:"])) return false;
  const from = new URL(text).searchParams.get("from");
  return from === null || /[^\s<>@]@[^\s<>@]/.test(from);
}

/** The host as it is written in a URL. "Every interface" is reached from this machine by loopback. */
export function addressable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** A wrong value, ready for a message: on one line, at most 60 characters. */
export function clip(text: string): string {
  const oneLine = text.replaceAll(/\s+/g, " ");
  return oneLine.length > 60 ? `${oneLine.slice(0, 60)}…` : oneLine;
}
