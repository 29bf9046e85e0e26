import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { SMS_PROVIDERS, type SmsAccount, type SmsProviderName } from "./provider.ts";
import { smsProviderFor } from "./registry.ts";

/** The workspace's gateway account as people see it: no secrets. */
export interface WorkspaceSmsProvider {
  readonly id: string;
  readonly workspaceId: string;
  readonly provider: SmsProviderName;
  /** Null: the gateway's own address. */
  readonly apiUrl: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** Null until a test send went through. */
  readonly verifiedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What `setProvider` takes: which gateway, and its fields by name. */
export interface SmsProviderInput {
  readonly provider: string;
  readonly apiUrl?: string | undefined;
  readonly [field: string]: string | undefined;
}

interface FieldRule {
  readonly goesTo: "settings" | "secrets";
  readonly pattern: RegExp;
  readonly words: string;
}

const FORMS: Readonly<Record<SmsProviderName, Readonly<Record<string, FieldRule>>>> = {
  twilio: {
    accountSid: {
      goesTo: "settings",
      pattern: /^[A-Za-z0-9_-]{2,64}$/,
      words: "must be the account's SID (AC…)",
    },
    authToken: {
      goesTo: "secrets",
      pattern: /^[\x21-\x7e]{1,1024}$/,
      words: "must be 1 to 1024 printable characters without spaces",
    },
    from: {
      goesTo: "settings",
      pattern: /^(\+?\d{3,15}|MG[0-9a-fA-F]{32}|(?=.*[A-Za-z])[A-Za-z0-9 &._+-]{1,11})$/,
      words:
        "must be a phone number, a Messaging Service SID (MG…) or a sender name of 1 to 11 letters",
    },
  },
};

export interface CheckedProvider {
  readonly provider: SmsProviderName;
  readonly apiUrl: string | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Checks an account by the names of its fields; refuses the first fault with VALIDATION_FAILED. */
export function checkProvider(input: SmsProviderInput): CheckedProvider {
  const provider = SMS_PROVIDERS.find((name) => name === input.provider);
  if (!provider) throw invalid("provider", `must be one of ${SMS_PROVIDERS.join(", ")}`);
  const checked = { settings: {}, secrets: {} } as Record<
    FieldRule["goesTo"],
    Record<string, string>
  >;
  for (const [field, rule] of Object.entries(FORMS[provider])) {
    const value = (input[field] ?? "").trim();
    if (value === "") throw invalid(field, "is required");
    if (!rule.pattern.test(value)) throw invalid(field, rule.words);
    checked[rule.goesTo][field] = value;
  }
  if (provider === "twilio") checked.settings["from"] = asSender(checked.settings["from"] ?? "");
  return { provider, apiUrl: checkApiUrl(input.apiUrl), ...checked };
}

function asSender(from: string): string {
  return /^\d{7,15}$/.test(from) ? `+${from}` : from;
}

function checkApiUrl(given: string | undefined): string | null {
  if (given === undefined || given.trim() === "") return null;
  const url = URL.parse(given.trim());
  const fit =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === "";
  if (!fit)
    throw invalid("apiUrl", "must be an http or https address without credentials or query");
  return url.href.replace(/\/+$/, "");
}

/** Where the secrets live, for the sealer. */
export function smsSecretsPlace(workspaceId: string, providerId: string): string {
  return `sms_provider:${workspaceId}:${providerId}`;
}

/** The account as a gateway's code needs it. */
export function openAccount(
  context: Pick<Context, "sealer" | "config">,
  row: WorkspaceSmsProvider & { readonly secretsSealed: Buffer },
): SmsAccount {
  const opened = context.sealer.open(row.secretsSealed, smsSecretsPlace(row.workspaceId, row.id));
  return {
    providerId: row.id,
    workspaceId: row.workspaceId,
    provider: row.provider,
    apiUrl: row.apiUrl ?? smsProviderFor(row.provider).defaultApiUrl,
    settings: row.settings,
    secrets: JSON.parse(opened) as Record<string, string>,
    statusUrl: `${context.config.publicUrl}/hooks/sms/${row.id}`,
  };
}
