import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

/** A transaction after whose commit a cable falls silent. */
interface Awaited {
  readonly text: string;
  readonly committed: () => void;
}

/**
 * A wire to PostgreSQL that can be cut, or fall silent, just after a commit was done and before anybody hears of it, that
 * can fall silent in both directions at any time, as when PostgreSQL hangs, and whose other end can vanish, as when its
 * machine loses its power.
 */
export class Cable implements AsyncDisposable {
  readonly url: string;
  cutAtCommit = false;
  cuts = 0;
  #held: (() => void)[] | null = null;
  #awaited: Awaited | null = null;
  readonly #givenUp = new Set<net.Socket>();
  readonly #carried = new Set<net.Socket>();
  readonly #folder: string;
  readonly #server: net.Server;
  private constructor(folder: string, server: net.Server, url: string) {
    this.#folder = folder;
    this.#server = server;
    this.url = url;
  }

  static async lay(databaseUrl: string): Promise<Cable> {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parley-cable-"));
    const there = new URLSearchParams(databaseUrl.slice(databaseUrl.indexOf("?"))).get("host");
    const server = net.createServer((client) => cable.#carry(client, `${there}/.s.PGSQL.5432`));
    const url = databaseUrl.replace(/\?.*/, `?host=${encodeURIComponent(folder)}`);
    const cable = new Cable(folder, server, url);
    await new Promise<void>((resolve) => server.listen(`${folder}/.s.PGSQL.5432`, resolve));
    return cable;
  }

  /** From now on nothing arrives; what is sent arrives with `speak`, also over wires that were given up meanwhile. */
  fallSilent(): void {
    this.#held = [];
  }

  /** Falls silent once a transaction in which this text was sent is committed, and resolves then. */
  silentAfter(text: string): Promise<void> {
    return new Promise((resolve) => (this.#awaited = { text, committed: resolve }));
  }

  speak(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const pass of held) pass();
  }

  /** PostgreSQL is done with all that came over wires that were given up. */
  async settled(): Promise<void> {
    // That a wire was given up a moment ago is heard of some turns of the loop later.
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    for (const postgres of this.#givenUp) await once(postgres, "close");
  }

  /**
   * What is connected now stays so and never hears anything again, and nothing of it arrives; PostgreSQL undoes what was
   * not committed. New connections lead to where the database is now.
   */
  vanish(): void {
    for (const postgres of this.#carried) postgres.destroy();
    this.#carried.clear();
  }

  #when(pass: () => void): void {
    if (this.#held) this.#held.push(pass);
    else pass();
  }

  #carry(client: net.Socket, there: string): void {
    const postgres = net.connect(there);
    this.#carried.add(postgres);
    const vanished = () => !this.#carried.has(postgres);
    let committing = false;
    let awaited: Awaited | null = null;
    client.on("data", (bytes) => {
      if (this.#awaited && bytes.includes(this.#awaited.text)) awaited = this.#awaited;
      committing ||= this.cutAtCommit && bytes.includes("commit\0");
      if (!vanished()) this.#when(() => postgres.write(bytes));
    });
    postgres.on("data", (bytes) => {
      if (vanished()) return;
      if (awaited !== null && awaited === this.#awaited && bytes.includes("COMMIT\0")) {
        this.#awaited = null;
        this.fallSilent();
        awaited.committed();
      }
      if (!committing) this.#when(() => client.write(bytes));
      else if (bytes.includes("COMMIT\0")) {
        this.cutAtCommit = false;
        this.cuts++;
        client.destroy();
      }
    });
    client.on("close", () => {
      if (!postgres.closed) this.#givenUp.add(postgres);
    });
    postgres.on("close", () => this.#givenUp.delete(postgres));
    for (const [one, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => {
        if (!vanished()) this.#when(() => other.end());
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.vanish();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true });
  }
}
