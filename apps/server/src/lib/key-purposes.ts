const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What is kept of a purpose's key when the master key is rotated. */
export type Keeping =
  /** Nothing: what it made is made again from the new key. */
  | { readonly kind: "nothing" }
  /** The first one, for good. What it made opens nothing that is worth having. */
  | { readonly kind: "the first" }
  /** Stored hashes of what no one knows: each is hashed once more with the new key. */
  | { readonly kind: "hashed once more" }
  /**
   * What it made is accepted for so long. `forgeable`: who has the key can make an address or a token that is let in, so
   * a rotation after a leak keeps nothing.
   */
  | { readonly kind: "for a time"; readonly ms: number; readonly forgeable: boolean };

/**
 * Everything that keys are derived for (docs/operations.md, Rotating the master key). A purpose that is not here has no
 * key. The names are part of the keys: a changed name is another key.
 */
export const KEY_PURPOSES = {
  // Sealed values that browsers and assistants hold for minutes, and new credentials in a data folder. Those in the
  // database are sealed with the new key. It opens only what a signed-in caller hands in under their own name.
  seal: { kind: "for a time", ms: 7 * DAY, forgeable: false },
  "recovery-code": { kind: "hashed once more" },
  "erased number": { kind: "hashed once more" },
  // Compared with what is stored, so who has the key cannot be let in by it.
  "verification code": { kind: "for a time", ms: HOUR, forgeable: false },
  idempotency: { kind: "for a time", ms: DAY, forgeable: false },
  "bot-turn": { kind: "for a time", ms: HOUR, forgeable: true },
  "media-link": { kind: "for a time", ms: 30 * DAY, forgeable: true },
  "web chat visitor": { kind: "for a time", ms: 30 * DAY, forgeable: true },
  "web chat upload": { kind: "for a time", ms: DAY, forgeable: true },
  "sandbox-token": { kind: "for a time", ms: DAY, forgeable: true },
  // The key of the sandbox's model, which members may have stored. It opens the emulation only.
  "emulated model": { kind: "the first" },
  "set-up-code": { kind: "nothing" },
  // A backup says which master key it needs.
  backup: { kind: "nothing" },
  // Where callers are counted. Counts begin again.
  "web chat file place": { kind: "nothing" },
  "web chat newcomer place": { kind: "nothing" },
} as const satisfies Record<string, Keeping>;

export type KeyPurpose = keyof typeof KEY_PURPOSES;

export const isKeyPurpose = (name: string): name is KeyPurpose => Object.hasOwn(KEY_PURPOSES, name);

/** What is kept of it. */
export const keepingOf = (purpose: KeyPurpose): Keeping => KEY_PURPOSES[purpose];
