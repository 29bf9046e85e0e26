import { randomBytes } from "node:crypto";
import { invalid } from "../errors.ts";
import type { ChannelType } from "../wire/words.ts";
import { graphUrl } from "./adapters/meta/graph-url.ts";
import { BOT_TOKEN, botApiUrl } from "./adapters/telegram/api.ts";
import { tiktokUrl } from "./adapters/tiktok/api.ts";
import type { ConnectInput, EnteredAccount } from "./connect-input.ts";
import { WEB_FORM } from "./web-form.ts";

export type * from "./connect-input.ts";

interface FieldRule {
  readonly goesTo: "externalId" | "settings" | "secrets";
  readonly pattern: RegExp;
  readonly words: string;
  /** The value of a field that is left out; without a default the field must be given. Null: no value. */
  readonly absent?: () => string | null;
}

interface AccountForm {
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** The account's id at the platform, for types where a secret contains it and no field does. */
  readonly externalIdOf?: (secrets: Readonly<Record<string, string>>) => string;
  /** Pairs of fields: the first is useless without the second. */
  readonly wants?: readonly (readonly [field: string, needed: string])[];
  /** Brings a replaced base address into the adapter's form; null when it is not an address. */
  readonly apiUrl: (text: string) => string | null;
  /** True when the platform is asked or told something every hour: templates, or where to call. */
  readonly synced: boolean;
}

const id = (goesTo: "externalId" | "settings"): FieldRule => ({
  goesTo,
  pattern: /^[\w-]{1,64}$/,
  words: "must be 1 to 64 of A–Z, a–z, 0–9, _ and -",
});
// Printable ASCII without spaces: these go into headers and must not break them.
const secret: FieldRule = {
  goesTo: "secrets",
  pattern: /^[\x21-\x7e]{1,4096}$/,
  words: "must be 1 to 4096 printable characters without spaces",
};

/** What each type of channel needs, by the names that the command line and the dashboard use. */
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

export interface CheckedAccount {
  readonly name: string;
  readonly externalId: string;
  readonly settings: Record<string, string>;
  readonly secrets: Record<string, string>;
  readonly apiUrl: string | null;
  readonly synced: boolean;
}

/** A field of a type's form, as a page or a command asks for it. */
export interface AccountField {
  readonly name: string;
  /** Stored sealed and never shown again. */
  readonly secret: boolean;
  readonly required: boolean;
  /** The source of the regular expression that its values match; null: judged by the server alone. */
  readonly pattern: string | null;
  /** Whether it can be replaced on a connected channel; the account itself cannot. */
  readonly changeable: boolean;
}

/** The fields of a channel type, in the order in which they are asked for. */
export function accountFields(type: ChannelType): AccountField[] {
  const { fields }: AccountForm = FORMS[type];
  return Object.entries(fields).map(([name, { goesTo, absent, pattern }]) => ({
    name,
    pattern: pattern.flags === "" ? pattern.source : null,
    secret: goesTo === "secrets",
    required: absent === undefined,
    changeable: goesTo !== "externalId",
  }));
}

/** Checks the values of a connect by their fields' names. Refuses the first fault with VALIDATION_FAILED. */
export function checkAccount(input: ConnectInput | EnteredAccount): CheckedAccount {
  const form: AccountForm | undefined = FORMS[input.type];
  if (form === undefined) throw invalid("type", "is no channel type that can be connected");
  const entered = "fields" in input;
  const given = new Map<string, unknown>(Object.entries(entered ? input.fields : input));
  if (entered)
    for (const name of given.keys())
      if (!Object.hasOwn(form.fields, name)) throw invalid(name, "is no field of this channel");
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
 * Checks those fields of a form that are given, for example a new access token. Only settings and secrets of the
 * same account can be replaced.
 */
export function checkReplacement(
  { type, externalId }: { readonly type: ChannelType; readonly externalId: string },
  input: Readonly<Record<string, string | undefined>>,
): {
  settings: Record<string, string>;
  secrets: Record<string, string>;
  /** Fields that are given empty and may be absent: their value is removed. */
  cleared: string[];
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
  const cleared: string[] = [];
  for (const [field, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(form.fields, field) ? form.fields[field] : undefined;
    if (rule === undefined || rule.goesTo === "externalId")
      throw invalid(field, "cannot be changed on this channel");
    const read = readField(field, value, rule);
    if (read === null) cleared.push(field);
    else replaced[rule.goesTo][field] = read;
  }
  if ("botToken" in replaced.secrets && form.externalIdOf?.(replaced.secrets) !== externalId)
    throw invalid("botToken", "belongs to another bot");
  return {
    ...replaced,
    cleared,
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
  if (given === undefined || given.trim() === "") return null;
  const url = form.apiUrl(given.trim());
  if (url === null)
    throw invalid("apiUrl", "must be an http or https address without credentials or query");
  return url;
}
