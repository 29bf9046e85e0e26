import { retryAfterMs } from "./backoff.ts";
import type { ChatMessage, Session, SiteUser, Upload } from "./protocol.ts";
import { SseParser, type SseFrame } from "./sse.ts";

/** What the server said; status 0: nothing was heard. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code: string;
      readonly waitMs: number | null;
    };

const TIMEOUT_MS = 20_000;
/** For the stream to begin: a dead connection that the browser kept for later shows only by its silence. */
const OPENING_MS = 15_000;

/** The calls of docs/web-chat.md. Nothing here throws; no cookie goes along, and no token stands in an address. */
export class Server {
  readonly origin: string;
  readonly #base: string;
  token: string | null = null;

  constructor(home: string, channelId: string) {
    this.origin = new URL(home).origin;
    this.#base = `${home}/chat/v1/${encodeURIComponent(channelId)}`;
  }

  session(body: { token?: string; user?: SiteUser; locale: string }): Promise<Answer<Session>> {
    return this.#post("session", body, null);
  }

  sendMessage(body: {
    clientId: string;
    text?: string;
    attachments?: readonly string[];
  }): Promise<Answer<ChatMessage>> {
    return this.#post("messages", body);
  }

  receipts(body: { delivered?: string; read?: string }): Promise<Answer<null>> {
    return this.#post("receipts", body);
  }

  typing(active: boolean): Promise<Answer<null>> {
    return this.#post("typing", { active });
  }

  profile(said: Readonly<Record<string, string>>): Promise<Answer<null>> {
    return this.#post("profile", said);
  }

  logout(): Promise<Answer<null>> {
    return this.#post("logout", {});
  }

  /** By XMLHttpRequest: fetch tells nothing of how far an upload is. `progress` gets 0 to 1. */
  upload(
    file: File,
    progress: (share: number) => void,
    signal: AbortSignal,
  ): Promise<Answer<Upload>> {
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      const settle = () => {
        const body = parse(request.responseText);
        resolve(
          request.status >= 200 && request.status < 300
            ? { ok: true, value: body as Upload }
            : failure(request.status, body, request.getResponseHeader("retry-after")),
        );
      };
      request.open("POST", `${this.#base}/files?name=${encodeURIComponent(file.name)}`);
      request.setRequestHeader("content-type", file.type || "application/octet-stream");
      request.setRequestHeader("authorization", `Bearer ${this.token ?? ""}`);
      request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) progress(event.loaded / event.total);
      });
      request.addEventListener("loadend", settle);
      signal.addEventListener("abort", () => request.abort());
      request.send(file);
    });
  }

  /**
   * Reads the stream until it ends, is given up by `signal`, or is silent for `silenceMs`. Returns the status of a
   * refusal, 0 for everything that may just be tried again.
   */
  async stream(
    after: string,
    signal: AbortSignal,
    silenceMs: number,
    heard: { opened(): void; frame(frame: SseFrame): void },
  ): Promise<number> {
    const silence = new AbortController();
    const give = () => silence.abort();
    let timer = setTimeout(give, OPENING_MS);
    signal.addEventListener("abort", give);
    try {
      const response = await fetch(`${this.#base}/stream?after=${encodeURIComponent(after)}`, {
        headers: { authorization: `Bearer ${this.token ?? ""}`, accept: "text/event-stream" },
        credentials: "omit",
        cache: "no-store",
        signal: silence.signal,
      });
      if (!response.ok || !response.body) return response.status;
      heard.opened();
      const hear = () => {
        clearTimeout(timer);
        timer = setTimeout(give, silenceMs);
      };
      hear();
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      const parser = new SseParser();
      for (;;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return 0;
        hear();
        for (const frame of parser.feed(decoder.decode(value, { stream: true })))
          heard.frame(frame);
      }
    } catch {
      return 0;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", give);
      silence.abort();
    }
  }

  async #post<T>(path: string, body: object, token = this.token): Promise<Answer<T>> {
    try {
      const response = await fetch(`${this.#base}/${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
        credentials: "omit",
        cache: "no-store",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const value = parse(await response.text());
      return response.ok
        ? { ok: true, value: value as T }
        : failure(response.status, value, response.headers.get("retry-after"));
    } catch {
      return failure(0, null, null);
    }
  }
}

function failure(status: number, body: unknown, retryAfter: string | null) {
  const code =
    body !== null && typeof body === "object" && "message" in body ? String(body.message) : "";
  return { ok: false, status, code, waitMs: retryAfterMs(retryAfter, Date.now()) } as const;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
