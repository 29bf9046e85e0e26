const SHARED = 8;

/**
 * A gateway's words without anything of the sent text, so that a passcode cannot come back into a record through
 * an error. Removes the whole text and its encoded forms, every word of it that has a digit or looks like a code,
 * and every stretch of eight characters they share. The recipient's number is not part of the text and stays.
 */
export function withoutEcho(words: string, text: string): string {
  const units = words.toLowerCase();
  if (units.length !== words.length || words.length > 2_000) return "";
  const hidden = Array.from({ length: words.length }, () => false);
  const hide = (piece: string) => {
    const wanted = piece.toLowerCase();
    if (wanted === "") return;
    for (let at = units.indexOf(wanted); at >= 0; at = units.indexOf(wanted, at + 1)) {
      hidden.fill(true, at, at + wanted.length);
    }
  };
  for (const form of [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text.toWellFormed()),
  ]) {
    hide(form);
  }
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) {
    const code = /\p{N}/u.test(word) ? word.length >= 3 : /\p{Lu}.*\p{Lu}/u.test(word);
    if (code) hide(word);
  }
  const lower = text.toLowerCase();
  const stretches = new Set<string>();
  for (let at = 0; at + SHARED <= lower.length; at++) stretches.add(lower.slice(at, at + SHARED));
  for (let at = 0; at + SHARED <= units.length; at++)
    if (stretches.has(units.slice(at, at + SHARED))) hidden.fill(true, at, at + SHARED);
  let result = "";
  for (let at = 0; at < words.length; at++) {
    if (!hidden[at]) result += words.charAt(at);
    else if (at === 0 || !hidden[at - 1]) result += "…";
  }
  return result.toWellFormed();
}
