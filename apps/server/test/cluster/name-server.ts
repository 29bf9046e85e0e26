import { createSocket } from "node:dgram";
import { once } from "node:events";

const [A, IN] = [1, 1];

/** A name server for a few names with an IPv4 address each. It can fall silent, as one that is away. */
export class NameServer implements AsyncDisposable {
  readonly #names: ReadonlyMap<string, string>;
  readonly #socket = createSocket("udp4");
  silent = false;
  /** Questions that found it silent. */
  unanswered = 0;

  private constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
    this.#socket.on("message", (question, { port, address }) => {
      if (this.silent) this.unanswered++;
      else this.#socket.send(this.#answer(question), port, address);
    });
  }

  static async start(address: string, names: ReadonlyMap<string, string>): Promise<NameServer> {
    const server = new NameServer(names);
    server.#socket.bind(53, address);
    await once(server.#socket, "listening");
    return server;
  }

  /** RFC 1035: the question again, and its address; none for another type; no such name (3) for others. */
  #answer(question: Buffer): Buffer {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = question.readUInt16BE(at + 1);
    const address = this.#names.get(labels.join(".").toLowerCase());
    const found = address !== undefined && type === A;
    const head = Buffer.alloc(12);
    question.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8580 | (address === undefined ? 3 : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(found ? 1 : 0, 6);
    const parts = [head, question.subarray(12, at + 5)];
    if (found) {
      const record = Buffer.alloc(16);
      // A pointer to the name in the question; type, class, seconds to keep it, length.
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(A, 2);
      record.writeUInt16BE(IN, 4);
      record.writeUInt16BE(4, 10);
      for (const [index, part] of address.split(".").entries()) record[12 + index] = Number(part);
      parts.push(record);
    }
    return Buffer.concat(parts);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}
