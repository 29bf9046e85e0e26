import { FakeGraph, json } from "../../test/messaging.ts";
import { textOf } from "../../test/streaming.ts";
import type { HttpRequest } from "../lib/http.ts";

/**
 * A Graph API that accepts files, a gateway for passcodes that repeats the number, and receivers that repeat
 * everything.
 */
export class Outside extends FakeGraph {
  override async request(request: HttpRequest) {
    if (request.url.includes("twilio") || request.url.includes("/Messages.json")) {
      const to = new URLSearchParams(textOf(request)).get("To");
      return json(400, { code: 21211, message: `The 'To' number ${to} is not valid.` });
    }
    if (request.url.endsWith("/media")) return json(200, { id: "media.1" });
    return super.request(request);
  }
}
export const parrot = {
  request: async (request: HttpRequest) => ({
    status: 500,
    headers: {},
    body: Buffer.from(request.body instanceof Uint8Array ? request.body : textOf(request)),
  }),
  stream: () => Promise.reject(new Error("nobody streams here")),
};
