import type { AttributeType } from "../contacts/attributes/attribute-definition.ts";
import { parseJson } from "../lib/parse-json.ts";

/**
 * The value of an option as the attribute's type needs it: JSON, else the text itself. An attribute of type text or choice
 * keeps a text that looks like a number.
 */
export function attributeValue(text: string, type: AttributeType | undefined): unknown {
  try {
    const value = parseJson(text);
    const plain = (type === "text" || type === "choice") && value !== null;
    return plain && typeof value !== "string" ? text : value;
  } catch {
    return text;
  }
}
