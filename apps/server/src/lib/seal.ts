import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * Encrypts secrets at rest (AES-256-GCM). `place` names the row and column of the value ("channel:<workspaceId>:<id>").
 * A ciphertext that was moved elsewhere does not open.
 */
export interface Sealer {
  seal(plain: string, place: string): Buffer;
  /** Decrypts. Throws when the master key is another one, or when the bytes were changed or moved. */
  open(sealed: Buffer, place: string): string;
  /** Derives a key for one purpose, such as an HMAC. It never stands in the database. */
  derive(purpose: string): Buffer;
}

/**
 * Makes the sealer of a master key of 32 bytes. A sealed value is: version (1 byte), nonce (12), tag (16), ciphertext.
 */
export function createSealer(masterKey: Buffer): Sealer {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync("sha256", masterKey, Buffer.alloc(0), `parley:${purpose}`, 32));
  const key = derive("seal");
  return {
    derive,
    seal(plain, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      cipher.setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, place) {
      if (sealed[0] !== 1 || sealed.length < 29) throw new Error("sealed value is not readable");
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 13));
      decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(sealed.subarray(13, 29));
      return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}
