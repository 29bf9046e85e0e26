import type { FileFormat, ReadFault } from "./formats.ts";

// Runs alone, in a process with little memory and no rights: it reads what strangers wrote. It gets bytes by standard
// input and writes one JSON document. Each library is loaded for its format only.

type Extracted = { readonly title: string; readonly text: string } | { readonly fault: ReadFault };

const EXTRACT: Readonly<Record<FileFormat, (bytes: Buffer) => Promise<Extracted>>> = {
  txt: (bytes) => Promise.resolve(plain(bytes)),
  md: (bytes) => Promise.resolve(plain(bytes)),
  csv: async (bytes) => ({ title: "", text: rowsAsText(decoded(bytes)) }),
  async html(bytes) {
    const { htmlText } = await import("./html-text.ts");
    return htmlText(decoded(bytes));
  },
  async pdf(bytes) {
    const { extractText, getDocumentProxy } = await import("unpdf");
    try {
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
      return { title: "", text: text.map(unwrapped).join("\n\n") };
    } catch (error) {
      const encrypted = error instanceof Error && error.name === "PasswordException";
      return { fault: encrypted ? "encrypted" : faultOf(error) };
    }
  },
  async docx(bytes) {
    const { default: mammoth } = await import("mammoth");
    const { htmlText } = await import("./html-text.ts");
    const { value } = await mammoth.convertToHtml({ buffer: bytes });
    return htmlText(`<body>${value}</body>`);
  },
};

/** There was no room for the bytes of a file; else it is broken. */
const faultOf = (error: unknown): ReadFault =>
  error instanceof Error && /allocation failed|out of memory/iu.test(error.message)
    ? "too_much_memory"
    : "broken";

const plain = (bytes: Buffer): Extracted => ({ title: "", text: decoded(bytes) });

const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d]);
/** The sign for the end of a file in old programs. */
const OLD_END = 0x1a;
const isControl = (byte: number): boolean => byte < 0x20 && byte !== OLD_END && !BLANKS.has(byte);

/** UTF-8, or the Arabic code page of old programs when it is not. Throws for bytes that are no text. */
function decoded(bytes: Buffer): string {
  const start = bytes.subarray(0, 2).toString("hex");
  if (start === "fffe" || start === "feff")
    return new TextDecoder(start === "fffe" ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    // Any bytes are a text in this code page, so a picture or an archive shows by bytes that no text has.
    if (bytes.some(isControl)) throw error;
    return new TextDecoder("windows-1256").decode(bytes);
  }
}

/** Lines that a PDF broke in the middle of a sentence are joined again. */
const unwrapped = (page: string): string =>
  page.replaceAll(/(?<=[^\n.!?؟:]{40})\n(?=[\p{Ll}\p{Script=Arabic}\d])/gu, " ");

/** Each row as a paragraph: "column: value". */
function rowsAsText(text: string): string {
  const [head = [], ...rows] = parsed(text);
  return rows
    .map((row) =>
      row
        .map((value, at) => [head[at] ?? "", value.trim()] as const)
        .filter(([, value]) => value !== "")
        .map(([name, value]) => (name === "" ? value : `${name}: ${value}`))
        .join("\n"),
    )
    .filter((row) => row !== "")
    .join("\n\n");
}

function parsed(text: string): string[][] {
  const separator = (text.split("\n")[0] ?? "").includes(";") ? ";" : ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let value = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const one = text[at] ?? "";
    if (quoted && one === '"' && text[at + 1] === '"') value += text[++at] ?? "";
    else if (one === '"') quoted = !quoted;
    else if (!quoted && (one === separator || one === "\n")) {
      row.push(value);
      value = "";
      if (one === "\n") rows.push(row.splice(0));
    } else if (one !== "\r") value += one;
  }
  if (value !== "" || row.length > 0) rows.push([...row, value]);
  return rows;
}

const isFormat = (text: string): text is FileFormat => text in EXTRACT;

async function run(): Promise<Extracted> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const format = process.argv[2] ?? "";
  if (!isFormat(format)) return { fault: "not_text" };
  try {
    return await EXTRACT[format](Buffer.concat(chunks));
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

process.stdout.write(JSON.stringify(await run()));
