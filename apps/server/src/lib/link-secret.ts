import { createHash, randomBytes } from "node:crypto";

/** The secret of a link or cookie: 32 random bytes in base64url, 43 characters. */
export const freshSecret = (): string => randomBytes(32).toString("base64url");

/** What is stored of a secret: who reads the database uses no link and signs in as nobody. */
export const hashOfSecret = (secret: string): Buffer =>
  createHash("sha256").update(secret).digest();
