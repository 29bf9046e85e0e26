/** A part of a path that hides nothing: `webhooks`, `v1`, `parley-events`. */
const WORD = /^[a-z][a-z_.-]{0,23}\d{0,2}$/;

/**
 * An address as lists, mails and logs show it: scheme, host, port, and the parts of the path that read like words. Any
 * other part may be a token, so only its first two characters are shown. A query is not shown
 * (`https://hooks.example.com/services/T0…/B1…?…`).
 */
export function shownAddress(address: string): string {
  const url = new URL(address);
  const path = url.pathname
    .split("/")
    .map((step) => (step.length <= 3 || WORD.test(step) ? step : `${step.slice(0, 2)}…`));
  return `${url.origin}${path.join("/")}${url.search === "" ? "" : "?…"}`;
}
