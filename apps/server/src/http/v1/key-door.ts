import { keyActor, mayUse, type Principal } from "../../api-keys/api-key.ts";
import { verifyKey } from "../../api-keys/verify-key.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { clientAddress } from "../edge/client-address.ts";
import type { Door } from "../edge/door.ts";
import { errorAnswer } from "../edge/errors.ts";
import { VERSION } from "../../version.ts";
import type { RouteFace } from "./route.ts";

/** The door of `/api/v1`: an API key, its 120 requests a minute, its scopes. */
export function keyDoor(context: Context): Door<Principal, RouteFace> {
  return {
    authenticate: (request) =>
      verifyKey(context, request.headers.authorization, () => clientAddress(request)),
    // Spec, Limits: 120 requests in any 60 seconds.
    rate: { limit: 120, windowMs: 60_000 },
    answersWith: { "parley-version": VERSION },
    countedAs: ({ keyId }) => `key:${keyId}`,
    permit(principal, { scope, otherScopes = [] }) {
      if (![scope, ...otherScopes].some((one) => mayUse(principal, one)))
        throw new AppError(`MISSING_SCOPE:${scope}`);
    },
    isHeavy,
    actorOf: keyActor,
    callerOf: ({ workspaceId, keyId }) => ({ workspaceId, callerId: keyId }),
    logFields: ({ publicKey, workspaceId }) => ({ workspace: workspaceId, key: publicKey }),
    presentError: errorAnswer,
  };
}

/** Lists and searches, files of data, and what has a limit of its own because it costs much (`operations/rates.ts`). */
const isHeavy = ({ heavy, rate, operationId, success }: RouteFace): boolean =>
  heavy === true ||
  rate !== undefined ||
  /^(?:list|search)[A-Z]/.test(operationId) ||
  success.mediaType === "text/csv";
