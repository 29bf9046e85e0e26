import { createHash, randomBytes } from "node:crypto";
import type { Actor } from "../actor.ts";
import { AppError } from "../errors.ts";
import { opens } from "../policies.ts";
import { SCOPES, type KeySends, type Scope, type WorkspaceKind } from "../wire/words.ts";

/** Whether the text is a scope. */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** A key as lists show it, without anything of its secret. */
export interface ApiKey {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly publicKey: string;
  /** Empty: full access. */
  readonly scopes: readonly Scope[];
  /** Who decides on what an assistant sends with it. */
  readonly sends: KeySends;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

/** The caller. The workspace is always this one, and never one that the request names. */
export interface Principal {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly publicKey: string;
  readonly scopes: readonly Scope[];
}

/** The key as the actor of the changes that it makes. */
export const keyActor = ({ keyId, publicKey, scopes }: Principal): Actor => ({
  kind: "key",
  keyId,
  publicKey,
  scopes,
});

/** Whether a key with the principal's scopes may use what the scope opens. */
export function mayUse({ scopes }: Pick<Principal, "scopes">, scope: Scope): boolean {
  return opens(scopes, scope);
}

export interface Credential {
  readonly publicKey: string;
  readonly secret: string;
}

/** What the public half of a test workspace's key begins with. */
const TEST_PREFIX = "pk_test_";

/** Whether the public half is of a test workspace. */
export const isTestKey = (publicKey: string): boolean => publicKey.startsWith(TEST_PREFIX);

/**
 * A new credential: 128 random bits by which the key is found, and 256 that prove it. base64url holds no colon. The public
 * half says whether it is of a test workspace.
 */
export function newCredential(kind: WorkspaceKind): Credential {
  const random = randomBytes(16).toString("base64url");
  // Chance must not make a live key look like one for tests.
  if (kind === "live" && isTestKey(`pk_${random}`)) return newCredential(kind);
  return {
    publicKey: kind === "test" ? `${TEST_PREFIX}${random}` : `pk_${random}`,
    secret: `sk_${randomBytes(32).toString("base64url")}`,
  };
}

/** SHA-256 of the secret half. The secret is random and long, so it needs no salt and no slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Mostly a variable that is not set. */
const NO_KEY = {
  explanation: "the key is missing behind the word Bearer: is the variable set that holds it?",
} as const;

/**
 * Reads `Authorization: Bearer <PUBLIC_KEY>:<SECRET>` (contract §5, Credential). Throws MISSING_API_KEY for a missing
 * or empty header. Throws MALFORMED_API_KEY for another scheme, a missing colon or an empty half.
 */
export function parseAuthorization(header: string | undefined): Credential {
  const value = header?.trim() ?? "";
  if (value === "") throw new AppError("MISSING_API_KEY");
  if (/^bearer$/i.test(value)) throw new AppError("MALFORMED_API_KEY", NO_KEY);
  const [, bearer] = /^bearer +(\S+)$/i.exec(value) ?? [];
  const colon = bearer?.indexOf(":") ?? -1;
  if (bearer === undefined || colon < 1 || colon === bearer.length - 1)
    throw new AppError("MALFORMED_API_KEY");
  return { publicKey: bearer.slice(0, colon), secret: bearer.slice(colon + 1) };
}
