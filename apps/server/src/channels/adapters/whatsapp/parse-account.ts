import type { InboundEvent } from "../../adapter.ts";
import { idOrNull, record, records, textOrNull } from "../meta/json.ts";
import type { WebhookChange } from "./parse.ts";

/** News that needs no action: prices, terms, and that an account was shared, linked or reconnected. */
const GOOD_NEWS = new Set([
  "ACCOUNT_RECONNECTED",
  "AD_ACCOUNT_LINKED",
  "AUTH_INTL_PRICE_ELIGIBILITY_UPDATE",
  "BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE",
  "MM_LITE_TERMS_SIGNED",
  "PARTNER_ADDED",
  "PARTNER_APP_INSTALLED",
  "VERIFIED_ACCOUNT",
  "VOLUME_BASED_PRICING_TIER_UPDATE",
]);

/**
 * News of templates and of the account (channels.md §2.9, §2.10). They name the business (`entry.id`), not the
 * number. A template's changes other than its status come as status `CHANGED`: the list must be read again.
 */
export function readAccountNews(change: WebhookChange): InboundEvent[] {
  const { field, value, wabaId } = change;
  switch (field) {
    case "message_template_status_update":
      return templateNews(change, textOrNull(value["event"]) ?? "CHANGED");
    case "message_template_components_update":
    case "message_template_quality_update":
    case "template_category_update":
      return templateNews(change, "CHANGED");
    case "account_update": {
      const event = textOrNull(value["event"]) ?? "ACCOUNT_UPDATE";
      if (GOOD_NEWS.has(event)) return [];
      // A partner's news name the customer's business inside; the entry may then be the partner's own.
      const shared = idOrNull(record(value["waba_info"])["waba_id"]);
      return alert(change, shared ?? wabaId, event, describe(change), isBlocking(event, value));
    }
    case "phone_number_quality_update": {
      const event = textOrNull(value["event"]) ?? "QUALITY";
      // Good news (UNFLAGGED, a higher limit) is not reported.
      return ["FLAGGED", "DOWNGRADE"].includes(event)
        ? alert(change, wabaId, event, describe(change), false)
        : [];
    }
    case "account_alerts":
    case "security": {
      const type =
        textOrNull(record(value["alert_info"])["alert_type"]) ?? textOrNull(value["alert_type"]);
      const code = type ?? textOrNull(value["event"]) ?? field.toUpperCase();
      return alert(change, wabaId, code, describe(change), false);
    }
    default:
      return [];
  }
}

function templateNews(change: WebhookChange, status: string): InboundEvent[] {
  const { value, wabaId } = change;
  const externalTemplateId = idOrNull(value["message_template_id"]);
  if (wabaId === null || externalTemplateId === null) return [];
  const reason = textOrNull(value["reason"]);
  const rejection = record(value["rejection_info"]);
  const detail = [textOrNull(rejection["reason"]), textOrNull(rejection["recommendation"])]
    .filter((one) => one !== null)
    .join(" ")
    .slice(0, 1_000);
  return [
    {
      kind: "template_status",
      businessId: wabaId,
      externalTemplateId,
      name: textOrNull(value["message_template_name"]) ?? "",
      language: textOrNull(value["message_template_language"]) ?? "",
      status,
      reason:
        reason !== null && reason !== "NONE"
          ? reason
          : (textOrNull(record(value["other_info"])["description"]) ??
            textOrNull(rejection["reason"])),
      ...(detail !== "" && { detail }),
    },
  ];
}

/** The longest word for what happened that is kept. Admins get one notice a day for it. */
const LONGEST_CODE = 100;

function alert(
  change: WebhookChange,
  businessId: string | null,
  word: string,
  detail: string,
  blocking: boolean,
): InboundEvent[] {
  if (businessId === null && change.numberId === null) return [];
  const accountExternalId = change.numberId;
  const occurredAt = change.timeOf(undefined);
  const code = word.slice(0, LONGEST_CODE).toWellFormed();
  const told = { accountExternalId, businessId, code, detail, blocking, occurredAt };
  return [{ kind: "account_alert", ...told }];
}

function isBlocking(event: string, value: Readonly<Record<string, unknown>>): boolean {
  if (event === "DISABLED_UPDATE")
    return textOrNull(record(value["ban_info"])["waba_ban_state"]) === "DISABLE";
  return ["PARTNER_REMOVED", "ACCOUNT_DELETED", "PARTNER_APP_UNINSTALLED"].includes(event);
}

/** What a person needs to know of it, wherever the kinds put it. */
function describe({ value }: WebhookChange): string {
  const ban = record(value["ban_info"]);
  // Beside `alert_info` in older calls.
  const told = { ...value, ...record(value["alert_info"]) };
  const words = [
    textOrNull(value["event"]),
    ...records(value["restriction_info"]).map((one) => textOrNull(one["restriction_type"])),
    textOrNull(ban["waba_ban_state"]),
    textOrNull(ban["waba_ban_date"]),
    textOrNull(value["current_limit"]),
    textOrNull(told["alert_severity"]),
    textOrNull(told["alert_description"]),
    textOrNull(record(value["violation_info"])["violation_type"]),
  ];
  return (
    words
      .filter((word) => word !== null)
      .join(", ")
      .slice(0, 500) || "no details were given"
  );
}
