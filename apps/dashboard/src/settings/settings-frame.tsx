import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { bootstrapQuery } from "../api/query-client.ts";
import { Icon, type IconName } from "../kit/icon.tsx";
import { t, type PlainKey } from "../text/t.ts";
import "./settings.css";

interface PageEntry {
  readonly path: string;
  readonly name: PlainKey;
  readonly icon: IconName;
  /** Begins another group of pages. */
  readonly first?: true;
  /** Roles that may open it. */
  readonly who: readonly ("owner" | "admin" | "agent")[];
}

const EVERYONE = ["owner", "admin", "agent"] as const;
const ADMINS = ["owner", "admin"] as const;
const OWNER = ["owner"] as const;

/** The pages of the settings, in the order of their navigation. Each area adds its own. */
const PAGES: readonly PageEntry[] = [
  {
    path: "/settings/profile",
    name: "shell.settings.profile",
    icon: "circle-user-round",
    who: EVERYONE,
  },
  {
    path: "/settings/security",
    name: "shell.settings.security",
    icon: "shield-check",
    who: EVERYONE,
  },
  {
    path: "/settings/notifications",
    name: "shell.settings.notifications",
    icon: "bell",
    who: EVERYONE,
  },
  {
    path: "/settings/workspace",
    name: "shell.settings.workspace",
    icon: "building",
    first: true,
    who: OWNER,
  },
  { path: "/settings/team", name: "shell.settings.team", icon: "users", who: ADMINS },
  {
    path: "/settings/channels",
    name: "shell.settings.channels",
    icon: "radio",
    first: true,
    who: ADMINS,
  },
  { path: "/settings/sms", name: "shell.settings.sms", icon: "smartphone", who: ADMINS },
  {
    path: "/settings/labels",
    name: "shell.settings.labels",
    icon: "tag",
    first: true,
    who: ADMINS,
  },
  {
    path: "/settings/saved-replies",
    name: "shell.settings.savedReplies",
    icon: "message-square-quote",
    who: EVERYONE,
  },
  { path: "/settings/opt-out-words", name: "shell.settings.stopWords", icon: "ban", who: ADMINS },
  {
    path: "/settings/api-keys",
    name: "shell.settings.keys",
    icon: "key-round",
    first: true,
    who: ADMINS,
  },
  { path: "/settings/webhooks", name: "shell.settings.webhooks", icon: "webhook", who: ADMINS },
  {
    path: "/settings/limits",
    name: "shell.settings.limits",
    icon: "gauge",
    first: true,
    who: OWNER,
  },
  { path: "/settings/audit-log", name: "shell.settings.audit", icon: "scroll-text", who: ADMINS },
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
          ({ path, name, icon, first }) => (
            <Link key={path} to={path} ref={showCurrent} data-first={first}>
              <Icon name={icon} />
              {t(name)}
            </Link>
          ),
        )}
      </nav>
      <Outlet />
    </div>
  );
}
