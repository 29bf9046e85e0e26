import { useLayoutEffect, type RefObject } from "react";

/**
 * Says in `data-more` of what scrolls sideways at which of its ends more follows: `start`, `end`, or both.
 * `page.css` fades it there.
 */
export function useMore(row: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = row.current;
    if (element === null) return;
    const look = (): void => {
      // Right to left, it counts below zero.
      const before = Math.abs(element.scrollLeft);
      const after = element.scrollWidth - element.clientWidth - before;
      const ends = [before > 1 ? "start" : "", after > 1 ? "end" : ""].join(" ").trim();
      if (ends === "") delete element.dataset["more"];
      else element.dataset["more"] = ends;
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [row]);
}

/** Scrolls a row sideways until the child is in its middle, or the row at its end. The page does not move. */
export function showInRow(row: HTMLElement, child: Element): void {
  const [outer, inner] = [row.getBoundingClientRect(), child.getBoundingClientRect()];
  row.scrollBy({ left: inner.left + inner.width / 2 - outer.left - outer.width / 2 });
}
