import type { ChannelAdapter, ChannelType, TemplateSource } from "./adapter.ts";
import { whatsapp } from "./adapters/whatsapp/adapter.ts";
import { whatsappTemplates } from "./adapters/whatsapp/template-source.ts";

/** Every platform that can be connected. When all six are here, `Partial` goes and a missing one does not compile. */
const ADAPTERS = {
  WHATSAPP: whatsapp,
} satisfies Partial<Record<ChannelType, ChannelAdapter>>;

const TEMPLATE_SOURCES: Partial<Record<ChannelType, TemplateSource>> = {
  WHATSAPP: whatsappTemplates,
};

/** The adapter of a channel type, or null while it is not built. */
export function adapterFor(type: ChannelType): ChannelAdapter | null {
  const adapters: Partial<Record<ChannelType, ChannelAdapter>> = ADAPTERS;
  return adapters[type] ?? null;
}

/** Where the templates of a channel type are listed, or null when it has none. */
export function templateSourceFor(type: ChannelType): TemplateSource | null {
  return TEMPLATE_SOURCES[type] ?? null;
}
