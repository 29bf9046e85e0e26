import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";

/** A wire to PostgreSQL that can be cut just after a commit was done and before anybody hears of it. */
export class Cable implements AsyncDisposable {
  readonly url: string;
  cutAtCommit = false;
  cuts = 0;
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

  #carry(client: net.Socket, there: string): void {
    const postgres = net.connect(there);
    let committing = false;
    client.on("data", (bytes) => {
      committing ||= this.cutAtCommit && bytes.includes("commit\0");
      postgres.write(bytes);
    });
    postgres.on("data", (bytes) => {
      if (!committing) client.write(bytes);
      else if (bytes.includes("COMMIT\0")) {
        this.cutAtCommit = false;
        this.cuts++;
        client.destroy();
      }
    });
    for (const [one, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => other.destroy());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true });
  }
}
