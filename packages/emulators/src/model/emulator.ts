import { createHash } from "node:crypto";
import { Ring } from "../core/ring.ts";
import { json, listen, loopback } from "../core/server.ts";
import type { Answer, Call, EmulatorServer, Handled, SeenRequest } from "../core/server.ts";
import { extract, obey, scripted, withTopic, type ScriptedAnswer } from "./answers.ts";
import { embed } from "./grams.ts";
import { withLookups } from "./look-ups.ts";
import { MODEL_FAULTS, spoilt } from "./model-faults.ts";
import { tokensOf, type Prompt } from "./prompt.ts";
import type { Reply } from "./reply.ts";
import { ANTHROPIC, ModelRefusal, OPENAI, type Protocol } from "./protocols.ts";

export interface ModelOptions {
  /** Default 127.0.0.1. Loopback only. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** What callers must show. Default "emulated". */
  readonly key?: string;
  /** Answers of the model `script`, in the order in which they are tried. */
  readonly script?: readonly ScriptedAnswer[];
  /** Entries of the journal. Default 500. */
  readonly journalSize?: number;
}

/** The models that it has beside `fault:KIND`. */
const MODELS: Readonly<
  Record<string, (prompt: Prompt, script: readonly ScriptedAnswer[]) => Reply>
> = {
  extract,
  obey,
  script: scripted,
};
const MOST_BODY = 4 * 1024 * 1024;
const MOST_INPUTS = 2048;

/**
 * An emulated language model: no weights, the same bytes for the same input. `/chat/completions` and `/embeddings` as
 * OpenAI, `/v1/messages` as Anthropic; all of them with or without `/v1` before. The name of the model decides what it
 * does: `extract`, `script`, `obey`, `fault:KIND`.
 */
export class ModelEmulator implements AsyncDisposable {
  readonly key: string;
  readonly #options: ModelOptions;
  readonly #requests: Ring<SeenRequest>;
  #script: readonly ScriptedAnswer[];
  #server: EmulatorServer | null = null;

  constructor(options: ModelOptions) {
    this.#options = options;
    this.key = options.key ?? "emulated";
    this.#script = options.script ?? [];
    this.#requests = new Ring(options.journalSize ?? 500);
  }

