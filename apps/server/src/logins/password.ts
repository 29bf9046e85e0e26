import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { invalid } from "../errors.ts";
import { createGate } from "../lib/gate.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** What a new hash costs. */
export interface HashCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** OWASP's first choice for argon2id, with parallelism 1. Measured on the developer's machine: 93 ms. */
export const STRONG: HashCost = { memoryKib: 19_456, passes: 2 };
const PARALLELISM = 1;
let cost = STRONG;

/** For tests alone, whose hundreds of members would cost a minute. The server and the commands never call it. */
export function setHashCost(to: HashCost): void {
  cost = to;
}

/**
 * Hashes run on the four threads that files and name look-ups use too, and a hash keeps one busy. Two at once leave two
 * threads for everybody else. The last in the queue waits about a second.
 */
export const hashGate = createGate({ atOnce: 2, waiting: 20, retryAfterSeconds: 2 });
const argon2Async = promisify(argon2);
const derive: typeof argon2Async = (...given) => hashGate.run(() => argon2Async(...given));

/**
 * Checks a password that somebody chose. `email`: the person's own address, where it is known. Throws VALIDATION_FAILED
 * when it is too short, too long, among the commonest, or the address itself.
 */
export function checkedPassword(password: string, email = ""): void {
  if (password.length < 10 || password.length > 1_000)
    throw invalid("password", "must be 10 to 1000 characters");
  if (isCommonPassword(password))
    throw invalid("password", "is one of the most used passwords; choose another one", {
      code: "password.common",
    });
  const [name = ""] = email.split("@", 1);
  if ([email, name].some((own) => own !== "" && bare(own) === bare(password)))
    throw invalid("password", "is your own address; choose another one", {
      code: "password.address",
    });
}

/** Letters and digits alone, without case. A text without any stays as it is. */
const bare = (text: string): string => {
  const folded = text.toLowerCase();
  return folded.replaceAll(/[^\p{L}\p{N}]/gu, "") || folded;
};

/**
 * Hashes a password with argon2id in PHC form. The form names the costs, so they can rise later. Call it after
 * everything that can refuse the caller. Throws OVERLOADED when too many hashes wait.
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const { memoryKib, passes } = cost;
  const tag = await derive("argon2id", {
    message: password,
    nonce,
    memory: memoryKib,
    passes,
    parallelism: PARALLELISM,
    tagLength: 32,
  });
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${PARALLELISM}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** True when this password was hashed. A hash of another form gives false. Throws OVERLOADED as `hashPassword` does. */
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
