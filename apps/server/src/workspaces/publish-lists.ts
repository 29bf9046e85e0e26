import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { deskTopic } from "../lib/topics.ts";

/**
 * After the commit, open pages read the workspace's lists again: members, channels, labels. It is for changes that neither
 * a signed-in member nor a key makes; the doors of both send the hint themselves. A page that misses it reads the lists
 * when somebody returns to it.
 */
export function publishLists(context: Pick<Context, "topics">, tx: Tx, workspaceId: string): void {
  const hint = { kind: "desk", tabs: [], own: [], settings: true } as const;
  tx.afterCommit(() => void context.topics.publish(deskTopic(workspaceId), hint));
}
