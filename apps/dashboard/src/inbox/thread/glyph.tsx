import { SHAPES } from "./shapes.ts";

/** A drawn sign beside a text, or in a button with a name. Screen readers skip it. */
export function Glyph({ name, turn = false }: { name: keyof typeof SHAPES; turn?: boolean }) {
  return (
    <svg
      className={turn ? "thread-glyph thread-glyph-turn" : "thread-glyph"}
      viewBox="0 0 24 24"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: SHAPES[name] }}
    />
  );
}
