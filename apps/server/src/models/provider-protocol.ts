import type { ModelFailure, ModelProfile, ModelRequest, Tokens } from "./model.ts";

/** A call in one provider's form. */
export interface ProviderCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What an answer with status 200 says. */
export type ProviderAnswer =
  | {
      readonly kind: "document";
      readonly document: Readonly<Record<string, unknown>> | null;
      readonly tokens: Tokens;
    }
  | {
      readonly kind: Extract<ModelFailure, "refused" | "truncated" | "malformed">;
      readonly detail: string;
      readonly tokens: Tokens;
    };

/** How one provider is asked and answers. */
export interface ProviderProtocol {
  /** `plain`: for servers that know neither schemas nor newer names of options. */
  call(profile: ModelProfile, request: ModelRequest<unknown>, plain: boolean): ProviderCall;
  read(body: Readonly<Record<string, unknown>>, request: ModelRequest<unknown>): ProviderAnswer;
}

export const NO_TOKENS: Tokens = { input: 0, output: 0 };

export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const MOST_TOKENS = 10_000_000;

/** A number of tokens as a provider states it; 0 for everything that is none. */
export const tokenCount = (value: unknown): number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0
    ? Math.min(value, MOST_TOKENS)
    : 0;
