import { Readable } from "node:stream";
import type { Http, HttpRequest, StreamingHttp } from "../src/lib/http.ts";

/** A fake that answers whole, for readers of streams too. */
export function streaming(http: Http): StreamingHttp {
  return {
    request: (request) => http.request(request),
    async stream(request) {
      const { status, headers, body } = await http.request(request);
      return { status, headers, body: Readable.from([body]) };
    },
  };
}

/** The body of a request that was sent whole: forms and JSON are text. */
export function textOf(request: HttpRequest | undefined): string {
  const body = request?.body;
  if (typeof body !== "string") throw new Error("the body is no text");
  return body;
}
