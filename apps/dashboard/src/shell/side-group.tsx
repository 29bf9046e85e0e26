import { useState, type ReactNode } from "react";
import { Icon } from "../kit/icon.tsx";

const KEY = "parley.folded";

/** The groups that this browser keeps folded. */
const foldedGroups = (): ReadonlySet<string> =>
  new Set((localStorage.getItem(KEY) ?? "").split(" "));

function keepFolded(group: string, folded: boolean): void {
  const all = new Set(foldedGroups());
  if (folded) all.add(group);
  else all.delete(group);
  localStorage.setItem(KEY, [...all].join(" "));
}

/** A group of links under a heading that folds it; nothing while it is empty. */
export function SideGroup({
  group,
  title,
  action,
  children,
}: {
  readonly group: "views" | "channels" | "labels";
  readonly title: string;
  /** Creates what the group lists; a group with it is shown even when empty. */
  readonly action?: ReactNode;
  readonly children: readonly ReactNode[];
}) {
  const [folded, setFolded] = useState(() => foldedGroups().has(group));
  if (children.length === 0 && action === undefined) return null;
  return (
    <div role="group" className="side-group" aria-label={title}>
      <details
        open={!folded}
        onToggle={({ currentTarget: { open } }) => {
          setFolded(!open);
          keepFolded(group, !open);
        }}
      >
        <summary>
          <h2>{title}</h2>
          <Icon name="chevron-down" />
        </summary>
        <ul>{children}</ul>
      </details>
      {action}
    </div>
  );
}
