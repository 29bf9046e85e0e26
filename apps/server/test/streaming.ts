import { Readable } from "node:stream";
import type { Http, StreamingHttp } from "../src/lib/http.ts";

/** A fake that answers whole, for those who read streams too. */
export function streaming(http: Http): StreamingHttp {
  return {
    request: (request) => http.request(request),
    async stream(request) {
      const { status, headers, body } = await http.request(request);
      return { status, headers, body: Readable.from([body]) };
    },
  };
}
