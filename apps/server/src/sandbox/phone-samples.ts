import { readFile } from "node:fs/promises";
import type { SpokenFile } from "../lib/sandbox-slot.ts";
import type { SandboxType } from "../wire/words.ts";

/** What a customer can send from the phone beside text. */
export const PHONE_SENDS = ["photo", "voice", "location"] as const;
export type PhoneSend = (typeof PHONE_SENDS)[number];

/** Which of them the customers of each platform have (`act` and `fileFaultOf` of the platforms). */
export const SENDS_OF = {
  WHATSAPP: PHONE_SENDS,
  TELEGRAM: PHONE_SENDS,
  MESSENGER: ["photo", "voice"],
  INSTAGRAM: ["photo", "voice"],
  TIKTOK: ["photo"],
  SMS: [],
} as const satisfies Record<SandboxType, readonly PhoneSend[]>;

/** The place that customers send: Kuwait City. */
export const SAMPLE_PLACE = { latitude: 29.3759, longitude: 47.9774 } as const;

const FILES = {
  photo: { fileName: "photo.jpg", mimeType: "image/jpeg" },
  voice: { fileName: "voice.ogg", mimeType: "audio/ogg" },
} as const;

/** The photo or the voice note (two seconds of five tones) that a made-up customer sends. */
export async function sampleFile(of: keyof typeof FILES): Promise<SpokenFile> {
  const { fileName, mimeType } = FILES[of];
  return {
    fileName,
    mimeType,
    bytes: await readFile(new URL(`samples/${fileName}`, import.meta.url)),
  };
}
