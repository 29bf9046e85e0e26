import { lazy, Suspense, useEffect, useState } from "react";
import { onOpenCommandMenu } from "../shell/open-command-menu.ts";
import { withTexts } from "../text/t.ts";

const CommandMenu = lazy(async () => ({
  default: (await withTexts(import("./command-menu.tsx"), "desk")).CommandMenu,
}));

/**
 * The place of the command menu, which is loaded when it is first opened; Ctrl or ⌘ K opens it. A page contains this
 * once.
 */
export function CommandMenuHost() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const end = onOpenCommandMenu(() => setOpen(true));
    const press = (event: KeyboardEvent): void => {
      if (event.code !== "KeyK" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    document.addEventListener("keydown", press);
    return () => {
      end();
      document.removeEventListener("keydown", press);
    };
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <CommandMenu close={() => setOpen(false)} />
    </Suspense>
  );
}
