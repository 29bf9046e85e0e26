import { randomBytes } from "node:crypto";
import { invalid } from "../errors.ts";
import type { ChannelType } from "../wire/words.ts";
import { graphUrl } from "./adapters/meta/graph-url.ts";
import { BOT_TOKEN, botApiUrl } from "./adapters/telegram/api.ts";
import { tiktokUrl } from "./adapters/tiktok/api.ts";
import { WEB_FORM, type ConnectWeb } from "./web-form.ts";

interface FieldRule {
  readonly goesTo: "externalId" | "settings" | "secrets";
  readonly pattern: RegExp;
  readonly words: string;
  /** What stands for a field that is not given; without it the field must be given. Null: nothing. */
  readonly absent?: () => string | null;
}

interface AccountForm {
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** The account's id at the platform, where no field is it but a secret tells it. */
  readonly externalIdOf?: (secrets: Readonly<Record<string, string>>) => string;
  /** Pairs: the first is of no use without the second. */
  readonly wants?: readonly (readonly [field: string, needed: string])[];
  /** Brings a replaced base address into the adapter's form; null when it is no address. */
  readonly apiUrl: (text: string) => string | null;
  /** True when the platform is asked or told something every hour: templates, where to call. */
  readonly synced: boolean;
}

const id = (goesTo: "externalId" | "settings"): FieldRule => ({
  goesTo,
  pattern: /^\d{1,64}$/,
  words: "must be 1 to 64 digits",
});
// Printable ASCII without spaces: these go into headers and must not break them.
const secret: FieldRule = {
  goesTo: "secrets",
  pattern: /^[\x21-\x7e]{1,4096}$/,
  words: "must be 1 to 4096 printable characters without spaces",
};

/** What each type of channel needs, by the names of the command line and the dashboard. */
const FORMS = {
  WHATSAPP: {
    fields: {
      phoneNumberId: id("externalId"),
      wabaId: id("settings"),
      accessToken: secret,
      appSecret: secret,
      verifyToken: secret,
    },
    apiUrl: graphUrl,
    synced: true,
  },
  MESSENGER: {
    fields: {
      pageId: id("externalId"),
      accessToken: secret,
      appSecret: secret,
      verifyToken: secret,
    },
    apiUrl: graphUrl,
    synced: true,
  },
  INSTAGRAM: {
    fields: {
      accountId: id("externalId"),
      accessToken: secret,
      appSecret: secret,
      verifyToken: secret,
    },
    apiUrl: graphUrl,
    synced: true,
  },
  TELEGRAM: {
    fields: {
      botToken: {
        goesTo: "secrets",
        pattern: BOT_TOKEN,
        words: "must be a bot token as @BotFather gives it (123456789:AA…)",
      },
      secretToken: {
        goesTo: "secrets",
        pattern: /^[A-Za-z0-9_-]{1,256}$/,
        words: "must be 1 to 256 of A–Z, a–z, 0–9, _ and -",
        absent: () => randomBytes(32).toString("base64url"),
      },
      polling: {
        goesTo: "settings",
        pattern: /^(true|false)$/,
        words: "must be true or false",
        absent: () => null,
      },
    },
    externalIdOf: ({ botToken = "" }) => botToken.slice(0, botToken.indexOf(":")),
    apiUrl: botApiUrl,
    synced: true,
  },
  TIKTOK: {
    fields: {
      businessId: {
        goesTo: "externalId",
        pattern: /^[\x21-\x7e]{1,256}$/,
        words: "must be 1 to 256 printable characters without spaces",
      },
      accessToken: secret,
      appSecret: secret,
      refreshToken: { ...secret, absent: () => null },
      appId: { ...id("settings"), absent: () => null },
    },
    // The app renews its tokens, so it must be named.
    wants: [["refreshToken", "appId"]],
    apiUrl: tiktokUrl,
    synced: true,
  },
  WEB: WEB_FORM,
} satisfies Record<ChannelType, AccountForm>;

export interface ConnectWhatsApp {
  readonly type: "WHATSAPP";
  readonly name: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Replaces https://graph.facebook.com; `/v25.0` is appended when it ends in no version. */
  readonly apiUrl?: string | undefined;
  /** True for the demo's channel on the emulator. */
  readonly sandbox?: boolean | undefined;
}

