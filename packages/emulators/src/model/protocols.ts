import { json, type Answer, type Call } from "../core/server.ts";
import { tokensOf, type Prompt, type Turn } from "./prompt.ts";
import type { Reply } from "./reply.ts";

/** A refusal in the words of a protocol. */
export class ModelRefusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: number,
    type: string,
    message: string,
    more: { readonly code?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = more.code ?? null;
    this.headers = more.headers ?? {};
  }
}

/** How one provider's clients speak: what they send, what they get. */
export interface Protocol {
  keyOf(call: Call): string | undefined;
  read(body: Readonly<Record<string, unknown>>, call: Call): Prompt;
  write(prompt: Prompt, reply: Reply, id: string): Answer;
  refuse(refusal: ModelRefusal): Answer;
}

const bad = (message: string) => new ModelRefusal(400, "invalid_request_error", message);

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw bad("content must be a text or a list of parts");
  return content
    .map((part: unknown) => {
      const { type, text } = Object(part) as { type?: unknown; text?: unknown };
      if (type !== "text" || typeof text !== "string")
        throw bad("only parts of type text are taken");
      return text;
    })
    .join("\n");
}

function listOf(value: unknown, name: string): readonly Record<string, unknown>[] {
  if (!Array.isArray(value) || value.length === 0) throw bad(`${name}: a list is required`);
  return value.map((one: unknown) => ({ ...Object(one) }));
}

function modelOf({ model, stream }: Readonly<Record<string, unknown>>): string {
  if (typeof model !== "string" || model === "") throw bad("model: is required");
  if (stream === true) throw bad("stream: this emulation answers in one piece");
  return model;
}

function limitOf(...given: readonly unknown[]): number | null {
  const limit = given.find((one) => one !== undefined && one !== null);
  if (limit === undefined) return null;
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1)
    throw bad("max_tokens: must be a whole number above 0");
  return limit;
}

/** The words of a reply, cut where the limit of tokens is. */
function written(prompt: Prompt, reply: Exclude<Reply, { readonly tool: string }>) {
  const whole = "prose" in reply ? reply.prose : JSON.stringify(reply.value);
  const most = (prompt.maxTokens ?? Infinity) * 4;
  return { text: whole.slice(0, most), isCut: whole.length > most };
}

const inputTokens = ({ system, turns }: Prompt): number =>
  tokensOf(system) + turns.reduce((sum, { text }) => sum + tokensOf(text), 0);

/** POST /chat/completions, as OpenAI and the servers that imitate it. */
export const OPENAI: Protocol = {
  keyOf: ({ headers }) => /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1],
  read(body) {
    const messages = listOf(body["messages"], "messages").map(({ role, content }) => {
      if (role !== "system" && role !== "developer" && role !== "user" && role !== "assistant")
        throw bad("messages: role must be system, developer, user or assistant");
      return { role, text: textOf(content) };
    });
    const format = Object(body["response_format"]) as { type?: unknown; json_schema?: unknown };
    const { schema, name } = Object(format.json_schema) as { schema?: unknown; name?: unknown };
    if (format.type === "json_schema" && typeof schema !== "object")
      throw bad("response_format.json_schema.schema: is required");
    const isRule = (role: string) => role === "system" || role === "developer";
    return {
      model: modelOf(body),
      system: messages
        .filter(({ role }) => isRule(role))
        .map(({ text }) => text)
        .join("\n"),
      turns: messages.flatMap(({ role, text }) =>
        role === "user" || role === "assistant" ? [{ role, text }] : [],
      ),
      schema: typeof schema === "object" && schema !== null ? { ...schema } : null,
      schemaName: typeof name === "string" ? name : "",
      maxTokens: limitOf(body["max_completion_tokens"], body["max_tokens"]),
    };
  },
  write(prompt, reply, id) {
    let message: object;
    let finish = "stop";
    let tokens = 8;
    if ("tool" in reply) {
      const call = { name: reply.tool, arguments: JSON.stringify(reply.input) };
      const calls = [{ id: `call_${id}`, type: "function", function: call }];
      message = { role: "assistant", content: null, refusal: null, tool_calls: calls };
      finish = "tool_calls";
    } else {
      const { text, isCut } = written(prompt, reply);
      message = { role: "assistant", content: text, refusal: null };
      if (isCut) finish = "length";
      tokens = tokensOf(text);
    }
    const input = inputTokens(prompt);
    return json(200, {
      id: `chatcmpl-${id}`,
      object: "chat.completion",
      created: 0,
      model: prompt.model,
      system_fingerprint: "parley-emulation",
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
      usage: { prompt_tokens: input, completion_tokens: tokens, total_tokens: input + tokens },
    });
  },
  refuse: ({ status, type, message, code, headers }) =>
    json(status, { error: { message, type, param: null, code } }, { ...headers }),
};

/** POST /v1/messages, as Anthropic. */
export const ANTHROPIC: Protocol = {
  keyOf(call) {
    // The documents name the header `x-api-key`; newer clients of theirs send a Bearer token.
    const key = call.headers["x-api-key"];
    return typeof key === "string" ? key : OPENAI.keyOf(call);
  },
  read(body, { headers }) {
    if (typeof headers["anthropic-version"] !== "string")
      throw bad("anthropic-version: header is required");
    const maxTokens = limitOf(body["max_tokens"]);
    if (maxTokens === null) throw bad("max_tokens: Field required");
    const turns = listOf(body["messages"], "messages").map(({ role, content }): Turn => {
      if (role !== "user" && role !== "assistant")
        throw bad('messages: Unexpected role. Allowed roles are "user" or "assistant"');
      return { role, text: textOf(content) };
    });
    if (turns[0]?.role !== "user") throw bad("messages: first message must use the user role");
    const choice = Object(body["tool_choice"]) as { type?: unknown; name?: unknown };
    const tools = body["tools"] === undefined ? [] : listOf(body["tools"], "tools");
    const tool = tools.find(({ name }) => choice.type !== "tool" || name === choice.name);
    if (choice.type === "tool" && !tool) throw bad("tool_choice: names no tool");
    const schema: unknown = tool?.["input_schema"];
    const model = modelOf(body);
    const system = body["system"] === undefined ? "" : textOf(body["system"]);
    const named = { name: tool?.["name"] };
    return {
      model,
      system,
      turns,
      schema: typeof schema === "object" && schema !== null ? { ...schema, ...named } : null,
      schemaName: typeof named.name === "string" ? named.name : "",
      maxTokens,
    };
  },
  write(prompt, reply, id) {
    let block: object;
    let stop = "end_turn";
    let tokens = 8;
    if ("tool" in reply) {
      block = { type: "tool_use", id: `toolu_${id}`, name: reply.tool, input: reply.input };
      stop = "tool_use";
    } else {
      const { text, isCut } = written(prompt, reply);
      tokens = tokensOf(text);
      const { schema } = prompt;
      if ("value" in reply && schema !== null && !isCut) {
        block = { type: "tool_use", id: `toolu_${id}`, name: schema["name"], input: reply.value };
        stop = "tool_use";
      } else block = { type: "text", text };
      if (isCut) stop = "max_tokens";
    }
    return json(200, {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: prompt.model,
      content: [block],
      stop_reason: stop,
      stop_sequence: null,
      usage: { input_tokens: inputTokens(prompt), output_tokens: tokens },
    });
  },
  refuse: ({ status, type, message, headers }) =>
    json(
      status,
      { type: "error", error: { type, message }, request_id: "req_emulation" },
      { ...headers },
    ),
};
