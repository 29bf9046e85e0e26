import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";

/** A process of the benchmark that answers one question at a time. */
export class Child<Ask extends string, Answer extends object> implements AsyncDisposable {
  readonly #process: ChildProcess;
  #last: Promise<unknown> = Promise.resolve();
  private constructor(child: ChildProcess) {
    this.#process = child;
  }

  static async start<Ask extends string, Answer extends object, Ready extends object>(
    file: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<[Child<Ask, Answer>, Ready]> {
    const child = fork(path.join(import.meta.dirname, file), args, {
      // Its log goes where a service's log goes: written, and kept by nobody here.
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, ...env },
      // As the launcher starts a service: the run itself was started by it.
      execArgv: process.env["PARLEY_BENCH_NODE_OPTIONS"]?.split(" ") ?? process.execArgv,
    });
    const started = new Child<Ask, Answer>(child);
    return [started, await started.#next<Ready>()];
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  ask(question: Ask): Promise<Answer> {
    const answer = this.#last.then(() => {
      const next = this.#next<Answer>();
      this.#process.send(question);
      return next;
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  #next<T>(): Promise<T> {
    return new Promise((resolve, reject) => {
      const gone = (code: number | null) =>
        reject(new Error(`a process of the benchmark ended (${code})`));
      this.#process.once("exit", gone);
      this.#process.once("message", (answer) => {
        this.#process.removeListener("exit", gone);
        resolve(answer as T);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.disconnect();
    await ended;
  }
}
