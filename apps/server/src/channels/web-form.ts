import { randomBytes } from "node:crypto";
import { invalid } from "../errors.ts";
import { WEB_MAX_FILE_BYTES } from "./adapters/web/files.ts";
import { ANY_ORIGIN, readOrigin } from "./adapters/web/origins.ts";

/** What a channel accepts from a visitor when nothing is set. */
export const DEFAULT_MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface ConnectWeb {
  readonly type: "WEB";
  readonly name: string;
  /** As `allowedOrigins` gives them; absent: any page. */
  readonly allowedOrigins?: string | undefined;
  /** The name in the head of the window; without it the window says "Chat". */
  readonly title?: string | undefined;
  /** The digest of the stored picture (`web-logo.ts`). */
  readonly logo?: string | undefined;
  /** What the window asks its visitor: name, email or both. */
  readonly ask?: string | undefined;
  /** before the first message, or after it */
  readonly askWhen?: string | undefined;
  /** What the window says before anybody wrote. */
  readonly greeting?: string | undefined;
  /** #rrggbb */
  readonly color?: string | undefined;
  /** left or right */
  readonly position?: string | undefined;
  /** en, ar or auto */
  readonly locale?: string | undefined;
  readonly maxFileBytes?: string | undefined;
  /** Signs the site's user ids; generated when it is left out. */
  readonly identitySecret?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly apiUrl?: undefined;
}

/** Random, of 256 bits. */
export const newIdentitySecret = (): string => randomBytes(32).toString("base64url");
/** Visitors' tokens carry it: a new one ends them all. */
export const newTokenVersion = (): string => randomBytes(6).toString("hex");

/**
 * Origins as they are stored: checked, in the browsers' form, without repeats. None: any page. Throws
 * VALIDATION_FAILED.
 */
export function allowedOrigins(given: readonly string[]): string {
  const origins = given.map((text) => {
    const origin = readOrigin(text);
    if (origin === null)
      throw invalid(
        "allowedOrigins",
        `takes a scheme, a host and a port like https://shop.example or https://*.shop.example, not "${text.slice(0, 200)}"`,
      );
    return origin;
  });
  if (origins.length > 100) throw invalid("allowedOrigins", "must be at most 100");
  return origins.length === 0 ? ANY_ORIGIN : [...new Set(origins)].join(" ");
}

const settings = "settings" as const;
const none = () => null;

/** The fields of a web channel. Its account id is generated: every connect creates a chat of its own. */
export const WEB_FORM = {
  fields: {
    allowedOrigins: {
      goesTo: settings,
      pattern: /^(\*|https?:\/\/\S+( https?:\/\/\S+)*)$/,
      words: "must be origins like https://shop.example",
      absent: () => ANY_ORIGIN,
    },
    title: {
      goesTo: settings,
      pattern: /^[^\p{Cc}]{1,60}$/u,
      words: "must be 1 to 60 characters in one line",
      absent: none,
    },
    logo: {
      goesTo: settings,
      pattern: /^[0-9a-f]{32}$/,
      words: "must be a stored picture",
      absent: none,
    },
    ask: {
      goesTo: settings,
      pattern: /^(name|email|name email)$/,
      words: "must be name, email or both, as `name email`",
      absent: none,
    },
    askWhen: {
      goesTo: settings,
      pattern: /^(before|after)$/,
      words: "must be before or after",
      absent: none,
    },
    greeting: {
      goesTo: settings,
      pattern: /^[^\0]{1,500}$/su,
      words: "must be 1 to 500 characters",
      absent: none,
    },
    color: {
      goesTo: settings,
      pattern: /^#[0-9a-f]{6}$/i,
      words: "must be a colour like #0a7cff",
      absent: none,
    },
    position: {
      goesTo: settings,
      pattern: /^(left|right)$/,
      words: "must be left or right",
      absent: none,
    },
    locale: {
      goesTo: settings,
      pattern: /^(en|ar|auto)$/,
      words: "must be en, ar or auto",
      absent: none,
    },
    maxFileBytes: {
      goesTo: settings,
      pattern: /^[1-9]\d{3,7}$/,
      words: `must be a whole number of bytes (what is above ${WEB_MAX_FILE_BYTES} acts as that)`,
      absent: none,
    },
    tokenVersion: {
      goesTo: settings,
      pattern: /^[0-9a-f]{12}$/,
      words: "must be 12 hex digits",
      absent: newTokenVersion,
    },
    identitySecret: {
      goesTo: "secrets" as const,
      pattern: /^[\x21-\x7e]{16,256}$/,
      words: "must be 16 to 256 printable characters without spaces",
      absent: newIdentitySecret,
    },
  },
  externalIdOf: () => randomBytes(16).toString("hex"),
  apiUrl: none,
  synced: false,
};
