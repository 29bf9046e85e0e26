import { isIP } from "node:net";
import { databaseHosts } from "./database-hosts.ts";

/** An address range with its length (a bare address is a range of one), or null when it is none. */
export function asCidr(text: string): string | null {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const width = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return width < 0 || Number(bits ?? width) > width ? null : `${address}/${bits ?? width}`;
}

/** An http or https address without password, query or fragment. */
export function isWebAddress(text: string): boolean {
  if (!hasScheme(text, ["http:", "https:"])) return false;
  const url = new URL(text);
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

/** An address with a host, one of these schemes (with their colon), and a name and password that can be decoded. */
function hasScheme(text: string, schemes: readonly string[]): boolean {
  const url = URL.parse(text);
  if (url === null || !schemes.includes(url.protocol) || url.hostname === "") return false;
  try {
    // `50%off` is none: using it would throw without naming the setting.
    decodeURIComponent(url.username + url.password);
    return true;
  } catch {
    return false;
  }
}

/** Parley writes, so no other server will do. libpq's words for those that take no writes are refused. */
const TARGETS = [null, "any", "read-write", "primary"];

/**
 * An address of PostgreSQL that the driver can read, with one host or several (`postgres://user@a:5432,b:5432/name`);
 * without a host it is that of a socket (`postgres://user@/name?host=/run`).
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
 * An address of Redis. What it names as its database must be a number: the driver would ask for another and end the
 * process.
 */
export function isRedisAddress(text: string): boolean {
  if (!hasScheme(text, ["redis:", "rediss:"])) return false;
  const { pathname, searchParams } = new URL(text);
  return /^\/?\d{0,9}$/.test(pathname) && /^\d{0,9}$/.test(searchParams.get("db") ?? "");
}

/** An address of a mail server; a `from` must have an address in it, or no mail would ever leave. */
export function isMailAddress(text: string): boolean {
  if (!hasScheme(text, ["smtp:", "smtps:"])) return false;
  const from = new URL(text).searchParams.get("from");
  return from === null || /[^\s<>@]@[^\s<>@]/.test(from);
}

/** A host as it stands in an address; "every interface" is reached from here by loopback. */
export function addressable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** A wrong value as a message may show it: one line, at most 60 characters. */
export function clip(text: string): string {
  const oneLine = text.replaceAll(/\s+/g, " ");
  return oneLine.length > 60 ? `${oneLine.slice(0, 60)}…` : oneLine;
}
