import type { DraftFault } from "../../../server/src/channels/template-draft.ts";
import { Badge, type Tone } from "../kit/badge.tsx";
import { t } from "../text/t.ts";

const STATUSES = {
  APPROVED: ["templates.status.approved", "ok"],
  PENDING: ["templates.status.pending", "info"],
  IN_APPEAL: ["templates.status.appeal", "info"],
  REJECTED: ["templates.status.rejected", "bad"],
  PAUSED: ["templates.status.paused", "warn"],
  DISABLED: ["templates.status.disabled", "bad"],
  ARCHIVED: ["templates.status.archived", "plain"],
  PENDING_DELETION: ["templates.status.deleting", "plain"],
  LIMIT_EXCEEDED: ["templates.status.limit", "warn"],
} as const satisfies Record<string, readonly [string, Tone]>;

export const KNOWN_STATUSES = ["APPROVED", "PENDING", "REJECTED", "PAUSED", "DISABLED"] as const;

const isKnown = (status: string): status is keyof typeof STATUSES =>
  Object.hasOwn(STATUSES, status);

/** The state of a template, in words. A new word of the platform is shown as it is. */
export function statusWord(status: string): string {
  return isKnown(status) ? t(STATUSES[status][0]) : status;
}

export function StatusBadge({ status }: { readonly status: string }) {
  return <Badge tone={isKnown(status) ? STATUSES[status][1] : "plain"}>{statusWord(status)}</Badge>;
}

/** How customers receive it. */
export function Quality({ quality }: { readonly quality: string | null }) {
  switch (quality) {
    case "GREEN":
      return <Badge tone="ok">{t("templates.quality.green")}</Badge>;
    case "YELLOW":
      return <Badge tone="warn">{t("templates.quality.yellow")}</Badge>;
    case "RED":
      return <Badge tone="bad">{t("templates.quality.red")}</Badge>;
    case null:
    default:
      return <span className="template-quiet">{t("templates.quality.unknown")}</span>;
  }
}

export function categoryWord(category: string | undefined): string {
  switch (category) {
    case "MARKETING":
      return t("templates.category.marketing");
    case "UTILITY":
      return t("templates.category.utility");
    case "AUTHENTICATION":
      return t("templates.category.authentication");
    case undefined:
      return t("kit.none");
    default:
      return category;
  }
}

/** Why the platform refused it, in words; its own word when it is a new one. */
export function rejectionWords(reason: string | null): string {
  switch (reason) {
    case "ABUSIVE_CONTENT":
      return t("templates.reason.abusive");
    case "INCORRECT_CATEGORY":
      return t("templates.reason.category");
    case "INVALID_FORMAT":
      return t("templates.reason.format");
    case "PROMOTIONAL":
      return t("templates.reason.promotional");
    case "SCAM":
      return t("templates.reason.scam");
    case "TAG_CONTENT_MISMATCH":
      return t("templates.reason.mismatch");
    case null:
      return t("templates.reason.none");
    default:
      return t("templates.reason.other", { reason });
  }
}

/** The fault of a field, and what the field must be. */
export function faultText({ rule, most = 0, least = 0, number = 0 }: DraftFault): string {
  switch (rule) {
    case "long":
      return t("templates.fault.long", { most });
    case "gap":
      return t("templates.fault.gap", { place: `{{${number}}}` });
    case "ratio":
      return t("templates.fault.ratio", { least });
    case "many":
      return t("templates.fault.many", { most });
    case "variable":
      return t("templates.fault.variable", { place: "{{1}}" });
    case "named_variable":
      return t("templates.fault.named_variable", { place: "{{first_name}}" });
    case "one_variable":
      return t("templates.fault.one_variable", { place: "{{1}}" });
    case "url_variable":
      return t("templates.fault.url_variable", { place: "{{1}}" });
    case "empty":
    case "name":
    case "language":
    case "edge":
    case "adjacent":
    case "example":
    case "one_name":
    case "no_variable":
    case "plain":
    case "lines":
    case "file":
    case "url":
    case "phone":
    case "same":
    case "mixed":
      return t(`templates.fault.${rule}`);
  }
}
