import type { HttpRequest, StreamingHttp } from "./http.ts";

/**
 * What the sandbox, when it runs in this process, hangs into the context. Nothing else writes to it; in production it
 * stays as it was made.
 */
export interface SandboxSlot {
  /** The demo's own webhook receiver: the one private address that deliveries may reach. */
  receiverUrl: string | null;
  /** Stops the sandbox; the app calls it last. */
  close: () => Promise<void>;
}

export function emptySandboxSlot(): SandboxSlot {
  return { receiverUrl: null, close: () => Promise.resolve() };
}

/** `guarded`, but for exactly the address of the demo's receiver. Everything else is judged as ever. */
export function admitReceiver(
  guarded: StreamingHttp,
  open: StreamingHttp,
  slot: SandboxSlot,
): StreamingHttp {
  const clientOf = (request: HttpRequest) =>
    slot.receiverUrl !== null && request.url === slot.receiverUrl ? open : guarded;
  return {
    request: (request) => clientOf(request).request(request),
    stream: (request) => clientOf(request).stream(request),
  };
}
