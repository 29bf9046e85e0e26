import type { Choice } from "../../channels/choices.ts";
import { invalid } from "../../errors.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";

/** The most choices of a message: as many as the rows of a WhatsApp list. */
const MOST_CHOICES = 10;
/** Telegram takes no longer payload, and no channel a longer label in a button. */
const MOST_PAYLOAD = 64;
const MOST_LABEL = 80;

/** What a message keeps of the choices that it offers. */
export const choicesAttachment = (choices: readonly Choice[]): AttachmentJson => ({
  type: "choices",
  buttons: choices.map(({ text, payload }) => ({ text, payload })),
});

/** The choices that a message offers, from its attachments. */
export function choicesOf(attachments: readonly AttachmentJson[]): Choice[] {
  const kept = attachments.find((one) => one.type === "choices")?.buttons ?? [];
  return kept.flatMap((button) => {
    const { text, payload }: { text?: string; payload?: unknown } = button;
    return text !== undefined && typeof payload === "string" ? [{ text, payload }] : [];
  });
}

/** What a customer pressed, from the attachments of the message that says so; null: it was typed. */
export function pressOf(attachments: readonly AttachmentJson[]): string | null {
  for (const one of attachments) {
    if (one.type === "button") return one.payload ?? null;
    if (one.type === "button_reply" || one.type === "list_reply") return one.id ?? null;
  }
  return null;
}

/** Throws VALIDATION_FAILED for choices that no channel could return as they are. */
export function checkChoices(choices: readonly Choice[]): void {
  if (choices.length === 0 || choices.length > MOST_CHOICES)
    throw invalid("choices", `must be 1 to ${MOST_CHOICES}`);
  for (const [index, { text, payload }] of choices.entries()) {
    if (text.trim() === "" || text.length > MOST_LABEL)
      throw invalid(`choices.${index}.text`, `must be 1 to ${MOST_LABEL} characters`);
    if (payload === "" || Buffer.byteLength(payload, "utf8") > MOST_PAYLOAD)
      throw invalid(`choices.${index}.payload`, `must be 1 to ${MOST_PAYLOAD} bytes`);
  }
}
