/** Who has it after an assignment: no one, the member who did it, or another; `name` null: a former member. */
export type Assignment = "none" | "self" | { readonly name: string | null };

/** What the audit's facts of an assignment say: `to` is a member's id or null, `actor` is "member:ID", "key:ID" … */
export function assignmentIn(
  { to, actor }: Readonly<Record<string, unknown>>,
  members: readonly { readonly id: string; readonly name: string }[],
): Assignment {
  if (typeof to !== "string") return "none";
  if (actor === `member:${to}`) return "self";
  return { name: members.find(({ id }) => id === to)?.name ?? null };
}
