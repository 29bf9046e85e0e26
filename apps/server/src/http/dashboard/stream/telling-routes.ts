import type { Route } from "../../edge/route.ts";
import type { AppFace } from "../contract/face.ts";
import type { Caller } from "../member-door.ts";
import type { DeskHints } from "./desk-hints.ts";

/** Faces that change a member's own part of a conversation. */
const OWN = /^\/conversations\/\{id\}\/(seen|draft)$/;
/** Faces by hand below these paths change what the bootstrap answers. */
const LISTS = /^\/(views|saved-replies|team|channels|workspace|settings)(\/|$)/;

/** The routes. Changes that they make are told to other tabs and devices. */
export function tellingRoutes(
  routes: readonly Route<Caller, AppFace>[],
  hints: DeskHints,
): Route<Caller, AppFace>[] {
  return routes.map((route) => {
    const { method, path, refreshes } = route;
    const [isOwn, isList] = [OWN.test(path), refreshes === "lists" || LISTS.test(path)];
    if (method === "GET" || !(isOwn || isList)) return route;
    return {
      ...route,
      async handler(call) {
        const answer = await route.handler(call);
        const caller = call.principal;
        if (caller.kind !== "member") return answer;
        const { workspaceId, memberId } = caller;
        if (isOwn) hints.tellOwn(workspaceId, memberId, call.params["id"] ?? "");
        if (isList) hints.tellSettings(workspaceId);
        return answer;
      },
    };
  });
}
