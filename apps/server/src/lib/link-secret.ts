import { createHash, randomBytes } from "node:crypto";

/** The secret of a link or cookie: 32 random bytes in base64url, 43 characters. */
export const freshSecret = (): string => randomBytes(32).toString("base64url");

/** What is stored of a secret: its SHA-256. Somebody who reads the database can use no link and sign in as nobody. */
export const hashOfSecret = (secret: string): Buffer =>
  createHash("sha256").update(secret).digest();
