import { firstObject } from "./first-object.ts";
import { member, tokenCount, type ProviderProtocol } from "./provider-protocol.ts";

const VERSION = "2023-06-01";

/** POST {base}/v1/messages. The document is the input of one tool that the model has to call. */
export const anthropicMessages: ProviderProtocol = {
  call({ name, key }, { system, turns, schema, schemaName, maxTokens }) {
    return {
      path: "/v1/messages",
      headers: { "x-api-key": key, "anthropic-version": VERSION },
      body: {
        model: name,
        max_tokens: maxTokens,
        system,
        messages: turns.map(({ role, text }) => ({ role, content: text })),
        tools: [{ name: schemaName, description: "The answer.", input_schema: schema }],
        tool_choice: { type: "tool", name: schemaName },
      },
    };
  },
  read(body, { schemaName }) {
    const usage = body["usage"];
    const tokens = {
      input: tokenCount(member(usage, "input_tokens")),
      output: tokenCount(member(usage, "output_tokens")),
    };
    const stopped = body["stop_reason"];
    if (stopped === "max_tokens" || stopped === "model_context_window_exceeded")
      return { kind: "truncated", detail: "max_tokens", tokens };
    if (stopped === "refusal") return { kind: "refused", detail: "refusal", tokens };
    const content = body["content"];
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    const call = blocks.find((block) => member(block, "type") === "tool_use");
    if (call !== undefined) {
      if (member(call, "name") !== schemaName)
        return { kind: "malformed", detail: "unknown_tool", tokens };
      const input = member(call, "input");
      const document =
        typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : null;
      return { kind: "document", document, tokens };
    }
    // A text may come in several blocks.
    const text = blocks
      .flatMap((block) => {
        const one = member(block, "text");
        return typeof one === "string" ? [one] : [];
      })
      .join("");
    if (text.trim() === "") return { kind: "malformed", detail: "empty", tokens };
    return { kind: "document", document: firstObject(text), tokens };
  },
};
