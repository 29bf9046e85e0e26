import type { ReactNode } from "react";
import "./page.css";

/** The text of an empty page: what belongs here, and the buttons or links of the next step. */
export function EmptyState({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children !== undefined && <div className="empty-next">{children}</div>}
    </div>
  );
}
