import { movingBroadcasts } from "../../../broadcasts/record/moving-broadcasts.ts";
import { runningImports } from "../../../contacts/import/running-imports.ts";
import type { Context } from "../../../context.ts";

/** A campaign or an import that moved on. */
export interface ProgressNews {
  readonly kind: "broadcast" | "import";
  readonly workspaceId: string;
  readonly id: string;
}

/** Tells campaigns and imports that changed since the last look. */
export class ProgressWatch {
  readonly #context: Pick<Context, "db">;
  /** How far each was at the last look. */
  #known: ReadonlyMap<string, ProgressNews & { readonly at: string }> | undefined;

  constructor(context: Pick<Context, "db">) {
    this.#context = context;
  }

  /** What changed, and what ended, which is told once more. The first look tells nothing. */
  async look(workspaceIds: readonly string[]): Promise<ProgressNews[]> {
    const { db } = this.#context;
    const [broadcasts, imports] = await Promise.all([
      movingBroadcasts(db, workspaceIds),
      runningImports(db, workspaceIds),
    ]);
    const now = new Map(
      [
        ...broadcasts.map((one) => ({ kind: "broadcast" as const, ...one })),
        ...imports.map((one) => ({ kind: "import" as const, ...one })),
      ].map((one) => [one.id, one]),
    );
    const before = this.#known;
    this.#known = now;
    if (!before) return [];
    const ended = [...before.values()].filter(({ id }) => !now.has(id));
    return [...ended, ...[...now.values()].filter(({ id, at }) => before.get(id)?.at !== at)];
  }

  /** Nobody listens: the next look begins anew. */
  forget(): void {
    this.#known = undefined;
  }
}