interface ConnectMeta {
  readonly name: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Replaces the platform's public address; `/v25.0` is appended when it ends in no version. */
  readonly apiUrl?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

interface ConnectMessenger extends ConnectMeta {
  readonly type: "MESSENGER";
  readonly pageId: string;
}

interface ConnectInstagram extends ConnectMeta {
  readonly type: "INSTAGRAM";
  readonly accountId: string;
}

export interface ConnectTelegram {
  readonly type: "TELEGRAM";
  readonly name: string;
  readonly botToken: string;
  /** What the platform shows us with each call; made up when it is not given. */
  readonly secretToken?: string | undefined;
  /** Ask the platform for updates instead of being called: for a server without a public address. */
  readonly polling?: boolean | undefined;
  /** Replaces https://api.telegram.org. */
  readonly apiUrl?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

interface ConnectTikTok {
  readonly type: "TIKTOK";
  readonly name: string;
  /** The account's `open_id`, which its calls name as `user_openid`. */
  readonly businessId: string;
  readonly accessToken: string;
  readonly appSecret: string;
  /** With it our address is entered at the app, for all accounts of that app, and tokens are renewed. */
  readonly appId?: string | undefined;
  /** Renews the access token, which ends after a day. Needs `appId`. */
  readonly refreshToken?: string | undefined;
  /** Replaces https://business-api.tiktok.com; `/open_api/v1.3` is appended when it is not there. */
  readonly apiUrl?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

export type ConnectInput =
  | ConnectWeb
  | ConnectTikTok
  | ConnectWhatsApp
  | ConnectTelegram
  | ConnectMessenger
  | ConnectInstagram;

export interface CheckedAccount {
  readonly name: string;
  readonly externalId: string;
  readonly settings: Record<string, string>;
  readonly secrets: Record<string, string>;
  readonly apiUrl: string | null;
  readonly synced: boolean;
}

/** Checks a connect by the names of its fields; refuses the first fault with VALIDATION_FAILED. */
export function checkAccount(input: ConnectInput): CheckedAccount {
  const form: AccountForm | undefined = FORMS[input.type];
  if (form === undefined) throw invalid("type", "is no channel type that can be connected");
  const given = new Map<string, unknown>(Object.entries(input));
  const checked = { externalId: "", settings: {}, secrets: {} } as {
    externalId: string;
    settings: Record<string, string>;
    secrets: Record<string, string>;
  };
  for (const [name, rule] of Object.entries(form.fields)) {
    const value = readField(name, given.get(name), rule);
    if (value === null) continue;
    if (rule.goesTo === "externalId") checked.externalId = value;
    else checked[rule.goesTo][name] = value;
  }
  for (const [field, needed] of form.wants ?? []) {
    const all = { ...checked.settings, ...checked.secrets };
    if (field in all && !(needed in all)) throw invalid(needed, `is required with ${field}`);
  }
  if (form.externalIdOf) checked.externalId = form.externalIdOf(checked.secrets);
  return {
    ...checked,
    name: checkName(input.name),
    apiUrl: checkApiUrl(input.apiUrl, form),
    synced: form.synced,
  };
}

/**
 * Checks those fields of a form that are given, e.g. a new access token. Only settings and secrets can be replaced,
 * and only by those of the same account.
 */
export function checkReplacement(
  { type, externalId }: { readonly type: ChannelType; readonly externalId: string },
  input: Readonly<Record<string, string | undefined>>,
): {
  settings: Record<string, string>;
  secrets: Record<string, string>;
  name?: string;
  apiUrl?: string | null;
  synced: boolean;
} {
  const forms: Partial<Record<ChannelType, AccountForm>> = FORMS;
  const form = forms[type];
  if (form === undefined) throw invalid("type", "is no channel type that has credentials");
  const { name, apiUrl, ...rest } = input;
  const replaced = { settings: {}, secrets: {} } as {
    settings: Record<string, string>;
    secrets: Record<string, string>;
  };
  for (const [field, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(form.fields, field) ? form.fields[field] : undefined;
    if (rule === undefined || rule.goesTo === "externalId")
      throw invalid(field, "cannot be changed on this channel");
    const read = readField(field, value, rule);
    if (read !== null) replaced[rule.goesTo][field] = read;
  }
  if ("botToken" in replaced.secrets && form.externalIdOf?.(replaced.secrets) !== externalId)
    throw invalid("botToken", "belongs to another bot");
  return {
    ...replaced,
    synced: form.synced,
    ...(name !== undefined && { name: checkName(name) }),
    ...(apiUrl !== undefined && { apiUrl: checkApiUrl(apiUrl, form) }),
  };
}

function readField(name: string, given: unknown, rule: FieldRule): string | null {
  if (given === undefined || given === null || given === "") {
    if (rule.absent === undefined) throw invalid(name, "is required");
    return rule.absent();
  }
  const value = typeof given === "string" || typeof given === "boolean" ? String(given).trim() : "";
  if (!rule.pattern.test(value)) throw invalid(name, rule.words);
  return value;
}

function checkName(given: string): string {
  const name = typeof given === "string" ? given.trim() : "";
  if (name.length < 1 || name.length > 200) throw invalid("name", "must be 1 to 200 characters");
  if (name.includes("\0") || !name.isWellFormed()) throw invalid("name", "must be valid text");
  return name;
}

function checkApiUrl(given: string | undefined, form: AccountForm): string | null {
  if (given === undefined) return null;
  const url = form.apiUrl(given.trim());
  if (url === null)
    throw invalid("apiUrl", "must be an http or https address without credentials or query");
  return url;
}
