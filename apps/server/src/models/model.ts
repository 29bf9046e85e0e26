import type { Sealer } from "../lib/seal.ts";
import type { MODEL_OUTCOMES, MODEL_PROTOCOLS } from "../wire/words.ts";

export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number];

/** A model as it is called. */
export interface ModelProfile {
  readonly protocol: ModelProtocol;
  /** Its base address, without a slash at the end. */
  readonly url: string;
  readonly name: string;
  readonly key: string;
  /** A workspace named the address: it is called through the address guard. */
  readonly guarded: boolean;
  /** The sandbox's emulation, which is no model. */
  readonly emulated: boolean;
  /** Money for a million tokens; null: not known, so nothing is counted. */
  readonly inputPrice: number | null;
  readonly outputPrice: number | null;
}

/** One message of the talk that a model is shown. */
export interface ModelTurn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface ModelRequest<T = Readonly<Record<string, unknown>>> {
  /** The rules. They hold nothing that a customer or a source said. */
  readonly system: string;
  readonly turns: readonly ModelTurn[];
  /** The JSON schema of the answer, which some servers ignore, and what it is called. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly schemaName: string;
  /** Reads the answer's document; null: it does not fit. */
  readonly read: (document: Readonly<Record<string, unknown>>) => T | null;
  readonly maxTokens: number;
  /** What all calls of this request may take together, in milliseconds. Default 45 s. */
  readonly withinMs?: number;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

interface Outcome {
  readonly tokens: Tokens;
  /** From the first call's begin to the last one's end. */
  readonly ms: number;
  readonly tries: number;
}

/** Why a model gave no answer that can be used. */
export type ModelFailure = Exclude<(typeof MODEL_OUTCOMES)[number], "ok">;

/** The outcome of a call of a model. `detail`: a short code for the person who set it up, never the provider's text. */
export type ModelOutcome<T = Readonly<Record<string, unknown>>> =
  | (Outcome & { readonly kind: "ok"; readonly value: T })
  | (Outcome & { readonly kind: ModelFailure; readonly detail: string });

/** What the tokens of a call cost; 0 where no price is set. */
export const costOf = (
  { inputPrice, outputPrice }: Pick<ModelProfile, "inputPrice" | "outputPrice">,
  { input, output }: Tokens,
): number => ((inputPrice ?? 0) * input + (outputPrice ?? 0) * output) / 1e6;

/** The most that a request may use: a token has at least three bytes of what is sent, and an answer ends at its limit. */
export const mostTokens = ({ system, turns, maxTokens }: ModelRequest<unknown>): Tokens => {
  const bytes = turns.reduce(
    (sum, { text }) => sum + Buffer.byteLength(text),
    Buffer.byteLength(system),
  );
  return { input: Math.ceil(bytes / 3), output: maxTokens };
};

export const modelKeyPlace = (workspaceId: string): string => `model:${workspaceId}`;

/** The key of the sandbox's emulated model. It opens nothing else. */
export function emulationKey({ chains }: Pick<Sealer, "chains">): string {
  // Of the first master key: members have stored it, and an emulation that runs was started with it.
  const first = chains("emulated model")[0]?.[0]?.key;
  if (!first) throw new Error("this process does not have the master key");
  return `sandbox-${first.toString("base64url").slice(0, 24)}`;
}
