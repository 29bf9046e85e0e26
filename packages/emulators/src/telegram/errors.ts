import { json, type Answer } from "../core/server.ts";

/** A refused call, before it becomes an answer. */
export class BotRefusal extends Error {
  readonly code: number;
  readonly description: string;
  readonly parameters: Readonly<Record<string, number>> | undefined;
  constructor(code: number, description?: string, parameters?: Record<string, number>) {
    const words = description ?? DEFAULT[code] ?? "Bad Request";
    super(words);
    this.code = code;
    this.description = words;
    this.parameters = parameters;
  }
}

const DEFAULT: Readonly<Record<number, string>> = {
  400: "Bad Request: chat not found",
  401: "Unauthorized",
  403: "Forbidden: bot was blocked by the user",
  404: "Not Found",
  409: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
  413: "Request Entity Too Large",
  421: "Misdirected Request",
  500: "Internal Server Error",
  502: "Bad Gateway",
};

export const badRequest = (words: string): BotRefusal =>
  new BotRefusal(400, `Bad Request: ${words}`);

export const tooMany = (seconds: number): BotRefusal =>
  new BotRefusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });

/** `{"ok":false,…}` with the code as HTTP status; a wait is given in the body and in `Retry-After`. */
export function refusalAnswer({ code, description, parameters }: BotRefusal): Answer {
  const wait = parameters?.["retry_after"];
  return json(
    code,
    { ok: false, error_code: code, description, ...(parameters && { parameters }) },
    wait === undefined ? {} : { "retry-after": String(wait) },
  );
}

export const resultAnswer = (result: unknown, description?: string): Answer =>
  json(200, { ok: true, result, ...(description !== undefined && { description }) });
