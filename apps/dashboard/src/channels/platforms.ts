import type { AnswerOf } from "../api/call.ts";
import { t, type PlainKey } from "../text/t.ts";

export type Channels = AnswerOf<"listChannels">;
export type Channel = Channels["channels"][number];
export type ChannelForm = Channels["forms"][number];
export type ChannelType = Channel["type"];

/** In the order in which they are offered. */
export const PLATFORMS = [
  "WHATSAPP",
  "INSTAGRAM",
  "MESSENGER",
  "TELEGRAM",
  "TIKTOK",
  "WEB",
] as const satisfies readonly ChannelType[];

interface FieldTexts {
  readonly label: PlainKey;
  readonly hint?: PlainKey;
  /** The kind of input; usual: one line. */
  readonly as?: "lines" | "toggle";
}

/** Every value of every form, by its name in the contract. */
const FIELDS = {
  name: { label: "channels.field.name", hint: "channels.field.name.hint" },
  phoneNumberId: {
    label: "channels.field.phoneNumberId",
    hint: "channels.field.phoneNumberId.hint",
  },
  wabaId: { label: "channels.field.wabaId" },
  accessToken: { label: "channels.field.accessToken" },
  appSecret: { label: "channels.field.appSecret" },
  verifyToken: { label: "channels.field.verifyToken", hint: "channels.field.verifyToken.hint" },
  pageId: { label: "channels.field.pageId" },
  accountId: { label: "channels.field.accountId" },
  botToken: { label: "channels.field.botToken", hint: "channels.field.botToken.hint" },
  secretToken: { label: "channels.field.secretToken", hint: "channels.field.secretToken.hint" },
  polling: {
    label: "channels.field.polling",
    hint: "channels.field.polling.hint",
    as: "toggle",
  },
  businessId: { label: "channels.field.businessId" },
  appId: { label: "channels.field.appId", hint: "channels.field.appId.hint" },
  refreshToken: { label: "channels.field.refreshToken", hint: "channels.field.refreshToken.hint" },
  allowedOrigins: {
    label: "channels.field.allowedOrigins",
    hint: "channels.field.allowedOrigins.hint",
    as: "lines",
  },
  apiUrl: { label: "channels.field.apiUrl" },
} as const satisfies Readonly<Record<string, FieldTexts>>;

/** How to ask for a value; undefined: the page does not know it. */
export function fieldTexts(name: string): FieldTexts | undefined {
  const all: Readonly<Record<string, FieldTexts>> = FIELDS;
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** The name of a value as people read it. */
export function fieldName(name: string): string {
  const texts = fieldTexts(name);
  return texts ? t(texts.label) : name;
}

/** One step of a connect: values that are found at one place of the platform. */
export interface ConnectStep {
  readonly title: PlainKey;
  /** The way through the platform's menus, and what to do there. */
  readonly path: PlainKey;
  readonly advice: PlainKey;
  readonly fields: readonly string[];
  /** Shown below the others, closed at first. */
  readonly advanced?: readonly string[];
}

/** The values of each platform, place by place. The page generates the verify token. */
export const STEPS: Readonly<Record<ChannelType, readonly ConnectStep[]>> = {
  WHATSAPP: [
    {
      title: "channels.step.number",
      path: "channels.find.WHATSAPP.number",
      advice: "channels.find.WHATSAPP.number.then",
      fields: ["name", "phoneNumberId", "wabaId"],
    },
    {
      title: "channels.step.token",
      path: "channels.find.WHATSAPP.token",
      advice: "channels.find.WHATSAPP.token.then",
      fields: ["accessToken"],
    },
    {
      title: "channels.step.secret",
      path: "channels.find.WHATSAPP.secret",
      advice: "channels.find.WHATSAPP.secret.then",
      fields: ["appSecret"],
      advanced: ["verifyToken", "apiUrl"],
    },
  ],
  MESSENGER: [
    {
      title: "channels.step.page",
      path: "channels.find.MESSENGER.page",
      advice: "channels.find.MESSENGER.page.then",
      fields: ["name", "pageId", "accessToken"],
    },
    {
      title: "channels.step.secret",
      path: "channels.find.MESSENGER.secret",
      advice: "channels.find.MESSENGER.secret.then",
      fields: ["appSecret"],
      advanced: ["verifyToken", "apiUrl"],
    },
  ],
  INSTAGRAM: [
    {
      title: "channels.step.account",
      path: "channels.find.INSTAGRAM.account",
      advice: "channels.find.INSTAGRAM.account.then",
      fields: ["name", "accountId", "accessToken"],
    },
    {
      title: "channels.step.secret",
      path: "channels.find.INSTAGRAM.secret",
      advice: "channels.find.INSTAGRAM.secret.then",
      fields: ["appSecret"],
      advanced: ["verifyToken", "apiUrl"],
    },
  ],
  TELEGRAM: [
    {
      title: "channels.step.bot",
      path: "channels.find.TELEGRAM.bot",
      advice: "channels.find.TELEGRAM.bot.then",
      fields: ["name", "botToken", "polling"],
      advanced: ["secretToken", "apiUrl"],
    },
  ],
  TIKTOK: [
    {
      title: "channels.step.account",
      path: "channels.find.TIKTOK.account",
      advice: "channels.find.TIKTOK.account.then",
      fields: ["name", "businessId", "accessToken", "refreshToken"],
    },
    {
      title: "channels.step.app",
      path: "channels.find.TIKTOK.app",
      advice: "channels.find.TIKTOK.app.then",
      fields: ["appId", "appSecret"],
      advanced: ["apiUrl"],
    },
  ],
  WEB: [
    {
      title: "channels.step.site",
      path: "channels.find.WEB.site",
      advice: "channels.find.WEB.site.then",
      fields: ["name", "allowedOrigins"],
    },
  ],
};

/** The channel type in an address (`?type=whatsapp`). */
export const typeOf = (text: string | undefined): ChannelType | undefined =>
  PLATFORMS.find((one) => one.toLowerCase() === text);
