/**
 * The first JSON object in a text, whatever is around it: models put words and fences around what they were asked for.
 * Null: there is no whole one.
 */
export function firstObject(text: string): Readonly<Record<string, unknown>> | null {
  // A text without an end of an object has many beginnings: only the first few are tried.
  let at = text.indexOf("{");
  for (let tries = 0; at >= 0 && tries < 8; tries++) {
    const end = endOfObject(text, at);
    if (end === null) return null;
    const found = parsed(text.slice(at, end));
    if (found) return found;
    at = text.indexOf("{", at + 1);
  }
  return null;
}

function endOfObject(text: string, from: number): number | null {
  let depth = 0;
  let inText = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (inText) {
      if (sign === "\\") at++;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === "{") depth++;
    else if (sign === "}" && --depth === 0) return at + 1;
  }
  return null;
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}
