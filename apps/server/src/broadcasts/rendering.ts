import type { Broadcast } from "./broadcast.ts";
import { isStatic, parameterText, parseText, renderText, type Subject } from "./placeholders.ts";
import type { Content } from "./recipient.ts";

/** A campaign's text, cut once, ready to be filled in for each contact. */
export interface Rendering {
  /** The attributes that the text names, each once. */
  readonly attributeKeys: readonly string[];
  /** What every recipient gets when nothing in the text depends on the contact; null when it does. */
  readonly same: NonNullable<Content> | null;
  /**
   * What this contact gets, or null when something it must show is missing: Meta refuses an empty parameter, and an
   * empty text is nothing to send.
   */
  render(subject: Subject): NonNullable<Content> | null;
}

const NOBODY: Subject = { name: null, phone: null, email: null, attributes: {} };

export function renderingOf(broadcast: Pick<Broadcast, "kind" | "body" | "variables">): Rendering {
  const template = broadcast.kind === "WHATSAPP_TEMPLATE";
  const texts = (template ? broadcast.variables : [broadcast.body ?? ""]).map(parseText);
  const keys = texts
    .flat()
    .flatMap((piece) => (typeof piece !== "string" && piece.kind === "attribute" ? piece.key : []));
  const render = (subject: Subject): NonNullable<Content> | null => {
    if (!template) {
      const text = renderText(texts[0] ?? [], subject);
      return text.trim() === "" ? null : { text };
    }
    const parameters = texts.map((pieces) => parameterText(renderText(pieces, subject)));
    return parameters.includes("") ? null : { parameters };
  };
  return {
    attributeKeys: [...new Set(keys)],
    same: texts.every(isStatic) ? render(NOBODY) : null,
    render,
  };
}
