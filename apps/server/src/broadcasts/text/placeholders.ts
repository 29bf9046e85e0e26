/**
 * The names that a placeholder can have (spec, Broadcast.body). Any other name renders empty. `fallback` is shown
 * instead of a missing or blank value: `{{first_name|friend}}`.
 */
type Placeholder = (
  | { readonly kind: "name" | "first_name" | "phone" | "email" }
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "attribute"; readonly key: string }
) & { readonly fallback?: string };

/** A text cut once into fixed pieces and placeholders. */
export type Piece = string | Placeholder;

/** The white space that a script trims at the ends of a text, and that a parameter turns into spaces. */
export const BLANKS =
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
  "\u2028\u2029\u202f\u205f\u3000\ufeff";

/** True for a text of nothing but white space. */
export function isBlank(text: string): boolean {
  for (const letter of text) if (!BLANKS.includes(letter)) return false;
  return true;
}

/** The facts of a contact that a text can show. */
export interface Subject {
  readonly name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * Cuts a text at its `{{…}}`, once. Rendering puts values between the pieces and never parses them again, so a
 * value that contains `{{phone}}` stays text. Linear in the length, because `indexOf` only moves forward. An
 * opening without an end is text; a brace pair inside an opening starts it again (`{{ {{name}}` shows `{{ ` and the
 * name).
 */
export function parseText(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (;;) {
    const close = text.indexOf("}}", from);
    if (close === -1) break;
    // The last opening before this end. Searched only in the uncut part: searching further back would be quadratic
    // for a text of many ends.
    const open = from + text.slice(from, close).lastIndexOf("{{");
    if (open < from) {
      pushText(pieces, text.slice(from, close + 2));
      from = close + 2;
      continue;
    }
    pushText(pieces, text.slice(from, open));
    pieces.push(placeholderOf(text.slice(open + 2, close).trim()));
    from = close + 2;
  }
  pushText(pieces, text.slice(from));
  return pieces;
}

function pushText(pieces: Piece[], text: string): void {
  if (text === "") return;
  const last = pieces.at(-1);
  if (typeof last === "string") pieces[pieces.length - 1] = last + text;
  else pieces.push(text);
}

/** The first bar ends the name; the text after it is shown unchanged. */
function placeholderOf(text: string): Placeholder {
  const bar = text.indexOf("|");
  if (bar === -1) return nameOf(text);
  const fallback = text.slice(bar + 1).trim();
  return { ...nameOf(text.slice(0, bar).trim()), ...(fallback !== "" && { fallback }) };
}

function nameOf(name: string): Placeholder {
  if (name.startsWith("attribute.")) return { kind: "attribute", key: name.slice(10) };
  switch (name) {
    case "name":
    case "first_name":
    case "phone":
    case "email":
      return { kind: name };
    default:
      return { kind: "unknown", name };
  }
}

/** What a text may name, for those who wrote another name. */
const KNOWN = "{{name}}, {{first_name}}, {{phone}}, {{email}} or {{attribute.NAME}}";

/** The fault of a text whose opening braces have no end, or whose closing ones have no beginning; null: it has none. */
function braceFault(text: string): string | null {
  // Closing braces alone are a slip only where nothing opens: JSON in a button's payload ends with them too.
  const isOpen = parseText(text).some((piece) => typeof piece === "string" && piece.includes("{{"));
  if (isOpen) return `has {{ without its }}: write ${KNOWN}`;
  return text.includes("}}") && !text.includes("{")
    ? `has }} without its {{: write ${KNOWN}`
    : null;
}

/** The longest mistyped place that is shown to whoever wrote it, in characters. */
const SHOWN = 40;
const shortened = (place: string): string => place.trim().slice(0, SHOWN).toWellFormed();

/**
 * The places in a text that are filled with nothing of a contact: `{{frist_name}}` renders empty, and of `{{first_name`
 * customers read the braces.
 */
export const mistypedPlaces = (text: string): string[] =>
  parseText(text).flatMap((piece) => {
    if (typeof piece === "string") return piece.match(/\{\{[^{}\n]*/gu)?.map(shortened) ?? [];
    return piece.kind === "unknown" ? `{{${shortened(piece.name)}}}` : [];
  });

/** The fault of a template's value: braces without their pair, or a name that no contact has; null: it has none. */
export function placeholderFault(text: string): string | null {
  const [unknown] = mistypedPlaces(text);
  return (
    braceFault(text) ??
    (unknown === undefined ? null : `has ${unknown}, which no contact has: write ${KNOWN}`)
  );
}

/** Fills a cut text in for one contact; `encode` is applied to the values only. */
export function renderText(
  pieces: readonly Piece[],
  subject: Subject,
  encode: (value: string) => string = (value) => value,
): string {
  let text = "";
  for (const piece of pieces)
    text += typeof piece === "string" ? piece : encode(shownOf(piece, subject));
  return text;
}

function shownOf(placeholder: Placeholder, subject: Subject): string {
  const value = valueOf(placeholder, subject);
  return isBlank(value) ? (placeholder.fallback ?? value) : value;
}

/** The shortest that a text can become: what a contact with empty fields reads. */
export function leastText(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => (typeof piece === "string" ? piece : (piece.fallback ?? "")))
    .join("");
}

function valueOf(placeholder: Placeholder, subject: Subject): string {
  switch (placeholder.kind) {
    case "name":
      return subject.name ?? "";
    case "first_name":
      return subject.name?.trim().split(/\s/u, 1)[0] ?? "";
    case "phone":
      return subject.phone ?? "";
    case "email":
      return subject.email ?? "";
    case "attribute":
      // Only own members: `__proto__` and `constructor` are not the contact's.
      return Object.hasOwn(subject.attributes, placeholder.key)
        ? attributeText(subject.attributes[placeholder.key])
        : "";
    case "unknown":
      return "";
  }
}

/** Text, numbers and booleans are shown. Lists and objects have no form that a customer should read. */
function attributeText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
