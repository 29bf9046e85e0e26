import type { EmulatorOptions } from "../core/emulator.ts";

export interface TwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  /** Key SID to secret: a second pair of credentials. Callbacks are signed with the account's token all the same. */
  readonly apiKeys?: Readonly<Record<string, string>>;
  readonly numbers: readonly TwilioNumber[];
  readonly messagingServices?: readonly string[];
}

interface TwilioNumber {
  /** E.164 with the plus. */
  readonly number: string;
  /** The address of inbound messages. */
  readonly smsUrl?: string;
}

type Delay = readonly [least: number, most: number];

export interface TwilioOptions extends EmulatorOptions {
  readonly accounts?: readonly TwilioAccount[];
  readonly statuses?: {
    readonly auto?: boolean;
    /** After the acceptance, milliseconds. Defaults 10–40, 40–120. */
    readonly sentMs?: Delay;
    readonly deliveredMs?: Delay;
    readonly shuffleChance?: number;
    readonly duplicateChance?: number;
    readonly lossChance?: number;
    readonly beforeAnswer?: boolean;
  };
  /** More get 20429. Default no limit. */
  readonly messagesPerSecond?: number | null;
  readonly webhook?: {
    readonly timeoutMs?: number;
    /** Default none: Twilio tries a callback once. */
    readonly retryDelaysMs?: readonly number[];
    readonly concurrency?: number;
  };
}

export interface SmsMessage {
  readonly sid: string;
  readonly accountSid: string;
  readonly from: string | null;
  readonly messagingServiceSid: string | null;
  readonly to: string;
  readonly body: string;
  readonly numSegments: number;
  readonly statusCallback: string | null;
  readonly createdAt: number;
  status: string;
  errorCode: number | null;
}

export interface SeenCallback {
  readonly at: number;
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly signature: string;
  readonly status: number | null;
}
