import { Suspense, useEffect, useSyncExternalStore } from "react";
import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { bootstrapQuery } from "./api/query-client.ts";
import { followMember } from "./text/locale.ts";
import { followMemberTheme } from "./kit/theme.ts";
import { t } from "./text/t.ts";
import { CommandMenuHost } from "./search/command-menu-host.tsx";
import { ViewDialogs } from "./inbox/views/view-dialogs.tsx";
import { KeysHelp, useKeys } from "./inbox/keys.tsx";
import { useBootstrap, useLive } from "./desk/use-inbox.ts";
import { Navigation } from "./shell/navigation.tsx";
import { ProveAgain } from "./shell/prove-again.tsx";
import { PageLate } from "./kit/page-late.tsx";
import "./shell/shell.css";

/** The frame of every page for members: the navigation, the command menu, and the notice of a lost connection. */
export function Frame() {
  // The one that asks again: everything else reads what it has brought (`useBootstrap`).
  useQuery(bootstrapQuery);
  const { settings, workspace } = useBootstrap();
  useEffect(() => {
    followMember(settings.locale ?? workspace.locale);
    followMemberTheme(settings.theme);
  }, [settings.locale, workspace.locale, settings.theme]);
  useKeys();
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t("shell.skip")}
      </a>
      <Navigation />
      <div className="frame-page">
        <Suspense fallback={<PageLate />}>
          <Outlet />
        </Suspense>
      </div>
      <div className="frame-lines">
        <Connection />
        {workspace.kind === "test" && <p className="frame-test">{t("shell.testWorkspace")}</p>}
      </div>
      <CommandMenuHost />
      <ViewDialogs />
      <KeysHelp />
      <ProveAgain />
    </div>
  );
}

/** The browser knows of a lost network before the stream does. */
function followNetwork(changed: () => void): () => void {
  addEventListener("online", changed);
  addEventListener("offline", changed);
  return () => {
    removeEventListener("online", changed);
    removeEventListener("offline", changed);
  };
}

/** Says so while the server is not reached; messages written meanwhile wait in the browser. */
function Connection() {
  const live = useLive();
  const online = useSyncExternalStore(followNetwork, () => navigator.onLine);
  const reached = live && online;
  return (
    <p role="status" className={reached ? "visually-hidden" : "reconnecting"}>
      {reached ? "" : t("shell.reconnecting")}
    </p>
  );
}
