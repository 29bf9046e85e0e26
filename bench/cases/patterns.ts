import {
  EVIL,
  slowestAnswer,
} from "../../apps/server/src/sms/providers/http/hard-patterns.fixture.ts";
import type { Row } from "../rounds.ts";
import type { Case } from "./case.ts";

const ALLOWED_MS = 10;

/** The slowest hard answer over the patterns that hold up engines that go back. */
export const patterns: Case = {
  name: "patterns",
  run(): Promise<Row[]> {
    const slowest = Math.max(
      ...EVIL.map((pattern) => slowestAnswer(`regex:${pattern}`, ALLOWED_MS)),
    );
    const row: Row = {
      name: "pattern of an SMS gateway on an answer of 64 KiB",
      floor: null,
      product: null,
      ratio: null,
      p99Ms: null,
      goal: `≤ ${ALLOWED_MS} ms`,
      met: slowest <= ALLOWED_MS,
      note: `${slowest.toFixed(1)} ms`,
    };
    return Promise.resolve([row]);
  },
};
