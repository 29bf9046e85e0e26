import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";

export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface Session {
  readonly token: string;
  readonly verified: boolean;
  readonly cursor: string;
  readonly messages: readonly ChatMessage[];
  readonly earlier: boolean;
  readonly unread: number;
  readonly asks: readonly string[];
  readonly settings: Record<string, unknown>;
}

export interface ChatMessage {
  readonly id: string;
  readonly clientId: string | null;
  readonly from: string;
  readonly text: string | null;
  readonly status: string;
  readonly attachments: readonly Record<string, unknown>[];
}

/** A stream that is read by hand: frames are kept until somebody asks. */
export class StreamReader {
  readonly frames: Frame[] = [];
  readonly response: IncomingMessage;
  ended = false;
  #rest = "";
  #waiting: (() => void)[] = [];
  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding("utf8");
    response.on("data", (text: string) => this.#take(text));
    const over = () => {
      this.ended = true;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
    response.on("close", over).on("error", over);
  }

  /** Everything heard so far, once `enough` says so; throws when the stream ends before. */
  async until(enough: (frames: readonly Frame[]) => boolean): Promise<readonly Frame[]> {
    while (!enough(this.frames)) {
      if (this.ended) throw new Error(`the stream ended: ${JSON.stringify(this.frames)}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.frames;
  }

  /** Waits for the end. */
  async end(): Promise<void> {
    while (!this.ended) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.response.destroy();
  }

  get cursor(): string | undefined {
    return this.frames.findLast((frame) => frame.id !== null)?.id ?? undefined;
  }

  texts(): (string | null)[] {
    return this.frames
      .filter((frame) => frame.event === "message")
      .map((frame) => String(frame.data["text"]));
  }

  #take(text: string): void {
    this.#rest += text;
    for (let at = this.#rest.indexOf("\n\n"); at >= 0; at = this.#rest.indexOf("\n\n")) {
      const lines = this.#rest.slice(0, at).split("\n");
      this.#rest = this.#rest.slice(at + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
      this.frames.push({
        id: field("id"),
        event: field("event") ?? "",
        data: JSON.parse(field("data") ?? "{}") as Record<string, unknown>,
      });
    }
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** A browser with the widget, without the widget. */
export class ChatClient {
  readonly base: string;
  readonly channelId: string;
  token: string | undefined;
  origin: string | null;
  constructor(base: string, channelId: string, origin: string | null = "https://shop.example") {
    this.base = base;
    this.channelId = channelId;
    this.origin = origin;
  }

  async post<T = Record<string, unknown>>(
    path: string,
    body: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.base}/chat/v1/${this.channelId}/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...(this.origin !== null && { origin: this.origin }),
        ...more,
      },
      body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === "" ? {} : JSON.parse(text)) as T,
    };
  }

  async session(body: Record<string, unknown> = {}): Promise<Session> {
    const answer = await this.post<Session>("session", {
      ...(this.token !== undefined && { token: this.token }),
      ...body,
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    this.token = answer.body.token;
    return answer.body;
  }

  say(text: string, clientId: string): Promise<Answer<ChatMessage>> {
    return this.post<ChatMessage>("messages", { text, clientId });
  }

  async stream(after: string): Promise<StreamReader> {
    const response = await this.openStream(after);
    if (response.statusCode !== 200) throw new Error(`stream: ${response.statusCode}`);
    return new StreamReader(response);
  }

  async openStream(after: string): Promise<IncomingMessage> {
    const call = request(
      `${this.base}/chat/v1/${this.channelId}/stream?after=${encodeURIComponent(after)}`,
      {
        agent: false,
        headers: {
          authorization: `Bearer ${this.token ?? ""}`,
          ...(this.origin !== null && { origin: this.origin }),
        },
      },
    );
    call.end();
    const [response] = (await once(call, "response")) as [IncomingMessage];
    return response;
  }
}
