/** What an attachment tells of itself. */
export type Attachment = Readonly<Record<string, unknown>>;

/** Leaves out what was not given. */
export function given(facts: Attachment): Attachment {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
