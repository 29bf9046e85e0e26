import { useRef, type KeyboardEvent, type ReactNode } from "react";
import { t } from "../../text/t.ts";
import type { Mode } from "./drafts.ts";

const MODES = ["reply", "note"] as const satisfies readonly Mode[];

interface ModeTabsProps {
  /** Begins the ids of the tabs and their panel. */
  readonly id: string;
  readonly mode: Mode;
  readonly turn: (mode: Mode) => void;
}

/**
 * The tabs of the composer. An arrow moves the focus to the other one; Enter, Space and a press turn to it. They are
 * plain buttons, because a library's tabs took 4 ms of every turn to another conversation.
 */
export function ModeTabs({ id, mode, turn }: ModeTabsProps) {
  const tabs = useRef<Partial<Record<Mode, HTMLButtonElement | null>>>({});
  const move = (event: KeyboardEvent): void => {
    const to = reachedBy(event.key, tabs.current.note === event.target ? "note" : "reply");
    if (to === undefined) return;
    event.preventDefault();
    tabs.current[to]?.focus();
  };
  return (
    <div role="tablist" className="composer-tabs" aria-label={t("composer.form")} onKeyDown={move}>
      {MODES.map((one) => (
        <button
          key={one}
          ref={(tab) => void (tabs.current[one] = tab)}
          type="button"
          role="tab"
          id={`${id}-${one}`}
          className="composer-tab"
          aria-selected={one === mode}
          aria-controls={one === mode ? `${id}-panel` : undefined}
          tabIndex={one === mode ? 0 : -1}
          onClick={() => turn(one)}
        >
          {t(`composer.${one}`)}
        </button>
      ))}
    </div>
  );
}

/** Two tabs: each arrow leads to the other, in both directions of writing. */
function reachedBy(key: string, from: Mode): Mode | undefined {
  if (key === "ArrowLeft" || key === "ArrowRight") return from === "reply" ? "note" : "reply";
  if (key === "Home") return "reply";
  return key === "End" ? "note" : undefined;
}

/** What belongs to the chosen tab. `isStop`: nothing in it takes the focus, so that it does itself. */
export function ModePanel({
  id,
  mode,
  isStop = false,
  children,
}: Pick<ModeTabsProps, "id" | "mode"> & {
  readonly isStop?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div
      role="tabpanel"
      id={`${id}-panel`}
      className={mode === "note" ? "composer-panel-note" : undefined}
      aria-labelledby={`${id}-${mode}`}
      tabIndex={isStop ? 0 : undefined}
    >
      {children}
    </div>
  );
}
