import type { ChannelType } from "../wire/words.ts";
import type { ConnectWeb } from "./web-form.ts";

export interface ConnectWhatsApp {
  readonly type: "WHATSAPP";
  readonly name: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Replaces https://graph.facebook.com; `/v25.0` is appended when the address does not end in a version. */
  readonly apiUrl?: string | undefined;
  /** True for the demo's channel on the emulator. */
  readonly sandbox?: boolean | undefined;
}

interface ConnectMeta {
  readonly name: string;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Replaces the platform's public address; `/v25.0` is appended when the address does not end in a version. */
  readonly apiUrl?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

interface ConnectMessenger extends ConnectMeta {
  readonly type: "MESSENGER";
  readonly pageId: string;
}

interface ConnectInstagram extends ConnectMeta {
  readonly type: "INSTAGRAM";
  readonly accountId: string;
}

export interface ConnectTelegram {
  readonly type: "TELEGRAM";
  readonly name: string;
  readonly botToken: string;
  /** The secret that the platform sends with each call; generated when it is left out. */
  readonly secretToken?: string | undefined;
  /** Ask the platform for updates instead of being called: for a server without a public address. */
  readonly polling?: boolean | undefined;
  /** Replaces https://api.telegram.org. */
  readonly apiUrl?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

interface ConnectTikTok {
  readonly type: "TIKTOK";
  readonly name: string;
  /** The account's `open_id`, which its calls name as `user_openid`. */
  readonly businessId: string;
  readonly accessToken: string;
  readonly appSecret: string;
  /** With it our address is entered at the app, for all accounts of that app, and tokens are renewed. */
  readonly appId?: string | undefined;
  /** Renews the access token, which ends after a day. Needs `appId`. */
  readonly refreshToken?: string | undefined;
  /** Replaces https://business-api.tiktok.com; `/open_api/v1.3` is appended when it is missing. */
  readonly apiUrl?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/** An account as a person enters it in a form: its values by the names of the fields. */
export interface EnteredAccount {
  readonly type: ChannelType;
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Replaces the platform's public address. */
  readonly apiUrl?: string | undefined;
  readonly sandbox?: undefined;
}

export type ConnectInput =
  | ConnectWeb
  | ConnectTikTok
  | ConnectWhatsApp
  | ConnectTelegram
  | ConnectMessenger
  | ConnectInstagram;
