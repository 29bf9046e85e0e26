import { movingBots } from "../../../bots/cases/run-cases.ts";
import { movingBroadcasts } from "../../../broadcasts/record/moving-broadcasts.ts";
import { runningImports } from "../../../contacts/import/running-imports.ts";
import type { Context } from "../../../context.ts";
import { movingImportFiles } from "../../../imports/moving-import-files.ts";

/** Reports of delivery and reading come for so long after a campaign's end. */
const CAMPAIGN_MS = 7 * 24 * 60 * 60_000;
/** A page that was opened shortly before an import's end hears of it. */
const IMPORT_MS = 10 * 60_000;

/** A page that was opened shortly before the end of a run over cases, or a publishing, hears of it. */
const BOT_MS = 10 * 60_000;

/** A campaign, an import or a bot that moved on. */
export interface ProgressNews {
  readonly kind: "broadcast" | "import" | "bot";
  readonly workspaceId: string;
  readonly id: string;
}

/** Sends campaigns, imports and bots that changed since the last look. */
export class ProgressWatch {
  readonly #context: Pick<Context, "db" | "clock">;
  /** How far each was at the last look. */
  #known: ReadonlyMap<string, ProgressNews & { readonly at: string }> = new Map();

  constructor(context: Pick<Context, "db" | "clock">) {
    this.#context = context;
  }

  /** What moved since the last look, what ended included; and everything that may move. */
  async look(workspaceIds: readonly string[]): Promise<{
    readonly moved: readonly ProgressNews[];
    readonly all: readonly ProgressNews[];
  }> {
    const { db, clock } = this.#context;
    const now = clock.now().getTime();
    const [broadcasts, imports, files, bots] = await Promise.all([
      movingBroadcasts(db, workspaceIds, new Date(now - CAMPAIGN_MS)),
      runningImports(db, workspaceIds),
      movingImportFiles(db, workspaceIds, new Date(now - IMPORT_MS)),
      movingBots(db, workspaceIds, new Date(now - BOT_MS)),
    ]);
    const all = [
      ...broadcasts.map((one) => ({ kind: "broadcast" as const, ...one })),
      ...[...imports, ...files].map((one) => ({ kind: "import" as const, ...one })),
      ...bots.map((one) => ({ kind: "bot" as const, ...one })),
    ];
    const before = this.#known;
    this.#known = new Map(all.map((one) => [one.id, one]));
    const ended = [...before.values()].filter(({ id }) => !this.#known.has(id));
    return { moved: [...ended, ...all.filter(({ id, at }) => before.get(id)?.at !== at)], all };
  }

  /** Nobody listens: the next look begins anew. */
  forget(): void {
    this.#known = new Map();
  }
}
