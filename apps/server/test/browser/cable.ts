import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/**
 * The cable between a browser and the server.
 * `whole`: bytes go both ways. `cut`: every connection is broken and none can be made. `dead`: open connections stay
 * open and carry nothing, new ones too, until it is whole again: what a sleeping laptop or a lost mobile cell leaves.
 * `refusing`: a proxy answers every new request with 502; with `refusing`, open streams end.
 */
export type CableState = "whole" | "cut" | "dead" | "refusing";

const BAD_GATEWAY = "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

export class Cable {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  /** All that are open; those that carry nothing hear nothing of their end either. */
  readonly #open = new Set<Socket>();
  #target = 0;
  #state: CableState = "whole";
  /** Connections that were tried, also in vain. */
  tried = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async lay(): Promise<Cable> {
    const server = createServer();
    const cable = new Cable(server);
    server.on("connection", (browser) => cable.#connected(browser));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return cable;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  leadTo(port: number): void {
    this.#target = port;
  }

  set(state: CableState): void {
    this.#state = state;
    if (state === "cut" || state === "refusing") for (const socket of this.#open) socket.destroy();
    for (const pair of this.#pairs) {
      const [browser, server] = pair;
      if (state === "dead") {
        browser.unpipe(server);
        server.unpipe(browser);
        this.#pairs.delete(pair);
      }
    }
  }

  async close(): Promise<void> {
    this.set("cut");
    this.#server.close();
    await once(this.#server, "close");
  }

  #connected(browser: Socket): void {
    this.tried += 1;
    if (this.#state === "cut") return void browser.destroy();
    this.#keep(browser);
    if (this.#state === "refusing") {
      browser.on("error", () => {}).on("data", () => browser.end(BAD_GATEWAY));
      return;
    }
    if (this.#state === "dead") return void browser.on("error", () => {}).resume();
    const server = connect(this.#target, "127.0.0.1");
    this.#keep(server);
    const pair = [browser, server] as const;
    this.#pairs.add(pair);
    browser.pipe(server).pipe(browser);
    for (const socket of pair)
      socket
        .on("error", () => {})
        .on("close", () => {
          this.#pairs.delete(pair);
          for (const other of pair) other.destroy();
        });
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on("close", () => this.#open.delete(socket));
  }
}
