import { createHmac } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Sealer } from "../../lib/seal.ts";

// Kept, because deriving a key costs more than using it, and every new contact with a number needs it.
const keys = new WeakMap<Sealer, Buffer>();

function keyOf(sealer: Sealer): Buffer {
  let key = keys.get(sealer);
  if (!key) keys.set(sealer, (key = sealer.derive("erased number")));
  return key;
}

/**
 * Stands for a number whose person was erased (docs/privacy.md): an HMAC over workspace and digits, under a key
 * that is in no database. Whoever has the number can check whether it is the same. Without the master key nobody
 * can read the number back or try all numbers. Starts with `#`, which no number does.
 */
export function erasedNumber(
  { sealer }: Pick<Context, "sealer">,
  workspaceId: string,
  phone: string,
): string {
  const mac = createHmac("sha256", keyOf(sealer)).update(`${workspaceId}/${phone}`).digest();
  return `#${mac.toString("base64url")}`;
}

/** Whether this replaces the number of an erased person. */
export const isErasedNumber = (phone: string): boolean => phone.startsWith("#");

/** A number in digits, and the hash that is left when its person is erased. */
interface NumberForms {
  readonly workspaceId: string;
  readonly phone: string;
  readonly erased: string;
}

/** A number in both forms. */
export function numberForms(
  context: Pick<Context, "sealer">,
  workspaceId: string,
  phone: string,
): NumberForms {
  return { workspaceId, phone, erased: erasedNumber(context, workspaceId, phone) };
}
