import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import type { FieldRule } from "./field-rule.ts";
import { SMS_PROVIDERS, type SmsProviderName } from "../wire/words.ts";
import type { SmsAccount } from "./provider.ts";
import { smsProviderFor } from "./registry.ts";

/** The workspace's gateway account as people see it: no secrets. */
export interface WorkspaceSmsProvider {
  readonly id: string;
  readonly workspaceId: string;
  readonly provider: SmsProviderName;
  /** Null: the gateway's own address. */
  readonly apiUrl: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** A made-up account at the emulator. */
  readonly sandbox: boolean;
  /** Null until a test send succeeded. */
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

export interface CheckedProvider {
  readonly provider: SmsProviderName;
  readonly apiUrl: string | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Checks an account by the names of its fields. Refuses the first fault with VALIDATION_FAILED. */
export function checkProvider(input: SmsProviderInput): CheckedProvider {
  const provider = SMS_PROVIDERS.find((name) => name === input.provider);
  if (!provider) throw invalid("provider", `must be one of ${SMS_PROVIDERS.join(", ")}`);
  const rules = smsProviderFor(provider);
  const checked: Record<FieldRule["goesTo"], Record<string, string>> = {
    settings: {},
    secrets: {},
  };
  for (const field of Object.keys(input)) {
    if (!["provider", "apiUrl"].includes(field) && !Object.hasOwn(rules.fields, field))
      if (input[field] !== undefined) throw invalid(field, `is not a field of ${provider}`);
  }
  for (const [field, rule] of Object.entries(rules.fields)) {
    const value = (input[field] ?? "").trim();
    if (value === "" && rule.optional) continue;
    if (value === "") throw invalid(field, "is required");
    if (!rule.pattern.test(value)) throw invalid(field, rule.words);
    const fault = rule.fault?.(value) ?? null;
    if (fault !== null) throw invalid(field, fault);
    checked[rule.goesTo][field] = rule.store?.(value) ?? value;
  }
  const apiUrl = checkApiUrl(input.apiUrl, rules.apiUrlSchemes ?? ["http:", "https:"]);
  if (apiUrl === null && rules.defaultApiUrl === null) throw invalid("apiUrl", "is required");
  if (apiUrl !== null && rules.defaultApiUrl === "")
    throw invalid("apiUrl", `is not a field of ${provider}`);
  const fault = rules.check?.(checked) ?? null;
  if (fault) throw invalid(fault.field, fault.words);
  return { provider, apiUrl, ...checked };
}

function checkApiUrl(given: string | undefined, schemes: readonly string[]): string | null {
  if (given === undefined || given.trim() === "") return null;
  const url = URL.parse(given.trim());
  const fit =
    url !== null &&
    schemes.includes(url.protocol) &&
    url.hostname !== "" &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === "";
  if (!fit)
    throw invalid(
      "apiUrl",
      `must be an address (${schemes.join(" or ")}) without credentials or query`,
    );
  return url.href.replace(/\/+$/, "");
}

/** The place of the secrets, for the sealer. */
export function smsSecretsPlace(workspaceId: string, providerId: string): string {
  return `sms_provider:${workspaceId}:${providerId}`;
}

/** The account in the form that a gateway's code needs. */
export function openAccount(
  context: Pick<Context, "sealer" | "config">,
  row: WorkspaceSmsProvider & { readonly secretsSealed: Buffer; readonly apiUrlGuarded: boolean },
): SmsAccount {
  const opened = context.sealer.open(row.secretsSealed, smsSecretsPlace(row.workspaceId, row.id));
  return {
    providerId: row.id,
    workspaceId: row.workspaceId,
    provider: row.provider,
    apiUrl: row.apiUrl ?? smsProviderFor(row.provider).defaultApiUrl ?? "",
    guarded: row.apiUrlGuarded,
    settings: row.settings,
    secrets: JSON.parse(opened) as Record<string, string>,
    statusUrl: `${context.config.publicUrl}/hooks/sms/${row.id}`,
  };
}
