import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { sandboxToken } from "./sandbox-token.ts";
import { selectSandboxLine, selectSandboxLines, type SandboxLineRow } from "./sandbox-store.ts";

/** A sandbox channel as an admin sees it. */
export interface ListedLine {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly name: string;
  /** What a phone screen shows in its `Authorization: Bearer …`. */
  readonly token: string;
}

/** Every sandbox channel and SMS account, of one workspace or of all. */
export async function listLines(
  context: Pick<Context, "db" | "sealer">,
  workspaceId?: string,
): Promise<ListedLine[]> {
  const rows = await selectSandboxLines(context.db);
  return rows
    .filter((row) => workspaceId === undefined || row.workspaceId === workspaceId)
    .map((row) => listed(context, row));
}

/** One of them. Throws NOT_FOUND. */
export async function findLine(
  context: Pick<Context, "db" | "sealer">,
  id: string,
): Promise<ListedLine> {
  const row = isId(id) ? await selectSandboxLine(context.db, id) : null;
  if (row === null)
    throw new AppError("NOT_FOUND", { explanation: `there is no sandbox channel ${id}` });
  return listed(context, row);
}

function listed(context: Pick<Context, "sealer">, row: SandboxLineRow): ListedLine {
  const { id, workspaceId, type, name } = row;
  return { id, workspaceId, type, name, token: sandboxToken(context, id) };
}
