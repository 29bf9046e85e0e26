import { useContext, useEffect, useRef, type ReactNode } from "react";
import { TabList, TabListStateContext } from "react-aria-components";
import { showInRow, useMore } from "./use-more.ts";
import "./page.css";

/** The tabs of a page in one row. Where they have no room, the row fades at the end where more follow, and shows the chosen one. */
export function TabRow({
  name,
  className = "",
  children,
}: {
  readonly name: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const row = useRef<HTMLDivElement>(null);
  const chosen = useContext(TabListStateContext)?.selectedKey;
  useMore(row);
  useEffect(() => {
    const tab = row.current?.querySelector("[aria-selected=true]");
    if (row.current && tab) showInRow(row.current, tab);
  }, [chosen]);
  return (
    <TabList ref={row} aria-label={name} className={`react-aria-TabList ${className}`.trim()}>
      {children}
    </TabList>
  );
}
