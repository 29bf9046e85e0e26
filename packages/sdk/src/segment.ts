/** An id as a part of a path. Throws a TypeError for what would lead to another address. */
export function segment(name: string, id: string): string {
  if (id === "") throw new TypeError(`${name} is empty: it must be an id`);
  if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id`);
  return encodeURIComponent(id);
}
