import type { EmulatorOptions } from "../core/emulator.ts";

type Delay = readonly [least: number, most: number];

/** The options of all SMS gateways. */
export interface GatewayOptions extends EmulatorOptions {
  readonly receipts?: {
    readonly auto?: boolean;
    /** After the acceptance, milliseconds. Default 40–120. */
    readonly deliveredMs?: Delay;
    readonly duplicateChance?: number;
    readonly lossChance?: number;
    readonly beforeAnswer?: boolean;
  };
  /** Beyond it the gateway's own throttle answers. Default no limit. */
  readonly messagesPerSecond?: number | null;
  readonly webhook?: {
    readonly timeoutMs?: number;
    readonly retryDelaysMs?: readonly number[];
    readonly concurrency?: number;
  };
}

/** An accepted message. */
export interface GatewayMessage {
  readonly id: string;
  readonly account: string;
  readonly from: string;
  /** Digits. */
  readonly to: string;
  readonly text: string;
  /** The sender's own id, or "" without one. */
  readonly correlation: string;
  /** Where receipts go; null: nowhere. */
  readonly receiptUrl: string | null;
  readonly createdAt: number;
  /** Other data that the gateway keeps: ids of parts and the like. */
  readonly facts: Readonly<Record<string, string>>;
  state: GatewayState;
  code: string | null;
}

export type GatewayState = "accepted" | "sent" | "delivered" | "failed";

/** A call of ours to the sender of the messages. */
export interface GatewayCall {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SeenReceipt {
  readonly at: number;
  readonly call: GatewayCall;
  readonly status: number | null;
}