  /** The address where it listens, without a trailing slash: the base of both protocols. */
  get url(): string {
    return this.#server?.url ?? "";
  }
  async listen(): Promise<this> {
    this.#server = await listen({
      host: loopback(this.#options.host),
      port: this.#options.port ?? 0,
      maxBodyBytes: MOST_BODY,
      handle: (call) => this.#handle(call),
    });
    return this;
  }
  /** Sets the answers of the model `script`. */
  script(answers: readonly ScriptedAnswer[]): void {
    this.#script = answers;
  }
  /** The calls so far, oldest first. */
  requests(): readonly SeenRequest[] {
    return this.#requests.all();
  }
  /** Cuts every hanging call, and ends every slow one. */
  release(): void {
    this.#server?.release();
  }
  async close(): Promise<void> {
    await this.#server?.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #handle(call: Call): Handled {
    const handled = this.#answer(call);
    const { method, path, body } = call;
    const { status } = handled.answer;
    const fault = handled.fault?.kind ?? null;
    this.#requests.push({
      at: Date.now(),
      method,
      path,
      body: body.toString("utf8"),
      status,
      fault,
    });
    return handled;
  }

  #answer(call: Call): Handled {
    const path = call.path.replace(/^\/v1(?=\/)/, "").replace(/^\/v1(?=\/)/, "");
    const protocol = path === "/messages" ? ANTHROPIC : OPENAI;
    try {
      if (path === "/_sim/model/script") return { answer: this.#setScript(call) };
      if (protocol.keyOf(call) !== this.key) return spoilt("401", protocol, NO_PROMPT, "0");
      if (path === "/models" && call.method === "GET") return { answer: listModels() };
      if (call.method !== "POST")
        throw new ModelRefusal(405, "invalid_request_error", "POST is needed");
      if (path === "/embeddings") return this.#embed(documentOf(call));
      if (path !== "/messages" && path !== "/chat/completions")
        throw new ModelRefusal(404, "invalid_request_error", `there is nothing at ${call.path}`);
      return this.#complete(protocol, call);
    } catch (error) {
      if (error instanceof ModelRefusal) return { answer: protocol.refuse(error) };
      throw error;
    }
  }

  #complete(protocol: Protocol, call: Call): Handled {
    const prompt = protocol.read(documentOf(call), call);
    const id = createHash("sha256").update(call.body).digest("hex").slice(0, 24);
    const fault = faultOf(prompt.model);
    if (fault) return spoilt(fault, protocol, prompt, id);
    const answer = MODELS[prompt.model];
    if (!answer) return spoilt("404", protocol, prompt, id);
    const reply = withTopic(prompt, withLookups(prompt, answer(prompt, this.#script)));
    // Without a schema, the words alone are the answer.
    const words =
      "value" in reply && prompt.schema === null ? { prose: wordsIn(reply.value) } : reply;
    return { answer: protocol.write(prompt, words, id) };
  }

  #embed(body: Readonly<Record<string, unknown>>): Handled {
    const { model, input, encoding_format: format } = body;
    const prompt = { ...NO_PROMPT, model: typeof model === "string" ? model : "" };
    const fault = faultOf(prompt.model);
    if (fault) return spoilt(fault, OPENAI, prompt, "0");
    const texts: readonly unknown[] = Array.isArray(input) ? input : [input];
    if (
      texts.length === 0 ||
      texts.length > MOST_INPUTS ||
      texts.some((one) => typeof one !== "string")
    )
      throw new ModelRefusal(
        400,
        "invalid_request_error",
        `input: 1 to ${MOST_INPUTS} texts are needed`,
      );
    const data = texts.map((text, index) => {
      const vector = embed(String(text));
      const bytes = Buffer.from(Float32Array.from(vector).buffer);
      const embedding = format === "base64" ? bytes.toString("base64") : vector;
      return { object: "embedding", index, embedding };
    });
    const tokens = texts.reduce<number>((sum, text) => sum + tokensOf(String(text)), 0);
    const usage = { prompt_tokens: tokens, total_tokens: tokens };
    return { answer: json(200, { object: "list", data, model: prompt.model, usage }) };
  }

  #setScript(call: Call): Answer {
    const { answers } = documentOf(call);
    if (!Array.isArray(answers)) return json(400, { error: "answers is needed, as a list" });
    this.#script = answers.map((one: unknown) => {
      const { when, lookedUp, answer } = Object(one) as Readonly<Record<string, unknown>>;
      return {
        ...(typeof when === "string" && { when }),
        ...(typeof lookedUp === "number" && { lookedUp }),
        answer: { ...Object(answer) },
      };
    });
    return json(200, { answers: this.#script.length });
  }
}

const NO_PROMPT: Prompt = {
  model: "",
  system: "",
  turns: [],
  schema: null,
  schemaName: "",
  maxTokens: null,
};

function documentOf(call: Call): Readonly<Record<string, unknown>> {
  try {
    return { ...Object(JSON.parse(call.body.toString("utf8"))) };
  } catch {
    throw new ModelRefusal(400, "invalid_request_error", "the body is not JSON");
  }
}

const faultOf = (model: string) => MODEL_FAULTS.find((kind) => model === `fault:${kind}`);

const wordsIn = ({ text }: Readonly<Record<string, unknown>>): string =>
  typeof text === "string" && text !== "" ? text : "I do not know.";

function listModels(): Answer {
  const names = [...Object.keys(MODELS), ...MODEL_FAULTS.map((kind) => `fault:${kind}`)];
  const data = names.map((id) => ({
    id,
    object: "model",
    created: 0,
    owned_by: "parley-emulation",
  }));
  return json(200, { object: "list", data });
}

/** Starts an emulated model on a loopback port. */
export function createModelEmulator(options: ModelOptions = {}): Promise<ModelEmulator> {
  return new ModelEmulator(options).listen();
}
