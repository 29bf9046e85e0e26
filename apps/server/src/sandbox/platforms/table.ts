import { openPage } from "./page.ts";
import type { Platform, PlatformOptions } from "./platform.ts";
import { openSms } from "./sms.ts";
import { openTelegram } from "./telegram.ts";
import { openTikTok } from "./tiktok.ts";
import { openWhatsApp } from "./whatsapp.ts";
import type { SandboxType } from "../../wire/words.ts";

/** How the platform of each type is started. */
export const PLATFORMS = {
  WHATSAPP: openWhatsApp,
  MESSENGER: (options) => openPage("MESSENGER", options),
  INSTAGRAM: (options) => openPage("INSTAGRAM", options),
  TELEGRAM: openTelegram,
  TIKTOK: openTikTok,
  SMS: openSms,
} satisfies Record<SandboxType, (options: PlatformOptions) => Promise<Platform>>;
