import type { Clock } from "../lib/clock.ts";
import type { ModelOutcome, ModelProfile } from "./model.ts";

const FAILURES = 5;
const WITHIN_MS = 60_000;
const REST_MS = 60_000;
/** Models that are remembered at once; a model without a failure is not. */
const MOST = 10_000;

interface Health {
  failures: number[];
  restsUntil: number;
}

/**
 * Which models rest in this process: five failures within a minute are a minute's rest, in which no one waits for them.
 */
export class ModelRests {
  readonly #clock: Clock;
  readonly #health = new Map<string, Health>();
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  rests(workspaceId: string, profile: ModelProfile): boolean {
    return (
      (this.#health.get(nameOf(workspaceId, profile))?.restsUntil ?? 0) >
      this.#clock.now().getTime()
    );
  }

  note(
    workspaceId: string,
    profile: ModelProfile,
    { kind }: Pick<ModelOutcome<unknown>, "kind">,
  ): void {
    const name = nameOf(workspaceId, profile);
    if (kind === "ok" || kind === "refused" || kind === "truncated") {
      this.#health.delete(name);
      return;
    }
    const now = this.#clock.now().getTime();
    const known = this.#health.get(name);
    const failures = [...(known?.failures ?? []).filter((at) => at > now - WITHIN_MS), now];
    const restsUntil = failures.length >= FAILURES ? now + REST_MS : 0;
    this.#health.delete(name);
    this.#health.set(name, { failures: restsUntil > 0 ? [] : failures, restsUntil });
    const [oldest] = this.#health.keys();
    if (this.#health.size > MOST && oldest !== undefined) this.#health.delete(oldest);
  }
}

const nameOf = (workspaceId: string, { url, name }: ModelProfile) =>
  `${workspaceId} ${url} ${name}`;

const ofProcess = new WeakMap<Clock, ModelRests>();

/** The rests that all who share a clock see: those of one process. */
export function restsOf({ clock }: { readonly clock: Clock }): ModelRests {
  const known = ofProcess.get(clock) ?? new ModelRests(clock);
  ofProcess.set(clock, known);
  return known;
}
