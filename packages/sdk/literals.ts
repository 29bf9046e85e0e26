/** A value of JSON as each language writes it. */
export interface Writer {
  readonly text: (text: string) => string;
  readonly plain: (value: number | boolean | null) => string;
  readonly list: readonly [open: string, close: string];
  readonly object: readonly [open: string, close: string];
  readonly empty: string;
  /** What a level is moved in by. */
  readonly step: string;
  readonly member: (name: string, value: string) => string;
}

const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const PYTHON_WORDS = { true: "True", false: "False", null: "None" } as const;

export const TYPESCRIPT: Writer = {
  text: (text) => JSON.stringify(text),
  plain: String,
  list: ["[", "]"],
  object: ["{", "}"],
  empty: "{}",
  step: "  ",
  member: (name, value) => `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${value}`,
};
export const PYTHON: Writer = {
  text: (text) => JSON.stringify(text),
  plain: (value) => (typeof value === "number" ? String(value) : PYTHON_WORDS[`${value}`]),
  list: ["[", "]"],
  object: ["{", "}"],
  empty: "{}",
  step: "    ",
  member: (name, value) => `${JSON.stringify(name)}: ${value}`,
};
export const PHP: Writer = {
  text: quoted,
  plain: String,
  list: ["[", "]"],
  object: ["[", "]"],
  empty: "(object) []",
  step: "    ",
  member: (name, value) => `${quoted(name)} => ${value}`,
};

/** On one line where it fits, else a line for each member. */
export function literal(value: unknown, writer: Writer, indent = ""): string {
  if (typeof value === "string") return writer.text(value);
  if (value === null || typeof value === "number" || typeof value === "boolean")
    return writer.plain(value);
  const inner = indent + writer.step;
  const list = Array.isArray(value);
  const parts = list
    ? value.map((one) => literal(one, writer, inner))
    : Object.entries(value as object).map(([name, one]) =>
        writer.member(name, literal(one, writer, inner)),
      );
  const [open, close] = list ? writer.list : writer.object;
  // A numbered member of PHP's arrays would make a list of an object.
  const cast = !list && writer === PHP && Object.keys(value as object).some((name) => /^\d+$/.test(name)) ? "(object) " : ""; // oxfmt-ignore
  if (parts.length === 0) return list ? open + close : writer.empty;
  const pad = writer === TYPESCRIPT && !list ? " " : "";
  const line = `${cast}${open}${pad}${parts.join(", ")}${pad}${close}`;
  if (line.length + indent.length < 80 && !line.includes("\n")) return line;
  return `${cast}${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
