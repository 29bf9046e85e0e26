import type { Clock } from "../../lib/clock.ts";
import type { PhoneAction, PhoneEvent, SayInput, SpokenFile } from "../../lib/sandbox-slot.ts";
import type { Fault } from "@parley/emulators";

export const SANDBOX_TYPES = [
  "WHATSAPP",
  "MESSENGER",
  "INSTAGRAM",
  "TELEGRAM",
  "TIKTOK",
  "SMS",
] as const;
/** What has an emulator behind it: the channel types but for web chat, whose other end is a page of ours, and SMS. */
export type SandboxType = (typeof SANDBOX_TYPES)[number];

/** The one account that an emulated platform has: a sandbox channel's, or the workspace's SMS account. */
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

/** What the platform knew of a customer before it started anew. */
interface KnownCustomer {
  readonly externalId: string;
  readonly name: string | null;
  /** When the customer last wrote, where that still matters to a reply window. */
  readonly wroteAt: Date | null;
  /** How many messages we sent since. */
  readonly replies: number;
  /** The customer stopped us at the platform. */
  readonly blocked: boolean;
}

export interface PlatformOptions {
  readonly account: PlatformAccount;
  /** 0: any. */
  readonly port: number;
  readonly clock: Clock;
  /** manual: nothing leaves the emulator until its `flush()`. */
  readonly delivery: "timed" | "manual";
  /** Message ids rise from here, where the platform's are numbers of an account. */
  readonly firstMessageId: number;
  readonly onPhone: (customer: string, event: PhoneEvent) => void;
}

/** What a customer writes; `afterMs` later, where the platform can wait. */
export type Spoken = SayInput & { readonly afterMs?: number };

/** One emulated platform with one account. What a customer does is told in one vocabulary for all of them. */
export interface Platform {
  /** What the channel's `apiUrl` must be. */
  readonly apiUrl: string;
  /** What the server knows an inbound message by, from the platform's id of it. */
  storedAs(customer: string, messageId: string): string;
  /** Null when it is an address of this platform, else what one looks like. */
  faultOf(customer: string): string | null;
  /** The customer writes; gives the platform's id. Text, file or both. */
  say(customer: string, input: Spoken): string;
  /** False: customers of this platform cannot do that. */
  act(customer: string, action: PhoneAction): boolean;
  /** Whether the message came to us, where the server stores none (SMS). */
  cameToUs?(messageId: string): boolean;
  /** Null when a customer here can send such a file, else what there is in its place. */
  fileFaultOf(file: SpokenFile): string | null;
  /** False: a text cannot go with such a file and is a message of its own, after it. */
  takesCaption(file: SpokenFile): boolean;
  addTemplate?(template: SandboxTemplate): void;
  restore(customer: KnownCustomer): void;
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Whether magic addresses have their meaning; they do at first. */
  setMagic(on: boolean): void;
  /** How many faults wait for sends. */
  faultCount(): number;
  /** Attempts every waiting callback once. */
  flush(): Promise<number>;
  /** Answers every call that is held back, now. */
  release(): void;
  /** What was accepted more than once; for tests. */
  repeated(): readonly unknown[];
  close(): Promise<void>;
}

/** Of so many sends it is known whether they came once: a platform runs beside the server for as long as that does. */
export const KEPT_SENDS = 20_000;

/** What every emulator does alike. */
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

export const DIGITS = /^\d{5,15}$/;

/** The kind of a file by its type, in the words that the platforms share. */
export function fileKind(mimeType: string): "image" | "audio" | "video" | "document" {
  const [kind] = mimeType.split("/");
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
}

/** Chat apps know a WebP picture as a sticker alone, and an OGG as what was spoken into the phone. */
export const isSticker = (mimeType: string): boolean => mimeType === "image/webp";

/** Whether the platforms take the sound for a voice message. */
export const isVoice = (mimeType: string): boolean => mimeType === "audio/ogg";
