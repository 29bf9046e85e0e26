import { decodeText, UnreadableFile } from "./decode-text.ts";
import { DELIMITERS, type Delimiter, type Encoding } from "../../wire/words.ts";

/** A record of a CSV file; `line` is where it begins, counted from 1. */
export type CsvRecord =
  | { readonly line: number; readonly fields: readonly string[] }
  // `fields`: the cells as far as the record could be cut into them.
  | { readonly line: number; readonly fault: string; readonly fields: readonly string[] };

/** A longer record is a quote that was never closed, not data. */
const MAX_RECORD = 1_048_576;

export interface CsvOptions {
  /** Undefined: the byte order mark, else UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** Undefined: detected. */
  readonly delimiter?: Delimiter | undefined;
}

/**
 * Reads CSV strictly by RFC 4180: quoted fields with doubled quotes and line breaks inside, CRLF or LF, an
 * optional byte order mark. The delimiter (`,` `;` tab or `|`) is the most frequent one in the first record
 * outside quotes. Empty lines are skipped. A quote in the wrong place is a fault of its record, which ends at the
 * next line break. Bytes that the encoding does not know, a quote never closed and a record over 1 MiB throw
 * `UnreadableFile`. Memory is bounded by the longest record.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  options: CsvOptions = {},
): AsyncGenerator<CsvRecord> {
  const parser = new Parser(options.delimiter);
  for await (const { text, broken } of decodeText(source, options.encoding)) {
    yield* parser.push(text);
    if (broken) throw new UnreadableFile(parser.line, `the file is not ${broken.toUpperCase()}`);
  }
  yield* parser.end();
}

// start: before the first character of a field. plain, quoted: inside a field. closed: after the closing quote, or
// after a quote that the next character may double. broken: after a fault, until the line ends.
type State = "start" | "plain" | "quoted" | "closed" | "broken";

class Parser {
  line = 1;
  #delimiter: string | undefined;
  // The text that came before the delimiter was known.
  #head = "";
  #state: State = "start";
  #fields: string[] = [];
  #field = "";
  #size = 0;
  #fault = "";
  #recordLine = 1;
  #afterCr = false;

  constructor(delimiter?: Delimiter) {
    this.#delimiter = delimiter;
  }

  *push(text: string): Generator<CsvRecord> {
    if (this.#delimiter === undefined) {
      this.#head += text;
      this.#delimiter = detectDelimiter(this.#head, false);
      if (this.#delimiter === undefined) {
        if (this.#head.length > MAX_RECORD)
          throw new UnreadableFile(1, "the first record is too long");
        return;
      }
      text = this.#head;
      this.#head = "";
    }
    yield* this.#read(text);
  }

  *end(): Generator<CsvRecord> {
    if (this.#delimiter === undefined) {
      this.#delimiter = detectDelimiter(this.#head, true) ?? ",";
      yield* this.#read(this.#head);
    }
    if (this.#state === "quoted")
      throw new UnreadableFile(this.#recordLine, "a quote is never closed");
    if (this.#size > 0) yield* this.#endRecord();
  }

  *#read(text: string): Generator<CsvRecord> {
    for (const char of text) {
      const lineFeedOfPair = this.#afterCr && char === "\n";
      this.#afterCr = char === "\r";
      if (this.#state === "quoted") {
        if (char === '"') this.#state = "closed";
        else this.#field += char;
        if (char === "\r" || (char === "\n" && !lineFeedOfPair)) this.line += 1;
      } else if (lineFeedOfPair) {
        continue;
      } else if (char === "\n" || char === "\r") {
        yield* this.#endRecord();
        this.line += 1;
        this.#recordLine = this.line;
        continue;
      } else if (this.#state === "broken") {
        this.#field += char;
      } else {
        this.#take(char);
      }
      this.#size += char.length;
      if (this.#size > MAX_RECORD)
        throw new UnreadableFile(
          this.#recordLine,
          "a record is longer than 1 MiB; is a quote not closed?",
        );
    }
  }

  #take(char: string): void {
    if (char === this.#delimiter) {
      this.#fields.push(this.#field);
      this.#field = "";
      this.#state = "start";
    } else if (char !== '"') {
      if (this.#state === "closed") this.#break("there is text after a closing quote", char);
      else {
        this.#field += char;
        this.#state = "plain";
      }
    } else if (this.#state === "start") this.#state = "quoted";
    else if (this.#state === "closed") {
      this.#field += '"';
      this.#state = "quoted";
    } else this.#break("there is a quote inside a field that is not quoted", char);
  }

  #break(fault: string, char: string): void {
    this.#field += this.#state === "closed" ? `"${char}` : char;
    this.#fault = fault;
    this.#state = "broken";
  }

  *#endRecord(): Generator<CsvRecord> {
    const line = this.#recordLine;
    const fields = [...this.#fields, this.#field];
    if (this.#state === "broken") yield { line, fault: this.#fault, fields };
    else if (this.#size > 0) yield { line, fields };
    this.#fields = [];
    this.#field = "";
    this.#size = 0;
    this.#state = "start";
  }
}

/** Undefined while the first record may go on. */
function detectDelimiter(text: string, whole: boolean): string | undefined {
  const counts = new Map<string, number>();
  let quoted = false;
  let seen = false;
  for (const char of text) {
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "\n" || char === "\r")) {
      if (seen) return most(counts);
    } else if (!quoted) counts.set(char, (counts.get(char) ?? 0) + 1);
    if (char !== "\n" && char !== "\r") seen = true;
  }
  return whole ? most(counts) : undefined;
}

function most(counts: ReadonlyMap<string, number>): string {
  let best: string = ",";
  for (const one of DELIMITERS) if ((counts.get(one) ?? 0) > (counts.get(best) ?? 0)) best = one;
  return best;
}
