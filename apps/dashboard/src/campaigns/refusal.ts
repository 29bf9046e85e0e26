import type { ApiError } from "../api/api-error.ts";
import { t } from "../text/t.ts";

/** The text for a refused change of a campaign, when the usual text would not say what to do. */
export function refusalText(error: ApiError | null): { readonly text?: string } {
  switch (error?.code ?? "") {
    case "SUBSCRIPTION_SUSPENDED":
      return { text: t("campaigns.cause.suspended") };
    case "MESSAGE_LIMIT_REACHED":
      return { text: t("campaigns.cause.limit") };
    case "INSUFFICIENT_CREDITS":
      return { text: t("campaigns.cause.credits") };
    case "BROADCAST_NOT_STARTABLE":
      return { text: t("campaigns.refused.start") };
    case "NOT_ALLOWED_IN_STATE":
      return { text: t("campaigns.refused.state") };
    case "BROADCAST_NOT_FOUND":
      return { text: t("kit.error.notFound") };
    case "VALIDATION_FAILED":
      switch (error?.details[0]?.path ?? "") {
        case "scheduledAt":
          return { text: t("campaigns.refused.past") };
        case "id":
          return { text: t("campaigns.refused.nobody") };
        case "phone":
          return { text: t("campaigns.refused.phone") };
        case "channelId":
          return { text: t("campaigns.refused.channel") };
        default:
          // The values of a template: each such fault names the places that there are.
          return error?.details[0]?.message.includes("{{name}}")
            ? { text: t("campaigns.refused.place") }
            : {};
      }
    default:
      return {};
  }
}
