import type { SimClock } from "./clock.ts";
import { asFault, type Fault, type Faults } from "./fault.ts";
import type { Ledger } from "./ledger.ts";
import { json, type Call, type Handled } from "./server.ts";

/** What every emulator, and so every control surface, can do. */
export interface Simulated {
  readonly clock: SimClock;
  readonly faults: Faults;
  readonly ledger: Ledger;
  requests(): readonly unknown[];
  messages(): readonly unknown[];
  fault(fault: Fault): void;
  advance(ms: number): Promise<number>;
  flush(concurrency?: number): Promise<number>;
  release(): void;
  clear(): void;
}

/**
 * The controls that one platform adds, by name: reads (GET) and acts (POST). They win over common ones with the
 * same name.
 */
export interface ControlTable {
  readonly looks: Readonly<Record<string, () => unknown>>;
  readonly acts: Readonly<Record<string, (given: Given) => unknown>>;
}

/**
 * The JSON object of a control call. Absent and null members count as left out; a member of another type is
 * refused by name.
 */
export class Given {
  readonly body: Readonly<Record<string, unknown>>;
  constructor(body: object) {
    this.body = { ...body };
  }
  has(key: string): boolean {
    return this.body[key] !== undefined && this.body[key] !== null;
  }
  text(key: string): string {
    const value = this.body[key];
    if (typeof value !== "string" || value === "") throw new Error(`${key} is needed, as a text`);
    return value;
  }
  number(key: string): number {
    const value = this.body[key];
    if (typeof value !== "number") throw new Error(`${key} is needed, as a number`);
    return value;
  }
  numberOr<T>(key: string, otherwise: T): number | T {
    return this.has(key) ? this.number(key) : otherwise;
  }
  /** One of the names, or an error that lists them. */
  oneOf<const T extends string>(key: string, names: readonly T[]): T {
    const found = names.find((name) => name === this.body[key]);
    if (found === undefined) throw new Error(`${key} must be one of ${names.join(", ")}`);
    return found;
  }
  object(key: string): Readonly<Record<string, unknown>> | undefined {
    if (!this.has(key)) return undefined;
    const value = this.body[key];
    if (typeof value !== "object" || value === null) throw new Error(`${key} must be an object`);
    return { ...value };
  }
  /** Those of the texts that are given, to spread. */
  texts<K extends string>(...keys: K[]): { [P in K]?: string } {
    const found: { [key in string]?: string } = {};
    for (const key of keys) if (this.has(key)) found[key] = this.text(key);
    return found as { [P in K]?: string };
  }
  /** Those of the numbers that are given, to spread. */
  numbers<K extends string>(...keys: K[]): { [P in K]?: number } {
    const found: { [key in string]?: number } = {};
    for (const key of keys) if (this.has(key)) found[key] = this.number(key);
    return found as { [P in K]?: number };
  }
}

/** The control surface below `/_sim/<name>/`, and the platform's own answers at all other addresses. */
export function withControl(
  emulator: Simulated,
  name: string,
  table: ControlTable,
  handle: (call: Call) => Promise<Handled> | Handled,
): (call: Call) => Promise<Handled> | Handled {
  const prefix = `/_sim/${name}/`;
  return (call) =>
    call.path.startsWith(prefix)
      ? control(emulator, table, call, call.path.slice(prefix.length))
      : handle(call);
}

/** A mistake is a 400 that names the fault. */
async function control(
  emulator: Simulated,
  table: ControlTable,
  call: Call,
  name: string,
): Promise<Handled> {
  try {
    const answer =
      call.method === "GET"
        ? find({ ...commonLooks(emulator), ...table.looks }, name, "read")()
        : await find({ ...commonActs(emulator), ...table.acts }, name, "do")(readGiven(call));
    return { answer: json(200, answer) };
  } catch (error) {
    return { answer: json(400, { error: error instanceof Error ? error.message : String(error) }) };
  }
}

function find<T>(table: Readonly<Record<string, T>>, name: string, verb: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw new Error(`nothing to ${verb} at ${name}`);
  return found;
}

function readGiven(call: Call): Given {
  const parsed: unknown = call.body.length > 0 ? JSON.parse(call.body.toString("utf8")) : {};
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new Error("a JSON object is needed");
  return new Given(parsed);
}

function commonLooks(emulator: Simulated): ControlTable["looks"] {
  return {
    requests: () => emulator.requests(),
    messages: () => emulator.messages(),
    ledger: () => {
      const { total, complete } = emulator.ledger;
      return { total, complete, repeated: emulator.ledger.repeated() };
    },
  };
}

function commonActs(emulator: Simulated): ControlTable["acts"] {
  return {
    fault: (given) => {
      if (given.body["clear"] === true) emulator.faults.clear();
      else emulator.fault(asFault(given.body));
      return { faults: emulator.faults.count };
    },
    clock: async (given) => {
      if (given.has("set")) emulator.clock.set(given.number("set"));
      await emulator.advance(given.numberOr("advanceMs", 0));
      return { now: emulator.clock.now() };
    },
    flush: async (given) => ({
      delivered: await emulator.flush(given.numberOr("concurrency", undefined)),
    }),
    release: () => {
      emulator.release();
      return {};
    },
    clear: () => {
      emulator.clear();
      return {};
    },
  };
}
