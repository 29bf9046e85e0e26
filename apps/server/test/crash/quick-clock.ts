import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../src/lib/clock.ts";

/** A clock of several processes that goes `speed` times as fast as the machine's since a moment: leases end soon. */
export class QuickClock implements Clock {
  readonly since: number;
  readonly speed: number;
  constructor(since: number, speed: number) {
    this.since = since;
    this.speed = speed;
  }
  now(): Date {
    return new Date(this.since + (Date.now() - this.since) * this.speed);
  }
  async pass(ms: number): Promise<void> {
    await sleep(Math.ceil(ms / this.speed));
  }
}
