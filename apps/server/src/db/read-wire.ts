import type { Duplex } from "node:stream";
import pg from "pg";
import type { Sql } from "./sql.ts";
import { bindMessage, closeMessage, parseMessage } from "./wire-messages.ts";
import { ReadOnlyServer, tellsReadOnly } from "./writable-client.ts";

export interface Columns {
  readonly names: readonly string[];
  /** Type OIDs. */
  readonly types: readonly number[];
}

/** What a statement gave: each value as the bytes of its text, null for null. */
export interface RawRows {
  readonly columns: Columns;
  readonly rows: readonly (readonly (Buffer | null)[])[];
}

interface Statement {
  readonly name: string;
  columns: Columns;
}

interface Asked {
  readonly text: string;
  readonly statement: Statement;
  readonly rows: (Buffer | null)[][];
  error: pg.DatabaseError | undefined;
  readonly resolve: (found: RawRows) => void;
  readonly reject: (error: Error) => void;
}

const NO_COLUMNS: Columns = { names: [], types: [] };
/** More texts than that are prepared afresh each time: some are made at run time. */
const MOST_PREPARED = 200;
const HEADER = 5;
const [ERROR, READY, ROW, DESCRIPTION, STATUS] = [0x45, 0x5a, 0x44, 0x54, 0x53];

/**
 * Speaks the extended query protocol on a connection that the driver has opened and from then on leaves alone. The
 * statements of one turn of the event loop leave in one write; values come as the bytes that PostgreSQL sent, so that a
 * page of contacts goes to the client without having been a string in between. A statement is described once, not
 * with every use.
 */
export class ReadWire {
  readonly #stream: Duplex;
  readonly #prepared = new Map<string, Statement>();
  readonly #asked: Asked[] = [];
  #named = 0;
  #out: Buffer[] = [];
  #writing = false;
  #lost: Error | undefined;
  #chunks: Buffer[] = [];
  #have = 0;
  #heard = 0;
  #need = HEADER;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.removeAllListeners("data");
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  ask({ text, values }: Sql): Promise<RawRows> {
    if (this.#lost) return Promise.reject(this.#lost);
    let statement = this.#prepared.get(text);
    const known = statement !== undefined;
    if (!statement) {
      const keeps = this.#prepared.size < MOST_PREPARED;
      statement = { name: keeps ? `r${++this.#named}` : "", columns: NO_COLUMNS };
    }
    const bind = bindMessage(statement.name, values);
    if (!known) {
      this.#out.push(parseMessage(statement.name, text));
      if (statement.name !== "") this.#prepared.set(text, statement);
    }
    this.#out.push(bind);
    this.#write();
    const { promise, resolve, reject } = Promise.withResolvers<RawRows>();
    this.#asked.push({ text, statement, rows: [], error: undefined, resolve, reject });
    return promise;
  }

  /** What was asked first and has no answer yet, and how often something came: the same of both tells of no progress. */
  get progress(): { readonly first: object | undefined; readonly heard: number } {
    return { first: this.#asked[0], heard: this.#heard };
  }

  /** The connection is gone: so is what was asked on it. */
  fail(error: Error): void {
    this.#lost ??= error;
    for (const one of this.#asked.splice(0)) one.reject(one.error ?? error);
  }

  #write(): void {
    if (this.#writing) return;
    this.#writing = true;
    setImmediate(() => {
      const out = this.#out.length === 1 ? this.#out[0] : Buffer.concat(this.#out);
      this.#out = [];
      this.#writing = false;
      if (!this.#lost) this.#stream.write(out);
    });
  }

  #take(chunk: Buffer): void {
    this.#heard++;
    this.#chunks.push(chunk);
    this.#have += chunk.length;
    if (this.#have < this.#need) return;
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    let at = 0;
    this.#need = HEADER;
    while (bytes.length - at >= HEADER) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) {
        this.#need = end - at;
        break;
      }
      this.#handle(bytes[at] ?? 0, bytes.subarray(at + HEADER, end));
      at = end;
    }
    this.#chunks = at < bytes.length ? [bytes.subarray(at)] : [];
    this.#have = bytes.length - at;
  }

  #handle(type: number, message: Buffer): void {
    if (type === STATUS) return this.#leaveReadOnly(message);
    const [first] = this.#asked;
    // A notice, or the words with which the server goes: the connection's end follows.
    if (!first) return;
    if (type === ROW) first.rows.push(readRow(message));
    else if (type === DESCRIPTION) first.statement.columns = readColumns(message);
    else if (type === ERROR) first.error = readError(message);
    else if (type === READY) this.#settle(first);
  }

  /** As `WritableClient`, which hears nothing of this connection any more. */
  #leaveReadOnly(message: Buffer): void {
    const [name = "", value = ""] = message.toString("utf8").split("\0");
    // After the answer that it came with.
    if (tellsReadOnly(name, value)) setImmediate(() => this.#stream.destroy(new ReadOnlyServer()));
  }

  #settle(one: Asked): void {
    this.#asked.shift();
    const { text, statement, rows, error, resolve, reject } = one;
    if (!error) return resolve({ columns: statement.columns, rows });
    // Perhaps it was never prepared, perhaps a migration changed what it gives: the next use prepares it anew.
    if (this.#prepared.get(text) === statement) {
      this.#prepared.delete(text);
      this.#out.push(closeMessage(statement.name));
    }
    reject(error);
  }
}

function readRow(message: Buffer): (Buffer | null)[] {
  const values: (Buffer | null)[] = [];
  let at = 2;
  for (let left = message.readInt16BE(0); left > 0; left--) {
    const length = message.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : message.subarray(at, at + length));
    if (length > 0) at += length;
  }
  return values;
}

function readColumns(message: Buffer): Columns {
  const names: string[] = [];
  const types: number[] = [];
  let at = 2;
  for (let left = message.readInt16BE(0); left > 0; left--) {
    const end = message.indexOf(0, at);
    names.push(message.toString("utf8", at, end));
    // After the name: table (4), column (2), type (4), its size (2), modifier (4), format (2).
    types.push(message.readUInt32BE(end + 7));
    at = end + 19;
  }
  return { names, types };
}

function readError(message: Buffer): pg.DatabaseError {
  const fields = new Map<string, string>();
  for (let at = 0; at < message.length && message[at] !== 0;) {
    const end = message.indexOf(0, at + 1);
    fields.set(String.fromCharCode(message[at] ?? 0), message.toString("utf8", at + 1, end));
    at = end + 1;
  }
  const error = new pg.DatabaseError(fields.get("M") ?? "", message.length, "error");
  return Object.assign(error, {
    severity: fields.get("S"),
    code: fields.get("C"),
    detail: fields.get("D"),
    hint: fields.get("H"),
    where: fields.get("W"),
  });
}
