import { useEffect, useRef, useState, type ReactNode } from "react";

interface Tip {
  readonly text: string;
  readonly top: number;
  /** From the window's edge at which the rail stands. */
  readonly away: number;
}

/**
 * The side of the page. Where it is a narrow rail of icons, what the mouse or the focus is on says its name beside it;
 * Escape hides it. Screen readers have these names already.
 */
export function SideWithTips({ children }: { readonly children: ReactNode }) {
  const side = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<Tip | null>(null);
  const show = ({ target }: { readonly target: EventTarget }): void => {
    const on = target instanceof Element ? target.closest("a, button, summary") : null;
    const rail = side.current?.getBoundingClientRect();
    if (on === null || !rail || rail.width > 100) return setTip(null);
    const text = on.getAttribute("aria-label") ?? on.textContent.trim();
    const { top, height } = on.getBoundingClientRect();
    setTip({ text, top: top + height / 2, away: rail.width });
  };
  useEffect(() => {
    if (tip === null) return;
    const hide = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") setTip(null);
    };
    document.addEventListener("keydown", hide);
    return () => document.removeEventListener("keydown", hide);
  }, [tip]);
  return (
    <div
      ref={side}
      className="side"
      onPointerOver={show}
      onPointerLeave={() => setTip(null)}
      onPointerDown={() => setTip(null)}
      onFocus={show}
      onBlur={() => setTip(null)}
      onScroll={() => setTip(null)}
    >
      {children}
      {tip !== null && (
        <span
          className="side-tip"
          aria-hidden="true"
          dir="auto"
          style={{ insetBlockStart: tip.top, insetInlineStart: tip.away }}
        >
          {tip.text}
        </span>
      )}
    </div>
  );
}
