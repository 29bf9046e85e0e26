export type { BaseClock } from "./core/clock.ts";
export type { SeenCallback } from "./core/callback-line.ts";
export type { Fault } from "./core/fault.ts";
export type { SeenRequest } from "./core/server.ts";
export type { Ledger, LedgerEntry } from "./core/ledger.ts";
export { createWhatsAppEmulator, WhatsAppEmulator } from "./whatsapp/emulator.ts";
export type {
  AcceptedMessage,
  InboundOptions,
  NumberOptions,
  StatusOptions,
  UserOptions,
  WhatsAppOptions,
} from "./whatsapp/options.ts";
export type { NewTemplate, Template } from "./whatsapp/templates.ts";
export { createWhatsAppSink, type SinkOptions, type WhatsAppSink } from "./whatsapp/sink.ts";
export { createTwilioEmulator, TwilioEmulator } from "./twilio/emulator.ts";
export type { SmsMessage, TwilioAccount, TwilioOptions } from "./twilio/options.ts";
export type { GatewayMessage, GatewayOptions, GatewayState, SeenReceipt } from "./sms/options.ts";
export type { SmsGateway } from "./sms/gateway.ts";
export { createVonageEmulator, VonageEmulator } from "./vonage/emulator.ts";
export type { VonageAccount, VonageOptions } from "./vonage/emulator.ts";
export { createTelegramEmulator, TelegramEmulator } from "./telegram/emulator.ts";
export type {
  BotOptions,
  FileKind,
  InboundFile,
  SeenBotCall,
  SeenUpdate,
  SentMessage,
  TelegramInbound,
  TelegramOptions,
  TelegramUser,
} from "./telegram/options.ts";
export { createInfobipEmulator, InfobipEmulator } from "./infobip/emulator.ts";
export type { InfobipOptions } from "./infobip/emulator.ts";
export { createUnifonicEmulator, UnifonicEmulator } from "./unifonic/emulator.ts";
export type { UnifonicAccount, UnifonicOptions } from "./unifonic/emulator.ts";
export { createKwtSmsEmulator, KwtSmsEmulator } from "./kwtsms/emulator.ts";
export type { KwtSmsAccount, KwtSmsOptions } from "./kwtsms/emulator.ts";
export { createTikTokEmulator, TikTokEmulator } from "./tiktok/emulator.ts";
export type {
  TikTokBusiness,
  TikTokInbound,
  TikTokMessage,
  TikTokOptions,
} from "./tiktok/options.ts";
export type { TikTokSigning } from "./tiktok/signature.ts";
export { createHttpGatewayEmulator, HttpGatewayEmulator } from "./http-gateway/emulator.ts";
export type { HttpGatewayOptions } from "./http-gateway/emulator.ts";
export { createMessengerEmulator, PageEmulator } from "./messenger/emulator.ts";
export type {
  PageInbound,
  PageMessage,
  PageMessagingOptions,
  PageOptions,
} from "./messenger/options.ts";
export { createInstagramEmulator } from "./instagram/emulator.ts";
export { createSmppEmulator, SmppEmulator } from "./smpp/emulator.ts";
export type { SmppAccount, SmppMessage, SmppOptions } from "./smpp/emulator.ts";
export { createModelEmulator, ModelEmulator } from "./model/emulator.ts";
export type { ModelOptions } from "./model/emulator.ts";
export type { ScriptedAnswer } from "./model/answers.ts";
export { MODEL_FAULTS, type ModelFault } from "./model/model-faults.ts";
