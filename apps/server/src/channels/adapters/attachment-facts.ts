/** The facts of an attachment. */
export type AttachmentFacts = Readonly<Record<string, unknown>>;

/** Leaves out empty values. */
export function withoutNulls(facts: AttachmentFacts): AttachmentFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
