/** The call of a tool that the model wants. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a model came up with: a document, words without one, or the call of a tool. */
export type Reply =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly prose: string }
  | ToolCall;

/** The least share of a question's letters that a source must have to be taken as its answer. */
export const LEAST_SHARE = 0.34;
