import type { Row } from "../rounds.ts";
import type { World } from "../world.ts";

export interface Case {
  readonly name: string;
  run(world: World, tell: (line: string) => void): Promise<Row[]>;
}
