const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * How long to wait before attempt `attempt` (1 = the first repeat): doubles up to 30 s, half of it by chance, so that
 * the visitors of a server that was restarted do not all come back in the same second.
 */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 10));
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}

/**
 * What a Retry-After header asks for, in ms; null when it says nothing usable, as a time that is over: a client that comes back at
 * once does so again and again. Never more than five minutes.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return seconds > 0 ? Math.min(seconds, 300) * 1000 : null;
}
