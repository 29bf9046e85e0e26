const PLACE = /\{\{[^{}]*\}\}/u;
/** The customer's name, with the comma that parts it from the words before. */
const CUSTOMER = /(?:[ \t]*[,،])?[ \t]*\{\{\s*contact\.(?:name|firstName)\s*\}\}/gu;
const BETWEEN_SENTENCES = /(?<=[.!?؟])[ \t]+/u;
const LEADING_SIGNS = /^[\s,،;؛:.!?؟–-]+/u;

/**
 * What a saved reply says to every customer. The customer's name is left out. So is a sentence with any other place: it is
 * not whole without what fills it, as a member's name. Empty: nothing is left.
 */
export const replyText = (text: string): string =>
  text
    .replaceAll(/\r\n?/gu, "\n")
    .split("\n")
    .flatMap((line) => {
      if (!PLACE.test(line)) return line;
      const left = line
        .replaceAll(CUSTOMER, "")
        .split(BETWEEN_SENTENCES)
        .filter((sentence) => !PLACE.test(sentence))
        .join(" ")
        .replace(LEADING_SIGNS, "")
        .trim();
      return left === "" ? [] : left;
    })
    .join("\n")
    .trim();
