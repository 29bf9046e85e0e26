import type { HttpRequest, StreamingHttp } from "./http.ts";

/** What a customer's phone shows. Ticks belong to the customer's own messages. */
export type PhoneEvent =
  | {
      readonly kind: "message";
      readonly by: "business" | "customer";
      /** The platform's id. */
      readonly messageId: string;
      readonly text: string | null;
      /** text, template, image … */
      readonly type: string;
      /** The texts of the buttons that the customer can press. */
      readonly buttons?: readonly string[];
      /** The platform's id of the message that it quotes. */
      readonly quotes?: string;
    }
  | { readonly kind: "tick"; readonly messageId: string; readonly status: "delivered" | "read" }
  | { readonly kind: "typing"; readonly active: boolean };

export type PhoneEntry = PhoneEvent & {
  /** Rises with each entry. Pass it as `after` to get what came later. */
  readonly cursor: number;
  readonly at: string;
  /** The customer's address on the channel. */
  readonly customer: string;
};

/** The most bytes of a file that a customer sends on a phone. */
export const SPOKEN_FILE_BYTES = 16 * 1024 * 1024;

/** A file as a customer sends it. */
export interface SpokenFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

export interface SayInput {
  /** The customer's address. Without one, it is the channel's usual customer, the same for everybody. */
  readonly from?: string | undefined;
  readonly name?: string | undefined;
  readonly text?: string | undefined;
  /** The platform's id of the message that this one answers. */
  readonly replyTo?: string | undefined;
  readonly file?: SpokenFile | undefined;
}

/** What came of it. `takenIn` is false when the message was not stored within ten seconds; it may be stored later. */
export interface Said {
  readonly from: string;
  readonly platformMessageId: string;
  readonly takenIn: boolean;
  /** Null for SMS, which has no inbox. */
  readonly messageId: string | null;
  readonly conversationId: string | null;
  readonly contactId: string | null;
}

/** What else a customer can do. Not every platform offers each action. */
export type PhoneAction =
  | {
      readonly action: "press";
      readonly messageId: string;
      readonly data: string;
      readonly title: string;
    }
  | { readonly action: "react"; readonly messageId: string; readonly emoji: string }
  | { readonly action: "edit"; readonly messageId: string; readonly text: string }
  | { readonly action: "unsend"; readonly messageId: string }
  | { readonly action: "read"; readonly messageId: string }
  | { readonly action: "locate"; readonly latitude: number; readonly longitude: number }
  /** Somebody's card. */
  | { readonly action: "share"; readonly name: string; readonly phone: string }
  | { readonly action: "block" }
  | { readonly action: "unblock" };

export interface FaultSwitch {
  /** The fault's name: `rejected`, `throttled` … The names differ by platform. */
  readonly kind: string;
  /** The number of sends that fail with it. */
  readonly next: number;
  /** When given, only sends to this customer fail. */
  readonly to?: string | undefined;
  /** For kind `slow`: the delay in milliseconds. */
  readonly delayMs?: number | undefined;
  /** For kind `code`: the platform's error code. */
  readonly code?: number | undefined;
}

/**
 * One sandbox channel, or the sandbox's SMS account. Its platform runs in this process. Its methods throw `AppError`.
 */
export interface SandboxLine {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: string;
  /** Entries, oldest first: the latest `limit`, or with `after` the first `limit` behind it. */
  thread(query: {
    readonly after?: number | undefined;
    readonly customer?: string | undefined;
    readonly limit: number;
  }): readonly PhoneEntry[];
  /** Calls `listener` with every new entry. The returned function ends it. */
  listen(listener: (entry: PhoneEntry) => void): () => void;
  /** Sends a message as a customer, and waits up to ten seconds until the server has stored it. */
  say(input: SayInput): Promise<Said>;
  /** Does what else a customer can do, such as pressing a button. */
  act(customer: string, action: PhoneAction): void;
  /** Makes the next sends fail in this way. */
  setFault(fault: FaultSwitch): void;
  clearFaults(): void;
  /** Turns the special meaning of magic addresses on or off. */
  setMagic(on: boolean): void;
  /** How many faults wait for sends. */
  readonly faultCount: number;
  /** Gives the emulated platform the customers that the database knows. */
  remember(): Promise<void>;
}

/** The emulated platforms that run in this process. */
export interface SandboxDesk {
  line(id: string): SandboxLine | null;
}

/** The sandbox's place in the context. Only the sandbox writes to it, in the process where it runs. */
export interface SandboxSlot {
  /** The demo's own webhook receiver: the only private address to which deliveries may go. */
  receiverUrl: string | null;
  /** Null in every process that does not run the sandbox. */
  desk: SandboxDesk | null;
  /** Stops the sandbox; the app calls it last. */
  close: () => Promise<void>;
}

/** The slot of a process that runs no sandbox. */
export function emptySandboxSlot(): SandboxSlot {
  return { receiverUrl: null, desk: null, close: () => Promise.resolve() };
}

/** The client `guarded`, except that exactly the demo receiver's address is called through `open`. */
export function admitReceiver(
  guarded: StreamingHttp,
  open: StreamingHttp,
  slot: SandboxSlot,
): StreamingHttp {
  const clientOf = (request: HttpRequest) =>
    slot.receiverUrl !== null && request.url === slot.receiverUrl ? open : guarded;
  return {
    request: (request) => clientOf(request).request(request),
    stream: (request) => clientOf(request).stream(request),
  };
}
