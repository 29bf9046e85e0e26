import type { Face } from "../../edge/face.ts";
import type { Route } from "../../edge/route.ts";
import type { DeskHints } from "./desk-hints.ts";

/** Faces that change a member's own part of a conversation. */
const OWN = /^\/conversations\/\{id\}\/(seen|draft)$/;
/** Faces by hand at these paths, and below the first ones, change what the bootstrap answers. */
const LISTS =
  /^\/((views|saved-replies|labels|team|channels|workspace|settings)(\/|$)|(me|me\/availability|sandbox\/channels|bots|bots\/\{id\}\/(publish|pause|resume|archive))$)/;

/** Who calls: a member, a key (without `memberId`), or somebody who belongs to no workspace yet. */
interface Principal {
  readonly workspaceId?: string;
  readonly memberId?: string;
}

/** The routes of a door. Changes that they make are told to the pages that are open, in other tabs and on other devices. */
export function tellingRoutes<P extends Principal & { readonly kind?: unknown }, F extends Face>(
  routes: readonly Route<P, F & { readonly refreshes?: "lists" }>[],
  hints: DeskHints,
): Route<P, F>[] {
  return routes.map((route) => {
    const { method, path, refreshes } = route;
    const [isOwn, isList] = [OWN.test(path), refreshes === "lists" || LISTS.test(path)];
    if (method === "GET" || !(isOwn || isList)) return route;
    return {
      ...route,
      async handler(call) {
        const answer = await route.handler(call);
        const { workspaceId, memberId }: Principal = call.principal;
        if (workspaceId === undefined) return answer;
        if (isOwn && memberId !== undefined)
          hints.tellOwn(workspaceId, memberId, call.params["id"] ?? "");
        if (isList) hints.tellSettings(workspaceId);
        return answer;
      },
    };
  });
}
