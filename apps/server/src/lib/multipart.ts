import { randomBytes } from "node:crypto";

/** The one file of a form. */
export interface FormFile {
  /** The field's name. */
  readonly name: string;
  readonly fileName: string;
  readonly mimeType: string;
  /** Bytes: exactly what `open` gives. */
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+=[\w!#$&^.+-]+)*$/;

/**
 * A form with one file (RFC 7578), never whole in memory: values first, then the file. Names are written as browsers
 * write them: UTF-8, with quotes and line ends escaped as %22, %0D and %0A, so that no name can add a header. A value
 * goes as it is; what cannot be a media type goes as `application/octet-stream`. `headers` holds the exact length.
 */
export function multipart(
  fields: readonly (readonly [name: string, value: string])[],
  file: FormFile,
): { headers: Record<string, string>; body: AsyncIterable<Uint8Array> } {
  // 24 random bytes: no file and no value holds them by chance, and nobody can have put them there.
  const boundary = `parley${randomBytes(24).toString("hex")}`;
  const mimeType = MIME_TYPE.test(file.mimeType) ? file.mimeType : "application/octet-stream";
  const values = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${values.join("")}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="${escape(file.name)}"; filename="${escape(file.fileName)}"\r\n` +
      `Content-Type: ${mimeType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(head.length + file.size + tail.length),
    },
    body: {
      async *[Symbol.asyncIterator]() {
        yield head;
        yield* file.open();
        yield tail;
      },
    },
  };
}

const escape = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll('"', "%22")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A")
    .replaceAll("\0", "");
