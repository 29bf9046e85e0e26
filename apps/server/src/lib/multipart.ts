import { randomBytes } from "node:crypto";

/** The one file of a form. */
export interface FormFile {
  /** The field's name. */
  readonly name: string;
  readonly fileName: string;
  readonly mimeType: string;
  /** The exact number of bytes that `open` gives. */
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+=[\w!#$&^.+-]+)*$/;

/**
 * A form with one file (RFC 7578): first the values, then the file, which is never whole in memory. Names are written
 * as browsers write them: UTF-8, with quotes and line ends as %22, %0D and %0A, so that no name can add a header.
 * Values are sent as they are. A `mimeType` that is no media type is sent as `application/octet-stream`. `headers`
 * holds the exact length.
 */
export function multipart(
  fields: readonly (readonly [name: string, value: string])[],
  file: FormFile,
): { headers: Record<string, string>; body: AsyncIterable<Uint8Array> } {
  // 24 random bytes: no file holds them by chance, and nobody can have put them there.
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
