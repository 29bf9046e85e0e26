/** What an attachment tells of itself. */
export type AttachmentFacts = Readonly<Record<string, unknown>>;

/** Leaves out what was not given. */
export function withoutNulls(facts: AttachmentFacts): AttachmentFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
