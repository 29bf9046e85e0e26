import { bareType } from "../core/fetch-file.ts";
import { readForm } from "../core/multipart-form.ts";
import type { Call } from "../core/server.ts";

type Loose = Readonly<Record<string, unknown>>;

/** A call's parameters, and the file that came with them. */
export interface PageBody {
  readonly fields: Loose | null;
  readonly file: {
    readonly bytes: Buffer;
    readonly mimeType: string;
    readonly fileName: string;
  } | null;
}

/** JSON, or a form with objects written as JSON: the platform accepts both. */
export async function readBody(call: Call): Promise<PageBody> {
  const form = await readForm(call.headers["content-type"] ?? "", call.body);
  if (form === null) return { fields: parse(call.body.toString("utf8")), file: null };
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    if (typeof value !== "string") continue;
    const isObject = value.startsWith("{");
    const given = isObject ? parse(value) : value;
    if (given === null) return { fields: null, file: null };
    fields[name] = given;
  }
  const data = form.get("filedata");
  if (data === null || typeof data === "string") return { fields, file: null };
  return {
    fields,
    file: {
      bytes: Buffer.from(await data.arrayBuffer()),
      mimeType: bareType(data.type),
      fileName: data.name || "file",
    },
  };
}

function parse(source: string): Loose | null {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}
