/** A text, or as many of its characters as there may be, none cut through its middle. */
export const beginningOf = (text: string, characters: number): string =>
  Array.from(text).slice(0, characters).join("");
