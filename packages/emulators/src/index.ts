export type { BaseClock } from "./core/clock.ts";
export type { Fault } from "./core/fault.ts";
export type { Ledger, LedgerEntry } from "./core/ledger.ts";
export { createWhatsAppEmulator, WhatsAppEmulator } from "./whatsapp/emulator.ts";
export type {
  AcceptedMessage,
  InboundOptions,
  NumberOptions,
  SeenRequest,
  SeenWebhook,
  StatusOptions,
  UserOptions,
  WhatsAppOptions,
} from "./whatsapp/options.ts";
export type { NewTemplate, Template } from "./whatsapp/templates.ts";
export { createWhatsAppSink, type SinkOptions, type WhatsAppSink } from "./whatsapp/sink.ts";
