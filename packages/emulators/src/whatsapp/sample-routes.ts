import { createHash, randomBytes } from "node:crypto";
import { json, type Answer, type Call } from "../core/server.ts";
import { appOf } from "./account-routes.ts";
import type { WhatsAppEmulator } from "./emulator.ts";
import { GraphRefusal } from "./errors.ts";

const TYPES = ["application/pdf", "image/jpeg", "image/jpg", "image/png", "video/mp4"];
/** How many uploads, begun or complete, are kept. */
const MOST = 100;

interface Session {
  readonly length: number;
  received: number;
  handle: string | null;
}

/** The resumable uploads of an app: examples of headers. */
export class Samples {
  readonly #sessions = new Map<string, Session>();

  begin(length: number): string {
    const id = `upload:${randomBytes(24).toString("base64url")}?sig=${randomBytes(12).toString("base64url")}`;
    this.#sessions.set(id, { length, received: 0, handle: null });
    for (const old of this.#sessions.keys()) {
      if (this.#sessions.size <= MOST) break;
      this.#sessions.delete(old);
    }
    return id;
  }
  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }
  holds(handle: string): boolean {
    return [...this.#sessions.values()].some((one) => one.handle === handle);
  }
}

/** `GET /app`: the app of the token. */
export function appNode(emulator: WhatsAppEmulator, token: string): Answer {
  return json(200, { id: appIdOf(emulator, token) });
}

function appIdOf(emulator: WhatsAppEmulator, token: string): string {
  const number = [...emulator.numbers.values()].find((one) => one.accessToken === token);
  return appOf(number?.appSecret ?? "").id;
}

/** `POST /{app}/uploads`; null for another app than the token's. */
export function beginSample(
  emulator: WhatsAppEmulator,
  appId: string,
  token: string,
  call: Call,
): Answer | null {
  if (appId !== appIdOf(emulator, token)) return null;
  const length = Number(call.query.get("file_length"));
  if (!Number.isSafeInteger(length) || length < 1)
    throw new GraphRefusal(100, "The parameter file_length is required.");
  if (!TYPES.includes(call.query.get("file_type") ?? ""))
    throw new GraphRefusal(100, `Param file_type must be one of {${TYPES.join(", ")}}.`);
  return json(200, { id: emulator.samples.begin(length) });
}

/** `POST /upload:…`: bytes from `file_offset` on; the handle once all are there. */
export function receiveSample(emulator: WhatsAppEmulator, id: string, call: Call): Answer {
  const session = emulator.samples.find(id);
  if (!session) throw new GraphRefusal(100, "The upload session does not exist.");
  const offset = Number(call.headers["file_offset"] ?? Number.NaN);
  if (offset !== session.received)
    throw new GraphRefusal(100, `The header file_offset must be ${session.received}.`);
  session.received += call.body.length;
  if (session.received > session.length)
    throw new GraphRefusal(100, "More bytes came than file_length.");
  if (session.received < session.length) return json(200, { id });
  session.handle = `4::${createHash("sha256").update(call.body).digest("base64url")}`;
  return json(200, { h: session.handle });
}
