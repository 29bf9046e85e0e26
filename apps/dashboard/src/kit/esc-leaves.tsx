import type { KeyboardEvent, ReactNode } from "react";

/**
 * What a dialog asks, with fields of a search in it: Esc closes it at once. Without this, the first Esc would only empty
 * the field.
 */
export function EscLeaves({
  close,
  children,
}: {
  readonly close: () => void;
  readonly children: ReactNode;
}) {
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    close();
  };
  return (
    <div className="esc-leaves" onKeyDownCapture={leave}>
      {children}
    </div>
  );
}
