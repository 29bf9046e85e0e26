import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { isKeyPurpose, keepingOf, KEY_PURPOSES, type KeyPurpose } from "./key-purposes.ts";

/**
 * Encrypts secrets at rest (AES-256-GCM), and derives keys. `place` names the row and column of the value
 * ("channel:<workspaceId>:<id>"). A ciphertext that was moved elsewhere does not open.
 *
 * After a rotation of the master key (`master-key/`) it also opens and accepts what an earlier key made, for as long as
 * `key-purposes.ts` says.
 */
export interface Sealer {
  /** Names the master key that is in use, and reveals nothing about it. */
  readonly mark: string;
  seal(plain: string, place: string): Buffer;
  /** Decrypts. Throws when another master key sealed it, or when the bytes were changed or moved. */
  open(sealed: Buffer, place: string): string;
  /** The key for one purpose, such as an HMAC. It never stands in the database as it is. */
  derive(purpose: KeyPurpose): Buffer;
  /** The keys whose work is accepted: first the one in use, then those of earlier master keys. */
  accepted(purpose: KeyPurpose): readonly Buffer[];
  /**
   * For stored hashes that are hashed once more at each rotation: the keys to go through, the oldest first. The first
   * list makes new hashes. While a rotation runs there is a second one, and a stored hash is of either.
   */
  chains(purpose: KeyPurpose): readonly KeyChain[];
}

/** Keys of one purpose, the oldest first, with the marks of their master keys. */
export type KeyChain = readonly { readonly mark: string; readonly key: Buffer }[];

/** A key of one purpose of an earlier master key, wrapped under the master key with the mark `under`. */
export interface KeptKey {
  readonly under: string;
  readonly mark: string;
  readonly purpose: string;
  readonly position: number;
  readonly wrapped: Buffer;
  readonly until: Date | null;
}

/** What the database says of its master keys. */
export interface KeyState {
  /** Rises with each move of a rotation. */
  readonly step: number;
  /** Of the key in use. While a rotation runs: of the one that it replaces. */
  readonly mark: string;
  readonly phase: "announced" | "sealing" | null;
  readonly nextMark: string | null;
  readonly nextWrapped: Buffer | null;
  /** A rotation has ended in this database. */
  readonly rotated: boolean;
  readonly kept: readonly KeptKey[];
}

/** A sealer that follows the rotations of its master key. */
export interface Keyring extends Sealer {
  /** The mark of the master key that this process was started with. */
  readonly ownMark: string;
  /** The last step that `follow` was given; null: none yet. */
  readonly step: number | null;
  /** Takes what the database says now. */
  follow(state: KeyState): void;
  /** The master key in use, which a rotation would replace. */
  master(): Buffer;
  /** The next master key, when this process knows it. */
  next(): Buffer | null;
  /** Takes the next master key from somewhere else than the database. */
  learn(masterKey: Buffer): void;
}

const MARK_BYTES = 8;
/** Version (1 byte), nonce (12), tag (16), ciphertext. */
const FIRST = 1;
/** Version (1 byte), mark of the master key (8), nonce (12), tag (16), ciphertext. */
const MARKED = 2;

const hkdf = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", masterKey, Buffer.alloc(0), `parley:${purpose}`, 32));

/** Names a master key. */
export const masterKeyMark = (masterKey: Buffer): string =>
  hkdf(masterKey, "backup-key-mark").subarray(0, MARK_BYTES).toString("hex");

/** What a value begins with that the master key of this mark sealed. Values from before the first rotation have none. */
export const sealedBeginning = (mark: string): Buffer =>
  Buffer.concat([Buffer.of(MARKED), Buffer.from(mark, "hex")]);

function encrypt(key: Buffer, plain: Buffer, place: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, sealed: Buffer, place: string): Buffer {
  if (sealed.length < 28) throw new Error("sealed value is not readable");
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12));
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
}

/** Wraps a key under a master key. `name`: what it is, so that one wrapped key cannot stand for another. */
export const wrapKey = (masterKey: Buffer, key: Buffer, name: string): Buffer =>
  encrypt(hkdf(masterKey, "wrap"), key, name);
const unwrapKey = (masterKey: Buffer, wrapped: Buffer, name: string): Buffer =>
  decrypt(hkdf(masterKey, "wrap"), wrapped, name);

export const nextName = (mark: string): string => `next:${mark}`;
const keptName = ({ mark, purpose }: Pick<KeptKey, "mark" | "purpose">) => `${mark}:${purpose}`;

