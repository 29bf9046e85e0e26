/** Whether every one of the conversations has the label. `unknown`: they are a whole view, whose rows are not all here. */
export type Worn = "all" | "some" | "none" | "unknown";

/** Labels ticked for conversations, before they are saved. A change makes a new object. */
export class LabelChoice {
  /** All labels that can be ticked. */
  readonly names: readonly string[];
  readonly #before: ReadonlyMap<string, Worn>;
  readonly #turned: ReadonlyMap<string, "all" | "none">;

  private constructor(
    names: readonly string[],
    before: ReadonlyMap<string, Worn>,
    turned: ReadonlyMap<string, "all" | "none">,
  ) {
    this.names = names;
    this.#before = before;
    this.#turned = turned;
  }

  /** `known`: the workspace's labels. `worn`: those of each conversation; `all`: of a view, which were not counted. */
  static of(known: readonly string[], worn: readonly (readonly string[])[] | "all"): LabelChoice {
    if (worn === "all") {
      const before = new Map<string, Worn>(known.map((name) => [name, "unknown"]));
      return new LabelChoice([...new Set(known)], before, new Map());
    }
    const names = [...new Set([...known, ...worn.flat()])];
    const before = new Map<string, Worn>(
      names.map((name) => {
        const count = worn.filter((labels) => labels.includes(name)).length;
        return [name, count === 0 ? "none" : count === worn.length ? "all" : "some"];
      }),
    );
    return new LabelChoice(names, before, new Map());
  }

  stateOf(name: string): Worn {
    return this.#turned.get(name) ?? this.#before.get(name) ?? "none";
  }

  /** Ticks a label for all of the conversations, or takes it from all of them. A name that is not there yet is new. */
  turn(name: string): LabelChoice {
    const to = this.stateOf(name) === "all" ? "none" : "all";
    const names = this.names.includes(name) ? this.names : [...this.names, name];
    return new LabelChoice(names, this.#before, new Map(this.#turned).set(name, to));
  }

  /** What saving changes. */
  get change(): {
    readonly addLabels: readonly string[];
    readonly removeLabels: readonly string[];
  } {
    const turned = [...this.#turned].filter(
      ([name, to]) => (this.#before.get(name) ?? "none") !== to,
    );
    const names = (wanted: "all" | "none") =>
      turned.flatMap(([name, to]) => (to === wanted ? name : []));
    return { addLabels: names("all"), removeLabels: names("none") };
  }
}
