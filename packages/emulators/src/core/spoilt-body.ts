import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Answer } from "./server.ts";

function begin(response: ServerResponse, answer: Answer): Buffer {
  const whole = Buffer.from(answer.body);
  const length = String(whole.length);
  response.writeHead(answer.status, { ...answer.headers, "content-length": length });
  response.write(whole.subarray(0, whole.length >> 1));
  return whole.subarray(whole.length >> 1);
}

/** Writes half of the answer now; gives a function that writes the other half. */
export function halves(response: ServerResponse, answer: Answer): () => void {
  const rest = begin(response, answer);
  return () => {
    if (!response.destroyed) response.end(rest);
  };
}

/** Writes half of the answer, then ends the connection. */
export function cut(response: ServerResponse, answer: Answer): void {
  const rest = begin(response, answer);
  // The written part must be sent before the connection ends, or the peer sees no answer at all.
  response.write(rest.subarray(0, 0), () => response.destroy());
}

/** Writes this many zeros under the answer's own headers, without a length, as fast as they are taken. */
export function flood(response: ServerResponse, answer: Answer, bytes: number): void {
  response.writeHead(answer.status, answer.headers);
  const chunk = Buffer.alloc(64 * 1024);
  const zeros = Readable.from(
    (function* () {
      for (let left = bytes; left > 0; left -= chunk.length)
        yield left >= chunk.length ? chunk : chunk.subarray(0, left);
    })(),
  );
  response.on("close", () => zeros.destroy());
  zeros.on("error", () => response.destroy());
  zeros.pipe(response);
}
