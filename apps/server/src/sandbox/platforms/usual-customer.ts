import type { SandboxType } from "../../wire/words.ts";

/** The customers who write when the caller names none. None of these addresses triggers a fault. */
export const USUAL_CUSTOMER = {
  WHATSAPP: "96550001234",
  MESSENGER: "24000000001234",
  INSTAGRAM: "17840000001234",
  TELEGRAM: "700001234",
  TIKTOK: "customer-1234",
  SMS: "96550001234",
} as const satisfies Record<SandboxType, string>;
