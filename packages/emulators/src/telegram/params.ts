import type { Call } from "../core/server.ts";
import { badRequest } from "./errors.ts";

/** A file of a multipart call. */
export interface UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** A method's parameters as they came: JSON keeps its types, a form and the query give texts. */
export class Params {
  readonly #values: Map<string, unknown>;
  readonly files: ReadonlyMap<string, UploadedFile>;
  constructor(
    values: Iterable<readonly [string, unknown]>,
    files = new Map<string, UploadedFile>(),
  ) {
    this.#values = new Map(values);
    this.files = files;
  }

  /** Every value as it came. */
  all(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#values);
  }
  fileFacts(): { field: string; name: string; type: string; size: number }[] {
    return [...this.files].map(([field, { name, type, bytes }]) => ({
      field,
      name,
      type,
      size: bytes.length,
    }));
  }
  has(name: string): boolean {
    return this.#values.has(name);
  }
  /** A text; other types are refused as the platform refuses them. */
  text(name: string): string | null {
    const value = this.#values.get(name);
    if (value === undefined || value === null) return null;
    if (typeof value !== "string") throw badRequest(`strings must be encoded in UTF-8: ${name}`);
    return value;
  }
  /** A whole number, written as such or as a text. */
  integer(name: string): number | null {
    const value = this.#values.get(name);
    if (value === undefined || value === null || value === "") return null;
    const number = typeof value === "string" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isSafeInteger(number))
      throw badRequest(`invalid ${name} specified`);
    return number;
  }
  boolean(name: string): boolean {
    const value = this.#values.get(name);
    return value === true || value === "true" || value === "True" || value === "1";
  }
  /** An object or a list, as JSON or as JSON in a text. */
  structure(name: string): unknown {
    const value = this.#values.get(name);
    if (value === undefined || value === null || value === "") return null;
    if (typeof value === "object") return value;
    try {
      const parsed: unknown = typeof value === "string" ? JSON.parse(value) : null;
      if (typeof parsed === "object" && parsed !== null) return parsed;
    } catch {
      // Refused below.
    }
    throw badRequest(`can't parse ${name.replaceAll("_", " ")} JSON object`);
  }
  object(name: string): Readonly<Record<string, unknown>> | null {
    const value = this.structure(name);
    if (value === null) return null;
    if (typeof value !== "object" || Array.isArray(value))
      throw badRequest(`object expected as ${name.replaceAll("_", " ")}`);
    return { ...value };
  }
}

/** Reads the parameters of a call: query, JSON, form or multipart (channels.md §5.1). */
export async function readParams(call: Call): Promise<Params> {
  const query: [string, unknown][] = [...call.query];
  const type = String(call.headers["content-type"] ?? "");
  if (call.body.length === 0) return new Params(query);
  if (type.startsWith("application/json")) {
    let body: unknown;
    try {
      body = JSON.parse(call.body.toString("utf8"));
    } catch {
      throw badRequest("can't parse JSON object");
    }
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw badRequest("can't parse JSON object");
    return new Params([...query, ...Object.entries(body)]);
  }
  if (type.startsWith("application/x-www-form-urlencoded"))
    return new Params([...query, ...new URLSearchParams(call.body.toString("utf8"))]);
  if (type.startsWith("multipart/form-data")) {
    // The standard's own multipart reader.
    const form = await new Response(new Uint8Array(call.body), {
      headers: { "content-type": type },
    })
      .formData()
      .catch(() => {
        throw badRequest("can't parse multipart form data");
      });
    const files = new Map<string, UploadedFile>();
    for (const [name, value] of form) {
      if (typeof value === "string") query.push([name, value]);
      else
        files.set(name, {
          name: value.name,
          type: value.type,
          bytes: Buffer.from(await value.arrayBuffer()),
        });
    }
    return new Params(query, files);
  }
  return new Params(query);
}
