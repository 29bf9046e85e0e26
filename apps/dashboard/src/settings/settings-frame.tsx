import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { bootstrapQuery } from "../api/query-client.ts";
import { t, type PlainKey } from "../text/t.ts";
import "./settings.css";

interface PageEntry {
  readonly path: string;
  readonly name: PlainKey;
  /** Roles that may open it. */
  readonly who: readonly ("owner" | "admin" | "agent")[];
}

const EVERYONE = ["owner", "admin", "agent"] as const;
const ADMINS = ["owner", "admin"] as const;
const OWNER = ["owner"] as const;

/** The pages of the settings, in the order of their navigation. Each area adds its own. */
const PAGES: readonly PageEntry[] = [
  { path: "/settings/profile", name: "shell.settings.profile", who: EVERYONE },
  { path: "/settings/security", name: "shell.settings.security", who: EVERYONE },
  { path: "/settings/notifications", name: "shell.settings.notifications", who: EVERYONE },
  { path: "/settings/workspace", name: "shell.settings.workspace", who: OWNER },
  { path: "/settings/team", name: "shell.settings.team", who: ADMINS },
  { path: "/settings/channels", name: "shell.settings.channels", who: ADMINS },
  { path: "/settings/sms", name: "shell.settings.sms", who: ADMINS },
  { path: "/settings/labels", name: "shell.settings.labels", who: ADMINS },
  { path: "/settings/saved-replies", name: "shell.settings.savedReplies", who: EVERYONE },
  { path: "/settings/opt-out-words", name: "shell.settings.stopWords", who: ADMINS },
  { path: "/settings/api-keys", name: "shell.settings.keys", who: ADMINS },
  { path: "/settings/webhooks", name: "shell.settings.webhooks", who: ADMINS },
  { path: "/settings/limits", name: "shell.settings.limits", who: OWNER },
  { path: "/settings/audit-log", name: "shell.settings.audit", who: ADMINS },
];

/** On a phone the pages are in one row: the current one is scrolled into view. */
function showCurrent(link: HTMLAnchorElement | null): void {
  if (link?.ariaCurrent === "page") link.scrollIntoView({ inline: "center", block: "nearest" });
}

/** The navigation beside every page of the settings: links to those that the member's role may open. */
export function SettingsFrame() {
  const { data } = useQuery(bootstrapQuery);
  const role = data?.member.role;
  return (
    <div className="settings">
      <nav aria-label={t("people.settings")} className="settings-nav">
        {PAGES.filter(({ who }) => role !== undefined && who.includes(role)).map(
          ({ path, name }) => (
            <Link key={path} to={path} ref={showCurrent}>
              {t(name)}
            </Link>
          ),
        )}
      </nav>
      <Outlet />
    </div>
  );
}
