import type { HttpRequest, StreamingHttp } from "./http.ts";

/** What shows on a customer's phone. Ticks are those of the customer's own messages. */
export type PhoneEvent =
  | {
      readonly kind: "message";
      readonly by: "business" | "customer";
      /** The platform's id. */
      readonly messageId: string;
      readonly text: string | null;
      /** text, template, image … */
      readonly type: string;
    }
  | { readonly kind: "tick"; readonly messageId: string; readonly status: "delivered" | "read" }
  | { readonly kind: "typing"; readonly active: boolean };

export type PhoneEntry = PhoneEvent & {
  /** Rises; what came after it is asked for with it. */
  readonly cursor: number;
  readonly at: string;
  /** The customer's address on the channel. */
  readonly customer: string;
};

/** A file as a customer sends it. */
export interface SpokenFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

export interface SayInput {
  /** The customer's address; default: the same for everybody who leaves it out. */
  readonly from?: string | undefined;
  readonly name?: string | undefined;
  readonly text?: string | undefined;
  /** The platform's id of the message that this one answers. */
  readonly replyTo?: string | undefined;
  readonly file?: SpokenFile | undefined;
}

/** The outcome; `takenIn` false: it was not stored within ten seconds, and may be later. */
export interface Said {
  readonly from: string;
  readonly platformMessageId: string;
  readonly takenIn: boolean;
  /** Null for SMS, which has no inbox. */
  readonly messageId: string | null;
  readonly conversationId: string | null;
  readonly contactId: string | null;
}

/** What else a customer can do; not every platform has each. */
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
  /** By name: `rejected`, `throttled` …; which there are differs by platform. */
  readonly kind: string;
  /** How many sends it hits. */
  readonly next: number;
  /** Only sends to this customer. */
  readonly to?: string | undefined;
  /** Of kind `slow`. */
  readonly delayMs?: number | undefined;
  /** Of kind `code`: the platform's own. */
  readonly code?: number | undefined;
}

/** One sandbox channel, or the SMS account of the sandbox, with its platform running here. Errors: AppError. */
export interface SandboxLine {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: string;
  /** Oldest first: the latest `limit` without `after`, else the first `limit` after it. */
  thread(query: {
    readonly after?: number | undefined;
    readonly customer?: string | undefined;
    readonly limit: number;
  }): readonly PhoneEntry[];
  /** Calls with every new entry until the function that it gives is called. */
  listen(listener: (entry: PhoneEntry) => void): () => void;
  say(input: SayInput): Promise<Said>;
  act(customer: string, action: PhoneAction): void;
  setFault(fault: FaultSwitch): void;
  clearFaults(): void;
  /** Whether magic addresses have their meaning. */
  setMagic(on: boolean): void;
  /** How many faults wait for sends. */
  readonly faultCount: number;
  /** Tells the platform again what the database knows of its customers. */
  remember(): Promise<void>;
}

/** The emulated platforms that run in this process. */
export interface SandboxDesk {
  line(id: string): SandboxLine | null;
}

/** What the sandbox, when it runs in this process, hangs into the context. Nothing else writes to it. */
export interface SandboxSlot {
  /** The demo's own webhook receiver: the one private address that deliveries may reach. */
  receiverUrl: string | null;
  /** Null in every process but the one that runs the sandbox. */
  desk: SandboxDesk | null;
  /** Stops the sandbox; the app calls it last. */
  close: () => Promise<void>;
}

/** The slot of a process that runs no sandbox. */
export function emptySandboxSlot(): SandboxSlot {
  return { receiverUrl: null, desk: null, close: () => Promise.resolve() };
}

/** `guarded`, but for exactly the address of the demo's receiver. Everything else is judged as ever. */
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
