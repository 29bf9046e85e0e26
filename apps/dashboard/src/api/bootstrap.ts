import { hashKey } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import type { AnswerOf } from "./call.ts";
import { forgetKept, keep, readKept } from "./kept.ts";
import { bootstrapQuery, queryClient } from "./query-client.ts";
import { knowRole } from "./role.ts";

type Bootstrap = AnswerOf<"bootstrap">;

const KEPT = "bootstrap";
const AGAIN_MS = 3_000;
const { queryKey } = bootstrapQuery;
const HASH = hashKey(queryKey);

let known: Bootstrap | undefined;
const listeners = new Set<() => void>();

queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== "updated" || event.action.type !== "success") return;
  if (event.query.queryHash !== HASH) return;
  known = queryClient.getQueryData(queryKey);
  if (known) knowRole(known.member.role);
  if (isFresh()) void keep(KEPT, known);
  for (const listener of listeners) listener();
});

/** Who is signed in, and the workspace's lists. For what runs inside the frame, which has loaded it. */
export function bootstrapNow(): Bootstrap {
  if (known === undefined) throw new Error("the bootstrap is not loaded");
  return known;
}

/** Calls `listener` after each change of it, until the returned function is called. */
export function onBootstrap(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Sees to it that pages know who is signed in. The inbox begins with the answer that the browser kept, if there is one,
 * and the server's answer follows: `freshBootstrap`. Every other page waits for the server, because it reads at once
 * what the member may no longer read. Throws what the call throws.
 */
export async function haveBootstrap(isInbox: boolean): Promise<void> {
  if (queryClient.getQueryData(queryKey) !== undefined) return;
  const kept = isInbox ? await readKept<Bootstrap>(KEPT) : undefined;
  if (kept === undefined) await queryClient.fetchQuery(bootstrapQuery);
  else {
    queryClient.setQueryData(queryKey, kept, { updatedAt: 0 });
    void follow(kept);
  }
}

/** The server's answer of this visit. */
export function freshBootstrap(): Promise<Bootstrap> {
  return new Promise((done) => {
    if (known !== undefined && isFresh()) return done(known);
    const stop = onBootstrap(() => {
      if (!isFresh()) return;
      stop();
      done(bootstrapNow());
    });
  });
}

const isFresh = (): boolean => (queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0) > 0;

/** Without a session, or with another member's, the page begins anew with nothing kept. */
async function follow({
  member,
  workspace,
}: Pick<Bootstrap, "member" | "workspace">): Promise<void> {
  try {
    const now = await queryClient.fetchQuery(bootstrapQuery);
    if (now.member.id === member.id && now.workspace.id === workspace.id) return;
  } catch (error) {
    if (error instanceof ApiError && error.passing) {
      setTimeout(() => void follow({ member, workspace }), AGAIN_MS);
      return;
    }
  }
  await forgetKept();
  location.reload();
}
