/** The Graph API version used when none is given. It is named only here; connected channels keep theirs. */
export const GRAPH_VERSION = "v25.0";

export const DEFAULT_GRAPH_URL = `https://graph.facebook.com/${GRAPH_VERSION}`;

const VERSION_AT_END = /\/v\d+(\.\d+)?$/;

/**
 * Brings a base address into the adapters' form: no slash at the end, a version path at the end. An address
 * without a version (`https://proxy.example`, `http://127.0.0.1:4010/graph`) gets the default one. Null: not an
 * address.
 */
export function graphUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return null;
  const base = url.origin + url.pathname.replace(/\/+$/, "");
  return VERSION_AT_END.test(base) ? base : `${base}/${GRAPH_VERSION}`;
}