/**
 * The keys to keep once `next` replaces `present`: every purpose of `present`, and what is kept of those before it,
 * wrapped under `next`.
 */
export function keptUnder(next: Buffer, state: KeyState, present: Buffer): KeptKey[] {
  const under = masterKeyMark(next);
  const earlier = state.kept.filter((one) => one.under === state.mark);
  const position = 1 + Math.max(0, ...earlier.map((one) => one.position));
  const wrap = (one: Omit<KeptKey, "under" | "wrapped">, key: Buffer): KeptKey => ({
    ...one,
    under,
    wrapped: wrapKey(next, key, keptName(one)),
  });
  const own = Object.keys(KEY_PURPOSES).map((purpose) =>
    wrap({ mark: state.mark, purpose, position, until: null }, hkdf(present, purpose)),
  );
  return [
    ...earlier.map((one) => wrap(one, unwrapKey(present, one.wrapped, keptName(one)))),
    ...own,
  ];
}

/** A key as a process has it: derived from its master key, or kept. */
interface KnownKey {
  readonly mark: string;
  readonly key: Buffer;
  readonly until: Date | null;
  readonly position: number;
}

/** Decrypts with the key that sealed it. Throws when none of them did. */
function decryptWith([first, ...others]: readonly KnownKey[], body: Buffer, place: string): Buffer {
  if (!first) throw new Error("sealed value is not readable");
  try {
    return decrypt(first.key, body, place);
  } catch (error) {
    if (others.length === 0) throw error;
    return decryptWith(others, body, place);
  }
}

/** The keys that a process has: of the master keys that it knows, and those that are kept. */
class Keys {
  readonly ownMark: string;
  state: KeyState | null = null;
  readonly #own: Buffer;
  /** Master keys, by mark. */
  readonly #masters: Map<string, Buffer>;
  /** By purpose; the one in use is first. */
  readonly #known = new Map<KeyPurpose, KnownKey[]>();
  readonly #chained = new Map<KeyPurpose, readonly KeyChain[]>();

  constructor(masterKey: Buffer) {
    this.#own = masterKey;
    this.ownMark = masterKeyMark(masterKey);
    this.#masters = new Map([[this.ownMark, masterKey]]);
  }

  get usedMark(): string {
    const { state } = this;
    return (state?.phase === "sealing" ? state.nextMark : state?.mark) ?? this.ownMark;
  }

  get master(): Buffer {
    return this.#masters.get(this.state?.mark ?? this.ownMark) ?? this.#own;
  }

  get next(): Buffer | null {
    return this.#masters.get(this.state?.nextMark ?? "") ?? null;
  }

  learn(masterKey: Buffer): void {
    this.#masters.set(masterKeyMark(masterKey), masterKey);
    this.#forget();
  }

  follow(now: KeyState): void {
    const { nextMark, nextWrapped } = now;
    const present = this.#masters.get(now.mark);
    if (nextMark !== null && nextWrapped !== null && present && !this.#masters.has(nextMark))
      this.#masters.set(nextMark, unwrapKey(present, nextWrapped, nextName(nextMark)));
    if (this.state?.step === now.step && this.state.kept.length === now.kept.length) return;
    this.state = now;
    this.#forget();
  }

  #forget(): void {
    this.#known.clear();
    this.#chained.clear();
  }

