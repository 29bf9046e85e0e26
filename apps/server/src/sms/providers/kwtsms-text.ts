// Characters that phones show as pictures: kwtSMS keeps a text with one in its queue for ever, paid and unsent.
const PICTURES =
  /\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u{2600}-\u{27bf}]|[\u{fe00}-\u{fe0f}]|\u{20e3}|[\u{1f000}-\u{1faff}]|[\u{e0000}-\u{e007f}]/gu;
// Control and invisible characters, except the line feed.
const HIDDEN = /[\p{Cc}\p{Cf}\u{fffc}]/gu;
const TAG = /<\/?[a-zA-Z!][^<>]*>/g;

/**
 * A text as kwtSMS accepts it (channels §7.6): Arabic-Indic and Persian digits as Latin ones, no emoji, no
 * invisible or control characters, no HTML tags; a tab becomes a space. "a < b" stays.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll("\t", " ")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(HIDDEN, (one) => (one === "\n" ? one : ""))
    .replaceAll(PICTURES, "")
    .replaceAll(TAG, "")
    .trim();
}
