import { firstObject } from "./first-object.ts";
import { member, tokenCount, type ProviderProtocol } from "./provider-protocol.ts";

/** POST {base}/chat/completions: OpenAI, Ollama, vLLM, llama.cpp and others that imitate it. */
export const openaiChat: ProviderProtocol = {
  call({ name, key }, { system, turns, schema, schemaName, maxTokens }, plain) {
    const rules = plain
      ? `${system}\n\nAnswer with one JSON object of this schema:\n${JSON.stringify(schema)}`
      : system;
    return {
      path: "/chat/completions",
      headers: { authorization: `Bearer ${key}` },
      body: {
        model: name,
        messages: [
          { role: "system", content: rules },
          ...turns.map(({ role, text }) => ({ role, content: text })),
        ],
        temperature: 0,
        ...(plain
          ? { max_tokens: maxTokens }
          : {
              max_completion_tokens: maxTokens,
              response_format: {
                type: "json_schema",
                json_schema: { name: schemaName, strict: true, schema },
              },
            }),
      },
    };
  },
  read(body) {
    const usage = body["usage"];
    const tokens = {
      input: tokenCount(member(usage, "prompt_tokens")),
      output: tokenCount(member(usage, "completion_tokens")),
    };
    const choices = body["choices"];
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    const message = member(choice, "message");
    const content = member(message, "content");
    const refusal = member(message, "refusal");
    switch (member(choice, "finish_reason")) {
      case "length":
        return { kind: "truncated", detail: "length", tokens };
      case "content_filter":
        return { kind: "refused", detail: "content_filter", tokens };
      case "tool_calls":
        return { kind: "malformed", detail: "unknown_tool", tokens };
    }
    if (typeof refusal === "string" && refusal !== "")
      return { kind: "refused", detail: "refusal", tokens };
    if (typeof content !== "string" || content.trim() === "")
      return { kind: "malformed", detail: "empty", tokens };
    return { kind: "document", document: firstObject(content), tokens };
  },
};
