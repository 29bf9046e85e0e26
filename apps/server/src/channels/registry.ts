import type {
  ChannelAdapter,
  MediaSource,
  ProfileSource,
  TemplateSource,
  UpdateSource,
} from "./adapter.ts";
import type { ChannelType } from "../wire/words.ts";
import { instagram } from "./adapters/instagram/adapter.ts";
import { messagingMedia } from "./adapters/meta/messaging-media-source.ts";
import { messagingProfiles } from "./adapters/meta/messaging-profile.ts";
import { messenger } from "./adapters/messenger/adapter.ts";
import { telegram } from "./adapters/telegram/adapter.ts";
import { telegramMedia } from "./adapters/telegram/media-source.ts";
import { telegramUpdates } from "./adapters/telegram/updates.ts";
import { tiktok } from "./adapters/tiktok/adapter.ts";
import { web } from "./adapters/web/adapter.ts";
import { tiktokMedia } from "./adapters/tiktok/media-source.ts";
import { whatsapp } from "./adapters/whatsapp/adapter.ts";
import { whatsappMedia } from "./adapters/whatsapp/media-source.ts";
import { whatsappTemplates } from "./adapters/whatsapp/template-source.ts";

/** Every platform that can be connected. A missing one does not compile. */
const ADAPTERS = {
  WHATSAPP: whatsapp,
  MESSENGER: messenger,
  INSTAGRAM: instagram,
  TELEGRAM: telegram,
  TIKTOK: tiktok,
  WEB: web,
} satisfies Record<ChannelType, ChannelAdapter>;

const TEMPLATE_SOURCES: Partial<Record<ChannelType, TemplateSource>> = {
  WHATSAPP: whatsappTemplates,
};

const UPDATE_SOURCES: Partial<Record<ChannelType, UpdateSource>> = {
  TELEGRAM: telegramUpdates,
};

const MEDIA_SOURCES: Partial<Record<ChannelType, MediaSource>> = {
  WHATSAPP: whatsappMedia,
  MESSENGER: messagingMedia,
  INSTAGRAM: messagingMedia,
  TELEGRAM: telegramMedia,
  TIKTOK: tiktokMedia,
};

const PROFILE_SOURCES: Partial<Record<ChannelType, ProfileSource>> = {
  MESSENGER: messagingProfiles,
  INSTAGRAM: messagingProfiles,
};

/** The adapter of a channel type. */
export function adapterFor(type: ChannelType): ChannelAdapter {
  return ADAPTERS[type];
}

/** Where the templates of a channel type are listed, or null when it has none. */
export function templateSourceFor(type: ChannelType): TemplateSource | null {
  return TEMPLATE_SOURCES[type] ?? null;
}

/** Where the files that customers of a channel type send are opened, or null when it has none. */
export function mediaSourceFor(type: ChannelType): MediaSource | null {
  return MEDIA_SOURCES[type] ?? null;
}

/** How to ask for the names of a channel type's customers, or null when their messages name them. */
export function profileSourceFor(type: ChannelType): ProfileSource | null {
  return PROFILE_SOURCES[type] ?? null;
}

/** The channel types whose platform must be told where to call, so that a connect is more than a row here. */
export const SUBSCRIBED_TYPES: readonly string[] = Object.values<ChannelAdapter>(ADAPTERS)
  .filter((adapter) => adapter.subscribe !== undefined)
  .map((adapter) => adapter.type);

/** Where the updates of a channel type can be asked for, or null when the platform always calls. */
export function updateSourceFor(type: ChannelType): UpdateSource | null {
  return UPDATE_SOURCES[type] ?? null;
}
