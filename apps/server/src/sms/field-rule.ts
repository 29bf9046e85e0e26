/** One field of a gateway account: which values fit, where it is stored, and what the command line says of it. */
export interface FieldRule {
  /** `secrets` are sealed and never shown again. */
  readonly goesTo: "settings" | "secrets";
  readonly pattern: RegExp;
  /** Which values fit, as the end of a sentence that starts with the field's name. */
  readonly words: string;
  readonly optional?: true;
  /** Gives the form that is stored. */
  readonly store?: (value: string) => string;
  /** A fault that no pattern can tell, in words; null when there is none. */
  readonly fault?: (value: string) => string | null;
}
export type FieldRules = Readonly<Record<string, FieldRule>>;

/** A field that is stored sealed and never shown: printable, without spaces. */
export const secret = (optional?: { optional: true }): FieldRule => ({
  goesTo: "secrets",
  pattern: /^[\x21-\x7e]{1,1024}$/,
  words: "must be 1 to 1024 printable characters without spaces",
  ...optional,
});

/** A sender: a number, or a name as phones show it. */
export const sender = (longestName = 11): FieldRule => ({
  goesTo: "settings",
  pattern: new RegExp(`^(\\+?\\d{3,15}|(?=.*[A-Za-z])[A-Za-z0-9 &._+-]{1,${longestName}})$`),
  words: `must be a phone number or a sender name of 1 to ${longestName} letters`,
});

/** The country code for national numbers of inbound messages, at gateways that send such (sms/inbound-number.ts). */
export const countryCode = (): FieldRule => ({
  goesTo: "settings",
  pattern: /^[1-9]\d{0,2}$/,
  words: "must be the country code in digits, for senders that the gateway names without it",
  optional: true,
});
