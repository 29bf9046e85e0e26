import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** Answers bytes that are not an HTTP request, or did not become one in time, with an error body like any other. */
export function answerBrokenRequest(
  this: unknown,
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket & { _httpMessage?: IncomingMessage },
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const [status, code] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? [431, "HEADERS_TOO_LARGE"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "REQUEST_TIMEOUT"]
        : [400, "MALFORMED_REQUEST"];
  const reason = STATUS_CODES[status] ?? "Error";
  const body = JSON.stringify({ statusCode: status, error: reason, message: code });
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
