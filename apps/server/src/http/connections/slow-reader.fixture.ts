import { Writable } from "node:stream";

/** A connection that stores what it is given, and takes nothing while it is `stuck`. */
export class SlowReader extends Writable {
  text = "";
  stuck = false;
  #held: (() => void)[] = [];
  #waiting: (() => void)[] = [];
  constructor() {
    super({ highWaterMark: 16_384 });
  }
  override _write(chunk: Buffer, _encoding: string, taken: () => void): void {
    const take = () => {
      this.text += chunk.toString();
      for (const resolve of this.#waiting.splice(0)) resolve();
      taken();
    };
    if (this.stuck) this.#held.push(take);
    else take();
  }
  release(): void {
    this.stuck = false;
    for (const take of this.#held.splice(0)) take();
  }
  async heard(words: string): Promise<void> {
    while (!this.text.includes(words))
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
