/** Fewer than the 120 a minute that a key may make. */
const IN_TURN = 110;

/** The seeded keys of workspaces, each used 110 times in a row; by then the first one's minute is over. */
export class Keys {
  readonly #used = new Map<number, number>();
  readonly #counts: (workspace: number) => number;
  constructor(counts: (workspace: number) => number) {
    this.#counts = counts;
  }

  next(workspace: number): string {
    const used = this.#used.get(workspace) ?? 0;
    this.#used.set(workspace, used + 1);
    const key = (Math.floor(used / IN_TURN) % this.#counts(workspace)) + 1;
    return bearer(workspace, key);
  }

  /** The last key of a workspace, for a program that needs its own: `next` arrives there after all others. */
  last(workspace: number): string {
    return bearer(workspace, this.#counts(workspace));
  }
}

const bearer = (workspace: number, key: number): string =>
  `Bearer pk_${workspace}_${key}:sk_${workspace}_${key}`;
