import { openPage } from "./page.ts";
import type { Platform, PlatformOptions, SandboxType } from "./platform.ts";
import { openSms } from "./sms.ts";
import { openTelegram } from "./telegram.ts";
import { openTikTok } from "./tiktok.ts";
import { openWhatsApp } from "./whatsapp.ts";

/** How the platform of each type is started. */
export const PLATFORMS = {
  WHATSAPP: openWhatsApp,
  MESSENGER: (options) => openPage("MESSENGER", options),
  INSTAGRAM: (options) => openPage("INSTAGRAM", options),
  TELEGRAM: openTelegram,
  TIKTOK: openTikTok,
  SMS: openSms,
} satisfies Record<SandboxType, (options: PlatformOptions) => Promise<Platform>>;

/** The customers that write when none is named; none of them has a meaning. */
export const USUAL_CUSTOMER = {
  WHATSAPP: "96550001234",
  MESSENGER: "24000000001234",
  INSTAGRAM: "17840000001234",
  TELEGRAM: "700001234",
  TIKTOK: "customer-1234",
  SMS: "96550001234",
} as const satisfies Record<SandboxType, string>;
