import type { FastifyRequest } from "fastify";
import { SYSTEM, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { NIL_ID } from "../../lib/ids.ts";
import { PROVEN_MS, SESSION_MS, type SignedIn } from "../../sessions/session.ts";
import { signedInBy, STEP_MS, type Origin } from "../../sessions/sign-in-member.ts";
import type { AppFace } from "./contract/face.ts";
import { clientAddress } from "../edge/client-address.ts";
import type { Door } from "../edge/door.ts";
import { errorAnswer } from "../edge/errors.ts";
import { isOwnMachine } from "../edge/own-machine.ts";

/** The principal at the dashboard's door: a member, or a visitor who is about to sign in. */
export type Caller = (
  | ({ readonly kind: "member"; readonly actor: Actor } & SignedIn)
  /** `step`: the secret of a sign-in that waits for its code. */
  | { readonly kind: "visitor"; readonly step: string | undefined }
) & {
  /** Where the request comes from, as limits count it. */
  readonly network: string;
  /** The connection's address and the browser, as a list of sessions shows them. */
  readonly from: Origin;
  /** The request was made on this machine, to a loopback name. */
  readonly ownMachine: boolean;
};

export type MemberCaller = Extract<Caller, { kind: "member" }>;

/** The actor of a member's changes. */
export const actorOfMember = ({ memberId, role }: Pick<SignedIn, "memberId" | "role">): Actor => ({
  kind: "member",
  memberId,
  role,
});

/**
 * The door of `/api/app`: a session's cookie, the roles of each face, 600 requests a minute. A request that may change
 * something must come from our own pages: it has a header that no foreign page can send (dashboard §2.2).
 */
export function memberDoor(context: Context): Door<Caller, AppFace> {
  const { publicUrl } = context.config;
  return {
    async authenticate(request, face) {
      if (face.method !== "GET") refuseForeign(request, publicUrl);
      // Nothing here is read by a foreign page: not even whether a stream or a file opens.
      else if (request.headers["sec-fetch-site"] === "cross-site")
        throw new AppError("ORIGIN_NOT_ALLOWED");
      const token = secretIn(request.headers.cookie, cookieName(publicUrl));
      const base = {
        network: clientAddress(request),
        from: { ip: request.ip, agent: request.headers["user-agent"] ?? "", before: token },
        ownMachine: isOwnMachine(request),
      };
      if (face.who === "anybody") {
        // Its answer contains a cookie, so it is not kept for a repeat.
        delete request.headers["idempotency-key"];
        const step = secretIn(request.headers.cookie, stepCookieName(publicUrl));
        return { kind: "visitor", step, ...base };
      }
      const signedIn = token === undefined ? null : await signedInBy(context, token);
      if (signedIn === null) throw new AppError("UNAUTHENTICATED");
      return { kind: "member", actor: actorOfMember(signedIn), ...signedIn, ...base };
    },
    rate: { limit: 600, windowMs: 60_000 },
    countedAs: (caller) =>
      caller.kind === "member" ? `member:${caller.memberId}` : `visitor:${caller.network}`,
    permit(caller, { who, proven, beforeTwoFactor }) {
      if (who === "anybody") return;
      if (caller.kind !== "member" || !who.includes(caller.role)) throw new AppError("FORBIDDEN");
      if (caller.needsTwoFactor && !beforeTwoFactor) throw new AppError("TWO_FACTOR_REQUIRED");
      if (proven) requireProof(context, caller);
    },
    isHeavy: ({ heavy = false }) => heavy,
    actorOf: (caller) => (caller.kind === "member" ? caller.actor : SYSTEM),
    callerOf: (caller) =>
      caller.kind === "member"
        ? { workspaceId: caller.workspaceId, callerId: caller.memberId }
        : { workspaceId: NIL_ID, callerId: NIL_ID },
    logFields: (caller): Readonly<Record<string, string>> =>
      caller.kind === "member" ? { workspace: caller.workspaceId, member: caller.memberId } : {},
    presentError(error, requestId) {
      // A browser would ask for a password by itself if the answer named a scheme.
      const { headers: _, ...answer } = errorAnswer(error, requestId, true);
      return answer;
    },
  };
}

/**
 * Throws REAUTH_REQUIRED when the password was given too long ago. For a face that needs a fresh proof only for some of
 * what it does; `proven` of a face is for all of it.
 */
export function requireProof(
  { clock }: Pick<Context, "clock">,
  { provenAt }: Pick<SignedIn, "provenAt">,
): void {
  if (clock.now().getTime() - provenAt.getTime() > PROVEN_MS) throw new AppError("REAUTH_REQUIRED");
}

function refuseForeign({ headers }: FastifyRequest, publicUrl: string): void {
  const site = headers["sec-fetch-site"];
  const own =
    site === undefined
      ? headers.origin === undefined ||
        headers.origin === new URL(publicUrl).origin ||
        isHost(headers.origin, headers.host)
      : site === "same-origin";
  if (headers["x-parley"] !== "1" || !own) throw new AppError("ORIGIN_NOT_ALLOWED");
}

/** Whether an origin is the address to which the request itself was sent: behind a proxy the public one may differ. */
function isHost(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.parse(origin)?.host === host;
}

/** `__Host-` ties the cookie to this host and to https; browsers accept it only over https. */
const cookieName = (publicUrl: string): string =>
  publicUrl.startsWith("https:") ? "__Host-parley" : "parley";
const stepCookieName = (publicUrl: string): string => `${cookieName(publicUrl)}-code`;

function secretIn(cookies: string | undefined, name: string): string | undefined {
  for (const pair of cookies?.split(";", 100) ?? []) {
    const [key = "", value = ""] = pair.trim().split("=", 2);
    if (key === name && /^[\w-]{43}$/.test(value)) return value;
  }
  return undefined;
}

/** The `Set-Cookie` of a session; `null` ends it in the browser. */
export const sessionCookie = (publicUrl: string, token: string | null): string =>
  cookie(publicUrl, cookieName(publicUrl), token, SESSION_MS);

/** The `Set-Cookie` of a sign-in that waits for its code; `null` ends it in the browser. */
export const stepCookie = (publicUrl: string, token: string | null): string =>
  cookie(publicUrl, stepCookieName(publicUrl), token, STEP_MS);

function cookie(publicUrl: string, name: string, secret: string | null, lastsMs: number): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  const age = secret === null ? 0 : lastsMs / 1000;
  return `${name}=${secret ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
}
