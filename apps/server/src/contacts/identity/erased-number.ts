import { createHmac } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Sealer } from "../../lib/seal.ts";

// Deriving a key costs more than using it, and every new contact with a number asks.
const keys = new WeakMap<Sealer, Buffer>();

function keyOf(sealer: Sealer): Buffer {
  let key = keys.get(sealer);
  if (!key) keys.set(sealer, (key = sealer.derive("erased number")));
  return key;
}

/**
 * What stands for a number whose person was erased (docs/privacy.md): an HMAC under a key that is in no database, over
 * workspace and digits. With the number one can ask whether it is the one; nobody can read it back or try all numbers
 * without the master key. Starts with `#`, which no number does.
 */
export function erasedNumber(
  { sealer }: Pick<Context, "sealer">,
  workspaceId: string,
  phone: string,
): string {
  const mac = createHmac("sha256", keyOf(sealer)).update(`${workspaceId}/${phone}`).digest();
  return `#${mac.toString("base64url")}`;
}

/** A number as digits, and as what is left of it when its person was erased. */
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
