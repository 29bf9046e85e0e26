import type { Listed } from "./parts.ts";

/** The body of a template as the platform has it. */
export function bodyTextOf({ components }: Listed["template"]): string {
  for (const component of components) {
    const { type, text } = component;
    if (typeof type === "string" && type.toUpperCase() === "BODY" && typeof text === "string")
      return text;
  }
  return "";
}
