import { spawnSync } from "node:child_process";
import path from "node:path";
import { SECRETS } from "../config.ts";
import { median, type Row } from "../rounds.ts";
import type { World } from "../world.ts";
import type { Case } from "./case.ts";

const LAUNCHER = path.join(import.meta.dirname, "../../bin/parley");
const ROUNDS = 9;

/** Seconds that a program takes as a whole process. Throws when it does not end with 0. */
function time(parameters: readonly string[], environment: Record<string, string> = {}): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, parameters, {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...environment },
  });
  const seconds = (performance.now() - begun) / 1_000;
  if (status !== 0) throw new Error(`${parameters.join(" ")} ended with ${status}: ${stderr}`);
  return seconds;
}

const COMMANDS = [
  { name: "parley --help", words: ["--help"], mostSeconds: 0.25, mostTimes: 3 },
  { name: "parley workspace list", words: ["workspace", "list"], mostSeconds: 0.5, mostTimes: 6 },
] as const;

/** What a person waits for a command, beside the least that a program of Node takes. */
export const commands: Case = {
  name: "commands",
  run(world: World, tell): Promise<Row[]> {
    const environment = {
      DATABASE_URL: world.databaseUrl,
      PARLEY_MASTER_KEY: SECRETS.masterKey.toString("base64"),
    };
    const rows = COMMANDS.map(({ name, words, mostSeconds, mostTimes }): Row => {
      tell(name);
      // The first run fills Node's cache of compiled files.
      time([LAUNCHER, ...words], environment);
      const bare: number[] = [];
      const own: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        bare.push(time(["-e", "0"]));
        own.push(time([LAUNCHER, ...words], environment));
      }
      const [floor, product] = [median(bare), median(own)];
      return {
        name,
        floor: null,
        product: null,
        ratio: null,
        p99Ms: null,
        goal: `≤ ${mostSeconds} s`,
        met: product <= mostSeconds,
        note: `${product.toFixed(2)} s, ${(product / floor).toFixed(1)} times \`node -e 0\` (goal ${mostTimes})`,
      };
    });
    return Promise.resolve(rows);
  },
};
