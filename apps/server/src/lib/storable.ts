/** Whether PostgreSQL can hold a text: it takes neither U+0000 nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
