/**
 * A template parameter as Meta accepts it: without line breaks, tabs or more than four spaces in a row (channels
 * §2.2), which it would refuse for this recipient. Empty when nothing is left to show.
 */
export function parameterText(text: string): string {
  return text
    .replaceAll(/[\r\n\t\v\f\u0085\u2028\u2029]+/gu, " ")
    .replaceAll(/ {4,}/gu, "   ")
    .trim();
}
