import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { invalid } from "../errors.ts";

// OWASP's first choice for argon2id: 19 MiB, two passes, parallelism 1 (measured: 93 ms on the machine this was tried
// on).
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const derive = promisify(argon2);

/** Gives the password back. Throws VALIDATION_FAILED when it is too short or too long. */
export function checkedPassword(password: string): string {
  if (password.length < 10 || password.length > 1_000)
    throw invalid("password", "must be 10 to 1000 characters");
  return password;
}

/** Hashes a password with argon2id and gives it in PHC form, so that the costs can rise later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive("argon2id", {
    message: password,
    nonce,
    memory: MEMORY_KIB,
    passes: PASSES,
    parallelism: PARALLELISM,
    tagLength: 32,
  });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** True when the password is the one that was hashed. False, too, for a hash of another form. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  const [, memory, passes, parallelism, nonce, expected] = parts ?? [];
  if (nonce === undefined || expected === undefined) return false;
  const tag = Buffer.from(expected, "base64");
  const found = await derive("argon2id", {
    message: password,
    nonce: Buffer.from(nonce, "base64"),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: tag.length,
  });
  return timingSafeEqual(tag, found);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