  /** Every key of the purpose that this process has, the one in use first. */
  #of(purpose: KeyPurpose): KnownKey[] {
    const found = this.#known.get(purpose);
    if (found) return found;
    const { state, usedMark } = this;
    const keys = new Map<string, KnownKey>();
    for (const one of state?.kept ?? []) {
      const master = this.#masters.get(one.under);
      if (one.purpose !== purpose || master === undefined) continue;
      const key = unwrapKey(master, one.wrapped, keptName(one));
      keys.set(one.mark, { ...one, key });
    }
    for (const mark of [state?.mark ?? this.ownMark, state?.nextMark]) {
      const master = this.#masters.get(mark ?? "");
      if (mark && master)
        keys.set(mark, {
          mark,
          key: hkdf(master, purpose),
          until: null,
          position: keys.get(mark)?.position ?? Number.POSITIVE_INFINITY,
        });
    }
    const sorted = [...keys.values()].sort(
      (a, b) =>
        Number(b.mark === usedMark) - Number(a.mark === usedMark) || b.position - a.position,
    );
    this.#known.set(purpose, sorted);
    return sorted;
  }

  /** Those whose time has not passed. */
  standing(purpose: KeyPurpose): KnownKey[] {
    return this.#of(purpose).filter(({ until }) => until === null || until.getTime() > Date.now());
  }

  used(purpose: KeyPurpose): Buffer {
    const [first] = this.#of(purpose);
    if (first?.mark !== this.usedMark) throw new Error("this process does not have the master key");
    return first.key;
  }

  chains(purpose: KeyPurpose): readonly KeyChain[] {
    const found = this.#chained.get(purpose);
    if (found) return found;
    if (!["hashed once more", "the first"].includes(keepingOf(purpose).kind))
      throw new Error(`earlier keys of ${purpose} are not kept for good`);
    const { state, usedMark: first } = this;
    const other = first === state?.nextMark ? state.mark : state?.nextMark;
    const marks = other ? [first, other] : [first];
    const all = marks.map((mark) => this.#chainTo(purpose, mark)).filter((one) => one.length > 0);
    this.#chained.set(purpose, all);
    return all;
  }

  /** The chain that ends with a master key: itself, and those before it. */
  #chainTo(purpose: KeyPurpose, mark: string): KeyChain {
    const all = this.#of(purpose).toSorted((a, b) => a.position - b.position);
    const last = all.find((one) => one.mark === mark);
    return last ? [...all.filter((one) => one.position < last.position), last] : [];
  }
}

/** Makes the sealer of a master key of 32 bytes. Until it is given a state it seals as before any rotation. */
export function createSealer(masterKey: Buffer): Keyring {
  const keys = new Keys(masterKey);
  return {
    ownMark: keys.ownMark,
    get mark() {
      return keys.usedMark;
    },
    get step() {
      return keys.state?.step ?? null;
    },
    derive: (purpose) => keys.used(purpose),
    accepted: (purpose) => keys.standing(purpose).map(({ key }) => key),
    chains: (purpose) => keys.chains(purpose),
    seal(plain, place) {
      const body = encrypt(keys.used("seal"), Buffer.from(plain, "utf8"), place);
      // A version from before there were rotations runs beside this one for as long as no rotation began.
      const { state } = keys;
      const isMarked = state !== null && (state.rotated || state.phase === "sealing");
      return Buffer.concat([isMarked ? sealedBeginning(keys.usedMark) : Buffer.of(FIRST), body]);
    },
    open(sealed, place) {
      const version = sealed[0];
      const mark = sealed.subarray(1, 1 + MARK_BYTES).toString("hex");
      const fitting = keys.standing("seal").filter((one) => version === FIRST || one.mark === mark);
      if (version !== FIRST && version !== MARKED) throw new Error("sealed value is not readable");
      const body = sealed.subarray(version === FIRST ? 1 : 1 + MARK_BYTES);
      return decryptWith(fitting, body, place).toString("utf8");
    },
    follow: (now) => keys.follow(now),
    master: () => keys.master,
    learn: (given) => keys.learn(given),
    next: () => keys.next,
  };
}

/**
 * A text's hashes through the chains of a purpose: the first is how new ones are stored, and a stored one is any of them.
 * The first key of a chain makes `first`; each later one makes `<mark>.` and the hash of what was there.
 */
export function hashesThrough(
  { chains }: Pick<Sealer, "chains">,
  purpose: KeyPurpose,
  first: (key: Buffer) => Buffer,
): string[] {
  return chains(purpose).map(([begin, ...later]) => {
    let hash = first(begin?.key ?? Buffer.alloc(0)).toString("base64url");
    for (const { mark, key } of later) hash = hashOnceMore(hash, mark, key);
    return hash;
  });
}

/** A stored hash, hashed once more with the key of the master key of this mark. */
export const hashOnceMore = (hash: string, mark: string, key: Buffer): string =>
  `${mark}.${createHmac("sha256", key).update(hash).digest("base64url")}`;

/** Whether the hash was made with the key of this master key as its last. */
export const isHashedWith = (hash: string, mark: string): boolean => hash.startsWith(`${mark}.`);

/** When what is kept of a purpose ends; "dropped": nothing is kept. Null: for good. */
export function keptUntil(purpose: string, ended: Date, leaked: boolean): Date | null | "dropped" {
  if (!isKeyPurpose(purpose)) return "dropped";
  const keeping = keepingOf(purpose);
  if (keeping.kind === "nothing") return "dropped";
  if (keeping.kind !== "for a time") return null;
  if (leaked && keeping.forgeable) return "dropped";
  return new Date(ended.getTime() + keeping.ms);
}
