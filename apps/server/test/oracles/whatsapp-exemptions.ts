import type { Exemption } from "./published-schema.ts";

/** What we send beyond Meta's OpenAPI document v23.0. */
export const SENT: readonly Exemption[] = [
  {
    path: "biz_opaque_callback_data",
    why: "documented for messages and calls; the document has it for calls only",
  },
  {
    path: "document.filename",
    why: "the document's own example of a document message has it, its type does not",
  },
  {
    path: "template.components.*.parameters.*.parameter_name",
    why: "named parameters of templates (2024) came after the document's template types",
  },
];

/** What the platform answers beyond it. */
export const ANSWERED: readonly Exemption[] = [
  { path: "contacts.*.user_id", why: "business-scoped user ids (2026) are younger than v23.0" },
  {
    path: "error.error_data",
    why: "documented with the Cloud API's error codes; the document has the general error only",
  },
];

/** What the platform posts beyond it, seen from one `value`. */
export const POSTED: readonly Exemption[] = [
  { path: "contacts.*.user_id", why: "business-scoped user ids (2026)" },
  { path: "messages.*.from_user_id", why: "business-scoped user ids (2026)" },
  { path: "statuses.*.recipient_user_id", why: "business-scoped user ids (2026)" },
  {
    path: "statuses.*.biz_opaque_callback_data",
    why: "documented on the page of statuses; missing in the document as it is in its sends",
  },
  {
    path: "statuses.*.pricing.type",
    why: "per-message pricing (July 2025) added regular, free_customer_service, free_entry_point",
  },
  {
    path: "messages.*.context",
    why: "the document requires referred_product; a plain quoted reply has from and id alone",
    when: (context) =>
      typeof context === "object" &&
      context !== null &&
      Object.keys(context).toSorted().join() === "from,id",
  },
];
