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
  /** 0: any port. */
  readonly port: number;
  readonly clock: Clock;
  /** manual: nothing leaves the emulator until its `flush()`. */
  readonly delivery: "timed" | "manual";
  /** Message ids start above this, on platforms whose ids are numbers of an account. */
  readonly firstMessageId: number;
  readonly onPhone: (customer: string, event: PhoneEvent) => void;
}

/** What a customer writes; `afterMs` later, if the platform can wait. */
export type Spoken = SayInput & { readonly afterMs?: number };

/** One emulated platform with one account. On all platforms a customer's acts have the same names. */
export interface Platform {
  /** What the channel's `apiUrl` must be. */
  readonly apiUrl: string;
  /** The server's id of an inbound message, from the platform's id. */
  storedAs(customer: string, messageId: string): string;
  /** Null for an address of this platform, else a description of one. */
  faultOf(customer: string): string | null;
  /** The customer writes; gives the platform's id. Text, file or both. */
  say(customer: string, input: Spoken): string;
  /** False: customers of this platform cannot do that. */
  act(customer: string, action: PhoneAction): boolean;
  /** Whether the message reached us, on platforms whose messages the server does not store (SMS). */
  cameToUs?(messageId: string): boolean;
  /** Null when a customer here can send such a file, else what there is instead. */
  fileFaultOf(file: SpokenFile): string | null;
  /** False: a text cannot go with such a file, so it is sent after it as a message of its own. */
  takesCaption(file: SpokenFile): boolean;
  addTemplate?(template: SandboxTemplate): void;
  restore(customer: KnownCustomer): void;
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Whether magic addresses work; they do at first. */
  setMagic(on: boolean): void;
  /** How many faults are set for coming sends. */
  faultCount(): number;
  /** Tries every waiting callback once. */
  flush(): Promise<number>;
  /** Answers every call that is held back. */
  release(): void;
  /** The sends that were accepted more than once; for tests. */
  repeated(): readonly unknown[];
  close(): Promise<void>;
}

/** Checks for repeats among this many sends only, because a platform runs as long as the server does. */
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

/** Chat apps know a WebP picture only as a sticker, and an OGG as speech from the phone. */
export const isSticker = (mimeType: string): boolean => mimeType === "image/webp";

/** Whether the platforms take the sound for a voice message. */
export const isVoice = (mimeType: string): boolean => mimeType === "audio/ogg";
