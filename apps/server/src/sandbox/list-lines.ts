import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { sandboxToken } from "./sandbox-token.ts";
import { selectListedLines, selectSandboxLine, type SandboxLineRow } from "./sandbox-store.ts";
import { tryPage } from "./try-page.ts";

interface Listed {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly name: string;
}
/** A sandbox channel whose platform is emulated, or the SMS account of the sandbox. */
export interface SandboxPhone extends Listed {
  /** The token that a phone screen sends in `Authorization: Bearer …`. */
  readonly token: string;
}
/** A web chat of the sandbox. */
export interface SandboxPage extends Listed {
  /** The page on which anybody can be its visitor. */
  readonly page: string;
}
/** A sandbox channel as an admin sees it. */
export type ListedLine = SandboxPhone | SandboxPage;

type ListContext = Pick<Context, "db" | "sealer" | "config">;

/** Every sandbox channel and SMS account, of one workspace or of all. */
export async function listLines(context: ListContext, workspaceId?: string): Promise<ListedLine[]> {
  const rows = await selectListedLines(context.db, workspaceId ?? null);
  return rows.map((row) => listed(context, row));
}

/** One sandbox channel or SMS account. Throws NOT_FOUND. */
export async function findLine(context: ListContext, id: string): Promise<ListedLine> {
  const row = isId(id) ? await selectSandboxLine(context.db, id) : null;
  if (row === null)
    throw new AppError("NOT_FOUND", { explanation: `there is no sandbox channel ${id}` });
  return listed(context, row);
}

/** One that has phones. Throws NOT_FOUND, for a web chat with the address of its page. */
export async function findPhone(context: ListContext, id: string): Promise<SandboxPhone> {
  const line = await findLine(context, id);
  if (isPhone(line)) return line;
  const explanation = `${id} is a web chat, which has no phones: open ${line.page}`;
  throw new AppError("NOT_FOUND", { explanation });
}

/** Whether its customers have phones (a web chat has a page). */
export const isPhone = (line: ListedLine): line is SandboxPhone => "token" in line;

function listed(context: Pick<Context, "sealer" | "config">, row: SandboxLineRow): ListedLine {
  const { id, workspaceId, type, name } = row;
  const facts = { id, workspaceId, type, name };
  if (type === "WEB") return { ...facts, page: tryPage(context.config, id) };
  return { ...facts, token: sandboxToken(context, id) };
}
