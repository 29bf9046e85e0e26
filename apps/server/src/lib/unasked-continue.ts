import type { Socket } from "node:net";

const BEGIN = /^HTTP\/1\.[01] (\d)(\d\d)/;
const BEGIN_LENGTH = "HTTP/1.1 100".length;
const LAST_DIGIT = BEGIN_LENGTH - 1;
const HEAD_END = "\r\n\r\n";

/**
 * Lets a server say "100 Continue" though no one asked for it, as RFC 9110 (15.2) has it: a client goes on to the final
 * answer. undici closes the connection there, but reads on after every other answer before the final one. So the reader of
 * this socket is given a 103 in its place. What is looked at is the beginning of an answer: what is read first after
 * something was written, and after each answer before the final one.
 */
export function readPastContinue<S extends Socket>(socket: S): S {
  let begins = true;
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  function look(chunk: unknown): void {
    if (!begins || !Buffer.isBuffer(chunk)) return;
    for (let at = 0; at < chunk.length;) {
      const [begin, first, rest] = BEGIN.exec(chunk.toString("latin1", at, at + BEGIN_LENGTH)) ?? [
        undefined,
      ];
      begins = begin !== undefined && first === "1";
      if (!begins) return;
      if (rest === "00") chunk.write("3", at + LAST_DIGIT, "latin1");
      const end = chunk.indexOf(HEAD_END, at, "latin1");
      if (end < 0) return;
      at = end + HEAD_END.length;
    }
  }
  return Object.assign(socket, {
    read(size?: number): unknown {
      const chunk: unknown = read(size);
      look(chunk);
      return chunk;
    },
    write(...given: Parameters<Socket["write"]>): boolean {
      begins = true;
      return write(...given);
    },
  });
}
