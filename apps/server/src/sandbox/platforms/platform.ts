import type { Clock } from "../../lib/clock.ts";
import type { PhoneAction, PhoneEvent, SayInput, SpokenFile } from "../../lib/sandbox-slot.ts";
import type { Fault } from "@parley/emulators";

/** The one account of an emulated platform: a sandbox channel's, or the workspace's SMS account. */
export interface PlatformAccount {
  readonly externalId: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Where the platform calls us. */
  readonly hookUrl: string;
}

/** A template that the platform has. */
interface SandboxTemplate {
  readonly id?: string;
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly status?: string;
  readonly parameter_format?: "POSITIONAL" | "NAMED";
  readonly components: readonly { readonly type: string }[];
}

/** What the platform knew of a customer before its restart. */
interface KnownCustomer {
  readonly externalId: string;
  readonly name: string | null;
  /** When the customer last wrote, if that still matters to a reply window. */
  readonly wroteAt: Date | null;
  /** How many messages we sent since. */
  readonly replies: number;
  /** The customer blocked us at the platform. */
  readonly blocked: boolean;
}

export interface PlatformOptions {
  readonly account: PlatformAccount;
  /** The port on which to listen; 0 is any. */
  readonly port: number;
  readonly clock: Clock;
  /** With "manual", nothing leaves the emulator until its `flush()`. */
  readonly delivery: "timed" | "manual";
  /** Message ids start above this, on platforms whose ids are numbers of an account. */
  readonly firstMessageId: number;
  readonly onPhone: (customer: string, event: PhoneEvent) => void;
}

/** What a customer writes. With `afterMs` it arrives that much later, on platforms that can wait. */
export type Spoken = SayInput & { readonly afterMs?: number };

/** One emulated platform with one account. The acts of customers have the same names on all platforms. */
export interface Platform {
  /** What the channel's `apiUrl` must be. */
  readonly apiUrl: string;
  /** The server's id of an inbound message, from the platform's id. */
  storedAs(customer: string, messageId: string): string;
  /** Null when this can be a customer's address here, else the description of such an address. */
  faultOf(customer: string): string | null;
  /** Writes as the customer (text, file or both) and gives the platform's id. */
  say(customer: string, input: Spoken): string;
  /** Does what a customer can do. False when customers of this platform cannot do that. */
  act(customer: string, action: PhoneAction): boolean;
  /** Whether the message reached us, on platforms whose messages the server does not store (SMS). */
  cameToUs?(messageId: string): boolean;
  /** Null when customers here can send such a file, else what they can send. */
  fileFaultOf(file: SpokenFile): string | null;
  /** Whether a text can go with such a file. If not, it is sent after it as a message of its own. */
  takesCaption(file: SpokenFile): boolean;
  addTemplate?(template: SandboxTemplate): void;
  /** Gives the platform back a customer that it knew before its restart. */
  restore(customer: KnownCustomer): void;
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Turns magic addresses on or off. They are on at first. */
  setMagic(on: boolean): void;
  /** How many faults are set for coming sends. */
  faultCount(): number;
  /** Tries every waiting callback once. */
  flush(): Promise<number>;
  /** Answers every call that a fault holds back. */
  release(): void;
  /** The sends that were accepted more than once, for tests. */
  repeated(): readonly unknown[];
  close(): Promise<void>;
}

/** Checks for repeats among this many sends only, because a platform runs as long as the server does. */
export const KEPT_SENDS = 20_000;

/** The parts of a platform that every emulator does in the same way. */
export const switchesOf = (
  emulator: Pick<Platform, "fault" | "flush" | "release" | "close"> & {
    magic: boolean;
    readonly faults: { readonly count: number; clear(): void };
  },
): Pick<
  Platform,
  "fault" | "clearFaults" | "faultCount" | "setMagic" | "flush" | "release" | "close"
> => ({
  fault: (fault) => emulator.fault(fault),
  clearFaults: () => emulator.faults.clear(),
  faultCount: () => emulator.faults.count,
  setMagic: (on) => {
    emulator.magic = on;
  },
  flush: () => emulator.flush(),
  release: () => emulator.release(),
  close: () => emulator.close(),
});

/** The form of a phone number as a customer's address. */
export const DIGITS = /^\d{5,15}$/;

/** The kind of a file by its media type, in the words that the platforms share. */
export function fileKind(mimeType: string): "image" | "audio" | "video" | "document" {
  const [kind] = mimeType.split("/");
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
}

/** Whether it is a sticker: chat apps know a WebP picture only as one. */
export const isSticker = (mimeType: string): boolean => mimeType === "image/webp";

/** Whether the platforms treat this sound as a voice message. */
export const isVoice = (mimeType: string): boolean => mimeType === "audio/ogg";
