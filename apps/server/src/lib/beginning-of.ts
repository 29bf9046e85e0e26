/** The text, or only its first `characters` code points when it has more. No code point is cut in two. */
export const beginningOf = (text: string, characters: number): string =>
  Array.from(text).slice(0, characters).join("");
