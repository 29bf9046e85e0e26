import type { ReactNode } from "react";
import "./page.css";

export type Tone = "plain" | "ok" | "warn" | "bad" | "info" | "accent";

/** A short word for a state. The word says it; the colour only repeats it. */
export function Badge({
  tone = "plain",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
