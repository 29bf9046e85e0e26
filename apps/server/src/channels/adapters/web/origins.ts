/** Stands for every origin. */
export const ANY_ORIGIN = "*";

/**
 * An allowed origin in the form in which browsers send it (lower case, default port left out), or null when it is
 * not one: scheme http or https, host and port, and nothing else. `https://*.shop.example` stands for every
 * subdomain. A wildcard directly below a top-level name (`https://*.com`) is refused.
 */
export function readOrigin(text: string): string | null {
  const match = /^(https?):\/\/(\*\.)?([^/?#@\s*]+)\/?$/i.exec(text.trim());
  if (!match) return null;
  const [, scheme = "", wildcard = "", host = ""] = match;
  let url: URL;
  try {
    url = new URL(`${scheme}://${host}`);
  } catch {
    return null;
  }
  if (wildcard !== "" && (!url.hostname.includes(".") || /^[\d.]+$|^\[/.test(url.hostname)))
    return null;
  return `${url.protocol}//${wildcard}${url.host}`;
}

/** Whether a browser's `Origin` is among the allowed ones (as they are stored: separated by spaces). */
export function isAllowedOrigin(origin: string, allowed: string): boolean {
  if (allowed === ANY_ORIGIN) return true;
  const list = allowed.split(" ");
  if (list.includes(origin)) return true;
  const match = /^(https?:\/\/)([^/]+)$/.exec(origin);
  if (!match) return false;
  const [, scheme = "", host = ""] = match;
  return list.some((one) => {
    if (!one.startsWith(`${scheme}*.`)) return false;
    const base = one.slice(scheme.length + 1);
    return host.endsWith(base) && host.length > base.length;
  });
}
