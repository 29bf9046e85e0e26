/** A part that is missing for good must not load the page for ever. */
const EVERY_MS = 60_000;
/** So long the server may take to answer. */
const ANSWER_MS = 10_000;
const LAST = "parley.reloaded";

/**
 * Loads the page again when the server answers at its address: without a network the browser would put a page of its own
 * there. Unless a person asked for it, at most once a minute.
 */
export async function loadAgain({ asked }: { readonly asked: boolean }): Promise<void> {
  if (!asked && Date.now() - Number(sessionStorage.getItem(LAST) ?? 0) < EVERY_MS) return;
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(location.href, { cache: "no-store", signal }).catch(() => null);
  if (answer === null || answer.status >= 500) return;
  sessionStorage.setItem(LAST, String(Date.now()));
  location.reload();
}
