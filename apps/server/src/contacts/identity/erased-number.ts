import { createHmac } from "node:crypto";
import type { Context } from "../../context.ts";
import { hashesThrough } from "../../lib/seal.ts";

/**
 * Stands for a number whose person was erased (docs/privacy.md): an HMAC over workspace and digits, under a key
 * that is in no database. Whoever has the number can check whether it is the same. Without the master key nobody
 * can read the number back or try all numbers. Starts with `#`, which no number does.
 */
export const erasedNumber = (
  context: Pick<Context, "sealer">,
  workspaceId: string,
  phone: string,
): string => numberForms(context, workspaceId, phone).erased;

/** Whether this replaces the number of an erased person. */
export const isErasedNumber = (phone: string): boolean => phone.startsWith("#");

/** A number in digits, and the hash that is left when its person is erased. */
interface NumberForms {
  readonly workspaceId: string;
  readonly phone: string;
  /** How it is stored from now on. */
  readonly erased: string;
  /** How it may be stored while the master key is rotated; else the same. */
  readonly erasedElse: string;
}

/** A number in its forms. */
export function numberForms(
  { sealer }: Pick<Context, "sealer">,
  workspaceId: string,
  phone: string,
): NumberForms {
  const [erased = "", other = erased] = hashesThrough(sealer, "erased number", (key) =>
    createHmac("sha256", key).update(`${workspaceId}/${phone}`).digest(),
  ).map((hash) => `#${hash}`);
  return { workspaceId, phone, erased, erasedElse: other };
}

/** The hashes of a number that may be stored. */
export const erasedForms = ({ erased, erasedElse }: NumberForms): string[] => [
  ...new Set([erased, erasedElse]),
];
